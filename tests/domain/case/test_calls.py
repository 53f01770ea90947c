"""Calls: opening a case and adding matches to it."""

import pytest

from domain.case import commands as c
from domain.case import events as e
from domain.case.calling import matter_of, same_matter
from domain.case.decide import decide
from domain.case.events import CasePlace
from domain.case.state import NO_CASE, reach
from domain.club.private_parts import Words, left_by, owned
from domain.log.actor import SERVICE, Reach
from domain.log.decider import Refusal, decided
from tests.kit.case import ANNIE, BENNY, DORA, PLACE, SIDES, Heard, who


def join(place=PLACE, sides=SIDES, **more):
    return c.JoinCase(**{"matter": "call", "place": place, "sides": sides, **more})


def opening(**more):
    return c.OpenCase(**{"matter": "call", "place": PLACE, "sides": SIDES, "minutes": 5, **more})


@pytest.mark.parametrize(
    ("more", "slug"),
    [
        ({"place": CasePlace()}, "malformed"),
        ({"place": CasePlace(tournament="cup")}, "malformed"),
        ({"place": CasePlace(tournament="cup", stage=0, fixture="W1", deal=1)}, "malformed"),
        ({"place": CasePlace("m1", at=(1,) * 41)}, "malformed"),
        ({"code": "revoke"}, "malformed"),
        ({"side": 1}, "forbidden"),
        ({"side": 4}, "malformed"),
        ({"minutes": 61}, "malformed"),
        ({"sides": (("annie",), ())}, "misfit"),
        ({"words": "x" * 4001}, "malformed"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(more, slug):
    with pytest.raises(Refusal) as refusal:
        decided(decide, NO_CASE, opening(**more), ANNIE)
    assert refusal.value.slug == slug


def test_whoever_plays_or_keeps_the_score_calls_and_nobody_else():
    for actor, side in ((ANNIE, 0), (BENNY, 1), (who("wes", "scorer"), None), (DORA, None)):
        (new,), _ = decided(decide, NO_CASE, opening(), actor)
        assert new.event.side == side
    with pytest.raises(Refusal) as refusal:
        decided(decide, NO_CASE, opening(), who("cyd"))
    assert refusal.value.slug == "forbidden"


def test_a_case_needs_no_deal_and_no_match():
    # slow play has no deal, a no-show no match
    for place in (CasePlace("m1", "cup"), CasePlace(None, "cup", 0, "W1.1")):
        (new,), _ = decided(decide, NO_CASE, opening(place=place, matter="slow"), DORA)
        assert new.event.place == place


def test_a_second_call_joins_and_the_words_are_its_own():
    heard = Heard()
    (joined,) = heard.do(BENNY, join(words="She cannot count."))
    assert (joined.side, joined.person) == (1, "benny")
    assert [each.side for each in heard.state.calls] == [0, 1]


def test_a_director_adds_a_match_and_its_sides_come_last():
    heard, place = Heard(), CasePlace("m2", "cup")
    other = (("cyd",), ("annie",))
    heard.refused(ANNIE, join(place, other), "forbidden")
    (joined,) = heard.do(DORA, join(place, other, side=1))
    assert joined.sides == (("annie",), ("benny",), ("cyd",))
    assert joined.side == 0, "Annie is the first side of the case"
    assert reach(heard.state, "case") == (Reach("m1", "cup"), Reach("m2", "cup"))


def test_a_dispute_that_is_heard_already_joins_once():
    heard = Heard(matter="dispute", dispute=9, person="annie")
    assert heard.do(SERVICE, join(matter="dispute", dispute=9)) == []
    assert len(heard.do(SERVICE, join(matter="dispute", dispute=11, side=1, person="benny"))) == 1


def test_only_the_service_names_another_person_as_caller():
    (new,), _ = decided(decide, NO_CASE, opening(person="benny", side=1, dispute=9), SERVICE)
    assert (new.event.person, new.event.side) == ("benny", 1)
    (new,), _ = decided(decide, NO_CASE, opening(person="benny"), ANNIE)
    assert new.event.person == "annie"


def test_sixty_calls_of_one_side_are_enough_and_everybody_else_is_heard():
    heard = Heard()
    for _ in range(59):
        heard.do(ANNIE, join())
    heard.refused(ANNIE, join(), "misfit")
    for who_else, command in (
        (BENNY, join()),
        (DORA, join()),
        (who("wes", "scorer"), join(side=1)),
        (SERVICE, join(matter="dispute", dispute=9, side=0, person="annie")),
    ):
        assert len(heard.do(who_else, command)) == 1


@pytest.mark.parametrize(
    ("actor", "more", "matter"),
    [
        (DORA, {}, "finding"),
        (DORA, {"side": 1}, "call"),
        (DORA, {"matter": "other"}, "other"),
        (DORA, {"matter": "other", "code": "REV"}, "finding"),
        (DORA, {"matter": "slow", "code": "SLO"}, "slow"),
        (ANNIE, {}, "call"),
        (ANNIE, {"matter": "finding"}, "finding"),
        (who("annie", "director"), {}, "call"),
        (who("wes", "scorer"), {}, "call"),
        (who("dora", "director", "scorer"), {"code": "REV"}, "finding"),
    ],
)
def test_a_director_who_calls_for_no_side_looks_into_a_finding(actor, more, matter):
    assert matter_of(opening(**{"place": CasePlace("m1", "cup", deal=1), **more}), actor) == matter


def test_a_case_covers_the_same_deal_of_the_same_match():
    heard = Heard()
    assert same_matter(heard.state, CasePlace("m1", "cup", deal=1))
    assert not same_matter(heard.state, CasePlace("m1", "cup", deal=2))
    assert not same_matter(heard.state, CasePlace("m2", "cup", deal=1))
    heard.do(DORA, c.CloseCase(ended="unfounded"))
    assert not same_matter(heard.state, CasePlace("m1", "cup", deal=1))


def test_a_closed_case_is_opened_again_by_a_director():
    heard = Heard()
    heard.refused(ANNIE, c.CloseCase(ended="withdrawn"), "forbidden")
    heard.do(DORA, c.CloseCase(ended="stands", words="No card is missing."))
    heard.refused(ANNIE, join(), "misfit")
    heard.refused(ANNIE, c.ReopenCase(), "forbidden")
    assert heard.do(DORA, c.ReopenCase()) == [e.CaseReopened()]
    assert heard.do(DORA, c.ReopenCase()) == []
    assert (heard.state.closed, heard.state.ended) == (0, None)


def test_the_words_are_those_of_whoever_says_them():
    said = {"note": "He had the ten."}
    for event in (
        e.StatementSealed(0, "annie", "own device"),
        e.WitnessHeard("annie"),
        e.AppealLodged("m1", 20, 0, "annie"),
        e.CaseOpened("call", PLACE, SIDES, 5, side=0, person="annie"),
    ):
        words = Words(event, said, actor="service")
        assert owned(words, ["annie"])
        assert left_by(words, ["annie"]) == {}
        assert left_by(words, ["benny"]) == said
    assert not owned(Words(e.CaseClosed("stands"), said, actor="dora"), ["dora"]), "a reason of the house"
    assert owned(Words(e.StatementSealed(1, None, "own device"), said, actor="dora"), ["dora"])
