"""The reference for recording over HTTP: a Litestar handler that does one INSERT, served as ours is."""

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import msgspec
from litestar import Litestar, get, post
from litestar.datastructures import State

from service.run.pool import make_pool
from service.run.server import bind, serve
from service.store.ids import new_id

INSERT = """insert into bare (club_id, stream_id, version, position, type, schema, data, actor, role, seat, device,
        device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
CLUB, STREAM, ACTOR = new_id(), new_id(), new_id()
DIGEST = bytes(32)
NUMBERS = itertools.count(1)


class BareFact(msgspec.Struct):
    """A fact of Parity, unchecked."""

    seat: int
    do: str
    card: str | None = None
    suit: str | None = None
    parity: str | None = None


class BareFacts(msgspec.Struct):
    """The same body that the service takes."""

    facts: list[BareFact]


class Inserted(msgspec.Struct):
    """The answer: which row it was."""

    version: int


@post("/rows")
async def insert(data: BareFacts, state: State) -> Inserted:
    """One row, durable, no decision."""
    number = next(NUMBERS)
    text = msgspec.json.encode(data.facts[0]).decode()
    recorded = [CLUB, STREAM, number, number, "CardPlayed", 1, text, ACTOR, "scorer", None, None, None]
    row = [*recorded, datetime.now(UTC), new_id(), 0, DIGEST, None, DIGEST, DIGEST]
    async with state.pool.connection() as connection:
        await connection.execute(INSERT, row, prepare=True)
    return Inserted(number)


@get("/health/ready")
async def ready() -> dict[str, bool]:
    """It is here."""
    return {"ready": True}


@asynccontextmanager
async def running(app: Litestar) -> AsyncIterator[None]:
    """The pool, with the service's own settings."""
    async with make_pool(os.environ["LURCH_DATABASE_URL"]) as pool:
        app.state.pool = pool
        yield


def main() -> None:
    """Serve until told to stop."""
    app = Litestar([insert, ready], lifespan=[running], openapi_config=None)
    serve(app, bind("127.0.0.1", int(os.environ["LURCH_PORT"])))


if __name__ == "__main__":
    main()
