"""A dispute's case closes with the dispute if nothing else happened in it."""

from itertools import chain, combinations

import pytest

from domain.case import commands as c
from domain.case import events as e
from domain.case.events import CasePlace
from domain.case.settling import ends_by_itself, settled_as, untouched
from domain.log.actor import SERVICE
from tests.kit.case import ANNIE, BENNY, DIRK, DORA, PLACE, SIDES, Heard


def disputed(*more, **opening):
    """Return a case that the service opened for a dispute of Annie, after further commands."""
    case = Heard(**{"matter": "dispute", "dispute": 12, "side": 0, **opening})
    for actor, command in more:
        case.do(actor, command)
    return case


def settled(case, *how):
    """Settle the disputes of a case in order, with these outcomes."""
    calls = [each.version for each in case.state.calls]
    case.around["settled"] = tuple(map(c.Settled, calls, how))
    return case


def around(case):
    return c.Around(at=case.now, times=case.times, **case.around)


def joining(dispute=15):
    return c.JoinCase(matter="dispute", place=PLACE, sides=SIDES, side=1, person="benny", dispute=dispute, words="No.")


@pytest.mark.parametrize("how", ["stands", "corrected", "ruled", "withdrawn"])
def test_a_case_of_a_settled_dispute_is_closed_once_with_its_outcome(how):
    case = settled(disputed(), how)
    assert case.do(SERVICE, c.CloseSettled()) == [e.CaseClosed(how)]
    assert case.do(SERVICE, c.CloseSettled()) == []


def test_a_case_closes_after_all_its_disputes_with_the_weightiest_outcome():
    case = settled(disputed((SERVICE, joining())), "withdrawn")
    assert case.do(SERVICE, c.CloseSettled()) == []
    settled(case, "withdrawn", "stands")
    assert case.do(SERVICE, c.CloseSettled()) == [e.CaseClosed("stands")]


TOUCHES = {
    "a statement": [(BENNY, c.MakeStatement(words="Ten it was."))],
    "statements that were opened": [(BENNY, c.MakeStatement(words="Ten.")), (DORA, c.OpenStatements())],
    "a witness": [(DORA, c.HearWitness(person="wes", words="I saw it."))],
    "somebody who was named": [(DORA, c.AssignRuler(person="dirk"))],
    "somebody who stepped back": [(DIRK, c.RecuseRuler(person="dirk", because="asked"))],
    "a call": [(ANNIE, c.JoinCase(matter="call", place=PLACE, sides=SIDES, words="He revoked."))],
    "a director who opened it again": [(DORA, c.CloseCase(ended="stands")), (DORA, c.ReopenCase())],
}


@pytest.mark.parametrize("what", TOUCHES)
def test_only_a_director_closes_a_case_with_other_activity(what):
    case = disputed(*TOUCHES[what])
    case.around["settled"] = (c.Settled(1, "withdrawn"),)
    assert case.do(SERVICE, c.CloseSettled()) == []
    assert (case.state.is_open, settled_as(case.state, around(case))) == (True, "withdrawn")


def test_what_no_dispute_opened_is_not_offered_to_be_closed():
    case = Heard()
    assert settled_as(case.state, around(case)) is None
    assert case.do(SERVICE, c.CloseSettled()) == []


def test_while_a_side_may_appeal_against_the_ruling_it_stays_open():
    case = settled(disputed(), "ruled")
    case.ruled(late=True)
    assert (ends_by_itself(case.state, around(case)), settled_as(case.state, around(case))) == (None, "ruled")
    case.later(minutes=30, seconds=1)
    assert ends_by_itself(case.state, around(case)) == "ruled"


@pytest.mark.parametrize("more", [{"accepted": (0, 1)}, {"superseded": True}, {"instance": 2}])
def test_what_nobody_may_appeal_against_holds_nothing(more):
    case = settled(disputed(), "ruled")
    case.ruled(**more)
    assert case.do(SERVICE, c.CloseSettled()) == [e.CaseClosed("ruled")]


def test_one_side_that_has_accepted_leaves_the_other_its_appeal():
    case = settled(disputed(), "ruled")
    case.ruled(accepted=(0,))
    assert case.do(SERVICE, c.CloseSettled()) == []
    case.do(BENNY, c.LodgeAppeal(match="m1", ruling=20))
    case.later(hours=9)
    case.around["rulings"] = ()
    assert case.do(SERVICE, c.CloseSettled()) == [], "and an appeal is heard by people"


def test_nobody_but_the_service_closes_a_case_so():
    case = settled(disputed(), "stands")
    for actor in (ANNIE, BENNY, DORA):
        case.refused(actor, c.CloseSettled(), "forbidden")


def test_a_match_that_a_director_joined_to_it_is_somebodys_matter():
    other = CasePlace("m2", "cup")
    case = disputed((DORA, c.JoinCase(matter="dispute", place=other, sides=SIDES, words="The same again.")))
    case.around["settled"] = (c.Settled(1, "stands"),)
    assert case.do(SERVICE, c.CloseSettled()) == []


def test_a_dispute_about_an_unrecorded_result_ends_like_any_other():
    whole = CasePlace("m1", "cup")
    case = settled(disputed(place=whole, dispute=None), "corrected")
    assert case.do(SERVICE, c.CloseSettled()) == [e.CaseClosed("corrected")]


def test_whatever_is_done_in_it_only_an_untouched_case_ends_by_itself():
    some = chain.from_iterable(
        combinations([each for each in TOUCHES if "again" not in each], size) for size in range(3)
    )
    for names in some:
        case = disputed(*(each for name in names for each in TOUCHES[name]))
        case.around["settled"] = tuple(c.Settled(each.version, "stands") for each in case.state.calls)
        assert (ends_by_itself(case.state, around(case)) is None) is bool(names)
        assert untouched(case.state) is not bool(names)
