"""The examples of irregularities: each file holds a finding, and a near miss that is not found."""

import re
from pathlib import Path

import pytest

from domain.games import all_games
from domain.match.audit.catalogue import catalogue
from domain.match.audit.finding import Course
from domain.match.audit.findings import derived, findings
from domain.notation import history
from domain.notation.ctn_read import loads

FOLDER = Path(__file__).parents[2] / "examples" / "irregularities"
TEXTS = sorted(FOLDER.glob("*.ctn"))
LINES = sorted(FOLDER.glob("*.jsonl"))
NOT_IN_A_DEAL = {"SLO"}  # the times of a round
EXPECTS = re.compile(r"^% expects (\w+)(?: (\S+) at (-?\d+))?$", re.MULTILINE)


def stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", TEXTS, ids=stem)
def test_a_finding_and_its_near_miss(path):
    text = path.read_text(encoding="utf-8")
    wanted, read = EXPECTS.findall(text), loads(text)
    assert [each[0] for each in wanted] == [path.stem, "nothing"]
    assert [each.problems for each in read] == [[], []]
    for (code, rule, place), script in zip(wanted, read, strict=True):
        found = [(each.code, each.rule, each.place) for each in findings(script.state)]
        assert found == ([] if code == "nothing" else [(code, rule, int(place))])


@pytest.mark.parametrize("path", LINES, ids=stem)
def test_a_finding_in_a_history_and_its_near_miss(path):
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        read = history.read(line)
        course = Course(read.game, read.options, read.dealer, read.deal, tuple(read.facts))
        found.append([each.code for each in derived(course)])
    assert found == [[path.stem], []]


def test_every_code_has_an_example():
    codes = {code for game in all_games().values() for code in catalogue(game)}
    assert {path.stem for path in (*TEXTS, *LINES)} == codes - NOT_IN_A_DEAL
