"""`lurch pair`: the answers as they were agreed, checks, exit statuses, what it does not load."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from domain.exchange.trf import compose
from domain.pairing.swiss.answer import NoLegalPairing
from tests.kit.tournament.swiss_tournaments import played, tournaments
from tests.service.cli.test_cli import fails, lurch

ROOT = Path(__file__).parents[3]
EVENING = ROOT / "examples" / "evening.trf"
ANSWER = '{"file":"%s","rules":"dutch-2026","round":3,"pairs":[[1,4],[2,5]],"bye":3,"absent":{}}\n'


def test_the_evening_is_answered_as_agreed_to_the_letter():
    assert lurch("pair", EVENING) == (0, "3\n1 4\n2 5\n3 0\n", "")
    assert lurch("pair", EVENING, "--json") == (0, ANSWER % EVENING, "")
    assert lurch("pair", "-", EVENING, "--json", text=EVENING.read_text()) == (0, ANSWER % "-" + ANSWER % EVENING, "")


def test_reasons_are_given_when_they_are_asked_for():
    why = json.loads(lurch("pair", EVENING, "--json", "--explain")[1])["why"]
    assert why[0] == {
        "pair": [1, 4],
        "bracket": 1.5,
        "float": {"down": [1], "up": [4]},
        "criteria": [],
        "sides": "5.2.4",
        "text": "1 floats down: alone on 2 points. Both last dealt second; the higher-ranked gets the wish.",
    }
    assert [each["pair"] for each in why] == [[1, 4], [2, 5], [3, 0]]
    assert "1 4: 1 floats down: alone on 2 points." in lurch("pair", EVENING, "--explain")[1]


def test_an_earlier_round_is_paired_from_those_before_it():
    assert lurch("pair", EVENING, "--round", "2") == (0, "3\n5 1\n3 4\n2 0\n", "")
    assert lurch("pair", EVENING, "--round", "1")[1] == "3\n1 3\n4 2\n5 0\n"


def test_a_round_that_is_not_there_is_refused():
    code, out, _ = lurch("pair", EVENING, "--round", "5", "--json")
    assert (code, json.loads(out)["error"]["code"]) == (1, "no_such_round")
    assert lurch("pair", EVENING, "--round", "4")[0] == 1
    fails(2, "pair", EVENING, "--round", "0")
    fails(2, "pair", EVENING, "--rules", "lim")
    fails(2, "pair")


def test_absences_of_the_file_are_named():
    text = EVENING.read_text().replace("2 w 1     3 b =", "2 w 1     3 b =  0000 - H") + "XXZ 5\n"
    answer = json.loads(lurch("pair", "-", "--json", text=text)[1])
    assert (answer["absent"], answer["round"], answer["bye"]) == ({"4": "H", "5": "Z"}, 3, 3)
    assert answer["pairs"] == [[2, 1]] or answer["pairs"] == [[1, 2]]


def test_where_nobody_can_pair_it_is_said_and_the_status_is_1(tmp_path):
    file = tmp_path / "two.trf"
    lines = EVENING.read_text().splitlines()
    file.write_text(f"{lines[1][:91]}   2 w 1\n{lines[2][:91]}   1 b 0\nXXR 3\n")
    code, out, error = lurch("pair", file, EVENING, "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert (code, second["pairs"]) == (1, [[1, 4], [2, 5]])
    assert list(first) == ["file", "rules", "round", "pairs", "bye", "absent", "error"]
    assert (first["pairs"], first["bye"], first["error"]["code"]) == (None, None, "no_legal_pairing")
    code, out, error = lurch("pair", file)
    assert (code, out) == (1, "")
    assert "round 2 cannot be paired: nobody is left for 1 and 2 to meet" in error


def test_one_bad_file_does_not_stop_the_others(tmp_path):
    code, out, _ = lurch("pair", tmp_path / "none.trf", EVENING, "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, answers[0]["error"]["code"], answers[1]["bye"]) == (3, "bad_file", 3)


def test_rules_come_from_the_file_unless_they_are_said():
    text = EVENING.read_text() + "192 FIDE_DUTCH_2017\n"
    assert json.loads(lurch("pair", "-", "--json", text=text)[1])["rules"] == "dutch-till-2026"
    text = EVENING.read_text() + "192 FIDE_DUTCH_2025_BAKU\n"
    assert json.loads(lurch("pair", "-", "--json", text=text)[1])["rules"] == "dutch-2026"
    assert json.loads(lurch("pair", "-", "--json", "--rules", "monrad", text=text)[1])["rules"] == "monrad"


@pytest.mark.parametrize("rules", ["dutch-2026", "dutch-till-2026", "monrad"])
def test_check_accepts_a_tournament_paired_by_the_rules_only(rules, tmp_path):
    table = None
    for before, _, _, paired in tournaments(3, 13, 5, rules, late=1):
        assert not isinstance(paired, NoLegalPairing)
        table = played(before, paired, random.Random(1))
    file = tmp_path / "a.trf"
    file.write_text(compose(table))
    code, out, _ = lurch("pair", "--check", file, "--rules", rules, "--json")
    assert (code, json.loads(out)) == (
        0,
        {"file": str(file), "rules": rules, "rounds": 5, "equal": 5, "differences": []},
    )
    assert lurch("pair", "--check", file, "--rules", rules)[1] == f"{file}: 5 of 5 rounds as by {rules}\n"


def test_a_check_names_the_pairs_that_differ():
    lines = EVENING.read_text().replace("3 w 1 ", "3 b 1 ").replace("1 b 0     4 w", "1 w 0     4 w")
    code, out, _ = lurch("pair", "--check", "-", "--json", "--round", "1", text=lines)
    assert (code, json.loads(out)["differences"]) == (1, [{"round": 1, "file": [[3, 1]], "lurch": [[1, 3]]}])
    said = lurch("pair", "--check", "-", text=lines)[1]
    assert said.startswith("-: 0 of 2 rounds as by dutch-2026\nround 1: the file has 3 1; by the rules 1 3\n")


def test_it_starts_without_database_and_server():
    code = (
        "import sys, service.cli as c\n"
        "try: c.cli(['pair', sys.argv[1]], standalone_mode=False)\n"
        "except SystemExit: pass\n"
        "print([m for m in ('psycopg', 'litestar', 'sqlalchemy', 'jinja2', 'uvicorn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, EVENING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "3\n1 4\n2 5\n3 0\n[]\n", done.stderr


def test_a_round_missing_from_the_file_is_not_reported_as_right():
    code, out, error = lurch("pair", "--check", "--round", "99", EVENING)
    assert (code, out) == (1, "")
    assert error.startswith(f"{EVENING}: round 99 cannot be checked: the last in the file is ")
    code, out, _ = lurch("pair", "--check", "--round", "99", "--json", EVENING)
    assert (code, json.loads(out)["error"]["code"]) == (1, "no_such_round")
