"""Reading and writing FIDE tournament files, and the round to be paired."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.exchange import trf
from domain.pairing.crosstable import Outcome, PointSystem, RoundCell
from tests.kit.tournament.tournaments import robin, swiss, table

EVENING = (Path(__file__).parents[3] / "examples" / "evening.trf").read_text(encoding="utf-8")


def read(*more, text=EVENING):
    """Read the evening with further lines."""
    return trf.loads(text + "".join(f"{line}\n" for line in more))


def player(number, *rounds, points="    "):
    """Return a player's line with these round cells."""
    head = f"001 {number:4}      {f'P{number}':<33} 1800".ljust(80) + points
    return head.ljust(91) + "".join(each.ljust(10) for each in rounds)


def test_a_trf16_file_is_read_with_names_ratings_points_and_results():
    found = trf.loads(EVENING)
    assert (found.table.name, found.table.rounds, found.table.first_deals) == ("Club evening", 4, True)
    (ahti, bea, *_) = found.table.rows
    assert (ahti.number, ahti.name, ahti.rating, ahti.stated) == (1, "Ahti", 1900, 20)
    assert ahti.cells == (RoundCell(3, True, Outcome.WIN), RoundCell(5, False, Outcome.WIN))
    assert bea.cells == (RoundCell(4, False, Outcome.LOSS), RoundCell(outcome=Outcome.PAIRING_BYE))
    assert (found.upcoming, found.absent, found.warnings) == (3, {}, ())


def test_a_file_of_2026_is_read_record_by_record():
    found = read(
        "142 7",
        "152 B",
        "162  W 3.0    D 1.0    L 0.0    A 0.0    P 1.0    X 1.0",
        "192 FIDE_DUTCH_2025_BAKU",
        "202 BH/C1, SB",
        "240 H 003    2    5",
        "250      01.0 001 002 0001 0002",
        "250 00.0 00.5 003 003 0001 0002",
        "260 001 002    1    2",
        "260 003 004    4    5    1",
    )
    made = found.table
    assert (made.rounds, made.first_deals, made.rules, found.system) == (7, False, "dutch-2026", "FIDE_DUTCH_2025_BAKU")
    assert made.points == PointSystem(30, 10, 0, 30, 0, 10, 10, 30, 0)
    assert made.tiebreaks == ("PTS", "BH/C1", "SB")
    assert made.extra == ((1, {1: 10, 2: 10}), (2, {1: 10, 2: 10}), (3, {1: 5, 2: 5}))
    assert (found.upcoming, found.absent) == (3, {2: "H", 5: "H"})
    assert made.forbidden == ((4, 5, 1),)
    assert trf.before_round(found, 2).forbidden == ((1, 2),)


@pytest.mark.parametrize(
    ("system", "rules"),
    [
        ("FIDE_DUTCH_2025", "dutch-2026"),
        ("FIDE_DUTCH_2026", "dutch-2026"),
        ("FIDE_DUTCH", "dutch-2026"),
        ("FIDE_DUTCH_2017_BAKU", "dutch-till-2026"),
        ("FIDE_DUBOV", None),
        ("CUSTOM_SWISS", None),
    ],
)
def test_code_192_names_the_rules_and_calls_those_of_2026_by_2025(system, rules):
    assert read(f"192 {system}").table.rules == rules


def test_code_192_of_a_round_robin_means_fixed_pairings():
    assert read("192 FIDE_DOUBLEROUNDROBIN").table.fixed_pairings
    assert not read("192 FIDE_DUTCH_2025").table.fixed_pairings


def test_the_extensions_of_other_programs_are_read():
    found = read("XXA    1  1.0  1.0  0.5", "XXA    3  0.5", "XXP 1 2", "XXP 3 4 5", "XXZ 2 4", "XXC black1 rank")
    assert found.table.extra == ((1, {1: 10, 3: 5}), (2, {1: 10}), (3, {1: 5}))
    assert found.table.forbidden == ((1, 2), (3, 4, 5))
    assert (found.absent, found.table.first_deals) == ({2: "Z", 4: "Z"}, False)


def test_points_of_bbw_and_its_kin_and_of_xxs():
    bb = read("BBW  3.0", "BBD  1.0", "BBL  0.5", "BBZ  0.0", "BBF  0.0", "BBU  2.0").table.points
    assert bb == PointSystem(30, 10, 5, 30, 0, 20, 10, 30, 0)
    assert read("BBW 3").table.points.pairing_bye == 30
    xxs = read("XXS W=3.0 D=1.0 PAB=2 FL=0.5").table.points
    assert xxs == PointSystem(30, 10, 0, 30, 5, 20, 10, 30, 0)
    assert read("XXS WW=3.0 BW=3").table.points.win == 30


def test_the_first_round_without_result_or_bye_is_to_be_paired():
    assert trf.loads("\n".join([player(1), player(2)])).upcoming == 1
    both = [player(1, "   2 w 1", "0000 - H"), player(2, "   1 b 0")]
    found = trf.loads("\n".join(both))
    assert (found.upcoming, found.absent) == (2, {1: "H"})
    waiting = [player(1, "   2 w  "), player(2, "   1 b  ")]
    assert trf.loads("\n".join(waiting)).upcoming == 1
    three = [player(1, "   2 w 1"), player(2, "   1 b 0"), player(3)]
    assert trf.loads("\n".join(three)).upcoming == 1


def test_a_blank_before_a_round_in_which_others_met_is_an_absence():
    late = [player(1, "   2 w 1", "   3 w 1"), player(2, "   1 b 0", "0000 - U"), player(3, "", "   1 b 0")]
    assert trf.loads("\n".join(late)).upcoming == 3
    left = [player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"), player(3)]
    assert trf.loads("\n".join(left)).upcoming == 3


def test_the_table_before_a_round_includes_the_byes_granted_in_it():
    made = trf.before_round(read("240 Z 002 3", text=EVENING.replace("     4 w =", "").replace("     3 b =", "")), 2)
    assert [len(row.cells) for row in made.rows] == [1, 1, 2, 1, 1]
    assert made.rows[2].cells[1] == RoundCell(outcome=Outcome.ZERO_BYE)
    late = [player(1, "   2 w 1", "   3 w 1"), player(2, "   1 b 0", "0000 - U"), player(3, "", "   1 b 0")]
    assert [row.cells for row in trf.before_round(trf.loads("\n".join(late)), 1).rows] == [
        (),
        (),
        (RoundCell(outcome=Outcome.ZERO_BYE),),
    ]


def test_points_that_are_not_the_sum_are_a_warning():
    found = trf.loads(EVENING.replace(" 2.0    1 ", " 2.5    1 "))
    (warned,) = found.warnings
    assert (warned.line, warned.column) == (2, 81)
    assert "2.5 points, the rounds add up to 2" in warned.message
    assert not read("240 H 003 1", text=EVENING.replace(" 2.0    1 ", " 2.5    1 ")).warnings


def test_small_letters_older_byes_and_four_blanks_are_read():
    text = "\n".join([player(1, "   2 W w", "     - =", "0000 - +"), player(2, "   1 B l", "0000 - -", "0000   u")])
    rows = trf.loads(text).table.rows
    assert [cell.outcome.value for row in rows for cell in row.cells] == ["W", "H", "F", "L", "Z", "U"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_is_written_back_byte_for_byte_with_unknown_codes(ending, mark):
    lines = ["### a comment", "022 Turku", EVENING.rstrip("\n"), "", "DAT 0001 MAIL x", "  ", "XXR 4 "]
    text = "\n".join(lines).replace("\n", ending)
    assert trf.dumps(trf.loads(mark + text)) == text
    assert trf.dumps(trf.loads(text + ending)) == text + ending


def test_what_has_changed_is_written_in_its_columns_and_nothing_else():
    text = EVENING.replace("1900    ", "1900 FIN")
    found = trf.loads(text)
    rows = list(found.table.rows)
    rows[0] = msgspec.structs.replace(rows[0], cells=(*rows[0].cells, RoundCell(4, False, Outcome.DRAW)), stated=25)
    rows[3] = msgspec.structs.replace(rows[3], cells=(*rows[3].cells, RoundCell(1, True, Outcome.DRAW)))
    new = msgspec.structs.replace(rows[4], number=6, cells=(), stated=None)
    table_now = msgspec.structs.replace(found.table, rows=(*rows, new))
    out = trf.dumps(msgspec.structs.replace(found, table=table_now))
    assert out.splitlines()[1] == (text.splitlines()[1] + "     4 b =").replace(" 2.0 ", " 2.5 ")
    assert "     2 w 1     3 b =     1 w =\n001    5" in out
    assert out.count("001 ") == 6
    assert trf.loads(out).table.rows[:5] == tuple(rows)


@settings(max_examples=80)
@given(st.integers(0, 10_000), st.sampled_from(["trf16", "trf26"]))
def test_a_table_is_written_and_read_as_the_same_and_stays_so(seed, form):
    made = robin(seed) if seed % 3 == 0 else swiss(seed)
    text = trf.compose(made, form)
    found = trf.loads(text)
    assert trf.dumps(found) == text
    assert [row.cells for row in found.table.rows] == [_shortened(row.cells) for row in made.rows]
    assert (found.table.points, found.table.rounds, found.table.name) == (made.points, made.rounds, made.name)
    assert not found.warnings
    again = trf.compose(found.table, form, found.system)
    assert trf.loads(again).table == found.table


def _shortened(cells):
    while cells and cells[-1] == RoundCell():
        cells = cells[:-1]
    return cells


@pytest.mark.parametrize("form", ["trf16", "trf26"])
def test_every_setting_of_a_table_is_written_and_read_again(form):
    made = msgspec.structs.replace(
        table("2w1", "1b0", "U"),
        rounds=5,
        points=PointSystem(30, 10, 0, 30, 0, 20, 10, 30, 0),
        first_deals=False,
        forbidden=((1, 3),),
        extra=((1, {1: 10}), (2, {1: 5})),
        name="All",
    )
    found = trf.loads(trf.compose(made, form, ranks={1: 1, 2: 3, 3: 2})).table
    rows = tuple(msgspec.structs.replace(row, stated=None) for row in found.rows)
    assert msgspec.structs.replace(found, rows=rows) == made


@pytest.mark.parametrize(("value", "shown"), [(25, " 2.5"), (-5, "-0.5"), (1200, " 120"), (1205, "    "), (0, " 0.0")])
def test_points_are_written_in_four_columns_or_not_at_all(value, shown):
    (row,) = table("Z").rows
    made = table("Z")
    text = trf.compose(msgspec.structs.replace(made, rows=(msgspec.structs.replace(row, stated=value),)))
    assert text.splitlines()[0][80:84] == shown
