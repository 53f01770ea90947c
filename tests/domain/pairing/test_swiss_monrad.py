"""Monrad: the next one below not met yet; the lowest pairs are undone first."""

from domain.pairing.crosstable import Crosstable
from domain.pairing.swiss.answer import NoLegalPairing
from domain.pairing.swiss.pairing import pair
from tests.domain.pairing.test_swiss import rows
from tests.kit.tournament.swiss_tournaments import empty, tournaments


def met(table, row, round_):
    forbidden = {number for group in table.forbidden if row.number in group for number in group}
    return forbidden | {cell.opponent for cell in row.cells[: round_ - 1] if cell.outcome.played}


def chosen(table, round_, numbers):
    """Everybody's first choice from the top, undone from below: plain backtracking."""
    if not numbers:
        return []
    first, rest = numbers[0], numbers[1:]
    known = met(table, table.rows[first - 1], round_)
    for other in rest:
        if other not in known:
            more = chosen(table, round_, [number for number in rest if number != other])
            if more is not None:
                return [{first, other}, *more]
    return None


def test_it_is_what_backtracking_from_the_top_finds():
    for seed in range(40):
        for table, round_, absent, paired in tournaments(seed, 4 + 2 * (seed % 4), 6, "monrad", absences=0):
            order = sorted(table.rows, key=lambda row: (-table.score(row, round_ - 1), row.number))
            expected = chosen(table, round_, [row.number for row in order if row.number not in absent])
            if isinstance(paired, NoLegalPairing):
                assert expected is None
            else:
                assert sorted(map(sorted, paired.pairs)) == sorted(map(sorted, expected))


def test_the_bye_goes_to_the_lowest_without_one():
    assert pair(empty(5, 4), 1, "monrad").bye == 5
    table = Crosstable(rows("2w1", "1b0", "4w1", "3b0", "U"), rounds=4, first_deals=True)
    assert pair(table, 2, "monrad").bye == 4
    assert pair(table, 2, "monrad").pairs[0] == (3, 1)
