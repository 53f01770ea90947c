"""Appeals: time limits, who may lodge one and who may hear it."""

from datetime import timedelta

import pytest

from domain.case import commands as c
from tests.kit.case import ANNIE, BENNY, DIRK, DORA, SARA, Heard, who


def appeal(**more):
    return c.LodgeAppeal(**{"match": "m1", "ruling": 20, "words": "The rule is another.", **more})


def decide(**more):
    return c.HearAppeal(**{"appeal": 2, "panel": ("dirk",), "outcome": "stands", **more})


@pytest.fixture
def heard():
    found = Heard()
    found.ruled(late=True)
    return found


@pytest.fixture
def lodged(heard):
    heard.do(BENNY, appeal())
    return heard


def test_an_appeal_is_late_after_30_minutes(heard):
    heard.later(minutes=30)
    heard.do(BENNY, appeal())
    other = Heard()
    other.ruled(late=True)
    other.later(minutes=30, seconds=1)
    other.refused(BENNY, appeal(), "window-closed")


def test_an_appeal_waits_for_the_end_of_t2_where_that_is_later():
    heard = Heard()
    heard.ruled(late=False)
    heard.later(hours=3)
    heard.do(BENNY, appeal())


def test_a_closed_case_can_be_appealed_and_is_heard_again(heard):
    heard.do(DORA, c.CloseCase(ended="ruled"))
    heard.do(BENNY, appeal())
    assert not heard.state.is_open
    assert [each.side for each in heard.state.pending] == [1]
    heard.do(BENNY, c.MakeStatement(words="Look at the third trick."))
    heard.do(DIRK, decide(appeal=3))
    assert heard.state.pending == ()
    heard.refused(BENNY, c.MakeStatement(words="And yet."), "misfit")


@pytest.mark.parametrize(
    ("more", "slug"),
    [
        ({"superseded": True}, "changed"),
        ({"instance": 2}, "misfit"),
        ({"accepted": (1,)}, "misfit"),
    ],
)
def test_a_ruling_that_is_no_more_to_be_appealed_against(more, slug):
    heard = Heard()
    heard.ruled(**more)
    heard.refused(BENNY, appeal(), slug)


def test_a_side_appeals_once_against_a_ruling_of_its_case(heard):
    heard.refused(BENNY, appeal(ruling=21), "misfit")
    heard.refused(BENNY, appeal(match="m2"), "misfit")
    heard.refused(BENNY, appeal(side=0), "forbidden")
    heard.refused(who("cyd"), appeal(side=0), "forbidden")
    heard.do(ANNIE, appeal())
    heard.refused(ANNIE, appeal(), "misfit")


def test_an_appeal_of_one_side_takes_nothing_from_the_other(heard):
    heard.do(ANNIE, appeal())
    heard.do(BENNY, appeal())
    assert [each.side for each in heard.state.pending] == [0, 1]


def test_an_appeal_that_was_taken_back_keeps_nobody_from_another(heard):
    heard.do(BENNY, appeal())
    heard.do(BENNY, decide(panel=(), outcome="withdrawn"))
    heard.do(ANNIE, appeal())
    heard.do(BENNY, appeal())


def test_a_ruling_is_appealed_against_once_when_a_panel_has_decided(lodged):
    lodged.do(DIRK, decide())
    lodged.refused(ANNIE, appeal(), "misfit")


def test_whoever_made_the_ruling_does_not_take_back_the_appeal_against_it(lodged):
    lodged.refused(DORA, decide(panel=(), outcome="withdrawn"), "recused")
    lodged.do(DIRK, decide(panel=(), outcome="withdrawn"))


@pytest.mark.parametrize(
    ("panel", "slug"),
    [
        (("dora",), "recused"),
        (("annie",), "recused"),
        (("fred",), "recused"),
        (("dirk", "dora"), "recused"),
        ((), "malformed"),
        (("dirk", "dirk"), "malformed"),
        (("dirk", "dan", "cyd", "sara"), "malformed"),
        (("nobody",), "malformed"),
    ],
)
def test_the_panel_has_one_to_three_members_without_conflict_of_interest(lodged, panel, slug):
    lodged.refused(DIRK, decide(panel=panel), slug)


def test_who_stepped_back_sits_on_no_panel(lodged):
    lodged.do(DORA, c.RecuseRuler(person="dirk", because="asked"))
    lodged.refused(SARA, decide(appeal=2), "recused")


def test_most_of_the_panel_decide(lodged):
    three = ("dirk", "dan", "sara")
    lodged.refused(DIRK, decide(panel=("dirk", "dan"), dissent=("dan",)), "malformed")
    lodged.refused(DIRK, decide(panel=three, dissent=("dan", "sara")), "malformed")
    lodged.refused(DIRK, decide(panel=three, dissent=("cyd",)), "malformed")
    lodged.do(DIRK, decide(panel=three, dissent=("dan",), outcome="changed"))
    (found,) = lodged.state.appeals
    assert (found.outcome, found.panel) == ("changed", three)


def test_who_ruled_first_writes_no_decision_down(lodged):
    lodged.refused(DORA, decide(), "recused")
    lodged.refused(ANNIE, decide(), "forbidden")
    lodged.do(SARA, decide())


def test_a_side_takes_back_its_own_appeal(lodged):
    lodged.refused(ANNIE, decide(outcome="withdrawn", panel=()), "forbidden")
    lodged.refused(BENNY, decide(outcome="withdrawn"), "malformed")
    lodged.do(BENNY, decide(outcome="withdrawn", panel=()))
    lodged.refused(DIRK, decide(), "misfit")


def test_where_nobody_may_hear_an_appeal_it_says_so(lodged):
    lodged.around["hearers"] = ("dirk",)
    assert lodged.refused(SARA, decide(outcome="nobody", panel=()), "misfit").extra["hearers"] == ["dirk"]
    lodged.around["hearers"] = ()
    lodged.refused(SARA, decide(outcome="nobody"), "malformed")
    lodged.do(SARA, decide(outcome="nobody", panel=()))
    assert lodged.state.appeals[0].outcome == "nobody"


def test_the_time_of_an_appeal_counts_from_its_own_ruling():
    heard = Heard()
    heard.ruled(20, late=True, superseded=True)
    heard.later(hours=1)
    heard.ruled(30, person="dirk", late=True)
    heard.now += timedelta(minutes=29)
    heard.do(BENNY, appeal(ruling=30))
