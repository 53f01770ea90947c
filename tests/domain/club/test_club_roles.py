"""Roles of a club: no one grants more than they hold, and the last secretary stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.club import commands as c
from domain.club import events as e
from domain.club.decide import decide
from domain.club.rights import GRANTS, at_most, rights_of
from domain.club.roles import secretaries
from domain.club.state import Club, EventWithPrivate, Grant, fold
from domain.log.actor import Actor, Right
from domain.log.decider import Refusal, decided

PEOPLE = ("annie", "benny", "carla", "denny")
ROLES = ("secretary", "director", "deputy", "scorer")
OWNER = Actor("owner", rights=(Right("owner"),))


def club_of(*events):
    return fold(Club(), [(at, EventWithPrivate(event, private)) for at, (event, private) in enumerate(events, 1)])


def founded(**roles):
    """Return a club of four people with these roles, such as `annie="secretary"`."""
    known = [(e.PlayerRegistered(each, False), {"name": each}) for each in PEOPLE]
    held = [(e.RoleGranted(role, person), None) for person, role in roles.items()]
    return club_of((e.ClubFounded("Club", False), None), *known, *held)


def after(club, news):
    return fold(club, [(club.version + at, EventWithPrivate(new.event, new.private)) for at, new in enumerate(news, 1)])


def person(club, who, strength="own device"):
    """Return the actor of a person on their own device with all their rights."""
    return Actor(rights=rights_of(club, "club", who, strength))


def refused(club, command, actor, slug="forbidden"):
    with pytest.raises(Refusal) as found:
        decided(decide, club, command, actor)
    assert found.value.slug == slug
    return found.value.detail


def act(club, command, actor):
    news, acting = decided(decide, club, command, actor)
    return after(club, news), acting


SCOPES = {"deputy": {"tournament": "cup"}}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("giver", [*ROLES, "player"])
def test_nobody_gives_or_ends_more_than_is_held(giver, role):
    club = founded(benny="secretary")
    if giver != "player":
        club = after(club, [_New(e.RoleGranted(giver, "annie", **SCOPES.get(giver, {})))])
    for command in (c.GrantRole, c.RevokeRole):
        held = after(club, [_New(e.RoleGranted(role, "carla", **SCOPES.get(role, {})))])
        state = held if command is c.RevokeRole else club
        asked, annie = command("carla", role, **SCOPES.get(role, {})), person(club, "annie")
        if role in GRANTS.get(giver, ()) and not (giver == "deputy" and role != "deputy"):
            changed, acting = act(state, asked, annie)
            assert acting.role == giver
            assert (Grant(role, **SCOPES.get(role, {})) in changed.held("carla")) is (command is c.GrantRole)
        else:
            refused(state, asked, annie)


class _New:
    def __init__(self, event, private=None):
        self.event, self.private = event, private


def test_a_deputy_gives_scorers_of_the_own_tournament_and_nothing_else():
    club = after(founded(), [_New(e.RoleGranted("deputy", "annie", tournament="cup"))])
    annie = person(club, "annie")
    changed, _ = act(club, c.GrantRole("benny", "scorer", "cup", "table 4"), annie)
    assert changed.held("benny") == (Grant("scorer", "cup", "table 4"),)
    for command in (
        c.GrantRole("benny", "scorer"),
        c.GrantRole("benny", "scorer", "other cup"),
        c.GrantRole("benny", "deputy", "cup"),
        c.RegisterMember("nora", "Nora"),
        c.DeclareFriends("benny", "carla"),
    ):
        refused(club, command, annie.reaching(None, getattr(command, "tournament", None)))


def test_the_last_secretary_is_ended_by_the_owner_only():
    club = founded(annie="secretary", benny="director")
    assert "last secretary" in refused(club, c.RevokeRole("annie", "secretary"), person(club, "annie"))
    changed, acting = act(club, c.RevokeRole("annie", "secretary"), OWNER)
    assert (secretaries(changed), acting.role) == ((), "owner")


def test_two_who_end_each_other_at_once_leave_one():
    club = founded(annie="secretary", benny="secretary")
    annie, benny = (person(club, each) for each in ("annie", "benny"))
    changed, _ = act(club, c.RevokeRole("benny", "secretary"), annie)
    refused(changed, c.RevokeRole("annie", "secretary"), benny)
    assert secretaries(changed) == ("annie",)


def test_a_role_that_ended_on_the_way_gives_nothing():
    club = founded(annie="secretary", benny="secretary", carla="secretary")
    benny = person(club, "benny")
    changed, _ = act(club, c.RevokeRole("benny", "secretary"), person(club, "annie"))
    assert "no longer" in refused(changed, c.RevokeRole("carla", "secretary"), benny)
    refused(changed, c.GrantRole("denny", "director"), benny)


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.booleans(), st.sampled_from(PEOPLE)), max_size=12))
def test_whatever_they_do_to_each_other_a_secretary_is_left(acts):
    # each acts on the roles held at the beginning, as in concurrent requests
    club = founded(annie="secretary", benny="secretary", carla="secretary")
    begun = club
    for who, gives, whom in acts:
        command = (c.GrantRole if gives else c.RevokeRole)(whom, "secretary")
        try:
            club, _ = act(club, command, person(begun, who))
        except Refusal:
            continue
    assert secretaries(club)


def test_a_person_resigns_a_role_but_not_by_code_or_token():
    club = founded(annie="director", benny="secretary")
    by_code = Actor(rights=(Right("player", "club", None, "m1", "annie", id="annie", strength="table", by_code=True),))
    for other in (by_code, person(club, "annie", "token"), person(club, "carla")):
        refused(club, c.RevokeRole("annie", "director"), other)
    changed, _ = act(club, c.RevokeRole("annie", "director"), person(club, "annie"))
    assert changed.held("annie") == ()


@pytest.mark.parametrize(
    ("role", "scope"),
    [
        ("secretary", {"tournament": "cup"}),
        ("director", {"tournament": "cup"}),
        ("director", {"match": "m1"}),
        ("deputy", {}),
        ("deputy", {"tournament": "cup", "match": "m1"}),
        ("player", {}),
        ("owner", {}),
    ],
)
def test_a_role_with_a_wrong_scope_is_not_granted(role, scope):
    refused(founded(), c.GrantRole("annie", role, **scope), OWNER, "malformed")


def test_roles_go_to_the_merged_person_and_never_to_an_erased_one():
    club = after(founded(), [_New(e.PlayersMerged("annie", "benny"))])
    changed, _ = act(club, c.GrantRole("benny", "director"), OWNER)
    assert changed.held("annie") == changed.held("benny") == (Grant("director"),)
    assert act(changed, c.GrantRole("annie", "director"), OWNER)[0] == changed
    ended, _ = act(changed, c.RevokeRole("benny", "director"), OWNER)
    assert ended.held("annie") == ()
    gone = after(changed, [_New(e.PersonErased("annie", "asked", 1, ()))])
    for who in ("annie", "benny", "nobody"):
        refused(gone, c.GrantRole(who, "scorer"), OWNER, "malformed")
        assert rights_of(gone, "club", who, "own device") == ()


def test_a_director_declares_and_ends_close_relations_except_their_own():
    club = founded(annie="director", benny="director", carla="secretary")
    refused(club, c.DeclareFriends("annie", "denny"), person(club, "carla"))
    annie, benny = person(club, "annie"), person(club, "benny")
    changed, _ = act(club, c.DeclareFriends("denny", "annie"), annie)
    assert (changed.close_to("annie"), changed.close_to("denny")) == (("denny",), ("annie",))
    assert act(changed, c.DeclareFriends("annie", "denny"), benny)[0] == changed
    version = changed.friends[0].version
    assert "about you" in refused(changed, c.EndFriends(version), annie)
    ended, _ = act(changed, c.EndFriends(version), benny)
    assert ended.close_to("annie") == ()
    refused(ended, c.EndFriends(version), benny, "misfit")
    refused(club, c.DeclareFriends("annie", "annie"), benny, "malformed")


def test_the_log_says_nothing_in_public_of_who_is_close():
    club = founded(annie="director")
    news, _ = decided(decide, club, c.DeclareFriends("annie", "denny"), person(club, "annie"))
    assert (news[0].event, news[0].private) == (e.FriendDeclared(), {"people": ["annie", "denny"]})


def test_a_token_never_has_more_rights_than_its_maker():
    club = founded(annie="director")
    annie = rights_of(club, "club", "annie", "token")
    assert at_most(Right("scorer", "club"), annie)
    assert at_most(Right("director", "club"), annie)
    assert at_most(Right("player", "club", person="annie"), annie)
    assert at_most(Right("secretary", "club"), annie) is None
    assert at_most(Right("director", "club", person="benny"), annie) is None
    benny = rights_of(club, "club", "benny", "token")
    assert at_most(Right("player", "club", person="annie"), benny) is None


def test_tokens_are_made_by_a_secretary_within_what_a_secretary_gives():
    club = founded(annie="secretary", benny="director")
    annie = person(club, "annie")
    changed, _ = act(club, c.GrantToken("t1", "director"), annie)
    assert changed.tokens == {"t1": (Grant("director"),)}
    refused(club, c.GrantToken("t2", "owner"), annie)
    refused(club, c.GrantToken("t2", "scorer"), person(club, "benny"))
    refused(club, c.GrantToken("t2", "director", "carla"), annie)
    act(club, c.GrantToken("t2", "director", "benny"), annie)
    refused(club, c.GrantToken("t2", "player"), annie, "malformed")
    ended, _ = act(changed, c.RevokeTokens(("t1", "t2")), annie)
    assert ended.tokens == {}
    refused(changed, c.RevokeTokens(("t1",)), person(club, "benny"))
