"""The report: sections of a chapter composed into one self-contained page, and its claims for machines."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from analysis import figures
from analysis.balance import called
from analysis.chapter import Section, Study, chapter
from analysis.claims import Claim, Sentence, settle
from analysis.files import write
from analysis.page import sections as sections_of
from analysis.tables import Table, json_text
from sims.engine.batch import toolkit_version
from sims.engine.variant import as_dict, rulings, show


def write_report(study: Study, folder: Path, pictures: bool = False) -> Path:
    """Write ``<game>.html`` and its claims, ``<game>.json``, into a folder, each whole or not at all; return the page's path.

    With ``pictures`` every figure is also written as PNG and SVG, named by its number and its section's heading, into
    ``<game>-pictures``, for articles.
    """
    sections = list(sections_of(study))
    path = folder / f"{study.game.name}.html"
    claims = settled(sections)
    write(path, page(study, sections, claims, command(study)))
    content = {"claims": [claim.to_json() for claim in claims.values()], "provenance": study.provenance}
    write(path.with_suffix(".json"), json_text(content))
    if pictures:
        drawn = [(section.heading, picture) for section in sections for picture in section.pictures]
        for number, (heading, picture) in enumerate(drawn, start=1):
            slug = "-".join(re.findall(r"[a-z0-9]+", heading.lower()))
            name = f"{number:02}-{slug}"
            write(folder / f"{study.game.name}-pictures" / f"{name}.png", figures.png(picture.draw))
            write(folder / f"{study.game.name}-pictures" / f"{name}.svg", figures.svg(picture.draw))
    return path


def settled(sections: Sequence[Section]) -> dict[str, Claim]:
    """Every claim of a page by name, the exact ones first; its questions are settled together.

    Raises
    ------
    ValueError
        If two of them share a name; the same one may stand in several sections.
    """
    said = [sentence for section in sections for sentence in section.sentences if not isinstance(sentence, str)]
    by_name = {sentence.name: sentence for sentence in said}
    for sentence in said:
        other = by_name[sentence.name]
        if sentence is not other and not (isinstance(sentence, Claim) and sentence == other):
            raise ValueError(f"two claims of the page are called {sentence.name!r}")
    exact = {name: sentence for name, sentence in by_name.items() if isinstance(sentence, Claim)}
    return exact | settle([sentence for sentence in by_name.values() if not isinstance(sentence, Claim)])


def told(sentence: Sentence, claims: Mapping[str, Claim], short: bool = False) -> str:
    """What the page says, or what its first box does."""
    if isinstance(sentence, str):
        return sentence
    claim = claims[sentence.name]
    return claim.short if short else claim.sentence


def command(study: Study) -> str:
    """The command line that builds the same report again."""
    words = ["oddsmith", "report", study.game.name, "--seed", str(study.seed), "--games", str(study.games)]
    if study.variant.source != "standard":
        words += ["--variant", study.variant.source]
    if study.seconds is not None:
        words += ["--seconds", f"{study.seconds:g}"]
    for change in study.variant.changes:
        words += ["--set", change]
    return shlex.join(words)


def page(study: Study, sections: Sequence[Section], claims: Mapping[str, Claim], rebuilt_by: str) -> str:
    """The page as HTML: text, tables and pictures in one file, nothing loaded from elsewhere."""
    environment = Environment(
        loader=PackageLoader("analysis"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = lambda picture: figures.svg(picture.draw)
    environment.filters["cells"] = partial(cells, study)
    environment.filters["note"] = partial(note, study)
    # a number and its percent sign stay on one line
    environment.filters["told"] = lambda sentence, short: told(sentence, claims, short).replace(" %", "\u00a0%")
    rules = as_dict(study.variant.rules)
    return environment.get_template("report.html").render(
        game=study.game,
        variant=study.variant,
        sections=sections,
        rules={key: show(rules[key]) for key in rulings(study.variant.rules)},
        seed=study.seed,
        games=study.games,
        version=toolkit_version(),
        date=datetime.now(UTC).date().isoformat(),
        command=rebuilt_by,
    )


@dataclass(frozen=True)
class Cell:
    """A cell of a table on a page: what people read, and in small print the key that they type."""

    text: str
    key: str = ""


def cells(study: Study, table: Table) -> dict[str, list[list[Cell]] | list[str] | list[bool]]:
    """A table for the template: ``headings``, ``rows``, and which columns are ``numeric``.

    Policies and readings are called what people call them. A ruling and its reading are one column.
    """
    shown = table.shown_columns()
    kinds = {name: table.column(name).kind for name in shown}
    ruled = [name for name in shown if kinds[name] == "rule"]
    rows = []
    for texts, keys in zip(table.display().to_numpy().tolist(), table.frame[shown].to_dict("records"), strict=True):
        row = []
        for name, text in zip(shown, texts, strict=True):
            if kinds[name] == "policy":
                row.append(Cell(called(study.game, str(keys[name])), text))
            elif name in ruled[:1]:
                row.append(reading(study, [str(keys[rule]) for rule in ruled]))
            elif name not in ruled:
                row.append(Cell(text.replace(" %", "\u00a0%")))
        rows.append(row)
    left = [number for number, name in enumerate(shown) if name not in ruled[1:]]
    return {
        "headings": [table.heading(shown[number]) for number in left],
        "rows": rows,
        "numeric": [table.numeric()[number] for number in left],
    }


def note(study: Study, table: Table) -> str:
    """The note below a table, with its players called what people call them."""
    return re.sub(r"(?<=plays )'([^']+)'", lambda found: called(study.game, found[1]), table.note)


def reading(study: Study, keys: Sequence[str]) -> Cell:
    """A change of the rules, as people call it."""
    words, key = chapter(study.game.name).readings.get((keys[0], keys[-1])), " = ".join(filter(None, keys))
    return Cell(words, key) if words else Cell(key)
