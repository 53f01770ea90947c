"""What a process remembers of streams: every club, and the matches and tournaments that were used last."""

from domain.club.state import Club
from service.store import log
from service.store.glance import Glance
from service.store.kinds import CLUB, MATCH
from service.store.loaded import Loaded, fresh
from service.store.log import Head
from service.store.streams import KEPT, Streams
from tests.conftest import with_pool
from tests.kit.service.asking import House


def kept(streams, loaded):
    streams.keep(loaded)
    return streams.kept(loaded.stream)


def test_many_clubs_take_no_room_from_matches():
    streams = Streams(None)
    for number in range(KEPT + 1):
        streams.keep(fresh(f"club {number}", f"club {number}", CLUB))
    match = fresh("club 1", "match", MATCH)
    assert kept(streams, match) is match
    streams.keep(fresh("club 1", "another", MATCH))
    assert streams.kept("match") is match


def test_the_least_recently_used_match_is_forgotten_and_no_club():
    streams = Streams(None)
    streams.keep(fresh("club", "club", CLUB))
    for number in range(KEPT + 1):
        streams.keep(fresh("club", f"match {number}", MATCH))
    assert streams.kept("match 0") is None
    assert streams.kept("match 1") is not None
    assert streams.kept("club") is not None


def test_an_older_club_does_not_take_the_place_of_a_newer_one():
    streams = Streams(None)
    newer = Loaded("club", "club", Club(2, "New", True), Head(2), CLUB)
    streams.keep(newer)
    assert kept(streams, Loaded("club", "club", Club(1, "Old", True), Head(1), CLUB)) is newer


def test_only_clubs_whose_logs_have_grown_are_read_again(client, database, monkeypatch):
    read, read_stream = [], log.read_stream

    def counted(pool, club, *more):
        read.append((pool, club))
        return read_stream(pool, club, *more)

    async def looked_at(pool):
        streams = Streams(pool)
        await streams.clubs()
        read.clear()
        before = {each.club: each for each in await streams.clubs()}
        assert [club for own, club in read if own is pool] == []
        house.done(f"{house.path}/players", {"name": "Annie"}, "director")
        after = {each.club: each for each in await streams.clubs()}
        assert [club for own, club in read if own is pool] == [house.id]
        return before, after

    with House(client, database) as house:
        monkeypatch.setattr(log, "read_stream", counted)
        before, after = with_pool(database, looked_at)
    assert [player.name for player in after.pop(house.id).state.players.values()] == ["Annie"]
    assert not before.pop(house.id).state.players
    assert after == before


def test_a_glance_reads_a_stream_once(client, database):
    async def looked_at(pool):
        streams = Streams(pool)
        glance = Glance(streams)
        before = await glance.match(match)
        house.done(f"{path}/deals", {"dealer": 0})
        assert await glance.match(match) is before
        assert await glance.tournament(match) is None
        return before.head.version, (await Glance(streams).match(match)).head.version

    with House(client, database) as house:
        path = house.match()
        match = path.rpartition("/")[2]
        before, after = with_pool(database, looked_at)
    assert after == before + 1
