"""Exact answers from any pins, and the known answers that the simulation must meet."""

from collections.abc import Iterator, Sequence

from analysis.chapter import Answer, Check, Study
from analysis.chapters.tacatuca.odds import CHAIN, every_state, quick, solution
from analysis.measures import Column
from analysis.tables import Table
from sims.engine.errors import InputError
from sims.engine.numbers import read_whole, shown
from sims.engine.text import counted
from sims.tacatuca import duel, exact

#: What float64 may add to the errors that the chains guarantee, relative to the value.
ROUNDING = 1e-11


def solve(study: Study, pins: str | Sequence[int] | None = None) -> Answer:
    """Chances, length and order of leaving from ``pins`` ("20,20" or (20, 20); by default the start of two players)."""
    rules = study.variant.rules
    start = parse_pins(pins) if pins is not None else (rules.pins, rules.pins)
    found = solution(study, rules, start)
    content = {
        "exact": True,
        "game": study.game.name,
        "variant": study.variant.name,
        "pins": list(start),
        "win_probability": found.win.tolist(),
        "places": found.places.tolist(),
        "leaves_first": found.leaves_first.tolist(),
        "unfinished": found.unfinished,
        "rounds": {
            "mean": found.rounds_mean,
            "sd": found.rounds_sd,
            "median": found.rounds_median,
            "p95": found.rounds_p95,
        },
        "guaranteed_error": found.remaining,
        "distribution": [
            {"round": number, "probability": chance} for number, chance in enumerate(found.ended.tolist()) if number
        ],
    }
    players = len(start)
    rows = []
    for seat, held in enumerate(start):
        row = {"seat": seat + 1, "pins": held, "wins": float(found.win[seat]), "share_of_pins": held / sum(start)}
        row |= {f"place_{place + 1}": float(found.places[seat, place]) for place in range(1, players)}
        if found.unfinished:
            row["still_in"] = 1 - float(found.places[seat].sum())
        rows.append(row)
    columns = [Column(name, kind="key" if name in ("seat", "pins") else "share") for name in rows[0]]
    method = f"{CHAIN[:-1]}; every chance is too small by at most {max(found.remaining, 1e-15):.0e}."
    remark = (
        "Players who leave in the same round share the better place, so a place may add up to more than 100 % over "
        "the seats, and the next one to less."
    )
    table = Table.of("solve", "Chances by seat", columns, rows, method=method, remark=remark if players > 2 else "")
    held = ", ".join(map(str, start))
    sentences = [
        f"Tacatuca ({study.variant.name}) from {held} pins, exactly:",
        f"The game lasts {found.rounds_mean:.2f} rounds on average (standard deviation {found.rounds_sd:.2f}); half of the "
        f"games are over by round {found.rounds_median}, 95 % by round {found.rounds_p95}.",
    ]
    if found.unfinished:
        sentences.append(
            f"{in_percent(found.unfinished)} of the games are cut off after {rules.max_rounds:,} rounds (max_rounds) and have no "
            "winner; 'still in' is the chance of a seat to hold pins then."
        )
    return Answer(content, tuple(sentences), (table,))


def in_percent(chance: float) -> str:
    """A chance that is not 0 in percent, with digits that show it: ``95.07 %``, ``0.02 %``, ``7e-08 %``."""
    percent = 100 * chance
    return f"{percent:.2f} %" if percent >= 0.1 else f"{percent:.1g} %" if percent >= 1e-4 else f"{percent:.0e} %"


def parse_pins(text: str | Sequence[int]) -> tuple[int, ...]:
    """``"20,20"`` as numbers, or the numbers themselves; anything else is one clear line."""
    if not isinstance(text, str):
        return exact.check_pins(text)
    parts = [part.strip() for part in text.split(",")]
    if not 2 <= len(parts) <= 4:
        raise InputError(f"pins: {text!r} names {counted(len(parts), 'seat')}; write pins for 2 to 4 seats, as 20,20")
    for part in parts:
        if not 0 < (read_whole(part) or 0) < 10**9:
            raise InputError(
                f"pins: {shown(part)} is not allowed; a whole number of at least 1 for each seat, as 20,20"
            )
    return tuple(map(int, parts))


def checks(study: Study) -> Iterator[Check]:
    """Simulated against exact for 2, 3 and 4 players, and exact by two methods."""
    rules = study.variant.rules
    for players in quick(study):
        start = (rules.pins,) * players
        found = solution(study, rules, start)
        table = every_state(study, players)
        row = table.row(start)
        name, source = f"{players} players", "mass followed forward = values solved backward"
        chances, rounds = (float(table.win[row, 0]), float(found.win[0])), (float(table.rounds[row]), found.rounds_mean)
        bound = table.win_error + found.remaining + ROUNDING
        yield Check(f"{name}: win chance of seat 1, two methods", source, *chances, tolerance=bound)
        bound = table.rounds_error + found.rounds_mean_error + ROUNDING * found.rounds_mean
        yield Check(f"{name}: mean rounds, two methods", source, *rounds, tolerance=bound)
        if players == 2:
            alone = duel.solve(duel.net_pins(rules), rules.pins, 2 * rules.pins, rules.max_rounds)
            yield Check(f"{name}: mean rounds, dense solve", "linear system", alone.rounds, found.rounds_mean)
        batch = study.play(f"playing {players} players", lineup=study.game.lineup((), players))
        source = "exact chain"
        for seat in range(players):
            chance = float(found.win[seat])
            error = standard_error(chance, batch.games)
            got = batch.histograms["winners"][1 << seat] / batch.games
            yield Check(f"{name}: seat {seat + 1} wins", source, chance, float(got), error, batch.games, between=(0, 1))
        chance = found.unfinished
        error, got = standard_error(chance, batch.games), batch.unfinished / batch.games
        yield Check(f"{name}: cut off by max_rounds", source, chance, got, error, batch.games, between=(0, 1))
        error = found.rounds_sd / batch.games**0.5
        yield Check(
            f"{name}: mean rounds", source, found.rounds_mean, batch.sums["rounds"] / batch.games, error, batch.games
        )
        for label, number in (("median", found.rounds_median), ("95th percentile", found.rounds_p95)):
            chance = float(found.over_by[number])
            error = standard_error(chance, batch.games)
            got = batch.histograms["rounds"][: number + 1].sum() / batch.games
            yield Check(
                f"{name}: over by the {label} ({number})",
                source,
                chance,
                float(got),
                error,
                batch.games,
                between=(0, 1),
            )


def standard_error(chance: float, games: int) -> float:
    """Of a simulated share; the share of one game more, so that a rare thing may happen once."""
    spread = max(0.0, chance * (1 - chance))
    return (spread / games + games**-2) ** 0.5 if spread else 0.0
