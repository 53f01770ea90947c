"""`lurch audit`: a match of the log or a file, for people, for programs and on paper."""

import json
from pathlib import Path

import pytest

from domain.games import find
from domain.match.opening import read_options
from domain.notation.dealing import random_deal
from tests.service.cli.test_cli import lurch

EXAMPLES = Path(__file__).parents[3] / "examples"
NOTATION = str(EXAMPLES / "notation.ctn")


class Run:
    """What a run of `lurch audit` said."""

    def __init__(self, *arguments, text=""):
        self.exit_code, self.stdout, self.stderr = lurch("audit", *arguments, text=text)


run = Run


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_file_is_audited_match_by_match_with_names_and_evidence():
    result = run(NOTATION)
    assert result.exit_code == 0
    told = result.stdout.splitlines()
    assert told[0].endswith("notation.ctn#1: 1 finding")
    assert told[1] == "  deal 1, CP.5 REV: Annie did not follow suit, and held H3"
    assert "a slip of the scorer would explain it: two entries of Annie exchanged" in told[2]
    assert [line.partition(": ")[2] for line in told[3:6]] == [
        "Annie plays the ten of spades",
        "Benny plays the four of hearts",
        "Annie plays the three of hearts",
    ]
    assert sum("nothing found" in line for line in told) == 7


def test_programs_read_places_and_the_version_of_the_audit():
    first, *others = lines(run("--json", NOTATION))
    assert (first["source"].rpartition("/")[2], first["match"], first["audit"]) == ("notation.ctn#1", None, 1)
    (finding,) = first["findings"]
    assert (finding["code"], finding["rule"], finding["grade"], finding["version"]) == ("REV", "CP.5", "C", None)
    assert finding["rests_on"][0] == finding["place"] == 37
    assert len(finding["rests_on"]) == 3
    assert all(each["findings"] == [] for each in others)


def test_paper_is_one_page_that_needs_nothing_else():
    page = run("--html", NOTATION).stdout
    assert page.startswith("<!doctype html>")
    assert page.count("<h2>") == 8
    assert "Annie did not follow suit" in page
    assert "http" not in page
    assert "<script" not in page


def with_a_revoke(game="parity", seed=4):
    """A history in which a seat that can follow suit does not: its card of that trick and a later one are exchanged."""
    rules = find(game)
    history = json.loads(random_deal(rules, read_options(rules, {}), {}, seed, 1))
    plays = [place for place, each in enumerate(history["actions"]) if each[1] == "play"]
    for place in plays[1::2]:
        led, own = history["actions"][place - 1], history["actions"][place]
        later = [at for at in plays if at > place and history["actions"][at][0] == own[0]]
        for at in later:
            other = history["actions"][at]
            if led[2][0] == own[2][0] != other[2][0] and other[2][0] != "X":
                own[2], other[2] = other[2], own[2]
                return history
    raise AssertionError("choose another seed")


def test_a_history_is_taken_as_it_stands_breaches_and_all():
    (told,) = lines(run("--json", "-", text=json.dumps(with_a_revoke())))
    assert told["source"] == "-:1"
    revoke = told["findings"][0]
    assert (revoke["code"], revoke["grade"]) == ("REV", "C")
    assert -1 in revoke["rests_on"]  # the hands were typed


def test_without_the_hands_only_the_plays_speak():
    text = json.dumps(with_a_revoke())
    (told,) = lines(run("--json", "--hands", "unknown", "-", text=text))
    assert told["findings"][0]["code"] == "REV"
    assert -1 not in told["findings"][0]["rests_on"]


@pytest.mark.parametrize("game", ["ristikontra", "over_the_top", "garbo", "get_stuck", "cross_game"])
def test_legal_play_stays_clean_without_its_hands(game):
    rules = find(game)
    text = "\n".join(random_deal(rules, read_options(rules, {}), {}, seed, 1) for seed in range(1, 6))
    told = lines(run("--json", "--hands", "unknown", "-", text=text))
    assert [each["findings"] for each in told] == [[]] * 5


def test_one_bad_line_is_told_and_the_others_are_audited():
    result = run("--json", "-", text='{"game": "whist"}\n' + json.dumps(with_a_revoke()))
    assert result.exit_code == 1
    bad, good = lines(result)
    assert bad["errors"]
    assert good["findings"]


def test_a_file_that_is_not_there_is_one_line_and_status_3(tmp_path):
    result = run(str(tmp_path / "none.ctn"))
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1


def test_a_file_has_no_moments():
    result = run("--as-of", "3", NOTATION)
    assert result.exit_code == 2
    assert "a file has no times" in result.stderr


def test_json_or_paper():
    assert run("--json", "--html", NOTATION).exit_code == 2


def test_where_nothing_can_be_proven_is_told_to_who_asks():
    rules = find("over_the_top")
    text = "\n".join(random_deal(rules, read_options(rules, {}), {}, seed, 1) for seed in range(1, 30))
    silent = lines(run("--json", "--hands", "unknown", "-", text=text))
    asked = lines(run("--json", "--openings", "--hands", "unknown", "-", text=text))
    assert all("openings" not in each for each in silent)
    found = [each for line in asked for each in line["openings"]]
    assert found
    assert all(each["detail"].startswith("not provable: the card may have been drawn after trick") for each in found)
