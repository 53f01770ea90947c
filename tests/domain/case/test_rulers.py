"""Who may rule in a case: conflicts of interest, recusal and concurrent assignments."""

import pytest

from domain.case import commands as c
from domain.case.rulers import check_rules
from domain.log.decider import Refusal
from tests.kit.case import ANNIE, BENNY, DIRK, DORA, PEOPLE, SARA, Heard, who


def assign(person, **more):
    return c.AssignRuler(person=person, **more)


def around(heard):
    return heard.known(assign("dora")).around


@pytest.mark.parametrize("person", ["annie", "benny", "fred"])
def test_the_ruler_is_of_no_side_and_close_to_none(person):
    heard = Heard()
    heard.refused(DORA, assign(person), "recused")
    heard.refused(who(person, "director", close=PEOPLE[person].close), assign(person), "recused")


def test_the_second_of_two_concurrent_assignments_is_refused():
    heard = Heard()
    heard.do(DORA, assign("dora"))
    assert heard.refused(DIRK, assign("dirk"), "changed").extra["ruler"] == "dora"
    assert heard.do(DIRK, assign("dora")) == []
    heard.do(DIRK, assign("dirk", instead="dora"))
    assert heard.state.ruler.person == "dirk"


def test_who_is_named_directs_or_is_made_a_deputy_first():
    Heard().refused(DORA, assign("cyd"), "misfit")
    Heard().refused(ANNIE, assign("dora"), "forbidden")
    Heard().refused(DORA, assign("nobody"), "malformed")


def test_where_nobody_is_here_who_may_rule_the_secretary_names_one_person():
    heard = Heard()
    heard.around["others"] = ("dan",)
    assert heard.refused(SARA, assign("cyd"), "forbidden").extra["rulers"] == ["dan"]
    heard.do(DORA, c.RecuseRuler(person="dan", because="asked"))
    heard.refused(SARA, assign("annie"), "recused")
    heard.do(SARA, assign("cyd"))
    assert heard.state.ruler.by == "secretary"
    cyd = who("cyd")
    heard.do(cyd, c.CloseCase(ended="stands"))


def test_a_secretary_cannot_assign_as_a_party_or_after_an_allowance():
    Heard().refused(who("annie", "secretary"), assign("cyd"), "recused")
    heard = Heard()
    heard.around["allowed"] = ("benny",)
    heard.refused(SARA, assign("cyd"), "forbidden")


def test_one_of_the_table_rules_whom_all_other_sides_allow_to():
    heard, director = Heard(), who("benny", "director")
    heard.refused(director, assign("benny"), "recused")
    heard.around["allowed"] = ("benny",)
    heard.do(director, assign("benny"))
    assert heard.state.ruler.by == "consent"
    check_rules(heard.state, director, around(heard))
    with pytest.raises(Refusal, match="somebody else was named"):
        check_rules(heard.state, DORA.using(DORA.rights[1]), around(heard))


def test_who_stepped_back_rules_no_more():
    heard = Heard()
    heard.do(DORA, assign("dora"))
    heard.do(DORA, c.RecuseRuler(person="dora", because="asked", words="Benny asked me to."))
    assert heard.state.ruler is None
    check_rules(heard.state, DIRK.using(DIRK.rights[1]), around(heard))
    heard.refused(DORA, c.CloseCase(ended="stands"), "recused")
    heard.refused(DIRK, assign("dora"), "recused")


@pytest.mark.parametrize(
    ("person", "because"), [("dora", "party"), ("dora", "friend"), ("dora", "first ruler"), ("fred", "party")]
)
def test_a_reason_that_is_not_so_is_no_reason(person, because):
    Heard().refused(DIRK, c.RecuseRuler(person=person, because=because), "misfit")


def test_a_party_recuses_nobody_but_asks_a_director_to():
    Heard().refused(BENNY, c.RecuseRuler(person="dora", because="asked"), "forbidden")


def test_who_may_rule_is_checked_when_it_is_ruled():
    heard = Heard()
    check_rules(heard.state, who("dora", "director").using(DORA.rights[1]), around(heard))
    heard.do(DORA, assign("dirk"))
    with pytest.raises(Refusal, match="somebody else was named"):
        check_rules(heard.state, DORA.using(DORA.rights[1]), around(heard))
    check_rules(heard.state, DIRK.using(DIRK.rights[1]), around(heard))
    heard.do(DIRK, c.CloseCase(ended="stands"))
    with pytest.raises(Refusal, match="closed"):
        check_rules(heard.state, DIRK.using(DIRK.rights[1]), around(heard))
    for near in (who("annie", "director"), who("dan", "director", close=("benny",))):
        with pytest.raises(Refusal) as refusal:
            check_rules(Heard().state, near.using(near.rights[1]), around(Heard()))
        assert refusal.value.slug == "recused"
