"""Moments: now, and the times that say in which window each deal of a match is, for a command or a page."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, cast

import msgspec

from domain.match import commands as c
from domain.match.state import Match
from domain.match.windows import Moment, Posting, timed
from domain.tournament.events import TournamentEvent
from domain.tournament.posting import place_of_match, posted_at
from service.store import times
from service.store.streams import AnyLoaded, LoadedMatch, Streams

POSTING: Final = ("RoundLocked", "RoundPaired", "StageStarted", "TournamentFinished", "TournamentReopened")
UNTIMED: Final = (c.RecordFacts, c.StartDeal, c.EnterResult, c.ConfirmResult, c.StateScore, c.OpenMatch)


async def moment_of(streams: Streams, loaded: LoadedMatch, at: datetime) -> Moment:
    """The moment `at` for a match as it is loaded."""
    match = loaded.match
    found = await times.times_of(streams.pool, loaded.club, loaded.stream, timed(match))
    return Moment(at, found, await _posting(streams, loaded.club, loaded.stream, match))


async def _posting(streams: Streams, club: str, stream: str, match: Match) -> Posting | None:
    """The posting of a match of a tournament; None for one of its own, or whose pairing was taken back."""
    known = None if match.setup.tournament is None else await streams.tournament(match.setup.tournament)
    place = None if known is None else place_of_match(known.tournament, stream)
    if known is None or place is None:
        return None
    said = await times.said(streams.pool, club, known.stream, POSTING)
    own = cast("Sequence[tuple[TournamentEvent, datetime]]", said)  # POSTING names no others
    return Posting(posted_at(known.tournament, *place, own))


async def with_moment(streams: Streams, loaded: AnyLoaded, command: Any, at: datetime) -> Any:
    """A command on a match that asks in which window a deal is, with the moment of the match that it is decided on;
    any other as it is."""
    if not isinstance(command, c.Command) or isinstance(command, UNTIMED) or not isinstance(loaded.state, Match):
        return command
    return msgspec.structs.replace(command, moment=await moment_of(streams, loaded, at))
