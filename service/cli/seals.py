"""Sealed files: a CTN file compared with the log that it was exported from."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from domain.notation.ctn_read import ReadMatch, loads
from domain.notation.ctn_write import dumps, rewritten, seal_of
from domain.notation.write_course import NumberedEvent
from service.cli.clerk import FileResult, FoundMatch, find_match
from service.desk.naming import names_in_file
from service.store import finding, log
from service.store.log import Stored
from service.store.pool import Pool
from service.store.streams import Streams

_SEAL: Final = re.compile(r"(\d{1,9}) ([0-9a-f]{64})\Z")


def exported(stored: Sequence[Stored], names: Sequence[Sequence[str]]) -> str:
    """The events of a match as canonical CTN, sealed with the last of them."""
    events = [NumberedEvent(each.event.version, each.event.data, each.event.private) for each in stored]
    return dumps(events, names, seal_of(stored[-1].event.version, stored[-1].hash))


async def export_ctn(pool: Pool, match: str) -> str:
    """A match as canonical CTN. Raises Refusal for an unknown id."""
    found = await find_match(pool, match)
    stored = await log.read_stream(pool, found.loaded.club, match)
    return exported(stored, names_in_file(found.loaded.match.setup.sides, found.names))


async def verify_text(pool: Pool, text: str) -> list[FileResult]:
    """A result for each match of a text: unchanged, changed with the place, or without a seal of this log."""
    return [
        await _verify(pool, script, f"match {number}")
        for number, script in enumerate(loads(text.replace("\r\n", "\n")), start=1)
    ]


def _name(found: FoundMatch, player: str, written: str) -> str:
    """The name of a player, as the file has it where any id of that person bears it."""
    club = found.club.state
    borne = {club.players[each].name for each in club.ids_of(player) if each in club.players}
    return written if written in borne else found.names.get(player) or written


async def _verify(pool: Pool, script: ReadMatch, where: str) -> FileResult:
    if script.problems:
        problem = script.problems[0]
        return FileResult(f"{where}: line {problem.line}, column {problem.column}: {problem.detail}", False)
    if script.seal is None:
        return FileResult(f"{where}: there is no [Seal]: lurch export writes one", False)
    seal = _SEAL.match(script.seal)
    stream = await finding.by_hash(pool, int(seal[1]), bytes.fromhex(seal[2])) if seal else None
    if seal is None or stream is None:
        return FileResult(f"{where}: its seal is not in this log", False)
    if await Streams(pool).match(stream) is None:
        return FileResult(f"{where}: its seal is that of no match", False, stream)
    found = await find_match(pool, stream)
    assert script.tags is not None
    sides = found.loaded.match.setup.sides
    if [len(each) for each in sides] != [len(each) for each in script.tags.names]:
        return FileResult(f"{where}: its seal is of a match with other sides", False, stream)
    pairs = zip(sides, script.tags.names, strict=True)
    names = [[_name(found, player, name) for player, name in zip(*pair, strict=True)] for pair in pairs]
    stored = await log.read_stream(pool, found.loaded.club, stream, 0, int(seal[1]))
    recorded, written = exported(stored, names).splitlines(), rewritten(script).splitlines()
    for ours, theirs in zip_longest(recorded, written, fillvalue="nothing"):
        if ours != theirs:
            return FileResult(f"{where}: the log says {ours!r}, the file {theirs!r}", False, stream)
    return FileResult(f"{where}: as it stands in the log up to event {seal[1]} of {stream}", match=stream)
