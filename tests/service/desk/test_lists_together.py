"""Lists that are about several matches and tournaments ask as often for many as for few, also the first time that a
process is asked."""

import asyncio

import pytest

from domain.match import commands as mc
from domain.tournament import commands as c
from domain.tournament.plan import Plan
from service.desk.clubs import matches_of, named
from service.desk.tournament_bodies import AnnounceBody, DisputeAction, EnterAction, PairAction, ReportAction
from service.desk.tournament_reading import rows_of
from service.desk.tournaments import Desk
from service.desk.who_is_in import MOST, tables_of_club
from service.run.pool import make_pool
from service.store.log import last_position
from tests.kit.service.desk_room import DeskRoom, Process, request_of

STAGE = c.StagePlan(format={"kind": "single"}, game="parity", race={"target": 15})


def begun(room, delay="none"):
    """A tournament; what carries out actions in it, and tells how its stage stands then."""
    director, desk = room.token("director"), Desk(room.recorder)
    entries = [EnterAction([f"P{number}"]) for number in range(8)]
    body = AnnounceBody(name="Cup", stages=[STAGE], entries=entries, plan=Plan(delay=delay))
    made = room.do(desk.announce, room.id, body, request_of(director)).loaded.stream

    def act(*actions):
        loaded = room.do(room.services.streams.tournament, made)
        return room.do(desk.act, loaded, actions, None, request_of(director)).loaded.tournament.stage

    return act


def play(room, stage):
    """Begin a deal at each table, and bring the lists up to date."""
    room.do(room.services.lists.steward, room.id)
    for each in stage.pairings.values():
        room.write(room.token("scorer"), each.match, mc.StartDeal(dealer=0))
    room.do(room.services.lists.projector.catch_up, room.id)


def cup(room):
    """One behind which onlookers are, with a result that is disputed and one that is not; the match of the first."""
    act = begun(room, "round")
    disputed, other, *_ = act(PairAction()).pairings
    stage = act(ReportAction(disputed, 0), ReportAction(other, 0), DisputeAction(disputed))
    play(room, stage)
    return stage.pairings[disputed].match


@pytest.fixture(scope="module")
def clubs(process, database):
    """A club of one tournament, and one of five."""
    found = DeskRoom(process, database.url), DeskRoom(process, database.url)
    for room, count in zip(found, (1, 5), strict=True):
        room.disputed = {cup(room) for _ in range(count)}
        room.do(tables, room.services, room.loaded(), room)  # who looks first makes the codes
    return found


async def matches(services, club, room, moment=None):
    """The list of matches, as the director reads it."""
    position = None if moment is None else int(moment)
    found = await matches_of(services, room.token("director"), club, "", 50, position)
    return await named(services.streams, found.rows, club, moment)


async def matches_then(services, club, room):
    """The same as of the end of the log."""
    return await matches(services, club, room, str(await last_position(services.pool, club.club)))


async def tournaments(services, club, room):
    """The list of tournaments."""
    return (await rows_of(services, room.token("director"), club, 50, "")).rows


async def tables(services, club, room):
    """The tables that are on."""
    return (await tables_of_club(services, club, ""))[0]


LISTS = {matches: 4, matches_then: 4, tournaments: 1, tables: 4}  # each with its rows of a tournament


@pytest.fixture
def fresh(process, database):
    """A process that remembers nothing, as often as one is asked for."""

    def does(act, *given):
        with process.portal.wrap_async_context_manager(make_pool(database.url, 2)) as pool:
            one = Process(process.portal, pool)
            return one.do(act, one.services, *given)

    return does


async def counted(services, statements, room, lists):
    """An answer about a club, and the number of its statements."""
    club = await services.streams.club(room.id)
    if lists is tournaments:
        await services.lists.steward(room.id)  # it looks at each tournament that is on, once
    return await statements.counted(lists(services, club, room))


@pytest.mark.parametrize(("lists", "rows"), LISTS.items())
def test_a_list_needs_as_many_statements_for_five_tournaments_as_for_one(clubs, fresh, statements, lists, rows):
    (few, for_few), (many, for_many) = (fresh(counted, statements, room, lists) for room in clubs)
    assert (len(few), len(many)) == (rows, min(5 * rows, MOST if lists is tables else 50))
    assert for_few == for_many


@pytest.mark.parametrize("lists", [matches, matches_then])
def test_of_many_tournaments_each_result_has_its_own_doubt(clubs, fresh, statements, lists):
    for room in clubs:
        found, _ = fresh(counted, statements, room, lists)
        assert {row.id for row in found if row.doubt == "disputed"} == room.disputed
        assert {row.doubt for row in found} == {"disputed", None}


def test_a_tournament_without_doubts_is_not_read(room, fresh):
    async def looks(services):
        club = await services.streams.club(room.id)
        before = await matches(services, club, room)
        read = [services.streams.kept(row.tournament) for row in before]
        await asyncio.to_thread(act, DisputeAction(fixture))
        return before, read, await matches(services, club, room)

    act = begun(room)
    stage = act(PairAction())
    fixture, *_ = stage.pairings
    act(ReportAction(fixture, 0))
    play(room, stage)
    before, read, after = fresh(looks)
    assert {row.doubt for row in before} == {None}
    assert read == [None] * 4
    assert [row.id for row in after if row.doubt == "disputed"] == [stage.pairings[fixture].match]
