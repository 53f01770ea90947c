"""Both logs of a club at once: services and other processes write and are killed; each log stays dense, nothing that
was acknowledged is lost, and no append is half there."""

import subprocess
import sys
import threading
from contextlib import contextmanager

import psycopg
import pytest

from tests.kit.faults.processes import ROOT, Serving, kill_all, tell, until
from tests.kit.faults.scorers import all_answers, batches, more, results, scoring

pytestmark = pytest.mark.extended

CLOSED = (
    "select stream_id::text, version, position, command_id, command_index from events where club_id = %s and log = 1"
)
HEADS = "select position from logs where club_id = %s order by log"


class Talker:
    """A process that writes to the closed log, and what it was acknowledged: a stream with first and last version."""

    def __init__(self, url, club, name):
        command = [sys.executable, "-m", "tests.kit.talks", url, club, name]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.told = []
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            stream, first, last = line.split()
            self.told.append((stream, int(first), int(last)))

    def kill(self):
        """SIGKILL, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stderr.close()
        self.process.stdout.close()


@contextmanager
def talking(club, names):
    """Talkers at work while the block runs, and those who have ended by then."""
    talkers = [Talker(club.database_url, club.id, name) for name in names]
    try:
        until(lambda: all(len(each.told) > 1 for each in talkers))
        yield talkers
    finally:
        for each in talkers:
            each.kill()


def check(club, talkers):
    """The closed log is dense, holds every acknowledged append whole, and none by half."""
    with psycopg.connect(club.database_url) as connection:
        rows = connection.execute(f"{CLOSED} order by position", [club.id]).fetchall()
        heads = [row[0] for row in connection.execute(HEADS, [club.id]).fetchall()]
    assert [row[2] for row in rows] == list(range(1, heads[1] + 1))
    there = {}
    for stream, version, _, _, _ in rows:
        assert version == there.get(stream, 0) + 1
        there[stream] = version
    acknowledged = [each for talker in talkers for each in talker.told]
    assert all(there.get(stream, 0) >= last for stream, _, last in acknowledged)
    sizes = {}
    for _, _, _, command, index in rows:
        sizes[command] = max(sizes.get(command, 0), index + 1)
    assert set(sizes.values()) <= {1, 3}, "an append is there by half"
    assert sum(sizes.values()) == len(rows)
    return heads[1], len(acknowledged)


def test_neither_log_has_a_gap_after_writers_are_killed(service, club_there):
    club = club_there
    second = Serving(service.data)
    ended = []
    try:
        second.start().ready()
        match = club.open_match(service.url)
        works = [results(match), results(match), batches(club.open_match(service.url, ("Carla", "Dora")))]
        urls, names = [service.url, second.url], ["one", "two"]
        with scoring(club, urls, works) as scorers, talking(club, names) as talkers:
            ended += talkers
            more(club, 20)
            talkers[0].kill()
            second.kill()
            more(club, 10)
            everything = service.postgres()
            service.kill()
            kill_all(everything)
            service.start().ready()
            more(club, 10)
        club.check()
        events, acknowledged = check(club, ended)
    finally:
        second.end()
    assert min(len(each.told) for each in ended) > 1
    tell(f"{club.acknowledged()} open, {acknowledged} closed acknowledged ({events} closed events)")
    tell(f"answers {dict(all_answers(scorers))}")
