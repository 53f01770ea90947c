"""The projector: killed between pages, failing before a commit, rebuilt while it is read, its views are the log's."""

import asyncio
from types import SimpleNamespace

import msgspec
import psycopg
import pytest

from domain import codec
from domain.match import commands as c
from projections.lists import KEPT, MATCHES, PLAYERS, MatchRow, key_of
from service import projector
from service.bookkeeper import Bookkeeper
from service.cli import clerk
from service.desk.lists import Lists
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.projector import Projector
from service.run import following
from service.run.following import follow
from service.run.leasing import Lease
from service.run.lifespan import ended
from service.run.pool import make_pool
from service.steward.steward import Steward
from service.store import book_keeping, leases, views
from service.store.leases import LeaseLostError, LeaseNumber
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.logs import tail

RESULT = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})


def lists_of(pool):
    """Lists over a projector and a steward of their own."""
    streams = Streams(pool)
    return Lists(pool, Projector(pool), Steward(streams, Recorder(streams)).catch_up)


@pytest.fixture
def small_pages(monkeypatch):
    """Pages of five events, so that a short log has many."""
    monkeypatch.setattr(projector, "PAGE", 5)


async def a_night(pool, club, matches=4, results=3):
    """Some matches with results, their events in turns."""
    recorder = Recorder(Streams(pool))
    command = c.OpenMatch(game="parity", options={}, race={"target": 100_000}, sides=())
    opened = [
        await recorder.open_match(club, command, ((f"Annie {place}",), ("Benny",)), own_request(clerk.CLERK))
        for place in range(matches)
    ]
    for _ in range(results):
        for done in opened:
            await recorder.match(done.loaded.stream, RESULT, own_request(clerk.CLERK))
    return [done.loaded.stream for done in opened]


async def kept(pool, club):
    """The kept views of a club and their checkpoints, read in one moment."""
    statement = """select c.projection, c.position, v.key, v.data from checkpoints c
        left join views v using (projection, version, club_id) where c.club_id = %s and version > 0"""
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, [club])).fetchall()
    views = {name: {} for name, _, _, _ in rows}
    for name, _, key, data in rows:
        if key is not None:
            views[name][key] = data
    return views, {name: position for name, position, _, _ in rows}


async def folded(pool, club, projection, upto):
    """What a kept view is by definition: the fold of the log up to a position."""
    views = {}
    async for each in tail(pool, club, 0):
        key = key_of(projection.name, each.event)
        if each.event.position <= upto and key is not None:
            views[key] = projection.apply(views.get(key, projection.initial), each.event)
    shown = {key: projection.show(view) for key, view in views.items()}
    return {key: codec.encode_plain(view).decode() for key, view in shown.items() if view is not None}


async def are_the_fold_of_the_log(pool, club, projections=KEPT):
    views, positions = await kept(pool, club)
    for projection in projections:
        assert views.get(projection.name, {}) == await folded(pool, club, projection, positions.get(projection.name, 0))
    return positions


def kept_lease(pool, club):
    """A lease of a test: nobody beats for it, so it is held by a clock that stands, for as long as the test takes."""
    return Lease(pool, f"of a test {club}", lambda: 0.0)


def run(database, act, size=6):
    """An act on a pool of its own."""

    async def inside():
        async with make_pool(database.url, size) as pool:
            return await act(pool)

    return asyncio.run(asyncio.wait_for(inside(), 120))


def test_cancelled_between_pages_it_goes_on_where_it_was(database, club, small_pages):
    async def act(pool):
        await a_night(pool, club[0])
        stops = 0
        while True:
            task = None

            def enough(_):
                task.cancel()  # noqa: B023  # the task of this round

            task = asyncio.create_task(Projector(pool).catch_up(club[0], enough))
            await asyncio.wait([task])
            await are_the_fold_of_the_log(pool, club[0])
            if not task.cancelled():
                return stops
            stops += 1

    assert run(database, act) >= 6


@pytest.mark.parametrize("same", [True, False], ids=["by itself", "by another"])
def test_a_fault_between_the_fold_and_the_commit_loses_nothing(database, club, small_pages, same):
    faults = iter([None, None, RuntimeError("here"), None, RuntimeError("and here")])

    def show(view):
        fault = next(faults, None)
        if fault:
            raise fault
        return MATCHES.show(view)

    failing = msgspec.structs.replace(MATCHES, show=show)

    async def act(pool):
        await a_night(pool, club[0])
        keeper, met = Projector(pool, (failing,)), 0
        while True:
            try:
                await keeper.catch_up(club[0])
            except RuntimeError:
                met += 1
                await are_the_fold_of_the_log(pool, club[0], (MATCHES,))
                keeper = keeper if same else Projector(pool, (failing,))
                continue
            positions = await are_the_fold_of_the_log(pool, club[0], (MATCHES,))
            return met, positions

    met, positions = run(database, act)
    assert (met, positions["matches"]) == (2, 1 + 5 + 4 + 4 * 3 * 2)


def test_the_follower_survives_a_fault_and_brings_the_view_up_to_date(database, club):
    faults = iter([RuntimeError("once"), psycopg.OperationalError("away")])

    def show(view):
        for fault in faults:
            raise fault
        return MATCHES.show(view)

    async def act(pool):
        await a_night(pool, club[0], 1, 1)
        keeper = Projector(pool, (msgspec.structs.replace(MATCHES, show=show),))
        lease = kept_lease(pool, club[0])
        await lease.step()
        news = asyncio.Queue()
        news.put_nowait(club[0])  # no other event comes
        heard = []

        async def catch_up(each, lease):
            await keeper.catch_up(each, lease=lease)
            heard.append(each)

        follower = asyncio.create_task(follow(news.get, catch_up, lease, news.put_nowait))
        try:
            while (await kept(pool, club[0]))[1].get("matches", 0) < 6:
                assert not follower.done()
                await asyncio.sleep(0.01)
            await are_the_fold_of_the_log(pool, club[0], (MATCHES,))
            assert set(heard) == {club[0]}
        finally:
            await ended(follower)

    run(database, act)


def clubs_followed(database, club, first, fault, enough):
    """The clubs as they were followed, until there are enough: `first` has a fault, then comes the club."""
    news, heard = asyncio.Queue(), []

    async def catch_up(each, lease):
        heard.append(each)
        if each == first:
            fault(heard.count(first))

    async def act(pool):
        lease = kept_lease(pool, club)
        await lease.step()
        follower = asyncio.create_task(follow(news.get, catch_up, lease, news.put_nowait))
        for each in (first, club):
            news.put_nowait(each)
        try:
            async with asyncio.timeout(60):
                while not enough(heard):
                    assert not follower.done()
                    await asyncio.sleep(0.01)
        finally:
            await ended(follower)

    run(database, act)
    return heard


def test_a_club_with_a_damaged_log_blocks_no_other(database, club, monkeypatch):
    monkeypatch.setattr(following, "AGAIN", 0.01)

    def damaged(_):
        raise psycopg.DataError("a stream has 3 events up to version 4")

    heard = clubs_followed(database, club[0], "damaged", damaged, lambda heard: club[0] in heard)
    assert heard.count("damaged") == following.TRIES


def test_a_slow_club_blocks_no_other_and_is_followed_later(database, club, monkeypatch):
    monkeypatch.setattr(following, "LATER_SECONDS", 0.5)

    def slow(time):
        if time == 1:
            raise psycopg.errors.QueryCanceled("canceling statement due to statement timeout")

    heard = clubs_followed(database, club[0], "slow", slow, lambda heard: heard.count("slow") == 2)
    assert heard == ["slow", club[0], "slow"]


async def numbered(pool, name):
    """A lease whose holder slept while another process took it: the old number, and the new."""
    slept = Lease(pool, name, lambda: 0.0)
    await slept.step()
    old = slept.held
    row = await leases.read(pool, name)
    return old, LeaseNumber(name, await leases.take(pool, name, "another process", row))


async def keeps_the_lists(pool, club, lease):
    await Projector(pool).catch_up(club, lease=lease)
    return (await kept(pool, club))[1].get("matches", 0)


async def keeps_the_books(pool, club, lease):
    await Projector(pool).catch_up(club)
    await Bookkeeper(pool).catch_up(club, lease)
    async with pool.connection() as connection:
        return (await book_keeping.head_of(connection, club)).position


async def who_slept_writes_nothing(pool, club, keeps):
    """A holder whose lease was taken keeps nothing any more; the one that has it now does."""
    await a_night(pool, club, 1, 1)
    old, new = await numbered(pool, f"of a test {club}")
    with pytest.raises(LeaseLostError):
        await keeps(pool, club, old)
    async with pool.connection() as connection:
        assert (await book_keeping.head_of(connection, club)).position == 0
    if keeps is keeps_the_lists:
        assert (await kept(pool, club))[1].get("matches", 0) == 0
    assert await keeps(pool, club, new) == 6


@pytest.mark.parametrize("keeps", [keeps_the_lists, keeps_the_books])
def test_a_process_whose_lease_was_taken_over_writes_nothing(database, club, keeps):
    run(database, lambda pool: who_slept_writes_nothing(pool, club[0], keeps))


@pytest.mark.parametrize(("room", "keeps"), [(views, keeps_the_lists), (book_keeping, keeps_the_books)])
def test_a_lease_without_its_number_is_found_out(database, club, monkeypatch, room, keeps):
    monkeypatch.setattr(room, "carried", lambda _: leases.carried(None))
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        run(database, lambda pool: who_slept_writes_nothing(pool, club[0], keeps))


def test_two_projectors_at_once_take_turns(database, club, small_pages):
    async def act(pool):
        await a_night(pool, club[0])
        await asyncio.gather(*(Projector(pool).catch_up(club[0]) for _ in range(3)))
        positions = await are_the_fold_of_the_log(pool, club[0])
        assert set(positions.values()) == {34}

    run(database, act, 8)


def test_a_rebuild_is_not_seen_by_who_reads_meanwhile(database, club, small_pages):
    async def act(pool):
        streams = await a_night(pool, club[0])
        reader, done = lists_of(pool), asyncio.Event()
        seen = []

        async def read():
            while not done.is_set():
                found = await reader.rows(MATCHES, club[0], MatchRow, "", 50)
                seen.append([(row.id, row.version, row.deals) for row in found.rows])

        async def look():
            """As somebody who does not catch up: only what is kept."""
            while not done.is_set():
                views, positions = await kept(pool, club[0])
                assert (len(views["matches"]), len(views["players"]), positions) == (
                    4,
                    5,
                    {projection.name: 34 for projection in KEPT},
                )
                await asyncio.sleep(0)

        await reader.projector.catch_up(club[0])
        readers = [asyncio.create_task(each()) for each in (read, read, look)]
        for _ in range(5):
            await Projector(pool).rebuild(club[0])
        done.set()
        await asyncio.gather(*readers)
        assert seen
        assert all(rows == [(stream, 7, 3) for stream in sorted(streams)] for rows in seen)
        await are_the_fold_of_the_log(pool, club[0])

    run(database, act, 8)


def test_a_rebuild_that_is_broken_off_leaves_the_views_as_they_were(database, club, small_pages):
    async def act(pool):
        await a_night(pool, club[0])
        await Projector(pool).catch_up(club[0])
        before = await kept(pool, club[0])
        for pages in (1, 3, 6):
            left = iter(range(pages))

            def enough(_):
                if next(left, None) is None:  # noqa: B023  # called in this round
                    raise RuntimeError("killed")

            with pytest.raises(RuntimeError):
                await Projector(pool).rebuild(club[0], enough)
            assert await kept(pool, club[0]) == before
        await Projector(pool).rebuild(club[0])
        assert await kept(pool, club[0]) == before

    run(database, act)


def test_a_rebuild_repairs_a_view_that_was_changed_by_hand(database, club):
    async def act(pool):
        await a_night(pool, club[0])
        keeper = Projector(pool)
        await keeper.catch_up(club[0])
        async with pool.connection() as connection:
            await connection.execute("update views set data = '{}' where club_id = %s", [club[0]])
            await connection.execute("delete from views where club_id = %s and projection = 'players'", [club[0]])
        await keeper.rebuild(club[0])
        positions = await are_the_fold_of_the_log(pool, club[0])
        assert set(positions.values()) == {34}

    run(database, act)


def test_catching_up_ends_while_others_append(database, club, small_pages):
    async def act(pool):
        await a_night(pool, club[0])
        pages = []

        def told(count):
            pages.append(count)
            with_pool(database, lambda other: a_night(other, club[0], 1, 3))  # more than a page while one is folded

        await Projector(pool).catch_up(club[0], told)
        assert sum(pages[:-1]) < 34 <= sum(pages), "up to where the log ended when it was asked for"
        await are_the_fold_of_the_log(pool, club[0])

    run(database, act)


def test_views_that_stand_at_different_places_are_folded_up_to_each_other(database, club, small_pages):
    async def act(pool):
        await a_night(pool, club[0], 2)
        await Projector(pool, (PLAYERS,)).catch_up(club[0])
        await a_night(pool, club[0], 2)
        await Projector(pool).catch_up(club[0])
        positions = await are_the_fold_of_the_log(pool, club[0])
        assert len(set(positions.values())) == 1

    run(database, act)


def test_a_fold_that_was_forgotten_is_made_again_from_the_log(database, club, small_pages, monkeypatch):
    monkeypatch.setattr(projector, "REMEMBERED", 1)

    async def act(pool):
        keeper = Projector(pool)
        await a_night(pool, club[0])
        await keeper.catch_up(club[0])
        await a_night(pool, club[0])
        await keeper.catch_up(club[0])
        await are_the_fold_of_the_log(pool, club[0])

    run(database, act)


def test_a_club_with_missed_events_is_woken_once(database, club, monkeypatch):
    monkeypatch.setattr(following, "MISSED_SECONDS", 0.01)
    looked, clubs_behind = asyncio.Condition(), following.clubs_behind

    async def counted(pool):
        found = await clubs_behind(pool)
        async with looked:
            looked.notify_all()
        return found

    monkeypatch.setattr(following, "clubs_behind", counted)

    async def looks(count):
        for _ in range(count):
            async with asyncio.timeout(60), looked:
                await looked.wait()

    async def act(pool):
        await a_night(pool, club[0], 1, 1)
        await keeps_the_books(pool, club[0], None)
        lease, woken = kept_lease(pool, club[0]), []
        await lease.step()
        look = asyncio.create_task(following.look_for_missed(pool, woken.append, lease))
        try:
            await looks(3)
            assert woken.count(club[0]) == 0, "all of it is kept"
            await Recorder(Streams(pool)).register(club[0], "Nora", own_request(clerk.CLERK))  # another process
            while club[0] not in woken:
                assert not look.done()
                await asyncio.sleep(0.01)
            await looks(3)
            assert woken.count(club[0]) == 1, "what cannot be kept is not tried for ever"
        finally:
            await ended(look)

    run(database, act)


@pytest.mark.parametrize(
    "fault",
    [
        RuntimeError("an event that nobody can fold"),
        psycopg.DataError("3 events up to version 4"),
        psycopg.errors.QueryCanceled("canceling statement due to statement timeout"),
    ],
)
def test_a_fault_in_one_club_stops_no_timeouts_in_others(database, club, monkeypatch, fault):
    monkeypatch.setattr(following, "SILENCE_SECONDS", 0.01)
    counted = []

    class Faulty:
        async def going(self):
            return []

        def timed(self):
            return ["0 faulty", club[0]]  # the first in the order

        async def catch_up(self, each):
            counted.append(each)
            if each == "0 faulty":
                raise fault

    async def act(pool):
        lease = kept_lease(pool, club[0])
        await lease.step()
        counting = asyncio.create_task(following.count_silences(SimpleNamespace(steward=Faulty()), lease))
        try:
            async with asyncio.timeout(60):
                while counted.count(club[0]) < 2:
                    assert not counting.done()
                    await asyncio.sleep(0.01)
        finally:
            await ended(counting)

    run(database, act)
