"""Invalid files are reported with line and column and raise nothing else."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.exchange import trf
from domain.standings import tiebreaks

EVENING = (Path(__file__).parents[3] / "examples" / "evening.trf").read_text(encoding="utf-8")
LINES = EVENING.splitlines()
ALL = tuple(tiebreaks.TIEBREAKS.values())


def bad(text):
    """Return place and message of the fault in a text."""
    with pytest.raises(trf.BadFile) as found:
        trf.loads(text)
    return found.value.line, found.value.column, found.value.message


def swapped(line, column, part):
    """Return the evening with another text at a place."""
    lines = list(LINES)
    old = lines[line - 1]
    lines[line - 1] = old[: column - 1] + part + old[column - 1 + len(part) :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("line", "column", "part", "at", "message"),
    [
        (2, 92, "   9", 92, "there is no player 9, the opponent of 1 in round 1"),
        (2, 92, "   4", 92, "player 1 meets 4 in round 1, who is said to meet player 2"),
        (2, 102, "   2", 102, "player 1 meets 2 in round 2, who is said to meet nobody"),
        (2, 92, "   1", 92, "player 1 is said to meet themselves in round 1"),
        (2, 97, "b", 97, "both 1 and 3 have b in round 1"),
        (2, 99, "=", 99, "'=' of player 1 and '0' of player 3 do not go together in round 1"),
        (2, 99, "0", 99, "'0' of player 1 and '0' of player 3 do not go together"),
        (2, 99, "+", 99, "'+' of player 1 and '0' of player 3 do not go together"),
        (2, 99, " ", 99, "no result of player 1 and '0' of player 3 do not go together"),
        (2, 99, "x", 99, "'X' is not a result"),
        (2, 99, "U", 99, "U is a bye, and player 3 is the opponent"),
        (2, 97, "q", 97, "a side is w or b, not 'q'"),
        (2, 96, "x", 96, "'x' stands where round 1 has a blank"),
        (2, 100, "x", 100, "'x' stands where round 1 has a blank"),
        (2, 92, "  x3", 94, "an opponent is a number, not 'x3'"),
        (3, 109, "1", 109, "1 is the result of a game, and there is no opponent"),
        (3, 5, "   1", 5, "player 1 is there twice, first in line 2"),
        (3, 5, "   a", 8, "a player's number is a number, not 'a'"),
        (3, 5, "    ", 5, "a player's number is a number, not ''"),
        (3, 5, "   0", 5 + 3, "a player's number is from 1 to 9999, not 0"),
        (4, 49, "17.0", 49, "a rating is a number"),
        (4, 81, " 0,x", 82, "points are a number with one decimal"),
        (4, 81, "0.25", 81, "points are a number with one decimal"),
        (4, 89, "x", 89, "a rank is a number"),
        (7, 1, "XXR x", 5, "the number of rounds is a number, not 'x'"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_line_and_column(line, column, part, at, message):
    where = bad(swapped(line, column, part))
    assert where[:2] == (line, at)
    assert message in where[2]


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("142", 5, "the number of rounds is missing"),
        ("XXR 1000", 5, "from 0 to 999"),
        ("152 X", 5, "the initial side is W or B, not 'X'"),
        ("162  Q 1.0", 6, "not for 'Q'"),
        ("162  W", 6, "W has no points"),
        ("162  W 1.0    D x", 17, "the points of D are a number with one decimal, not 'x'"),
        ("XXS W=1.0 Q=2", 11, "'Q=2' is not a code and its points"),
        ("XXS WW=1.0 BW=2", 12, "both sides have the same points for the same result"),
        ("XXS W=x", 7, "the points of W are a number"),
        ("BBW", 5, "the number of points is missing"),
        ("192", 5, "the type of tournament is missing"),
        ("240 U 003 1", 5, "a bye is F, H or Z, not 'U'"),
        ("240 H 0 1", 7, "a round is from 1 to 999, not 0"),
        ("240 H 003 9", 11, "there is no player 9"),
        ("240 H 002 1", 11, "player 1 has H in round 2 here and something else in line 001"),
        ("240 H 002 2", 11, "player 2 has H in round 2 here and something else"),
        ("XXZ 1 9", 7, "there is no player 9"),
        ("XXP 1 b", 7, "a player's number is a number, not 'b'"),
        ("260 001 002 1 9", 15, "there is no player 9"),
        ("260 001", 5, "the last round is missing"),
        ("250 1 2 3", 5, "an acceleration is points, first and last round, first and last player"),
        ("XXA 9 1.0", 5, "there is no player 9"),
        ("XXA 1 1.0 x", 11, "virtual points are a number with one decimal, not 'x'"),
    ],
)
def test_a_record_that_is_wrong_is_named_with_line_and_column(line, column, message):
    where = bad(EVENING + line + "\n")
    assert where[:2] == (9, column)
    assert message in where[2]


def test_a_file_without_players_and_one_without_end_are_no_tournaments():
    assert bad("")[2] == "there is no player, no line that begins with 001"
    assert bad("012 Nothing\n\x00\x01")[:2] == (1, 1)
    assert bad(LINES[1] + "x" * 20_000)[2].startswith("there are no more than 999 rounds")


def test_both_may_be_absent_from_a_game():
    text = "\n".join(LINES).replace("     3 w 1", "     3 w -").replace("     1 b 0", "     1 b -")
    assert [row.cells[0].outcome.value for row in trf.loads(text).table.rows][:3:2] == ["-", "-"]


def survives(text):
    """Check that a readable text is written back unchanged and has standings."""
    try:
        found = trf.loads(text)
    except trf.BadFile as error:
        assert (error.line >= 1, error.column >= 1, bool(error.message)) == (True, True, True)
        return
    assert trf.dumps(found) == text.removeprefix("\ufeff")
    tiebreaks.standings(found.table, ALL)
    trf.compose(found.table, "trf26")


@settings(max_examples=150)
@given(st.text())
def test_any_text_is_read_or_named(text):
    survives(text)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(EVENING)), st.integers(0, 3), st.text(max_size=3)), max_size=4))
def test_the_evening_with_anything_put_into_it_is_read_or_named(changes):
    text = EVENING
    for place, gone, put in changes:
        text = text[:place] + put + text[place + gone :]
    survives(text)


CODES = st.sampled_from(
    [
        "001",
        "142",
        "XXR",
        "152",
        "162",
        "192",
        "202",
        "212",
        "240",
        "250",
        "260",
        "XXA",
        "XXP",
        "XXZ",
        "XXS",
        "BBW",
        "XXC",
    ]
)
WORDS = st.one_of(st.integers(-1, 1200).map(str), st.sampled_from(["W", "H", "1.0", "W=1", "2.5", "x", "", "²", "1e3"]))


@settings(max_examples=200)
@given(st.lists(st.tuples(CODES, st.lists(WORDS, max_size=7)), max_size=4))
def test_the_evening_with_any_records_is_read_or_named(records):
    survives(EVENING + "".join(f"{code} {' '.join(words)}\n" for code, words in records))
