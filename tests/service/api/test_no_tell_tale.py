"""No tell-tale: until the signal policy tells, everybody receives the same bytes whether a rule was broken or not."""

import json

import pytest

from tests.kit.service.twin_evenings import MATCHES, STAGES, VIEWERS, twins

AT = {stage: place for place, stage in enumerate(STAGES)}
TOLD = {  # the stage from which a viewer may know, by policy and audience
    ("loud", "director"): "on",
    ("loud", "table"): "on",
    ("loud", "public"): "next deal",
    ("quiet", "director"): "on",  # who was called
    ("quiet", "table"): "over",
    ("quiet", "public"): "next deal",
    ("silent", "director"): "on",
    ("silent", "table"): "posted",
    ("silent", "public"): "posted",
}
AUDIENCES = {"director": "director", **dict.fromkeys(("scorer", "player", "tapped"), "table")}
AUDIENCES |= dict.fromkeys(("spectator", "nobody"), "public")


@pytest.fixture(scope="module")
def both():
    """Both evenings with everything that each viewer receives; they take some 15 s to play."""
    return twins()


def test_each_viewer_receives_the_same_bytes_until_the_policy_tells(both):
    found, blind = both
    for (stage, viewer, name), received in found.received.items():
        other = blind.received[stage, viewer, name]
        differs = [place for place in received if received[place] != other[place]]
        tells = name != "club" and AT[stage] >= AT[TOLD[MATCHES[name][0], AUDIENCES[viewer]]]
        assert bool(differs) == tells, (stage, viewer, name, differs)
        assert not {*differs} & {"/events", "stream", "/projections/tricks"}, "findings are told in views, not events"


def test_a_scorer_is_answered_the_same_until_the_policy_tells(both):
    found, blind = both
    for name, (policy, _) in MATCHES.items():
        pairs = [*zip(found.answers[name], blind.answers[name], strict=True)]
        differ = [place for place, (one, other) in enumerate(pairs) if one != other]
        over = next(place for place, (_, _, body) in enumerate(found.answers[name]) if _complete(body))
        if policy == "silent":
            assert differ == []
        elif policy == "quiet":
            assert differ[0] == over
        else:
            assert differ[0] < over


def _complete(body):
    return any(deal["complete"] for deal in json.loads(body)["match"]["deals"])


def test_a_call_shows_the_same_with_and_without_a_finding(both):
    found, blind = both
    assert found.cases[""][0] == 200
    for place, received in found.cases.items():
        assert received == blind.cases[place], place
    assert {each for each in VIEWERS if found.queues[each] != blind.queues[each]} == {"director"}


def test_a_webhook_is_sent_the_same_events(both):
    found, blind = both
    assert found.hooked == blind.hooked
    assert len(found.hooked[-1]) > 100


def test_everybody_learns_of_it_in_the_end(both):
    found, _ = both
    for viewer in VIEWERS:
        for name in MATCHES:
            _, _, body = found.received["posted", viewer, name][""]
            assert [each["code"] for each in json.loads(body)["findings"]], (viewer, name)
