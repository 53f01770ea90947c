"""The director's desk: actions are carried out all or none, on the tournament as it is, and strangers are registered by
what is taken alone."""

from functools import partial
from uuid import UUID

import pytest

from domain.club.commands import MergePlayers
from domain.log.decider import Refusal
from domain.match import commands as mc
from domain.tournament import commands as c
from domain.tournament.plan import Plan
from service.desk import access
from service.desk.requests import own_request
from service.desk.tournament_bodies import (
    AnnounceBody,
    DisputeAction,
    EnterAction,
    PairAction,
    ReportAction,
    RetractAction,
    UpholdAction,
)
from service.desk.tournaments import Desk
from service.store.kinds import CLUB
from tests.kit.service.desk_room import ODD, SERVICE, request_of

STAGE = c.StagePlan(format={"kind": "single"}, game="parity", race={"target": 15})
NAMES = ("Annie", "Benny", "Cleo", "Dag")


class Cup:
    """A tournament of four at the desk."""

    def __init__(self, room, names=NAMES, **more):
        self.room, self.director = room, room.token("director")
        self.desk = Desk(room.recorder)
        entries = [EnterAction([name]) for name in names]
        body = AnnounceBody(name="Cup", stages=[STAGE], entries=entries, **more)
        self.id = room.do(self.desk.announce, room.id, body, request_of(self.director)).loaded.stream

    def loaded(self):
        return self.room.do(self.room.services.streams.tournament, self.id)

    @property
    def state(self):
        return self.loaded().tournament

    def asked(self, *actions, caller=None, key=None, expected=None, note=None):
        """Actions on the tournament as it is looked at now, to be awaited."""
        request = request_of(caller or self.director, key, expected)
        return partial(self.desk.act, self.loaded(), list(actions), note, request)

    def act(self, *actions, **more):
        return self.room.do(self.asked(*actions, **more))

    def refused(self, *actions, slug=None, **more):
        return self.room.refused(self.asked(*actions, **more), slug=slug)

    def paired(self):
        """Pair the first round, and have the steward open its matches."""
        self.act(PairAction())
        self.caught_up()
        return self

    def caught_up(self):
        self.room.do(self.room.services.steward.catch_up, self.room.id)

    def pairing(self, place=0):
        return [*self.state.stage.pairings.values()][place]

    def played(self, place=0):
        """A deal is recorded in the match of a pairing, which is over with it."""
        match = self.pairing(place).match
        keeper = self.room.token("scorer")
        self.room.write(keeper, match, mc.EnterResult(entry={"parity": "odd", "tricks": [11, 4]}))
        self.caught_up()
        return match


@pytest.fixture
def cup(room):
    return Cup(room)


def people(room):
    return sorted(each.name for each in room.state().players.values())


@pytest.mark.parametrize("role", ["spectator", "scorer", "secretary"])
def test_a_tournament_is_announced_by_who_directs_and_a_refusal_registers_nobody(room, role):
    body = AnnounceBody(name="Cup", stages=[STAGE], entries=[EnterAction([name]) for name in NAMES])
    room.refused(Desk(room.recorder).announce, room.id, body, request_of(room.token(role)), slug="forbidden")
    assert people(room) == []
    Cup(room)
    assert people(room) == [*NAMES]


def test_a_tournament_that_cannot_be_registers_nobody(room):
    wrong = c.StagePlan(format={"kind": "single"}, game="whist")
    body = AnnounceBody(name="Cup", stages=[wrong], entries=[EnterAction(["Annie"])])
    request = request_of(room.token("director"))
    room.refused(Desk(room.recorder).announce, room.id, body, request, slug="unknown-option")
    assert people(room) == []


def test_actions_are_carried_out_all_or_none(room, cup):
    refusal = cup.refused(EnterAction(["Eve"]), PairAction(number=9))
    assert refusal.slug == "misfit"
    assert people(room) == [*NAMES]
    assert len(cup.state.entries) == 4
    cup.act(EnterAction(["Eve"]), c.Pay(next(iter(cup.state.entries)), 500))
    assert people(room) == [*NAMES, "Eve"]


def test_a_deputy_directs_the_own_tournament_and_no_other(room, cup):
    entry = next(iter(cup.state.entries))
    cup.refused(c.Pay(entry, 500), caller=room.token("deputy", tournament=Cup(room, ()).id), slug="forbidden")
    cup.act(c.Pay(entry, 500), caller=room.token("deputy", tournament=cup.id))
    assert cup.room.events(cup.id)[-1][2] == "deputy"


def test_a_scorer_reports_once_and_leaves_corrections_to_the_director(room, cup):
    fixture = cup.paired().pairing().fixture
    keeper = room.token("scorer")
    cup.act(ReportAction(fixture, winner=0), caller=keeper)
    refusal = cup.refused(ReportAction(fixture, winner=1), caller=keeper, slug="forbidden")
    assert refusal.detail == "there is a result already: ask the director to correct it"
    cup.refused(RetractAction(fixture), caller=keeper, slug="forbidden")
    cup.act(RetractAction(fixture))
    assert fixture not in cup.state.stage.decided


def test_a_player_speaks_for_the_own_match_alone(room, cup):
    cup.paired()
    mine, other = cup.pairing(0), cup.pairing(1)
    player = room.person(cup.state.entries[mine.entries[0]].players[0])
    cup.act(ReportAction(mine.fixture, winner=0), caller=player)
    cup.refused(ReportAction(other.fixture, winner=0), caller=player, slug="forbidden")
    cup.refused(PairAction(), caller=player, slug="forbidden")


def test_a_player_confirms_a_recorded_match_where_it_is_recorded(room):
    cup = Cup(room, plan=Plan(counts="confirmed")).paired()
    pairing = cup.pairing()
    room.write(room.token("scorer"), pairing.match, mc.EnterResult(entry=ODD, deal=1))
    player = room.person(cup.state.entries[pairing.entries[0]].players[0])
    refusal = cup.refused(ReportAction(pairing.fixture, winner=0), caller=player, slug="misfit")
    assert refusal.detail == "this match is recorded: confirm its result there, or dispute it"


def test_of_two_directors_who_pair_at_once_one_pairs(room, cup):
    answers = room.at_once(cup.asked(PairAction(number=1)), cup.asked(PairAction(number=1)))
    assert [each.slug for each in answers if isinstance(each, Refusal)] == ["misfit"]
    assert len(cup.state.stage.pairings) == 2
    assert [each[0] for each in room.events(cup.id)].count("RoundPaired") == 1


def test_of_two_results_at_once_one_stands_and_the_scorer_is_told(room, cup):
    fixture = cup.paired().pairing().fixture
    keepers = room.token("scorer"), room.token("scorer")
    asked = [cup.asked(ReportAction(fixture, winner=at), caller=each) for at, each in enumerate(keepers)]
    answers = room.at_once(*asked)
    assert [each.slug for each in answers if isinstance(each, Refusal)] == ["forbidden"]
    stands = next(at for at, each in enumerate(answers) if not isinstance(each, Refusal))
    assert cup.state.stage.decided[fixture].winner == stands


def test_a_stale_version_is_refused_before_anyone_is_registered(room, cup):
    seen = cup.loaded().head.version
    cup.act(PairAction())
    refusal = cup.refused(EnterAction(["Eve"]), expected=seen, slug="lost-race")
    assert refusal.extra == {"current_version": cup.loaded().head.version}
    assert "Eve" not in people(room)


def test_a_key_is_answered_as_the_first_time(room, cup):
    first = cup.act(EnterAction(["Eve"]), key="enter")
    again = cup.act(EnterAction(["Eve"]), key="enter")
    assert (again.first, again.last) == (first.first, first.last)
    assert len(cup.state.entries) == 5


def test_a_dispute_stands_in_the_match_and_is_settled_there(room, cup):
    match = cup.paired().played()
    fixture = cup.pairing().fixture
    cup.act(DisputeAction(fixture), note="the last trick")
    assert len(room.match_of(match).disputes) == 1
    assert fixture in cup.state.stage.disputed
    cup.refused(UpholdAction(fixture), caller=room.token("scorer"), slug="forbidden")
    cup.act(UpholdAction(fixture))
    assert room.match_of(match).disputes == ()
    assert fixture not in cup.state.stage.disputed


def test_a_refused_dispute_leaves_no_trace_in_the_match(room, cup):
    match = cup.paired().played()
    before = room.events(match)
    cup.refused(DisputeAction(cup.pairing().fixture), caller=room.token("spectator"), slug="forbidden")
    assert room.events(match) == before


def test_matches_with_deals_are_given_up_knowingly(room, cup):
    match = cup.paired().pairing().match
    room.write(room.token("scorer"), match, mc.StartDeal(dealer=0))
    refusal = cup.refused(c.UnpairRound(), slug="confirm-needed")
    assert refusal.detail.startswith(f"deals are recorded at table {cup.pairing().table}, and those matches")
    cup.act(c.UnpairRound(knowingly=True))
    assert not cup.state.stage.pairings


def test_what_is_tried_is_recorded_nowhere(room, cup):
    before = room.recorded()
    request = request_of(cup.director)
    after, events = room.do(cup.desk.tried, cup.loaded(), [PairAction()], request)
    assert (len(after.stage.pairings), events) == (2, ("StageStarted", "RoundPaired"))
    assert room.recorded() == before
    assert cup.state.at == -1
    tried = partial(cup.desk.tried, cup.loaded(), [EnterAction(["Eve"])], request)
    assert room.refused(tried).slug == "malformed"
    keeper = request_of(room.token("scorer"))
    room.refused(cup.desk.tried, cup.loaded(), [PairAction()], keeper, slug="forbidden")


def test_nobody_is_entered_once_more_under_another_id(room, cup):
    annie = next(id for id, each in room.state().players.items() if each.name == "Annie")
    first = room.member("Anna-Maria")
    merge = MergePlayers(first, annie)
    room.do(room.recorder.on_stream, room.id, CLUB, merge, own_request(SERVICE))
    assert cup.refused(EnterAction(["Anna-Maria"])).slug == "misfit"
    assert len(cup.state.entries) == 4


def test_a_tournament_of_a_private_club_is_there_for_its_people_alone(room, cup):
    stranger = room.token("director", club=Cup(room, ()).id)
    refusal = room.refused(access.tournament_for, room.services, stranger, UUID(cup.id))
    assert (refusal.slug, refusal.detail) == ("not-found", "there is nothing here, or nothing that you may see")
    loaded, club = room.do(access.tournament_for, room.services, room.token("spectator"), UUID(cup.id))
    assert (loaded.stream, club.club) == (cup.id, room.id)
