"""Builds groups of appends: while the log is locked, appends queue up and are then sent as one group."""

import asyncio
import hashlib
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import psycopg

from domain.cards.facts import CardPlayed
from domain.log.decider import New
from service.store.appending import Appended, Behind, batch_of
from service.store.ids import new_id
from service.store.log import By, Head
from tests.kit.match.tables import cards

WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
PLAYED = [CardPlayed(seat=0, card=each) for each in cards("SA HK D2 C3 S4 H5")]


class Writer:
    """Queues appends, each based on the one before it in its stream, committed or not."""

    def __init__(self, club, appends):
        self.club, self.appends = club, appends
        self.heads = {}

    def put(self, stream, command=None, count=1, by=None, head=None, page=""):
        """Queue an append of `count` plays with private data; return the batch and the future of its answer."""
        command = command or new_id()
        head = head or self.heads.get(stream, Head())
        news = [New(PLAYED[(head.version + place) % 6], private={"note": command}) for place in range(count)]
        digest = hashlib.sha256(command.encode()).digest()
        batch = batch_of(
            Behind(self.club, stream, head, page=page),
            news,
            by or By(None, "scorer"),
            datetime.now(UTC),
            command,
            digest,
        )
        self.heads[stream] = batch.head
        return batch, self.appends.put(batch, lambda outcome: None)


@asynccontextmanager
async def log_held(database, club):
    """Lock the row of the club's log, so that appends wait in the server; yields a wait for the first that does."""
    async with await psycopg.AsyncConnection.connect(database.url) as connection:
        await connection.execute("select 1 from logs where club_id = %s and log = 0 for update", [club])

        async def until_one_waits():
            async with asyncio.timeout(60):
                while (await (await connection.execute(WAITING)).fetchone())[0] == 0:
                    await asyncio.sleep(0.005)
                    await connection.execute("select pg_stat_clear_snapshot()")

        yield until_one_waits
        await connection.rollback()


async def told(*answers):
    """Wait for all answers; return the `Appended` or the class of the error for each."""
    ends = await asyncio.gather(*answers, return_exceptions=True)
    return [end if isinstance(end, Appended) else type(end) for end in ends]


def rows_of(database, club, *streams):
    """Return (stream, version, position, command, transaction, private data) by position.

    Fails if a version is missing, an event has no private data, or the hash chain is broken.
    """
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            """select e.stream_id::text, e.version, e.position, e.command_id, e.xmin::text, p.data, e.prev_hash, e.hash
            from events e left join private p using (club_id, stream_id, version)
            where e.club_id = %s and e.stream_id = any(%s::uuid[]) order by e.position""",
            [club, list(streams)],
        ).fetchall()
    ends = {}
    for stream, version, _, command, _, words, previous, digest in rows:
        before, chained = ends.get(stream, (0, b"\0" * 32))
        assert (version, bytes(previous)) == (before + 1, chained)
        assert words is not None, command
        ends[stream] = version, bytes(digest)
    return [row[:6] for row in rows]
