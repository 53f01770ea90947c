"""Several streams brought up to date together are what each is by itself, now and as of any position; none of another
club is among them."""

import asyncio

import pytest

from service.store import going_on
from service.store.glance import Glance
from service.store.ids import new_id
from service.store.log import UnreadableLogError
from service.store.streams import AT_ONCE, Streams
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.kit.service.case_scene import CaseScene
from tests.kit.service.club_evenings import Evening

ROBIN = {"format": {"kind": "round-robin"}, "game": "parity", "race": {"deals": 1}}


@pytest.fixture(scope="module")
def elsewhere(client, database):
    """A match of another club."""
    with House(client, database, name="Elsewhere") as other:
        yield other.match().rpartition("/")[2]


@pytest.fixture(scope="module")
def house(client, database):
    """A club with a match, a case about it, and two tournaments of which one has been played."""
    with House(client, database) as found:
        scene = CaseScene(found)
        case = scene.call().rpartition("/")[2]
        played, begun = (Evening(found, [ROBIN], players=4) for _ in range(2))
        played.to_the_end()
        begun.act({"do": "pair_round"})
        found.streams = [scene.match, case, played.id, begun.id]
        yield found


def at_a_time(database, act):
    """The answer of a process that remembers nothing yet."""
    return with_pool(database, lambda pool: act(Streams(pool)))


def as_known(loaded):
    """A stream as it is known, without what stood beside it when it was read."""
    return loaded.club, loaded.stream, loaded.kind, loaded.state, loaded.head


def test_streams_loaded_together_equal_those_loaded_alone(house, database):
    async def compared(streams):
        together = await streams.several(house.id, house.streams)
        again = await streams.several(house.id, reversed(house.streams))
        return together, again, [await Streams(streams.pool).load(each) for each in house.streams]

    together, again, single = at_a_time(database, compared)
    assert list(together) == house.streams
    assert list(map(as_known, together.values())) == list(map(as_known, single))
    assert again == together


def test_streams_as_of_each_position_equal_those_loaded_alone(house, database):
    async def compared(streams):
        for position in range(house.position() + 1):
            together = await streams.several_by(house.id, house.streams, position)
            single = [await streams.by(await streams.load(each), position) for each in house.streams]
            begun = {each.stream: as_known(each) for each in single if each.head.version}
            assert {stream: as_known(each) for stream, each in together.items()} == begun

    at_a_time(database, compared)


def test_what_another_process_recorded_meanwhile_is_read_on(house, database):
    async def looked_at(streams):
        before = await streams.several(house.id, [match])
        house.done(f"/api/v1/matches/{match}/deals", {"dealer": 0})
        after = await streams.several(house.id, [match, *house.streams])
        return before[match], after[match], await Streams(streams.pool).load(match)

    match = house.match().rpartition("/")[2]
    before, after, single = at_a_time(database, looked_at)
    assert as_known(after) == as_known(single)
    assert after.head.version == before.head.version + 1


def test_streams_of_other_clubs_and_unknown_streams_are_left_out(house, elsewhere, database):
    async def asked(streams):
        unknown = await streams.several(house.id, [elsewhere, house.id, new_id()])
        await streams.load(elsewhere)
        await streams.club(house.id)
        return unknown, await streams.several(house.id, [elsewhere, house.id]), await streams.several(house.id, [])

    assert at_a_time(database, asked) == ({}, {}, {})


def test_more_streams_than_one_statement_reads_are_all_found(house, database):
    async def asked(streams):
        return await streams.several(house.id, [*(new_id() for _ in range(AT_ONCE)), *house.streams])

    assert list(at_a_time(database, asked)) == house.streams


def test_a_glance_answers_without_further_statements(house, elsewhere, database, statements):
    async def asked(glance):
        match, case, *cups = house.streams
        return [await glance.match(match), await glance.case(case), *[await glance.tournament(each) for each in cups]]

    async def looked_at(streams):
        glance = Glance(streams)
        await glance.look_at(house.id, [*house.streams, elsewhere])
        return *await statements.counted(asked(glance)), await glance.match(elsewhere)

    found, count, other = at_a_time(database, looked_at)
    assert [each.stream for each in found] == house.streams
    assert count == 0
    assert other is not None, "it is read by itself, as before"


@pytest.fixture
def tables(house):
    """Three matches."""
    return [house.match().rpartition("/")[2] for _ in range(3)]


def record(house, match):
    house.done(f"/api/v1/matches/{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})


def test_concurrent_loads_share_one_statement(house, tables, database, statements):
    async def looked_at(streams):
        await streams.several(house.id, wanted)  # this process remembers them
        record(house, tables[0])
        asking = asyncio.gather(*map(streams.load, [*wanted, tables[0]]))
        return *await statements.counted(asking), [await Streams(streams.pool).load(each) for each in wanted]

    wanted = [*tables, *house.streams]
    (*found, again), count, single = at_a_time(database, looked_at)
    assert list(map(as_known, found)) == list(map(as_known, single))
    assert [each.beside for each in found] == [each.beside for each in single]
    assert again.head == found[0].head
    assert count == 1


def test_a_load_during_a_read_sees_everything_recorded_before_it(house, tables, database, monkeypatch):
    read, was_read, goes_on = going_on.read_news_for_fold, asyncio.Event(), asyncio.Event()
    ours = []

    async def held(pool, *asked):
        found = await read(pool, *asked)
        if pool is ours[0]:  # the service beside follows too
            was_read.set()
            await goes_on.wait()
        return found

    async def looked_at(streams):
        ours.append(streams.pool)
        await streams.several(house.id, tables)
        monkeypatch.setattr(going_on, "read_news_for_fold", held)
        early = asyncio.gather(*map(streams.load, tables))
        await was_read.wait()
        record(house, tables[0])
        late = asyncio.create_task(streams.load(tables[0]))
        await asyncio.sleep(0)
        goes_on.set()
        return (await early)[0].head.version, (await late).head.version, await streams.load(tables[0])

    before, after, now = at_a_time(database, looked_at)
    assert before < after == now.head.version


def test_an_unreadable_stream_does_not_affect_others(house, tables, database, monkeypatch):
    def faulty(stream, *more):
        if stream == tables[0]:
            raise UnreadableLogError(stream)
        return read(stream, *more)

    async def looked_at(streams):
        await streams.several(house.id, tables)
        record(house, tables[0])
        record(house, tables[1])
        monkeypatch.setattr(going_on, "read_lines", faulty)
        asking = asyncio.gather(*map(streams.load, tables), return_exceptions=True)
        with pytest.raises(UnreadableLogError):
            await streams.several(house.id, tables)
        return await asking

    read = going_on.read_lines
    wrong, *found = at_a_time(database, looked_at)
    assert isinstance(wrong, UnreadableLogError)
    assert [each.stream for each in found] == tables[1:]
