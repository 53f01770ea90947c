"""An import of a long match takes several appends: broken off between them it is completed by the next. A tournament is
never there by half."""

import asyncio
import os
from contextlib import suppress

import psycopg
import pytest

from domain.exchange import trf_out
from domain.log.actor import SERVICE
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.state import NoMatch
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from service.cli import clerk, intake
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.desk.tournament_files import Files
from service.run.database import Database
from service.run.pool import make_pool
from service.store import appending, log
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.faults.relay import TO_CLIENT, TO_SERVER, Cut, relayed
from tests.kit.logs import tail
from tests.kit.tournament.evenings import names_of, swiss_of_nine

DEALS = 30


def a_long_match():
    """The notation of a match that is more than one append long, and how many events it has."""
    state, news = NoMatch(), []
    opening = c.OpenMatch(game="parity", options={}, race={"target": 100_000}, sides=(("0.0",), ("1.0",)))
    entries = [c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]}) for _ in range(DEALS)]
    for command in (opening, *entries):
        more = decide(state, command, SERVICE)
        state = fold(state, [(len(news) + place, new.event) for place, new in enumerate(more, start=1)])
        news += more
    noted = [NumberedEvent(place, new.event, new.private) for place, new in enumerate(news, start=1)]
    text = dumps(noted, [["Annie"], ["Benny"]])
    return text, len(loads(text)[0].events)


@pytest.mark.parametrize(("direction", "after"), [(TO_SERVER, 0), (TO_CLIENT, 0)])
@pytest.mark.parametrize("nth", [1, 2])
def test_an_import_that_was_broken_off_is_completed_by_the_next(database, monkeypatch, direction, after, nth):
    text, count = a_long_match()
    monkeypatch.setattr(appending, "APPEND_LIMIT", 60)
    assert 60 < count < 120
    name = f"Import {os.urandom(4).hex()}"
    told = []

    async def bring(pool):
        await intake.import_ctn(pool, name, False, text, told.append)

    async def look(pool):
        club = await clerk.club_named(pool, name)
        stored = await log.read_stream(pool, club, told[0].match)
        matches = {each.event.stream async for each in tail(pool, club, 0)} - {club}
        return stored, matches, await Streams(pool).match(told[0].match)

    async def broken_off(url):
        async with make_pool(url, 2) as pool:
            with pytest.raises((psycopg.OperationalError, OSError)):
                await bring(pool)

    with_pool(database, lambda pool: clerk.club_named(pool, name))
    with relayed(database.url) as (relay, url):
        relay.arm(Cut(b"+60", nth, direction, after))
        asyncio.run(broken_off(url))
        assert relay.was_cut
    for _ in range(2):
        with_pool(Database(database.url, database.owner_url), bring)
    stored, matches, loaded = with_pool(database, look)
    assert [each.event.version for each in stored] == list(range(1, count + 1))
    assert len(loaded.match.deals) == DEALS
    assert matches == {told[0].match} == {each.match for each in told}
    assert "(imported before)" in told[1].text


@pytest.mark.parametrize("nth", [1, 2])
def test_an_interrupted_report_file_is_whole_when_sent_again(database, club, monkeypatch, nth):
    """Its ids are made anew each time, so that nobody could go on with half of it."""
    monkeypatch.setattr(appending, "APPEND_LIMIT", 10)
    state = swiss_of_nine()
    text = trf_out.trf_of(state, 0, names_of(state), "trf16")

    async def take(url):
        async with make_pool(url, 2) as pool:
            files = Files(Recorder(Streams(pool)))
            taken = await files.take_trf(club[0], text.encode(), "parity", own_request(clerk.CLERK, "report"))
            return taken.done.loaded.tournament.stages[0]

    with relayed(database.url) as (relay, url):
        relay.arm(Cut(b"report+10", nth, TO_SERVER, 0))
        with suppress(psycopg.OperationalError):
            asyncio.run(take(url))
    there, stage = state.stages[0], asyncio.run(take(database.url))
    assert [len(each.names) for each in stage.rounds] == [len(each.names) for each in there.rounds]
    assert len(stage.decided) == len(there.decided)


def test_a_changed_partial_import_does_not_block_the_next_match(database, monkeypatch):
    text, _ = a_long_match()
    other = '[Game "parity"] [A "Cleo"] [B "Dag"]\n[Deal "1"] [Dealer "A"] [Detail "summary"]\n'
    other += '[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"]\nR A 19 B 0\n'
    monkeypatch.setattr(appending, "APPEND_LIMIT", 60)
    name, told = f"Held up {os.urandom(4).hex()}", []

    async def half(pool):
        recorder, taken = Recorder(Streams(pool)), []
        whole = recorder.import_match
        monkeypatch.setattr(recorder, "import_match", lambda club, news, *more: whole(club, news[:60], *more))
        await intake.import_ctn(pool, name, False, text, taken.append, recorder)
        await recorder.match(taken[0].match, c.VoidMatch("half"), own_request(clerk.CLERK))

    async def bring(pool):
        await intake.import_ctn(pool, name, False, f"{text}\n{other}", told.append)

    with_pool(database, half)
    with_pool(database, bring)
    assert [each.good for each in told] == [False, True]
    assert "by half" in told[0].text
