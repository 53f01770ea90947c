"""`lurch cases`: which wait, and one as its director sees it."""

import json

import pytest
from click.testing import CliRunner

from service.cli import cli
from service.desk.cases.filing import sealed
from tests.kit.service.asking import House
from tests.kit.service.case_scene import CaseScene
from tests.service.cli.test_cli import lurch as command_line


@pytest.fixture(scope="module")
def scene(client, database):
    with House(client, database) as found:
        yield CaseScene(found)


@pytest.fixture(scope="module")
def case(scene):
    """The id of an open case."""
    return scene.call(reason="He revoked.").rpartition("/")[2]


def lurch(scene, *words, status=0):
    done = CliRunner().invoke(cli, ["cases", *words], env={"LURCH_DATABASE_URL": scene.house.database.url})
    assert done.exit_code == status, done.output
    return done.output


def test_the_queue_and_a_case_are_printed_and_sealed_words_stay_sealed(scene, case):
    scene.step(scene.at(case), "statements", scene.as_annie, words="He had the ten.")
    assert f"{case}  open    call" in lurch(scene, "list", "--club", scene.house.id)
    (row,) = [json.loads(line) for line in lurch(scene, "list", "--club", scene.house.id, "--json").splitlines()]
    assert (row["id"], row["answered"]) == (case, False)
    told = lurch(scene, "show", case)
    assert json.loads(told)["words"] == {"1": "He revoked."}
    assert "He had the ten." not in told


CHANGES = (
    {"view": {"case": "nonsense"}},
    {"view": {"case": 7}},
    {"audience": []},
    {"audience": {"kind": "party", "side": "0"}},
    {"audience": {"kind": "nobody", "side": None}},
    {"open": "1 or more"},
    {"closed": 2**70},
    {"open": -1},
    {"at": 7},
    {"form": "2"},
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_forged_file_of_a_case_is_refused_in_one_line(scene, case, tmp_path, change):
    home = {"LURCH_DATABASE_URL": scene.house.database.url}
    told = json.loads(command_line("export", "--case", case, **home)[1])
    told.pop("seal")
    file = tmp_path / "case.json"
    file.write_bytes(sealed(told))
    assert "as it stands in the log" in command_line("verify", file, **home)[1]
    view = {**told["view"], **change.get("view", {})}
    file.write_bytes(sealed({**told, **change, "view": view}))
    code, out, error = command_line("verify", file, **home)
    assert (code, error, f"{file}: " in out.splitlines()[-1]) == (1, "", True)


def test_brackets_without_end_are_no_file_of_a_case(database, tmp_path):
    file = tmp_path / "case.json"
    file.write_text('{"lurch":"case","view":' + "[" * 100_000)
    code, out, _ = command_line("verify", file, LURCH_DATABASE_URL=database.url)
    assert (code, out.splitlines()[-1]) == (1, f"{file}: it cannot be read as the file of a case")


def test_a_case_that_there_is_not_is_one_line(scene):
    done = CliRunner().invoke(
        cli,
        ["cases", "show", "01939f5e-0000-7000-8000-000000000000"],
        env={"LURCH_DATABASE_URL": scene.house.database.url},
    )
    assert "there is no case" in done.output
    assert done.exit_code == 2
