"""CTN: the examples read, score as stated, go round, and are imported and exported without loss."""

from pathlib import Path

import pytest

from domain.audit.findings import findings
from domain.match.state import played, race_of
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import Noted, dumps
from domain.notation.report import score_text
from service import clerk
from tests.conftest import with_pool

TEXT = (Path(__file__).parents[2] / "examples" / "notation.ctn").read_text()


def written(script):
    events = [Noted(place, new.event, new.private) for place, new in enumerate(script.events, start=1)]
    return dumps(events, script.tags.names)


@pytest.mark.parametrize("script", loads(TEXT), ids=lambda script: script.tags.command.game)
def test_an_example_reads_scores_as_stated_and_is_stable(script):
    assert (script.problems, script.differences) == ([], [])
    once = written(script)
    (again,) = loads(once)
    assert written(again) == once
    assert all(len(line) <= 250 for line in once.splitlines() if line[0] not in "[!")


def test_the_planted_revoke_is_proven_by_the_card_that_fell_later():
    match = loads(TEXT)[0].state
    assert [(each.rule, each.code, each.detail[-2:]) for each in findings(match)] == [("CP.5", "REV", "H3")]
    assert [played(match, deal).scores for deal in match.deals] == [(48, 49), (56, 40)]
    assert race_of(match).totals == (96, 96)


def test_what_is_no_notation_is_named_and_the_rest_is_read():
    broken = TEXT.replace("2.D3 DA", "2.D3 ZZ DA", 1)
    script = loads(broken)[0]
    assert [problem.token for problem in script.problems] == ["ZZ"]
    lines = list(score_text(broken, ctn=True))
    assert lines[0].answer["in_force"] == [40, 56]
    assert max(line.status for line in lines) == 1


def test_import_and_export_lose_nothing(database):
    told = with_pool(database, lambda pool: clerk.import_text(pool, "Notation club", True, TEXT))
    assert all(line.good for line in told)
    again = with_pool(database, lambda pool: clerk.import_text(pool, "Notation club", True, TEXT))
    assert [line.text for line in again] == [line.text for line in told]
    first = told[0].text.split()[0]
    assert with_pool(database, lambda pool: clerk.export_match(pool, first)) == written(loads(TEXT)[0])
