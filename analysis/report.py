"""The report: sections of a chapter composed into one self-contained page, and its claims for machines."""

import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from analysis import figures
from analysis.chapter import Section, Study, chapter
from analysis.claims import Claim, Sentence, settle
from analysis.files import write
from analysis.tables import Table, json_text
from sims.engine.batch import toolkit_version
from sims.engine.variant import as_dict, rulings, show


def write_report(study: Study, folder: Path, pictures: bool = False) -> Path:
    """Write ``<game>.html`` and its claims, ``<game>.json``, into a folder, each whole or not at all; return the page's path.

    With ``pictures`` every figure is also written as PNG and SVG, named by its number and its section's heading, into
    ``<game>-pictures``, for articles.
    """
    sections = list(chapter(study.game.name).sections(study))
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
        if sentence is not by_name[sentence.name]:
            raise ValueError(f"two claims of the page are called {sentence.name!r}")
    exact = {name: sentence for name, sentence in by_name.items() if isinstance(sentence, Claim)}
    return exact | settle([sentence for sentence in by_name.values() if not isinstance(sentence, Claim)])


def told(sentence: Sentence, claims: Mapping[str, Claim]) -> str:
    """What the page says."""
    return sentence if isinstance(sentence, str) else claims[sentence.name].sentence


def command(study: Study) -> str:
    """The command line that builds the same report again."""
    words = ["oddsmith", "report", study.game.name, "--seed", str(study.seed), "--games", str(study.games)]
    if study.variant.source != "standard":
        words += ["--variant", study.variant.source]
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
    environment.filters["cells"] = cells
    # a number and its percent sign stay on one line
    environment.filters["told"] = lambda sentence: told(sentence, claims).replace(" %", "\u00a0%")
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


def cells(table: Table) -> dict[str, list[list[str]] | list[str] | list[bool]]:
    """A table as texts for the template: ``headings``, ``rows``, and which columns are ``numeric``."""
    frame = table.display()
    return {
        "headings": list(frame.columns),
        "rows": [[text.replace(" %", "\u00a0%") for text in row] for row in frame.to_numpy().tolist()],
        "numeric": table.numeric(),
    }
