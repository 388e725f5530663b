"""What there is: games, variants, rulings, policies, odds tables, and the validate page."""

from collections.abc import Sequence

import pandas as pd

import sims
from analysis.chapter import Check, chapter
from analysis.tables import Table
from sims.engine import variant


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
            policies.append({"game": name, "policy": policy.name, "idea": policy.idea, "parameters": takes})
        files += [{"game": name, "file": kind, "holds": holds} for kind, holds in game.files.items()]
        for field in game.fields:
            records.append(
                {"game": name, "column": field.name + ("_1, .." if field.per_seat else ""), "meaning": field.doc}
            )
    return [
        Table("games", "Games", pd.DataFrame(games), True),
        Table("variants", "Variants (--variant)", pd.DataFrame(variants), True),
        Table("rules", "Rules and rulings (--set key=value)", pd.DataFrame(rules), True),
        Table("policies", "Policies (--lineup)", pd.DataFrame(policies), True),
        Table("files", "Files of your own (.toml; README shows examples)", pd.DataFrame(files), True),
        Table("records", "Columns of a record (play -o FILE.parquet)", pd.DataFrame(records), True),
    ]


def odds_tables(game: str) -> Table:
    """The odds tables of a game and the question each answers."""
    rows = [{"table": name, "question": table.question} for name, table in chapter(game).odds.items()]
    return Table("tables", f"Odds tables of {game} (--table NAME)", pd.DataFrame(rows), True)


def checks_table(checks: Sequence[tuple[str, Check]], seed: int) -> Table:
    """The validate page."""
    rows = []
    for game, check in checks:
        rows.append(
            {
                "game": game,
                "check": check.name,
                "expected": check.expected,
                "got": check.got,
                "low": check.interval.low,
                "high": check.interval.high,
                "z": check.z,
                "passed": check.passed,
                "source": check.source,
                "games": check.games,
                "seed": seed if check.standard_error else None,
            }
        )
    frame = pd.DataFrame(rows).astype({"games": "Int64", "seed": "Int64"})
    note = (
        f"Simulated values of seed {seed} with their 95 % interval; z in standard errors, 0 where both sides are exact."
    )
    return Table("validate", "Known answers", frame, None, note, decimals={"expected": 5, "z": 2})


def readings_table(chosen: variant.Variant) -> Table:
    """The rulings of a variant: what each settles, how, and what else it could say."""
    rows = [
        {
            "ruling": name,
            "settles": spec.doc,
            "here": variant.show(getattr(chosen.rules, name)),
            "measured_too": ", ".join(
                variant.show(reading) for ruling, reading, _ in variant.other_readings(chosen) if ruling == name
            ),
        }
        for name, spec in variant.rulings(chosen.rules).items()
    ]
    return Table("readings", "How this page reads the ambiguous rules", pd.DataFrame(rows), True)
