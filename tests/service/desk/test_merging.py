"""Merging at the desk: who may, what a refusal tells, and what ends with the second id."""

from functools import partial

import pytest

from domain.club.commands import MergePlayers, PartPlayers
from domain.match import commands as c
from service.desk import merging
from service.store import tokens
from tests.kit.service.desk_room import ODD, request_of


@pytest.fixture
def two(room):
    return room.member("Annie"), room.member("Anny")


def merge(room, one, other, role="secretary", key=None, act=merging.merge, **more):
    caller = room.token(role)
    command = MergePlayers(one, other, **more)
    return partial(act, room.services, caller, room.loaded(), command, request_of(caller, key))


def preview(room, one, other, role="secretary"):
    return partial(merging.merge_preview, room.services, room.token(role), room.loaded(), MergePlayers(one, other))


@pytest.mark.parametrize("role", ["director", "scorer", "player", "spectator"])
def test_merging_parting_and_looking_are_for_the_secretary(room, two, role):
    room.refused(merge(room, *two, role), slug="forbidden")
    room.refused(preview(room, *two, role), slug="forbidden")
    caller = room.token(role)
    part = partial(merging.part, room.services, caller, room.loaded(), PartPlayers(*two), request_of(caller))
    room.refused(part, slug="forbidden")


def test_two_ids_are_one_person_and_two_again(room, two):
    one, other = two
    room.do(merge(room, one, other))
    assert room.state().ids_of(other) == (one, other)
    view = merging.person_view(room.loaded(), other)
    assert (view.id, view.name, view.ids) == (one, "Annie", (one, other))
    caller = room.token("secretary")
    room.do(merging.part, room.services, caller, room.loaded(), PartPlayers(one, other), request_of(caller))
    assert room.state().ids_of(other) == (other,)


def test_people_who_have_met_cannot_be_merged(room, two):
    match = room.match(*two)
    room.write(room.token("scorer"), match, c.EnterResult(entry=ODD))
    refusal = room.refused(merge(room, *two), slug="misfit")
    assert refusal.detail.startswith("these two sat in one match")
    shown = room.do(preview(room, *two))
    assert (shown.refused, shown.met) == (refusal.detail, (str(match),))


def test_a_void_match_in_which_nothing_was_dealt_is_no_meeting(room, two):
    match = room.match(*two)
    assert room.do(preview(room, *two)).met == (str(match),)
    room.write(room.token("director"), match, c.VoidMatch("it never was"))
    assert room.do(preview(room, *two)).met == ()
    room.do(merge(room, *two))


def test_a_look_changes_nothing_and_says_what_would_end(room, two):
    one, other = two
    room.granted(other, "scorer")
    room.do(tokens.create_token, room.services.pool, room.id, "player", "Anny's", player=other)
    before = room.recorded()
    shown = room.do(preview(room, one, other))
    assert room.recorded() == before
    assert ([each.role for each in shown.roles], shown.doors.tokens, shown.refused) == (["scorer"], 1, None)
    assert room.refused(merge(room, one, other)).slug == "confirm-needed"
    room.do(merge(room, one, other, knowingly=True))
    assert room.state().held(other) == ()


def test_a_merge_revokes_the_credentials_of_the_second_id_only(room, two):
    one, other = two
    secrets = [
        room.do(tokens.create_token, room.services.pool, room.id, "player", "a phone", player=each) for each in two
    ]
    room.do(merge(room, one, other))
    doors = [room.do(room.services.doors.by, ("token", tokens.digest(each))) for each in secrets]
    assert doors[1] is None
    assert doors[0].rights[0].also == (other,)


def test_a_merge_with_one_key_is_made_once(room, two):
    first = room.do(merge(room, *two, key="merge"))
    again = room.do(merge(room, *two, key="merge"))
    assert (again.first, again.last) == (first.first, first.last)
    before = room.recorded()
    room.do(merge(room, *two))
    assert room.recorded() == before
    refusal = room.refused(merge(room, *reversed(two)), slug="misfit")
    assert refusal.detail.startswith("these two are one person already")


def test_two_secretaries_who_merge_the_same_at_once_merge_once(room, two):
    answers = room.at_once(merge(room, *two), merge(room, *two))
    assert not [each for each in answers if isinstance(each, BaseException)], "it stands, whoever made it"
    assert [each[0] for each in room.events(room.id)].count("PlayersMerged") == 1


def test_three_concurrent_merges_make_no_cycle(room, two):
    one, other = two
    third = room.member("Ann")
    answers = room.at_once(merge(room, one, other), merge(room, other, third), merge(room, third, one))
    club = room.state()
    assert club.merged, answers
    assert {club.whom(each) for each in (one, other, third)}.isdisjoint(club.merged), (
        "nobody counts for one who is gone"
    )


def test_a_person_who_is_not_there_is_merged_with_nobody(room, two):
    for pair in ((two[0], room.id), (room.id, two[0])):
        room.refused(merge(room, *pair), slug="malformed")
        room.refused(preview(room, *pair), slug="not-found")
