"""Erasures that are taken again: those of after a copy on the log that was restored from it, and those of people whose
words come along with what was recorded elsewhere."""

from collections.abc import Iterable
from typing import Final

import msgspec
import structlog

from domain.club.events import PersonErased
from domain.club.state import Club
from domain.log.decider import Refusal
from service.copies.erased import Erasure
from service.desk.erasing import erase
from service.desk.erasure_plan import text_id
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store import log
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.streams import Streams

LOGGER = structlog.get_logger()
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


def names_erased(club: Club, text: str) -> list[str]:
    """Everybody who was erased and of whom an id stands in a text."""
    return [each for each in sorted(club.erased) if any(one in text for one in club.ids_of(each))]


async def erase_pushed(recorder: Recorder, club: str, text: str, cause: str) -> None:
    """Erase whoever was erased before and has an id in what came from elsewhere, by the word that was given then; the
    stream that came is the `cause`. A dispute that came along holds nothing up: the person was erased before it."""
    loaded = await recorder.club(club)
    came = names_erased(loaded.state, text)
    if not came:
        return
    said = await log.read_kind(recorder.streams.pool, club, club, PersonErased.__name__, loaded.head.version)
    reasons = {each.event.data.person: each.event.data.reason for each in said}
    by = msgspec.structs.replace(OPERATOR, cause=cause)
    for each in came:
        try:
            await erase(recorder, club, each, reasons[each], (), own_request(by))
        except Refusal as refusal:
            LOGGER.warning("words of a person who was erased came along", club=club, reason=refusal.detail)
