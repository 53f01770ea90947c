"""Perft: the legal lines from fixed positions, counted through the protocol and by naive tables of the same rules."""

import json

import pytest

from tests.kit.games import perft

TABLE = perft.read_all()
ROWS = {perft.named(row): row for row in perft.rows()}
ANEW = "if the change is meant: python -m tests.kit.games.perft, and read the diff"
every_position = pytest.mark.parametrize(("name", "line", "counts"), TABLE, ids=[name for name, _, _ in TABLE])


@every_position
def test_the_protocol_has_as_many_legal_lines_as_the_table(name, line, counts):
    assert perft.counted(line, ROWS[name][-1]) == counts, ANEW


@every_position
def test_a_naive_telling_of_the_rules_has_as_many(name, line, counts):
    assert perft.naively(line, ROWS[name][-1]) == counts


def test_the_table_holds_every_position_and_no_other():
    assert [name for name, _, _ in TABLE] == list(ROWS), ANEW
    assert [json.loads(line)["game"] for _, line, _ in TABLE] == [row[0] for row in ROWS.values()]


@pytest.mark.parametrize("option", ['"open_proposals":"latest"', '"own_repeat":false'])
@pytest.mark.parametrize("variant", ["fixed", "alliance"])
def test_each_option_of_the_four_hand_bidding_changes_a_count(variant, option):
    """Else the positions would be no evidence of the option."""
    plain = f'"options":{{"variant":"{variant}"}}'
    given = f'"options":{{"variant":"{variant}",{option}}}'
    found = [(line, counts, ROWS[name][-1]) for name, line, counts in TABLE if given in line]
    assert len(found) == 5
    assert any(differs(line.replace(given, plain), counts, depth) for line, counts, depth in found)


def differs(line: str, counts: str, depth: int) -> bool:
    try:
        return perft.naively(line, depth) != counts
    except AssertionError:
        return True  # the way to the position is another one
