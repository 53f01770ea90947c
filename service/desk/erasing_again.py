"""Erasures of after a copy, taken again on the log that was restored from it."""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.log.decider import Refusal
from service.copies.erased import Erasure
from service.desk.erasing import erase, text_id
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.streams import Streams

OPERATOR: Final = By(None, "owner", on=Device("program", "lurch"))


class Again(msgspec.Struct, frozen=True):
    """The outcome of a list: the number of people erased now, the number erased before or not there, and for each
    person who cannot be erased yet the club, the id and the reason."""

    erased: int = 0
    nothing: int = 0
    refused: tuple[tuple[str, str, str], ...] = ()


async def erase_again(pool: Pool, wanted: Iterable[Erasure]) -> Again:
    """Erase everybody of a list who is there and was not erased yet, at the word of whoever restores."""
    recorder, found = Recorder(Streams(pool)), Again()
    for each in wanted:
        try:
            gone = await _erased(recorder, each)
        except Refusal as refusal:
            if refusal.slug != "not-found":
                refused = (*found.refused, (each.club, each.person, refusal.detail))
                found = msgspec.structs.replace(found, refused=refused)
                continue
            gone = False
        done = {"erased": found.erased + 1} if gone else {"nothing": found.nothing + 1}
        found = msgspec.structs.replace(found, **done)
    return found


async def _erased(recorder: Recorder, each: Erasure) -> bool:
    """Tells whether there was something to do. Raises Refusal."""
    before = (await recorder.club(each.club)).state
    if each.person not in before.players:
        raise Refusal("not-found", "the club knows nobody with this id")
    known = before.players[each.person].erased
    gone = await erase(
        recorder, each.club, each.person, each.reason, [text_id(row) for row in each.rows], own_request(OPERATOR)
    )
    return gone > 0 or not known
