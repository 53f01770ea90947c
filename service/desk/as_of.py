"""Moments of the past: a version, a position of a club's log, or a time, and what stood then."""

import re
from datetime import UTC, datetime
from typing import Final

import msgspec

from domain.log.decider import Refusal
from service.desk.services import Services
from service.store import finding
from service.store.loaded import LoadedClub

_INSTANT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T")


def instant(text: str) -> datetime:
    """An RFC 3339 time with an offset, in UTC, from the years that a database can hold. Raises Refusal."""
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refusal("malformed", f"{text[:40]!r} is not a time like 2026-11-20T19:30:00Z") from None


def as_of(text: str, counted: str = "version") -> int | datetime:
    """A version, or what else is `counted`, or a time. Raises Refusal."""
    if _INSTANT.match(text):
        return instant(text)
    if text.isascii() and text.isdecimal() and len(text) <= 10:
        return min(int(text), 2**31 - 1)
    raise Refusal("malformed", f"`as_of` is a {counted} like 17 or a time like 2026-11-20T19:30:00Z")


async def position_of(services: Services, club: LoadedClub, moment: str | None) -> int | None:
    """The position of a club's log at a position or a time, none behind what whoever asks may see; None where neither
    is asked for. Raises Refusal."""
    if moment is None:
        return None
    position = await finding.position_at(services.pool, club.club, as_of(moment, "position"))
    if not position:
        raise Refusal("not-found", "the club had not been founded by then")
    return position if club.upto is None else min(position, club.upto)


async def club_at(services: Services, club: LoadedClub, position: int | None) -> LoadedClub:
    """The club and its people as of a position, or as they are. Everybody is called as now: what somebody was called
    then is for those only who may know earlier names."""
    if position is None:
        return club
    past, now = await services.streams.by(club, position), club.state.players
    players = {
        id: msgspec.structs.replace(each, name=now[id].name, earlier=now[id].earlier)
        for id, each in past.state.players.items()
        if id in now
    }
    return msgspec.structs.replace(past, state=msgspec.structs.replace(past.state, players=players))
