"""Every command of the README does what the README says."""

import json
import os
import re
import shlex
import subprocess
from contextlib import chdir
from pathlib import Path

import httpx
import msgspec
import pytest
from click.testing import CliRunner

from service.cli import cli
from service.cli.serving import serve
from service.run.settings import Settings
from tests.kit.faults.processes import Serving, data_directory

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:^    .+\n)+", README, re.MULTILINE)
COMMANDS = [line.strip() for block in BLOCKS for line in block.replace("\\\n", " ").splitlines()]
LURCH = [each for each in COMMANDS if each.startswith(".venv/bin/lurch")]
MAKE = [each.split("#")[0].strip() for each in COMMANDS if each.startswith("make")]
CURL = [each for each in COMMANDS if each.startswith("curl")]


@pytest.fixture(scope="module")
def serving():
    """A service with nothing in it."""
    with data_directory() as data:
        serving = Serving(data).start(("make", "serve"))
        try:
            yield serving.ready()
        finally:
            serving.end()


def shell(serving, *command):
    """Run a command next to the service and return its standard output. It must succeed."""
    done = subprocess.run(command, cwd=ROOT, env=serving.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def lurch(serving, *words):
    """Run a command of the CLI in this process, next to the service, and return its standard output."""
    settings = {name: value for name, value in serving.environment.items() if name.startswith("LURCH_")}
    with chdir(ROOT):
        done = CliRunner().invoke(cli, words, env=settings)
    assert done.exit_code == 0, (words, done.output, done.exception)
    return done.stdout


def test_every_command_of_the_readme_is_known_to_these_tests():
    assert {each.split()[0] for each in COMMANDS} == {"make", ".venv/bin/lurch", "curl"}
    assert {each.split()[1] for each in MAKE} == {
        "demo",
        "serve",
        "score",
        "check",
        "test",
        "test-all",
        "test-api",
        "test-by-container",
        "test-containers",
        "test-dashboard",
        "bench",
        "faults",
        "soak",
        "fuzz",
        "screenshots",
        "help",
    }


def test_the_make_targets_are_there(serving):
    names = set(re.findall(r"^([a-z-]+):", shell(serving, "make", "-s", "help"), re.MULTILINE))
    assert names >= {each.split()[1] for each in MAKE}


def test_make_demo_serves_a_club_full_of_matches():
    with data_directory() as data:
        serving = Serving(data).start(("make", "demo"))
        try:
            serving.ready()
            (club,) = httpx.get(f"{serving.url}/api/v1/clubs", timeout=60).json()["items"]
            assert (club["name"], club["public"]) == ("Demo club", True)
            assert len(httpx.get(f"{serving.url}/api/v1/clubs/{club['id']}/matches", timeout=60).json()["items"]) >= 4
            assert "owner's sign-in link" in serving.said()
        finally:
            serving.end()


def test_an_empty_service_says_how_to_load_the_demo_club(serving):
    assert "run `lurch demo` (`make demo` in a checkout)" in serving.said()


def test_make_score_scores(serving):
    (command,) = [each for each in MAKE if "score" in each]
    assert "in force 40 - 56" in shell(serving, *shlex.split(command))


def test_the_lurch_commands_run_in_order(serving):
    said = {each: lurch(serving, *shlex.split(each)[1:]) for each in LURCH}
    assert any("every chain holds" in text for text in said.values())
    score = next(text for each, text in said.items() if "score --json" in each)
    assert json.loads(score.splitlines()[0])["scores"] == [48, 49]


def test_the_requests_with_curl_record_and_follow(serving):
    lurch(serving, "import", "examples/notation.ctn", "--club", "Thursday club", "--public")
    create = next(each for each in LURCH if "token create" in each)
    token = lurch(serving, *shlex.split(create)[1:]).strip()
    clubs = httpx.get(f"{serving.url}/api/v1/clubs", timeout=60).json()["items"]
    values = {"TOKEN": token, "LURCH": serving.url, "CLUB": clubs[0]["id"]}
    for each in CURL[:2]:
        answer = json.loads(_curl(each, values))
        values["MATCH"] = answer["match"]["id"]
    assert answer["match"]["totals"] == [19, 0]
    command = ["bash", "-c", f"exec {CURL[2]} --silent"]
    with subprocess.Popen(command, env=os.environ | values, stdout=subprocess.PIPE) as following:
        try:
            assert any(b'"type":"ResultEntered"' in line for line in following.stdout), "it ended by itself"
        finally:
            following.kill()


def _curl(command, values):
    command = f"{command} --silent --show-error"
    environment = dict(os.environ) | values
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_pictures_and_links_of_the_readme_are_there():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_readme_names_every_setting():
    names = {field.encode_name for field in msgspec.structs.fields(Settings)}
    assert set(re.findall(r"`(LURCH_[A-Z_]+)`", README.split("## Settings")[1])) == names


def test_the_help_of_serve_names_every_setting():
    names = {field.encode_name for field in msgspec.structs.fields(Settings)}
    assert set(re.findall(r"LURCH_[A-Z_]+", serve.help)) == names
