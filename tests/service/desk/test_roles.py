"""Roles: given by who holds more, for what is the club's own, and judged on the club as it is when it is written."""

from functools import partial

import pytest

from domain.club.commands import GrantRole
from domain.club.state import Grant
from domain.log.decider import Refusal
from service.desk import roles
from service.desk.roles import RoleRow, Scope
from service.store.callers import NOBODY
from service.store.ids import new_id
from tests.kit.service.desk_room import DeskRoom, request_of

ALL_CLUB = Scope()


def granting(room, caller, person, role, scope=ALL_CLUB, act=roles.grant):
    return partial(act, room.services, caller, room.uuid, person, role, scope, request_of(caller))


revoking = partial(granting, act=roles.revoke)


@pytest.mark.parametrize(
    ("giver", "given"),
    [
        ("owner", {"secretary", "director", "deputy", "scorer"}),
        ("secretary", {"secretary", "director", "deputy", "scorer"}),
        ("director", {"deputy", "scorer"}),
        ("scorer", set()),
        ("spectator", set()),
    ],
)
def test_what_a_page_offers_to_give_is_what_is_taken(room, giver, given):
    carla, caller = room.member("Carla"), room.token(giver)
    assert set(roles.given_by(caller, room.id)) == given
    for role in ("secretary", "director", "scorer"):  # a deputy has a tournament
        assert roles.would_take(caller, room.loaded(), GrantRole(carla, role)) is (role in given), role
        if role in given:
            room.do(granting(room, caller, carla, role))
        else:
            room.refused(granting(room, caller, carla, role), slug="forbidden")
    assert {each.role for each in room.state().held(carla)} == given - {"deputy"}


def test_a_role_is_limited_to_matches_and_tournaments_of_its_club(room, process, database):
    carla, director = room.member("Carla"), room.token("director")
    elsewhere = str(DeskRoom(process, database.url).match())
    for scope in (Scope(match=elsewhere), Scope(match=room.id), Scope(tournament=elsewhere), Scope(match=new_id())):
        refusal = room.refused(granting(room, director, carla, "scorer", scope), slug="malformed")
        assert refusal.detail.startswith("the club has no ")
    match = str(room.match())
    wrong = granting(room, director, carla, "scorer", Scope(tournament=new_id(), match=match))
    assert "leave `tournament` out" in room.refused(wrong, slug="malformed").detail
    room.do(granting(room, director, carla, "scorer", Scope(match=match)))
    assert room.state().held(carla) == (Grant("scorer", None, match),)


def test_a_role_that_ended_meanwhile_gives_no_more(room):
    sven, carla = room.granted(room.member("Sven"), "secretary"), room.member("Carla")
    looked_up = room.person(sven)
    room.do(granting(room, looked_up, carla, "scorer"))
    room.do(revoking(room, room.token("owner", club=None), sven, "secretary"))
    refusal = room.refused(granting(room, looked_up, carla, "director"), slug="forbidden")
    assert refusal.detail == "you are no longer a secretary here: load the page anew"
    assert {each.role for each in room.state().held(carla)} == {"scorer"}


def test_the_roles_of_others_are_read_by_who_gives_them(room):
    sven, carla = room.granted(room.member("Sven"), "secretary"), room.granted(room.member("Carla"), "scorer")
    both = (RoleRow(sven, "Sven", "secretary", None, None), RoleRow(carla, "Carla", "scorer", None, None))
    seen = {each: room.do(roles.roles_seen, room.services, room.person(each), room.uuid)[1] for each in (sven, carla)}
    assert seen == {sven: both, carla: both[1:]}
    assert room.do(roles.roles_seen, room.services, room.token("spectator"), room.uuid)[1] == ()
    assert room.do(roles.roles_seen, room.services, room.token("director"), room.uuid)[1] == both


def test_a_club_that_everybody_reads_tells_no_stranger_its_roles(open_room):
    seen = partial(roles.roles_seen, open_room.services)
    assert open_room.refused(seen, NOBODY, open_room.uuid).slug == "unauthorised"
    stranger = open_room.token("director", club=new_id())
    refusal = open_room.refused(seen, stranger, open_room.uuid)
    assert (refusal.slug, refusal.detail) == ("forbidden", "this is for people of the club: ask its secretary")


def test_a_private_club_refuses_a_stranger_as_if_it_were_not_there(room):
    carla, stranger = room.member("Carla"), room.token("owner", club=new_id())
    for act in (granting, revoking):
        room.refused(act(room, stranger, carla, "scorer"), slug="not-found")
    room.refused(roles.roles_seen, room.services, stranger, room.uuid, slug="not-found")


def test_a_role_given_twice_at_once_is_given_once(room):
    carla, owner = room.member("Carla"), room.token("owner", club=None)
    answers = room.at_once(*(granting(room, owner, carla, "scorer") for _ in range(3)))
    assert not [each for each in answers if isinstance(each, Refusal)]
    assert [each[0] for each in room.events(room.id)].count("RoleGranted") == 1


def test_a_role_given_as_it_is_ended_leaves_one_of_both(room):
    carla, owner = room.member("Carla"), room.token("owner", club=None)
    room.do(granting(room, owner, carla, "scorer"))
    room.at_once(revoking(room, owner, carla, "scorer"), granting(room, owner, carla, "scorer"))
    kinds = [each[0] for each in room.events(room.id) if each[0].startswith("Role")]
    assert room.state().held(carla) == ((Grant("scorer"),) if kinds[-1] == "RoleGranted" else ())
    assert "RoleRevoked" in kinds


def test_who_ends_a_role_is_who_could_give_it(room):
    sven = room.granted(room.member("Sven"), "secretary")
    (row,) = roles.roles_of(room.loaded())
    assert not roles.ends(room.token("secretary"), room.loaded(), row), "a club keeps its last secretary"
    room.granted(room.member("Solveig"), "secretary")
    told = {role: roles.ends(room.token(role), room.loaded(), row) for role in ("secretary", "director", "scorer")}
    assert told == {"secretary": True, "director": False, "scorer": False}
    room.refused(revoking(room, room.token("director"), sven, "secretary"), slug="forbidden")
    room.do(revoking(room, room.token("secretary"), sven, "secretary"))
    assert room.state().held(sven) == ()


def test_only_directors_manage_conflicts_of_interest(room):
    annie, benny = room.member("Annie"), room.member("Benny")
    director, secretary = room.token("director"), room.token("secretary")
    declared = partial(roles.declare, room.services)
    room.refused(declared, secretary, room.uuid, annie, benny, request_of(secretary), slug="forbidden")
    room.do(declared, director, room.uuid, annie, benny, request_of(director))
    seen = partial(roles.friends_seen, room.services)
    assert room.refused(seen, secretary, room.uuid).slug == "forbidden"
    (row,) = room.do(seen, director, room.uuid)[1]
    assert (set(row.people), set(row.names)) == ({annie, benny}, {"Annie", "Benny"})
    assert benny in room.person(annie).close
    room.do(roles.end_friends, room.services, director, room.uuid, row.version, request_of(director))
    assert room.do(seen, director, room.uuid)[1] == ()
