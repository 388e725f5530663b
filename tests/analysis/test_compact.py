"""Long tables made wide: every cell where it belongs, each meaning told once."""

from analysis import compact
from analysis.estimates import Estimate
from analysis.measures import Column, Measured
from analysis.tables import Table

COLUMNS = (
    Column("players", kind="key"),
    Column("policy", kind="policy"),
    Column("seat", kind="key"),
    Column("rounds", digits=1, meaning="mean length"),
    Column("win_rate", kind="share", meaning="outright wins"),
)


def table(cells):
    rows = [
        {
            "players": players,
            "policy": policy,
            "seat": seat,
            "rounds": 10.04,
            "win_rate": Measured(Estimate(rate, rate - 0.05, rate + 0.05), 50, 3),
        }
        for players, policy, seat, rate in cells
    ]
    return Table.of("seats", "Seats", COLUMNS, rows, remark="All is said.")


CELLS = [(3, "card", 2, 0.35), (2, "card", 1, 0.55), (2, "card", 2, 0.45), (3, "card", 1, 0.25)]


def plain(frame):
    return [[str(cell).replace("\N{NO-BREAK SPACE}", " ") for cell in row] for row in frame.to_numpy().tolist()]


def test_numbers_of_players_become_columns_and_rows_ascend():
    wide = compact.across(table(CELLS), "win_rate", ["seat"])
    assert list(wide.frame) == ["seat", "3 players", "2 players"]
    assert plain(wide.frame) == [["1", "25.0 ± 5.0 %", "55.0 ± 5.0 %"], ["2", "35.0 ± 5.0 %", "45.0 ± 5.0 %"]]
    assert wide.exact is False
    assert wide.note == (
        "Simulated: 50 games, seed 3; ± is half of the 95 % interval. Every seat plays 'card'. All is said. "
        "win rate: outright wins."
    )


def test_what_stands_beside_is_told_for_each_number_of_players():
    wide = compact.across(table(CELLS[1:3]), "win_rate", ["seat"], ["rounds"])
    assert list(wide.frame) == ["seat", "win rate, 2 players", "rounds, 2 players"]
    assert plain(wide.frame)[0] == ["1", "55.0 ± 5.0 %", "10.0"]
    assert wide.note.endswith("win rate: outright wins; rounds: mean length.")


def test_a_row_that_one_number_of_players_lacks_is_empty_there():
    wide = compact.across(table(CELLS[:2]), "win_rate", ["seat"])
    assert plain(wide.frame) == [["1", "", "55.0 ± 5.0 %"], ["2", "35.0 ± 5.0 %", ""]]


def test_policies_become_columns():
    both = table([(2, "card", 1, 0.5), (2, "hold", 1, 0.4)])
    wide = compact.across(both, "win_rate", ["seat"], over="policy", call=str.upper)
    assert list(wide.frame) == ["seat", "CARD", "HOLD"]
    assert "plays" not in wide.note


def test_the_interval_is_folded_into_the_cell_of_its_value():
    both = compact.folded(table(CELLS[1:3]))
    assert list(both.frame) == ["players", "policy", "seat", "rounds", "win_rate", "games", "seed"]
    assert plain(both.frame[["win_rate"]]) == [["55.0 ± 5.0 %"], ["45.0 ± 5.0 %"]]
    assert "± is half" in both.note
    assert "low" not in both.note


def test_quantities_are_named_by_their_meaning():
    columns = (Column("players", kind="key"), Column("value"), Column("meaning", kind="text"))
    rows = [
        {"players": n, "value": Measured(Estimate(0.5, 0.45, 0.55), 50, 3), "meaning": meaning, "unit": unit}
        for meaning, unit in (("draws", "share"), ("rounds", ""))
        for n in (2, 3)
    ]
    wide = compact.quantities(Table.of("course", "Course", columns, rows))
    assert list(wide.display()) == ["measure", "2 players", "3 players"]
    assert plain(wide.frame) == [
        ["draws", "50.0 ± 5.0 %", "50.0 ± 5.0 %"],
        ["rounds", "0.500 ± 0.050", "0.500 ± 0.050"],
    ]
