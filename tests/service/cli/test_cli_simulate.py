"""`lurch simulate`: tournaments with simulated players, the same ones for the same seed."""

import json

import pytest

from tests.service.cli.test_cli import fails, lurch

FORMATS = ("swiss", "single", "double", "round-robin", "groups", "ladder", "individual")


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_seed_gives_the_same_tournament_and_another_another(form):
    said = [lurch("simulate", form, "--players", 8, "--seed", seed) for seed in (1, 1, 2)]
    assert [code for code, _, _ in said] == [0, 0, 0]
    assert said[0] == said[1] != said[2]
    assert said[0][1].startswith(f"{form}, 8 players: ")
    assert said[0][1].count("seed ") == 8


@pytest.mark.parametrize(
    ("form", "players", "rounds", "matches"),
    [
        ("single", 8, 3, 7),
        ("single", 5, 3, 4),
        ("round-robin", 5, 5, 10),
        ("individual", 8, 7, 14),
        ("swiss", 9, 4, 16),
        ("groups", 8, 1, 4),
    ],
)
def test_it_takes_as_many_rounds_and_matches_as_the_format_does(form, players, rounds, matches):
    _, out, _ = lurch("simulate", form, "--players", players, "--minutes", 20, "--json")
    told = json.loads(out)
    assert (told["rounds"], told["matches"], told["minutes"]) == (rounds, matches, 20 * rounds)


def test_rounds_that_are_on_side_by_side_are_one_round_of_time():
    _, out, _ = lurch("simulate", "double", "--players", 16, "--minutes", 20, "--json")
    told = json.loads(out)
    assert (told["rounds"], told["minutes"]) in ((8, 160), (9, 180)), "not the 11 or 12 of one after the other"


def test_the_best_player_wins_more_often_where_more_is_played():
    def won(form):
        _, out, _ = lurch("simulate", form, "--players", 8, "--count", 150, "--json")
        told = json.loads(out)
        assert told["best_won"] <= told["best_in_three"] <= told["count"] == 150
        return told["best_won"]

    assert 19 < won("single") < won("round-robin")


def test_a_simulated_swiss_passes_the_check_of_its_pairings(tmp_path):
    out = tmp_path / "out.trf"
    given = ("simulate", "swiss", "--players", 21, "--rounds", 6, "--byes", 0.05, "--forfeits", 0.1, "--draws", 0.2)
    assert lurch(*given, "--seed", 4, "--trf", out)[0] == 0
    code, said, _ = lurch("pair", "--check", "--json", out)
    assert (code, json.loads(said)["equal"]) == (0, 6)
    text = out.read_text()
    assert lurch(*given, "--seed", 4, "--trf", "-")[1] == text
    assert {letter in text for letter in ("H", "U", "=", "+", "-")} == {True}
    assert lurch("standings", out)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("single", "--players", 8, "--draws", "0.5"), "are for swiss"),
        (("single", "--players", 8, "--rounds", 3), "takes as many as it takes"),
        (("swiss", "--players", 8, "--count", 2, "--trf", "x"), "leave --count out"),
        (("swiss", "--players", 4, "--rounds", 9), "cannot be paired"),
        (("individual", "--players", 3), "four"),
        (("swiss", "--players", 1), "--players"),
        (("swim", "--players", 8), "swim"),
        (("swiss", "--players", 8, "--trf", "/no/where/out.trf"), "cannot be written"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(arguments, said):
    assert said in fails(2, "simulate", *arguments)
