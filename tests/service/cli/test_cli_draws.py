"""bracket, schedule and movement at the command line: lines of JSON as documented, text, refusals in one line."""

import json
import subprocess
import sys

import pytest

from tests.service.cli.test_cli import ROOT, fails, lurch

FOUR = (
    '{"format":"double","entrants":4,"size":4,"order":[1,4,2,3],"matches":['
    '{"id":"W1.1","round":1,"slots":["S1","S4"]},{"id":"W1.2","round":1,"slots":["S2","S3"]},'
    '{"id":"W2.1","round":2,"slots":["winner W1.1","winner W1.2"]},'
    '{"id":"L1.1","round":1,"slots":["loser W1.1","loser W1.2"]},'
    '{"id":"L2.1","round":2,"slots":["loser W2.1","winner L1.1"]},'
    '{"id":"F1.1","round":1,"slots":["winner W2.1","winner L2.1"]},'
    '{"id":"F2.1","round":2,"slots":["winner F1.1","loser F1.1"],"only_if":"F1.1 won by slot 2"}]}'
)
TABLE = (
    '{"format":"round-robin","entrants":4,"double":false,"rounds":[{"round":1,"pairs":[[1,4],[2,3]],"bye":null},'
    '{"round":2,"pairs":[[4,3],[1,2]],"bye":null},{"round":3,"pairs":[[2,4],[3,1]],"bye":null}]}'
)
FIVE = (
    '{"players":5,"perfect":true,"rounds":[{"round":1,"tables":[[[1,4],[3,2]]],"out":[5]},'
    '{"round":2,"tables":[[[2,5],[4,3]]],"out":[1]},{"round":3,"tables":[[[3,1],[5,4]]],"out":[2]},'
    '{"round":4,"tables":[[[4,2],[1,5]]],"out":[3]},{"round":5,"tables":[[[5,3],[2,1]]],"out":[4]}],'
    '"balance":{"partners":{"1":10},"opponents":{"2":10},"out":{"1":5}}}'
)


def test_the_documented_lines_of_json():
    assert lurch("bracket", "double", 4, "--json")[:2] == (0, FOUR + "\n")
    assert lurch("schedule", "round-robin", 4, "--json")[:2] == (0, TABLE + "\n")
    assert lurch("movement", "individual", 5, "--json")[:2] == (0, FIVE + "\n")


def test_several_numbers_are_a_line_each_in_their_order():
    answers = [json.loads(line) for line in lurch("bracket", "double", 3, 4, 3, "--json")[1].splitlines()]
    assert [each["entrants"] for each in answers] == [3, 4, 3]
    assert answers[0]["matches"][1] == {"id": "W2.1", "round": 2, "slots": ["S1", "winner W1.2"]}
    answers = [json.loads(line) for line in lurch("schedule", "round-robin", 3, 6, "--json")[1].splitlines()]
    assert answers[0]["rounds"][0] == {"round": 1, "pairs": [[2, 3]], "bye": 1}
    assert [len(each["rounds"]) for each in answers] == [3, 5]
    answers = [
        json.loads(line) for line in lurch("movement", "individual", 8, 9, "--rounds", 3, "--json")[1].splitlines()
    ]
    assert [(each["players"], len(each["rounds"])) for each in answers] == [(8, 3), (9, 3)]


def test_the_options_of_a_bracket():
    single = json.loads(lurch("bracket", "single", 8, "--third-place", "--json")[1])
    assert single["matches"][-1] == {"id": "C1.1", "round": 1, "slots": ["loser W2.1", "loser W2.2"]}
    assert json.loads(lurch("bracket", "double", 8, "--no-reset", "--json")[1])["matches"][-1]["id"] == "F1.1"


def test_people_read_lists_by_round():
    text = lurch("bracket", "double", 6)[1]
    assert "double elimination, 6 entrants, 11 matches, byes for seeds 1 to 2" in text
    assert "losers, round 2\n  L2.1    loser W2.2 - loser W1.2" in text
    assert "only if F1.1 won by slot 2" in text
    assert "third place\n  C1.1    loser W1.1 - loser W1.2" in lurch("bracket", "single", 4, "--third-place")[1]
    assert "1:  2-3  bye 1" in lurch("schedule", "round-robin", 3)[1]
    text = lurch("movement", "individual", 5)[1]
    assert "everybody partners everybody once" in text
    assert "1:  1 4 - 3 2   out 5" in text
    assert "opponents:   10 pairs twice" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bracket", "single", 1), "declare the winner"),
        (("bracket", "double", 8, 5000), "at most 4096"),
        (("bracket", "double", 8, "--third-place"), "for single"),
        (("bracket", "single", 8, "--no-reset"), "for double"),
        (("bracket", "triple", 8), "triple"),
        (("bracket", "double"), "N..."),
        (("schedule", "round-robin", 1), "declare the winner"),
        (("schedule", "round-robin", "x"), "x"),
        (("movement", "individual", 3), "four seats"),
        (("movement", "individual", 8, "--rounds", 0), "1 to 28"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_2(arguments, said):
    code, out, _ = lurch(*arguments)
    assert (code, out) == (2, "")
    assert said in fails(2, *arguments)


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["bracket", "double", "8", "--json"], {"domain.games", "domain.codec", "domain.pairing.movements"}),
        (["schedule", "round-robin", "8", "--json"], {"domain.games", "domain.codec", "domain.pairing.movements"}),
        (["movement", "individual", "8", "--json"], {"domain.games", "domain.codec"}),
    ],
)
def test_what_starts_slowly_is_not_imported_by_a_draw(arguments, more):
    heavy = {
        "psycopg",
        "psycopg_pool",
        "litestar",
        "sqlalchemy",
        "uvicorn",
        "alembic",
        "asyncio",
        "httpx",
        "jinja2",
        "psutil",
        "structlog",
        "cryptography",
        "rich",
        "rustworkx",
        "openskill",
        "projections",
        "service.run.settings",
        "domain.match.decide",
        "domain.notation",
        "domain.tournament.simulate",
    } | more
    code = f"""
import sys
from service.cli import cli
cli.main({arguments!r}, standalone_mode=False)
print(sorted({heavy!r} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
