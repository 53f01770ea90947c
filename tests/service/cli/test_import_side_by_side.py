"""An import whose file is read by other processes records and tells what one process does that reads for itself."""

import asyncio
import os
import sys

import psycopg
import pytest

from domain.club.commands import MergePlayers
from domain.games import all_games
from domain.notation.dealing import random_deal
from service.cli import clerk, intake
from service.cli.terminal import Unable, one_line_errors
from service.desk import filing, reading_aside
from service.desk.reading_aside import WorkerError, reading
from service.desk.recording import Recorder
from service.desk.requests import BusyError, own_request
from service.run.pool import make_pool
from service.store import appending
from service.store.kinds import CLUB
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.logs import faults_of, tail
from tests.service.cli.test_cli import fails, lurch

BROKEN = ("{", "", '{"game":"whist"}', "   ")


def histories(count, seed=1):
    """Random deals of every game in turn, with lines between them that cannot be read."""
    games = list(all_games().values())
    lines = []
    for number in range(count):
        game = games[number % len(games)]
        line = random_deal(game, game.options(), {}, seed, number + 1)
        lines.append(line if number % 7 else line.replace('"play"', '"pass"', 1))
        lines += BROKEN[number % 11 : number % 11 + 1]
    return "\n".join(lines)


def imported(database, club, text, processes, names=()):
    """What is told of a file, read by so many processes."""
    told = []

    async def act(pool):
        with reading(text, names, processes) as read:
            await intake.import_read(pool, club, False, read, told.append)

    with_pool(database, act)
    return told


def recorded(database, name):
    """The events of a club behind its founding, with names for ids, their chains followed."""

    async def look(pool):
        club = await clerk.club_named(pool, name)
        loaded = await Streams(pool).club(club)
        assert not await faults_of(pool, club)
        found = [each async for each in tail(pool, club, 0)]
        return club, loaded.state.names(), found

    club, names, found = with_pool(database, look)
    streams = {stream: place for place, stream in enumerate(dict.fromkeys(each.event.stream for each in found))}
    for each in found:
        event, text = each.event, each.event.text
        for player, called in names.items():
            text = text.replace(player, called)
        kept = (event.private, each.salt is None, event.actor, event.role, event.device is None, event.cause)
        if event.stream != club:
            yield streams[event.stream], event.version, event.position, event.type, event.schema, text, *kept


@pytest.fixture
def unhurried(monkeypatch):
    """Files of which even a short one is worth another process."""
    monkeypatch.setattr(reading_aside, "LEAST", 1)


@pytest.mark.parametrize(
    ("processes", "count", "good", "bad"), [(2, 60, 35, 10), pytest.param(4, 130, 80, 20, marks=pytest.mark.extended)]
)
def test_the_log_is_the_same_however_many_processes_read_the_file(database, unhurried, processes, count, good, bad):
    text, mark = histories(count), os.urandom(4).hex()
    one = imported(database, f"One {mark}", text, 1)
    expected = list(recorded(database, f"One {mark}"))
    assert sum(each.good for each in one) > good
    assert sum(not each.good for each in one) > bad
    assert [each[2] for each in expected] == sorted(each[2] for each in expected)
    club = f"{processes} {mark}"
    told = imported(database, club, text, processes)
    assert [(each.good, each.line, each.column) for each in told] == [
        (each.good, each.line, each.column) for each in one
    ]
    assert [each.text.partition("  ")[2] for each in told] == [each.text.partition("  ")[2] for each in one]
    assert list(recorded(database, club)) == expected
    again = imported(database, club, text, 5 - processes)
    assert [each.match for each in again] == [each.match for each in told]
    assert all(each.text.endswith("(imported before)") for each in again if each.good)
    assert list(recorded(database, club)) == expected


def test_events_written_by_readers_equal_those_of_the_decider(database, monkeypatch):
    text, mark = histories(16), os.urandom(4).hex()
    imported(database, f"Written {mark}", text, 1)
    monkeypatch.setattr(filing.FiledStream, "is_long", True)  # goes in by the way of a match of a thousand events
    told = imported(database, f"Decided {mark}", text, 1)
    assert list(recorded(database, f"Decided {mark}")) == list(recorded(database, f"Written {mark}"))
    assert any(each.good for each in told)


@pytest.mark.extended
def test_a_history_longer_than_one_statement_is_imported_in_parts(database, monkeypatch):
    text, mark = histories(8), os.urandom(4).hex()
    imported(database, f"Whole {mark}", text, 1)
    monkeypatch.setattr(appending, "APPEND_LIMIT", 9)
    told = imported(database, f"Parts {mark}", text, 1)
    again = imported(database, f"Parts {mark}", text, 1)
    assert [each.match for each in again] == [each.match for each in told]
    whole, parts = (list(recorded(database, f"{name} {mark}")) for name in ("Whole", "Parts"))
    assert [each[3:] for each in parts] == [each[3:] for each in whole]


def test_two_imports_of_one_file_at_once_take_each_match_once(database):
    text, name = histories(60, 2), f"Twice {os.urandom(4).hex()}"
    with_pool(database, lambda pool: clerk.club_named(pool, name))
    before = imported(database, name, histories(8, 3), 1)  # who sits at a table is registered by now
    told = ([], [])

    async def one(into):
        async with make_pool(database.url, 2) as pool:
            await intake.import_histories(pool, name, False, text, into.append)

    async def both():
        await asyncio.gather(*map(one, told))

    asyncio.run(both())
    first, second = ([each.match for each in own] for own in told)
    assert first == second
    streams = {each[0] for each in recorded(database, name)}
    assert len(streams) == sum(match is not None for match in (*first, *(each.match for each in before)))


WRITTEN = 24  # matches that may be on their way into the log at any moment: three pages


class Interrupted:
    """A file in whose middle something else happens."""

    def __init__(self, read, between):
        self.read, self.between = read, between

    async def batches(self):
        async for number, found in aenumerate(self.read.batches()):
            if number == 2:
                await self.between()
            yield found


async def aenumerate(found):
    number = 0
    async for each in found:
        yield number, each
        number += 1


def test_a_person_merged_during_an_import_keeps_no_old_id(database):
    name, ended = f"Merged {os.urandom(4).hex()}", []

    async def act(pool):
        recorder = Recorder(Streams(pool))
        club = await clerk.club_named(pool, name)

        async def merging():
            loaded = await recorder.club(club)
            (old,) = (player for player, known in loaded.state.players.items() if known.name == "Seat N")
            kept = await recorder.register(club, "Nora", own_request(clerk.CLERK))
            await recorder.on_stream(club, CLUB, MergePlayers(kept, old), own_request(clerk.CLERK))
            found = [each async for each in tail(pool, club, 0)]
            ended.append((old, found[-1].event.position))

        with reading(histories(120), (), 1) as read:
            await intake.import_read(pool, name, False, Interrupted(read, merging), lambda _: None, recorder)
        old, moment = ended[0]
        opened = [
            each.event
            async for each in tail(pool, club, 0)
            if each.event.type == "MatchOpened" and '"Seat' not in each.event.text
        ]
        under_way = [each for each in opened if each.position > moment][WRITTEN:]
        return old, under_way, opened

    old, later, opened = with_pool(database, act)
    assert any(old in each.text for each in opened)
    assert len(later) > 20
    assert not [each.position for each in later if old in each.text]


def test_an_import_slows_down_for_others_who_record(database, monkeypatch):
    monkeypatch.setattr(filing, "MOMENT", 300.0)  # a busy machine may need more than a moment for the next pages
    name = f"Beside {os.urandom(4).hex()}"

    async def act(pool):
        club = await clerk.club_named(pool, name)
        ours = intake.Intake(intake.Recorder(Streams(pool)), club, lambda _: None)
        pages = []
        for number in range(4):
            with reading(histories(4, number), ()) as read:
                async for found in read.batches():
                    await ours.take(found)
            await ours.end()
            pages.append(ours.filing.page)
            if number == 1:
                await intake.import_histories(pool, name, False, histories(3, 77), lambda _: None)
        return pages

    alone, still, *beside = with_pool(database, act)
    assert (alone, still) == (filing.PAGE, filing.PAGE)
    assert beside == [filing.PAGE_BESIDE] * 2


def test_a_process_that_ends_before_the_file_is_told_in_one_line(database, unhurried, monkeypatch, tmp_path):
    file = tmp_path / "deals.jsonl"
    file.write_text(histories(40), encoding="utf-8")
    home = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    arguments = ("import", file, "--club", f"Ended {os.urandom(4).hex()}", "--processes", "2")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/bin/false")
        assert "a process that reads the file ended" in fails(2, *arguments, **home)
    code, out, _ = lurch(*arguments, **home)
    assert code == 1
    assert "imported before" not in out


def test_a_lock_on_the_log_ends_an_import_in_one_line(database, tmp_path):
    file, name = tmp_path / "deals.jsonl", f"Held {os.urandom(4).hex()}"
    file.write_text(histories(1), encoding="utf-8")
    club = with_pool(database, lambda pool: clerk.club_named(pool, name))
    url = f"{database.url}{'&' if '?' in database.url else '?'}options=-clock_timeout%3D50ms"
    home = {"LURCH_DATABASE_URL": url, "LURCH_MIGRATE_URL": database.owner_url}
    with psycopg.connect(database.url) as other:
        other.execute("select 1 from logs where club_id = %s for update", [club])
        assert "lock timeout" in fails(2, "import", file, "--club", name, **home)


def test_a_command_that_is_overtaken_each_time_is_told_in_words():
    with pytest.raises(Unable, match="try again in a moment"), one_line_errors():
        raise BusyError(os.urandom(4).hex())


@pytest.mark.extended
def test_an_import_keeps_its_matches_when_a_reader_is_killed(database, unhurried, monkeypatch):
    text, name = histories(120), f"Killed {os.urandom(4).hex()}"
    whole = reading_aside.frame
    told, given = [], []

    def cut(worker):
        given.append(worker)
        if len(given) > 2:
            raise WorkerError(reading_aside.ENDED)
        return whole(worker)

    async def act(pool):
        with reading(text, (), 2) as read:
            await intake.import_read(pool, name, False, read, told.append)

    with monkeypatch.context() as patched:
        patched.setattr(reading_aside, "frame", cut)
        with pytest.raises(WorkerError):
            with_pool(database, act)
    before = [each.match for each in told if each.good]
    again = imported(database, name, text, 2)
    assert [each.match for each in again if each.good][: len(before)] == before
    one = imported(database, f"Whole {name}", text, 1)
    assert sum(each.good for each in one) == sum(each.good for each in again)


def test_a_short_file_is_read_here(database, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    told = imported(database, f"Short {os.urandom(4).hex()}", histories(20), 8)
    assert any(each.good for each in told)


def test_a_fault_of_the_database_behind_a_page_is_no_other_fault(database, monkeypatch):
    name = f"Away {os.urandom(4).hex()}"

    async def gone(*_):
        raise psycopg.OperationalError("away")

    with_pool(database, lambda pool: clerk.club_named(pool, name))
    monkeypatch.setattr(filing.Filing, "file", gone)
    with pytest.raises(psycopg.OperationalError):
        with_pool(database, lambda pool: intake.import_histories(pool, name, False, histories(60), lambda _: None))
    assert not list(recorded(database, name))
