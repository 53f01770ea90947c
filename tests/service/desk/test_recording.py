"""Recording what begins in a club: nobody is registered by what is refused, and people are registered once."""

from functools import partial

import pytest

from domain.club.commands import FoundClub, RegisterMember
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.tournament.commands import Announce, StagePlan
from domain.tournament.orders import Orders
from service.desk.recording import last_part
from service.desk.requests import KnownPerson, own_request
from service.store.ids import new_id
from service.store.kinds import CLUB, MATCH, TOURNAMENT
from tests.kit.service.desk_room import SERVICE, request_of

OPEN = c.OpenMatch(game="parity", options={}, race={}, sides=())
PAIR = (("Annie",), ("Benny",))


def opening(room, caller, command=OPEN, people=PAIR, key=None):
    return partial(room.recorder.open_match, room.id, command, people, request_of(caller, key))


def names(room):
    return sorted(each.name for each in room.state().players.values())


@pytest.mark.parametrize(
    ("role", "command", "people", "slug"),
    [
        ("spectator", OPEN, PAIR, "forbidden"),
        ("scorer", c.OpenMatch(game="whist", options={}, race={}, sides=()), PAIR, "unknown-option"),
        ("scorer", c.OpenMatch(game="parity", options={"joker": 1}, race={}, sides=()), PAIR, "unknown-option"),
        ("scorer", OPEN, (("Annie", "Benny"), ("Cleo", "Dag")), "malformed"),
        ("scorer", OPEN, (("Annie",), (KnownPerson("nobody"),)), "malformed"),
    ],
    ids=["role", "game", "option", "sides", "person"],
)
def test_a_match_that_cannot_be_opened_registers_nobody(room, role, command, people, slug):
    room.refused(opening(room, room.token(role), command, people), slug=slug)
    assert names(room) == []


def test_a_match_registers_unknown_people_once(room):
    annie = room.member("Annie")
    done = room.do(opening(room, room.token("scorer")))
    assert done.loaded.match.setup.sides[0] == (annie,)
    assert names(room) == ["Annie", "Benny"]


def test_matches_of_the_same_strangers_at_once_register_them_once(room):
    keeper = room.token("scorer")
    done = room.at_once(*(opening(room, keeper, people=((name,), ("Benny",))) for name in ("Annie", "Cleo", "Annie")))
    assert names(room) == ["Annie", "Benny", "Cleo"]
    assert len({each.loaded.match.setup.sides[1] for each in done}) == 1


def test_a_match_under_one_key_is_opened_once(room):
    keeper = room.token("scorer")
    first = room.do(opening(room, keeper, key="open"))
    again = room.do(opening(room, keeper, key="open"))
    assert again.loaded.stream == first.loaded.stream
    assert len(room.events(first.loaded.stream)) == 1


def test_nobody_sits_on_two_chairs(room):
    refusal = room.refused(opening(room, room.token("scorer"), people=(("Annie",), (" annie ",))))
    assert (refusal.slug, refusal.detail) == ("malformed", "one player sits on two chairs: change one")


@pytest.mark.parametrize(
    ("kind", "words"),
    [(CLUB, "there is no such club"), (MATCH, "there is no such match or tournament")],
    ids=["club", "match"],
)
def test_a_stream_of_another_kind_is_not_there(room, kind, words):
    stream = room.id if kind is MATCH else str(room.match())
    command = RegisterMember(new_id(), "Cleo") if kind is CLUB else c.StartDeal(dealer=0)
    refusal = room.refused(room.recorder.on_stream, stream, kind, command, own_request(SERVICE))
    assert (refusal.slug, refusal.detail) == ("not-found", words)


def test_a_stream_that_is_begun_twice_at_once_is_begun_once(room):
    club = new_id()
    begin = partial(room.recorder.begin, club, club, CLUB, FoundClub("Twin", True), own_request(SERVICE, "found"))
    done = room.at_once(begin, begin)
    assert {(each.first, each.last, each.loaded.stream) for each in done} == {(1, 1, club)}


def test_who_may_not_begin_it_begins_nothing(room):
    cup = Orders((Announce("Cup", (StagePlan(format={"kind": "single"}, game="parity"),)),))
    begin = partial(room.recorder.begin, room.id, new_id(), TOURNAMENT, cup)
    room.refused(begin, request_of(room.token("scorer")), slug="forbidden")
    assert room.do(begin, request_of(room.token("director"))).first == 1


def test_people_of_one_name_are_told_apart_or_asked_about(room):
    room.member("Annie")
    again = partial(room.recorder.register, room.id, "annie", own_request(SERVICE))
    assert room.refused(again).slug == "confirm-needed"
    other = room.do(room.recorder.register, room.id, "Annie", own_request(SERVICE), another=True)
    assert room.state().players[other].name == "Annie"


def test_two_members_of_one_name_at_once_are_one_and_a_question(room):
    register = [partial(room.recorder.register, room.id, "Annie", own_request(SERVICE)) for _ in range(2)]
    answers = room.at_once(*register)
    assert [each.slug for each in answers if isinstance(each, Refusal)] == ["confirm-needed"]
    assert names(room) == ["Annie"]


def test_a_club_that_is_not_there_is_said_to_be_none(room):
    assert room.refused(room.recorder.club, new_id()).detail == "there is no such club"


def test_the_last_part_of_an_import_has_a_key_of_its_own():
    request = own_request(SERVICE, "file")
    assert [last_part(request, count).command_id for count in (1, 1000, 1001, 2001)] == [
        "file",
        "file",
        "file+1000",
        "file+2000",
    ]
