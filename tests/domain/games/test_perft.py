"""Perft: the legal lines from fixed positions, counted through the protocol and by naive tables of the same rules."""

import json
from functools import cache

import pytest

from domain.games import all_games
from tests.kit.games import perft
from tests.kit.games.strategies import naming

ANEW = "if the change is meant: python -m tests.kit.games.perft, and read the diff"
every_game = pytest.mark.parametrize("key", list(all_games()))


@cache
def rows():
    return {perft.named(row): row for row in perft.rows()}


@cache
def positions():
    """Name, position, counts and depth of each row of the table."""
    return [(name, line, counts, rows()[name][-1]) for name, line, counts in perft.read_all()]


def positions_of(key):
    found = [each for each in positions() if json.loads(each[1])["game"] == key]
    assert found
    return found


@every_game
def test_the_protocol_has_as_many_legal_lines_as_the_table(key):
    for name, line, counts, depth in positions_of(key):
        with naming(name):
            assert perft.counted(line, depth) == counts, ANEW


@every_game
def test_a_naive_implementation_has_as_many_legal_lines(key):
    for name, line, counts, depth in positions_of(key):
        with naming(name):
            assert perft.naively(line, depth) == counts


def test_the_table_holds_every_position_and_no_other():
    assert [name for name, *_ in positions()] == list(rows()), ANEW
    assert [json.loads(line)["game"] for _, line, *_ in positions()] == [row[0] for row in rows().values()]


@pytest.mark.parametrize("option", ['"open_proposals":"latest"', '"own_repeat":false'])
@pytest.mark.parametrize("variant", ["fixed", "alliance"])
def test_each_option_of_the_four_hand_bidding_changes_a_count(variant, option):
    # Otherwise the positions would not test the option.
    plain = f'"options":{{"variant":"{variant}"}}'
    given = f'"options":{{"variant":"{variant}",{option}}}'
    found = [row[1:] for row in positions() if given in row[1]]
    assert len(found) == 5
    assert any(differs(line.replace(given, plain), counts, depth) for line, counts, depth in found)


def differs(line: str, counts: str, depth: int) -> bool:
    try:
        return perft.naively(line, depth) != counts
    except AssertionError:
        return True  # the way to the position is another one
