"""The report: sections of a chapter composed into one self-contained page."""

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from analysis import figures
from analysis.chapter import Section, Study, chapter
from analysis.files import write
from analysis.tables import Table
from sims.engine.batch import toolkit_version
from sims.engine.variant import as_dict, rulings, show


def write_report(study: Study, folder: Path, pictures: bool = False) -> Path:
    """Write ``<game>.html`` into a folder, whole or not at all, and return its path.

    With ``pictures`` every figure is also written as PNG and SVG, named by its number and its section's heading, into
    ``<game>-pictures``, for articles.
    """
    sections = list(chapter(study.game.name).sections(study))
    path = folder / f"{study.game.name}.html"
    write(path, page(study, sections, command(study)))
    if pictures:
        drawn = [(section.heading, picture) for section in sections for picture in section.pictures]
        for number, (heading, picture) in enumerate(drawn, start=1):
            slug = "-".join(re.findall(r"[a-z0-9]+", heading.lower()))
            name = f"{number:02}-{slug}"
            write(folder / f"{study.game.name}-pictures" / f"{name}.png", figures.png(picture.draw))
            write(folder / f"{study.game.name}-pictures" / f"{name}.svg", figures.svg(picture.draw))
    return path


def command(study: Study) -> str:
    """The command line that builds the same report again."""
    words = ["oddsmith", "report", study.game.name, "--seed", str(study.seed), "--games", str(study.games)]
    if study.variant.source != "standard":
        words += ["--variant", study.variant.source]
    for change in study.variant.changes:
        words += ["--set", change]
    return shlex.join(words)


def page(study: Study, sections: list[Section], rebuilt_by: str) -> str:
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
    environment.filters["tight"] = lambda text: text.replace(" %", "\u00a0%")
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
