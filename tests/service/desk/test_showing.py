"""Showing: a match as its reader may see it, by the rights of now, at whatever moment is looked at."""

from functools import partial

import pytest

from domain import codec
from domain.club.commands import ChangeSettings, MergePlayers, RenamePlayer
from domain.games import defaults, find
from domain.log.decider import Refusal
from domain.match import commands as c
from service.desk.access import match_for
from service.desk.cases.bodies import CallBody
from service.desk.cases.calling import call
from service.desk.doubts import doubt_of
from service.desk.requests import own_request
from service.desk.showing import moment_shown, names_of, shown
from service.store.callers import NOBODY
from service.store.kinds import CLUB
from tests.kit.match.tables import random_deal
from tests.kit.service.desk_room import ODD, SERVICE, DeskRoom, request_of

GAME = "cross_game"  # its hands are hidden


@pytest.fixture
def people(open_room):
    return open_room.member("Annie"), open_room.member("Benny")


@pytest.fixture
def match(open_room, people):
    """A match with a deal whose hands are known, and hidden."""
    found = open_room.match(*people, game=GAME)
    dealt = codec.plain(random_deal(GAME, defaults(find(GAME)), 7))
    open_room.write(open_room.token("scorer"), found, c.StartDeal(dealer=0, deal=dealt))
    return found


def view(room, caller, match, upto=None):
    """The match as a caller is shown it, now or as of a version."""
    loaded, club = room.do(match_for, room.services, caller, match)
    past = None if upto is None else room.do(room.services.streams.match_at, loaded, upto)
    return shown(loaded, club, caller, past, room.do(moment_shown, room.services, caller, loaded))


def hands(view):
    """The seats whose hands are shown."""
    return [seat for seat, hand in enumerate(view.table["hands"]) if hand is not None]


def test_players_see_their_own_hand_and_the_scorer_sees_all(open_room, people, match):
    own = [hands(view(open_room, open_room.person(each), match)) for each in people]
    assert own == [[0], [1]]
    assert hands(view(open_room, open_room.token("scorer"), match)) == [0, 1]
    others = NOBODY, open_room.token("spectator"), open_room.by_code(match), open_room.by_code(match, people[0])
    assert [hands(view(open_room, each, match)) for each in others] == [[]] * 4


def test_a_past_state_shows_no_more_than_the_present(open_room, people, match):
    now = open_room.match_of(match).version
    assert hands(view(open_room, NOBODY, match, now)) == []
    assert hands(view(open_room, open_room.person(people[1]), match, now)) == [1]
    assert view(open_room, NOBODY, match, 1).table is None


def test_what_may_still_be_changed_is_said_of_now_alone(open_room):
    match = open_room.match()
    now = open_room.write(open_room.token("scorer"), match, c.EnterResult(entry=ODD)).last
    assert [each.deal for each in view(open_room, NOBODY, match).windows] == [1]
    assert view(open_room, NOBODY, match, now).windows == ()


def test_hands_that_were_opened_are_open_at_every_moment(open_room, match):
    before = open_room.match_of(match).version
    director = open_room.token("director")
    open_room.write(director, match, c.VoidDeal("misdealt"))
    assert hands(view(open_room, NOBODY, match, before)) == []
    open_room.write(director, match, c.OpenHands("a question of law", deal=1))
    assert hands(view(open_room, NOBODY, match)) == [0, 1]
    assert hands(view(open_room, NOBODY, match, before)) == [0, 1]


def test_current_names_are_shown_and_merged_people_under_the_first(open_room, people, match):
    first = open_room.member("Anna-Maria")
    assert view(open_room, NOBODY, match).sides[0].names == ("Annie",)
    merge = MergePlayers(first, people[0])
    open_room.do(open_room.recorder.on_stream, open_room.id, CLUB, merge, own_request(SERVICE))
    side = view(open_room, NOBODY, match).sides[0]
    assert (side.names, side.players) == (("Anna-Maria",), (first,))
    assert view(open_room, NOBODY, match, 1).sides[0].names == ("Anna-Maria",)
    assert names_of(open_room.loaded())[people[0]] == "Anna-Maria"


def test_an_open_case_shows_to_its_director_only(open_room, people, match):
    caller = open_room.person(people[0])
    open_room.write(open_room.token("scorer"), match, c.VoidDeal("misdealt"))
    opened = partial(call, open_room.services, caller, match, CallBody(), request_of(caller))
    open_room.do(opened)
    loaded = open_room.to_write(open_room.token("scorer"), match)
    seen = {
        role: open_room.do(moment_shown, open_room.services, open_room.token(role), loaded).heard
        for role in ("director", "scorer", "spectator")
    }
    assert seen == {"director": frozenset({1}), "scorer": frozenset(), "spectator": frozenset()}


def test_a_director_who_looks_again_costs_one_statement(open_room, match, statements):
    director, services = open_room.token("director"), open_room.services

    async def looks():
        loaded, _ = await match_for(services, director, match)
        await moment_shown(services, director, loaded)
        await doubt_of(services.streams, loaded)

    open_room.do(looks)
    assert open_room.do(statements.counted, looks())[1] == 1


def test_changes_by_another_process_are_seen_at_the_next_read(open_room, beside, people, match):
    elsewhere = DeskRoom.__new__(DeskRoom)
    elsewhere.__dict__ |= {**vars(open_room), "process": beside, "services": beside.services}
    elsewhere.recorder = beside.services.recorder
    director, own = open_room.token("director"), open_room.person(people[0])

    def heard():
        loaded, _ = open_room.do(match_for, open_room.services, director, match)
        return open_room.do(moment_shown, open_room.services, director, loaded).heard

    def does(command):
        elsewhere.do(elsewhere.recorder.on_stream, elsewhere.id, CLUB, command, own_request(SERVICE))

    open_room.write(open_room.token("scorer"), match, c.VoidDeal("misdealt"))
    assert (view(open_room, NOBODY, match).sides[0].names, heard()) == (("Annie",), frozenset())
    does(RenamePlayer(people[0], "Anna"))
    elsewhere.do(call, elsewhere.services, own, match, CallBody(), request_of(own))
    assert (view(open_room, NOBODY, match).sides[0].names, heard()) == (("Anna",), frozenset({1}))
    does(ChangeSettings(public=False))
    with pytest.raises(Refusal):
        view(open_room, NOBODY, match)
