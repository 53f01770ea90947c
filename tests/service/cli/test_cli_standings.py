"""`lurch standings`: the answers as they were agreed, exit statuses, files that cannot be read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli import COMMANDS, cli
from tests.service.cli.test_cli import fails, lurch

ROOT = Path(__file__).parents[3]
EVENING = ROOT / "examples" / "evening.trf"
CODES = "PTS,DE,BH/C1,BH,SB,WON"
ANSWER = (
    '{"file":"%s","tiebreaks":["PTS","DE","BH/C1","BH","SB","WON"],"rows":['
    '{"no":1,"rank":1,"values":[2,0,1,1.5,1.5,2]},{"no":4,"rank":2,"values":[1.5,0,1,1.5,1.25,1]},'
    '{"no":5,"rank":3,"values":[1,0,2,3,1,0]},{"no":2,"rank":4,"values":[1,0,1.5,2.5,1,0]},'
    '{"no":3,"rank":5,"values":[0.5,0,2,3.5,0.75,0]}]}\n'
)


def test_the_evening_is_answered_as_agreed_to_the_letter():
    assert lurch("standings", EVENING, "--tiebreaks", CODES, "--json") == (0, ANSWER % EVENING, "")
    assert lurch("standings", "-", "--tiebreaks", CODES.replace("/", ":"), "--json", text=EVENING.read_text()) == (
        0,
        ANSWER % "-",
        "",
    )


def test_people_get_a_table():
    code, out, error = lurch("standings", EVENING)
    assert (code, error) == (0, "")
    assert out.splitlines()[:3] == [
        "Club evening, after round 2",
        "rank  no  name  PTS  DE  BH/C1   BH    SB  WON",
        "   1   1  Ahti    2   0      1  1.5   1.5    2",
    ]


def test_the_tie_breaks_of_the_file_are_the_default():
    text = EVENING.read_text() + "202 BH,ARO,BH:GP/C1\n"
    code, out, error = lurch("standings", "-", "--json", text=text)
    assert (code, json.loads(out)["tiebreaks"]) == (0, ["PTS", "BH"])
    assert "asks for ARO, which is left out" in error


def test_fixed_pairings_can_be_said_and_are_read_from_the_file():
    text = EVENING.read_text()
    said = lurch("standings", "-", "--json", "--tiebreaks", "BH", "--fixed-pairings", text=text)[1]
    assert lurch("standings", "-", "--json", "--tiebreaks", "BH", text=text + "192 FIDE_ROUNDROBIN\n")[1] == said
    assert lurch("standings", "-", "--json", "--tiebreaks", "BH", text=text)[1] != said


def test_one_bad_file_does_not_stop_the_others(tmp_path):
    broken = tmp_path / "broken.trf"
    broken.write_text(EVENING.read_text().replace("3 w 1", "3 w ="))
    code, out, error = lurch("standings", EVENING, broken, tmp_path / "none.trf", EVENING, "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, [Path(each["file"]).name for each in answers]) == (
        3,
        ["evening.trf", "broken.trf", "none.trf", "evening.trf"],
    )
    assert answers[1]["error"] == {
        "code": "bad_file",
        "line": 2,
        "column": 99,
        "message": answers[1]["error"]["message"],
    }
    assert list(answers[1]["error"]) == ["code", "line", "column", "message"]
    assert error.splitlines()[0].startswith(f"{broken}:2:99: '=' of player 1 and '0' of player 3")
    assert error.splitlines()[1] == f"{tmp_path / 'none.trf'}:0:0: cannot be opened: No such file or directory"
    assert lurch("standings", broken)[:2] == (3, "")


def test_points_that_differ_from_their_sum_are_a_warning():
    text = EVENING.read_text().replace(" 2.0    1 ", " 9.0    1 ")
    code, out, error = lurch("standings", "-", "--json", text=text)
    assert (code, json.loads(out)["rows"][0]["no"]) == (0, 1)
    assert error.startswith("-:2:81: warning: ")


def test_a_file_of_before_utf_8_keeps_its_columns(tmp_path):
    path = tmp_path / "old.trf"
    path.write_bytes(EVENING.read_text().replace("Cleo", "Cléö").encode("latin-1"))
    assert "Cléö" in lurch("standings", path)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tiebreaks", "PTS,XX"), "there is no tie-break 'XX'"),
        (("--tiebreaks", ","), "names none"),
        (("--tie",), "No such option"),
    ],
)
def test_a_wrong_command_line_is_2(arguments, said):
    assert said in fails(2, "standings", EVENING, *arguments)
    assert "Missing argument" in fails(2, "standings")


def test_help_has_examples_and_exits_with_0():
    code, out, _ = lurch("standings", "--help")
    assert code == 0
    assert "lurch standings evening.trf --tiebreaks" in out


def test_neither_database_nor_server_nor_the_games_are_imported():
    watch = (
        "import sys; sys.argv = ['lurch', 'standings', sys.argv[1]]\n"
        "from service.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'psycopg', 'sqlalchemy', 'litestar', 'uvicorn', 'asyncio', 'domain.games', 'service.run.settings'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    command, here = [sys.executable, "-c", watch, str(EVENING)], os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_command_is_found_under_its_own_name():
    assert {name: cli.get_command(None, name).name for name in COMMANDS} == {name: name for name in COMMANDS}
    assert cli.get_command(None, "nothing") is None
