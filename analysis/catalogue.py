"""What there is: games, variants, rulings, policies, odds tables, and the validate page."""

from collections.abc import Mapping, Sequence

import sims
from analysis.chapter import Check, chapter
from analysis.measures import Column, Measured, exactly
from analysis.tables import Table
from sims.engine import variant
from sims.engine.game import Game


def tables(names: Sequence[str]) -> list[Table]:
    """What there is in the named games, and what users' files of them hold."""
    games, variants, rules, policies, records, files = [], [], [], [], [], []
    for name in names:
        game = sims.game(name)
        seats = f"{game.seats[0]}-{game.seats[-1]}"
        games.append({"game": name, "title": game.title, "players": seats, "summary": game.summary})
        for stem in variant.names(game.folder):
            found = game.variant(stem)
            variants.append({"game": name, "variant": stem, "summary": found.summary})
        defaults = game.rules()
        for key, spec in variant.specs(defaults).items():
            kind = "ruling" if spec.alternatives else "data" if spec.parse else "number"
            default = getattr(defaults, key)
            rules.append(
                {
                    "game": name,
                    "rule": key,
                    "kind": kind,
                    "default": variant.show(default) if isinstance(default, bool | int | str) else "",
                    "allowed": spec.says(),
                    "meaning": spec.doc,
                }
            )
        for policy in game.roster.values():
            takes = ", ".join(f"{p.name}={p.default} ({p.low}..{p.high}: {p.doc})" for p in policy.parameters)
            called = {"game": name, "policy": policy.name, "called": policy.title}
            policies.append({**called, "idea": policy.idea, "parameters": takes})
        files += [{"game": name, "file": kind, "holds": holds} for kind, holds in game.files.items()]
        for field in game.fields:
            records.append(
                {"game": name, "column": field.name + ("_1, .." if field.per_seat else ""), "meaning": field.doc}
            )
    return [
        told("games", "Games", games),
        told("variants", "Variants (--variant)", variants),
        told("rules", "Rules and rulings (--set key=value)", rules),
        told("policies", "Policies (--lineup)", policies),
        told("files", "Files of your own (.toml; README shows examples)", files),
        told("records", "Columns of a record (play -o FILE.parquet)", records),
    ]


def told(name: str, title: str, rows: Sequence[Mapping[str, str]]) -> Table:
    """A list of texts."""
    return Table.of(name, title, [Column(key, kind="text") for key in rows[0]], rows)


def odds_tables(game: str) -> Table:
    """The odds tables of a game and the question each answers."""
    rows = [{"table": name, "question": table.question} for name, table in chapter(game).odds.items()]
    return told("tables", f"Odds tables of {game} (--table NAME)", rows)


CHECKED = (
    Column("game", kind="key"),
    Column("check", kind="key"),
    Column("expected", digits=5),
    Column("got"),
    Column("z", digits=2, meaning="standard errors between the two; 0 where both sides are exact and agree"),
    Column("passed"),
    Column("source", kind="text"),
)


def checks_table(checks: Sequence[tuple[str, Check]], seed: int) -> Table:
    """The validate page."""
    rows = [
        {
            "game": game,
            "check": check.name,
            "expected": check.expected,
            "got": Measured(check.interval, check.games or 1, seed) if check.standard_error else exactly(check.got),
            "z": check.z,
            "passed": check.passed,
            "source": check.source,
        }
        for game, check in checks
    ]
    return Table.of("validate", "Known answers", CHECKED, rows)


def policies_table(game: Game) -> Table:
    """The policies of a game, for a page: what people call each, and what it does."""
    rows = [
        {"policy": policy.name, "what it does": policy.idea, "after": policy.source} for policy in game.roster.values()
    ]
    columns = [Column("policy", kind="policy"), Column("what it does", kind="text"), Column("after", kind="text")]
    return Table.of("policies", "The players of this page", columns, rows)


def readings_table(chosen: variant.Variant) -> Table:
    """The rulings of a variant: what each settles, how, and what else it could say."""
    others: dict[str, list[str]] = {}
    for name, reading, _ in variant.other_readings(chosen):
        others.setdefault(name, []).append(variant.show(reading))
    rows = [
        {
            "settles": spec.doc,
            "rule": name,
            "reading": variant.show(getattr(chosen.rules, name)),
            "measured_too": ", ".join(others.get(name, [])),
        }
        for name, spec in variant.rulings(chosen.rules).items()
    ]
    columns = (
        Column("settles", "what is settled", kind="text"),
        Column("rule", "here", kind="rule"),
        Column("reading", kind="rule"),
        Column("measured_too", kind="text"),
    )
    return Table.of("readings", "How this page reads the ambiguous rules", columns, rows)
