"""`lurch cases`: which wait, and one as its director sees it."""

import json

import pytest
from click.testing import CliRunner

from service.cli import cli
from tests.kit.service.asking import House
from tests.kit.service.case_scene import CaseScene


@pytest.fixture
def scene(client, database):
    with House(client, database) as found:
        yield CaseScene(found)


def lurch(scene, *words, status=0):
    done = CliRunner().invoke(cli, ["cases", *words], env={"LURCH_DATABASE_URL": scene.house.database.url})
    assert done.exit_code == status, done.output
    return done.output


def test_the_queue_and_a_case_are_printed_and_sealed_words_stay_sealed(scene):
    case = scene.call(reason="He revoked.")
    id_ = case.rpartition("/")[2]
    scene.step(case, "statements", scene.as_annie, words="He had the ten.")
    assert f"{id_}  open    call" in lurch(scene, "list", "--club", scene.house.id)
    (row,) = [json.loads(line) for line in lurch(scene, "list", "--club", scene.house.id, "--json").splitlines()]
    assert (row["id"], row["answered"]) == (id_, False)
    told = lurch(scene, "show", id_)
    assert json.loads(told)["words"] == {"1": "He revoked."}
    assert "He had the ten." not in told


def test_a_case_that_there_is_not_is_one_line(scene):
    done = CliRunner().invoke(
        cli,
        ["cases", "show", "01939f5e-0000-7000-8000-000000000000"],
        env={"LURCH_DATABASE_URL": scene.house.database.url},
    )
    assert "there is no case" in done.output
    assert done.exit_code == 2
