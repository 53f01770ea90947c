"""`lurch solve` as people and programs use it."""

import json
from pathlib import Path

from tests.service.cli.test_cli import fails, lurch

ROOT = Path(__file__).parents[3]
NOTATION = ROOT / "examples" / "notation.ctn"


def dealt(game, *more, **options):
    return lurch("deal", game, *more)[1]


def test_solve_names_who_acts_the_best_cards_tricks_and_score():
    text = dealt("parity")
    code, out, error = lurch("solve", "--at", 20, "-", text=text)
    assert (code, error) == (0, "")
    first, *lines = out.splitlines()
    assert first.startswith("line 1: Parity, after 20 of 32 facts, ")
    assert [line.split()[0] for line in lines] == ["best", "tricks", "score", "exact"]


def test_the_line_of_play_in_solve_json_scores_what_it_says(tmp_path):
    path = tmp_path / "deals.jsonl"
    path.write_text(dealt("cross_game", "--count", 6))
    code, out, _ = lurch("solve", "--json", "--at", 22, path)
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == 6
    solved = [each for each in answers if "error" not in each]
    assert (code, len(solved)) == (int(len(solved) < 6), len(solved))
    for answer, line in zip(answers, path.read_text().splitlines(), strict=True):
        if "error" in answer:
            continue
        history = json.loads(line)
        history["actions"] = history["actions"][:22] + answer["line"]
        assert answer["exact"]
        assert json.loads(lurch("score", "--json", "-", text=json.dumps(history))[1])["scores"] == answer["scores"]
        assert answer["best"][0] == answer["line"][0]


def test_solve_gives_the_score_of_a_complete_deal_and_a_hint():
    code, out, _ = lurch("solve", NOTATION)
    assert code == 1  # the second deal of the first match was entered without cards
    assert "complete" in out
    assert "48 - 49" in out
    assert "--at 0 to 55 asks for an earlier table" in out


def test_a_deal_without_recorded_hands_is_unsolvable(tmp_path):
    first_match = tmp_path / "match.ctn"
    first_match.write_text(NOTATION.read_text(encoding="utf-8").split("\n[Game ", 1)[0], encoding="utf-8")
    code, out, _ = lurch("solve", "--at", 4, "--work", 50, first_match)
    first = out.splitlines()[0]
    assert (code, first.startswith("match 1, deal 1: unsolvable: the hands were not recorded")) == (1, True)
    assert "give a history" in first


def test_notation_with_its_hands_is_solved():
    _, out, _ = lurch("solve", "--json", "--at", 26, ROOT / "examples" / "parity-lurch.ctn")
    solved = [answer for answer in map(json.loads, out.splitlines()) if answer.get("best")]
    assert solved
    assert all(answer["exact"] for answer in solved)


def test_a_search_that_stops_early_is_called_a_bound():
    code, out, _ = lurch("solve", "--at", 4, "--work", 50, "-", text=dealt("ristikontra"))
    assert code == 0
    assert "  bound   N&S less E&W: from -2 to +1, not settled" in out
    _, out, _ = lurch("solve", "--json", "--at", 4, "--work", 50, "-", text=dealt("ristikontra"))
    answer = json.loads(out)
    assert (answer["exact"], answer["margin"], answer["scores"], answer["best"]) == (False, [-2, 1], None, [])


def test_what_cannot_be_solved_has_its_line_and_the_others_are_solved():
    good = dealt("parity")
    broken = good.replace('"play"', '"bid"', 1)
    code, out, _ = lurch("solve", "--json", "--at", 24, "-", text=broken + "{\n" + good)
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [("error" in answer) for answer in answers] == [True, True, False]
    code, out, _ = lurch("solve", "--at", 99, "-", text=good)
    assert (code, "the deal has 32 facts, not 99" in out) == (1, True)


def test_a_file_that_is_not_there_and_a_place_that_cannot_be():
    fails(3, "solve", "no-such-file.jsonl")
    fails(2, "solve", "--at", -1, NOTATION)
    assert "lurch solve deal.jsonl --at 12" in lurch("solve", "--help")[1]
    assert "solve" in lurch("--help")[1]
