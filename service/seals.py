"""Sealed files: whether a CTN file still says what the log said when it was exported."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Final

from psycopg_pool import AsyncConnectionPool

from domain.notation.ctn_read import Script, loads
from domain.notation.ctn_write import dumps, rewritten, seal_of
from domain.notation.write_course import Noted
from service.clerk import Told, find_match
from service.store import log
from service.store.log import Stored

_SEAL: Final = re.compile(r"(\d{1,9}) ([0-9a-f]{64})\Z")
_FIND: Final = "select stream_id::text from events where version = %s and hash = %s"
ERASED: Final = "(name removed)"


def exported(stored: Sequence[Stored], names: Sequence[Sequence[str]]) -> str:
    """The events of a match as canonical CTN, sealed with the last of them."""
    events = [Noted(each.event.version, each.event.data, each.event.private) for each in stored]
    return dumps(events, names, seal_of(stored[-1].event.version, stored[-1].hash))


async def export_ctn(pool: AsyncConnectionPool[Any], match: str) -> str:
    """A match as canonical CTN. Raises Refusal for one that there is not."""
    found = await find_match(pool, match)
    stored = await log.read_stream(pool, found.loaded.club, match)
    sides = found.loaded.match.setup.sides
    return exported(stored, [[found.names.get(player) or ERASED for player in side] for side in sides])


async def verify_text(pool: AsyncConnectionPool[Any], text: str) -> list[Told]:
    """What becomes of each match of a text: unchanged, changed and where, or without a seal of this log."""
    return [
        await _verify(pool, script, f"match {number}")
        for number, script in enumerate(loads(text.replace("\r\n", "\n")), start=1)
    ]


async def _verify(pool: AsyncConnectionPool[Any], script: Script, where: str) -> Told:
    if script.problems:
        problem = script.problems[0]
        return Told(f"{where}: line {problem.line}, column {problem.column}: {problem.detail}", False)
    if script.seal is None:
        return Told(f"{where}: there is no [Seal]: lurch export writes one", False)
    seal = _SEAL.match(script.seal)
    stream = await _sealed(pool, int(seal[1]), bytes.fromhex(seal[2])) if seal else None
    if seal is None or stream is None:
        return Told(f"{where}: its seal is not in this log", False)
    found = await find_match(pool, stream)
    assert script.tags is not None
    pairs = zip(found.loaded.match.setup.sides, script.tags.names, strict=True)
    names = [[found.names.get(player) or name for player, name in zip(*pair, strict=True)] for pair in pairs]
    stored = await log.read_stream(pool, found.loaded.club, stream, 0, int(seal[1]))
    recorded, written = exported(stored, names).splitlines(), rewritten(script).splitlines()
    for ours, theirs in zip_longest(recorded, written, fillvalue="nothing"):
        if ours != theirs:
            return Told(f"{where}: the log says {ours!r}, the file {theirs!r}", False, stream)
    return Told(f"{where}: as it stands in the log up to event {seal[1]} of {stream}", match=stream)


async def _sealed(pool: AsyncConnectionPool[Any], version: int, digest: bytes) -> str | None:
    """The match whose event of that number has that hash."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_FIND, [version, digest])).fetchone()
    return None if row is None else row[0]
