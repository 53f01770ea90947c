"""The catalogue of codes against a table of the club's taxonomy."""

import csv
from pathlib import Path

import pytest

from domain.games import all_games
from domain.match.audit.catalogue import catalogue, is_offence, severity
from tests.kit.games.made_up_game import GAME as MADE_UP

TABLE = Path(__file__).parents[3] / "data" / "irregularities.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
EVERY = sorted({row["code"] for row in ROWS})


def row_of(key: str, code: str) -> dict:
    """The row of a game for a code, else that of every game."""
    own = [row for row in ROWS if row["code"] == code and key in row["games"].split()]
    return own[0] if own else next(row for row in ROWS if row["code"] == code and row["games"] == "all")


@pytest.mark.parametrize("key", all_games())
def test_a_game_knows_its_own_codes_and_the_common_ones(key):
    wanted = {row["code"] for row in ROWS if row["games"] == "all" or key in row["games"].split()}
    assert set(catalogue(all_games()[key])) == wanted


@pytest.mark.parametrize("key", all_games())
def test_each_code_says_what_the_table_says(key):
    for code, each in catalogue(all_games()[key]).items():
        row = row_of(key, code)
        told = (" ".join(each.found), "-".join(map(str, each.severity)), " ".join(each.ruled_by))
        assert told == (row["found"], row["severity"], row["ruled_by"]), code
        assert " ".join(each.remedies) == row["remedies"], code


def test_every_code_of_the_taxonomy_is_in_the_catalogue_of_a_game():
    known = {code for game in all_games().values() for code in catalogue(game)}
    assert sorted(known) == EVERY


@pytest.mark.parametrize("key", all_games())
def test_every_code_has_a_title_and_one_sentence(key):
    for each in catalogue(all_games()[key]).values():
        assert each.title[0].isupper()
        assert each.title[-1] != "."
        assert each.sentence.count(". ") == 0
        assert each.sentence.endswith(".")


def test_the_made_up_game_brings_its_own_code_remedy_and_words():
    own = catalogue(MADE_UP)["PEK"]
    assert (own.title, own.remedies) == ("Second look", ("unseen",))
    assert set(catalogue(MADE_UP)) == {"PEK", *(row["code"] for row in ROWS if row["games"] == "all")}


def test_what_lapses_and_what_the_scorer_slipped_in_is_no_offence():
    garbo = all_games()["garbo"]
    assert [code for code in catalogue(garbo) if not is_offence(garbo, code)] == ["LAP", "ENT"]
    assert is_offence(garbo, None)
    assert (severity(garbo, "LAP"), severity(garbo, "DUP"), severity(garbo, None)) == (0, 4, 1)
