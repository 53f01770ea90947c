"""Moments: now, and the times that say in which window each deal of a match is, for a command or a page."""

from datetime import datetime
from typing import Any, Final

import msgspec

from domain.log.event import AnyEvent
from domain.match import commands as c
from domain.match.command import CommandOnMatch
from domain.match.state import Match
from domain.match.windows import Moment, Posting, timed
from domain.tournament.posting import place_of_match, posted_at
from service.desk.cases.lookup import heard_in
from service.store import times
from service.store.loaded import AnyLoaded, LoadedMatch, LoadedTournament
from service.store.streams import Streams

POSTING: Final = ("RoundLocked", "RoundPaired", "StageStarted", "TournamentFinished", "TournamentReopened")
KEPT_TIMES: Final = 20_000
KEPT_TOURNAMENTS: Final = 200
UNTIMED: Final = (c.RecordFacts, c.StartDeal, c.EnterResult, c.ConfirmResult, c.StateScore, c.OpenMatch)


async def moment_of(
    streams: Streams,
    loaded: LoadedMatch,
    at: datetime,
    upto: int | None = None,
    shown: bool = False,
    hears: bool = True,
) -> Moment:
    """The moment `at` for a match as it is loaded; its tournament now, or `upto` a position of the club's log. What is
    only `shown` takes its tournament as it was last known. For whom no case is
    heard of (not `hears`) none is looked up."""
    match = loaded.match
    found = await _times(streams, loaded, timed(match))
    posting = await _posting(streams, loaded, upto, shown)
    heard = await heard_in(streams, loaded) if hears else frozenset[int]()
    return Moment(at, found, posting, heard)


async def _times(streams: Streams, loaded: LoadedMatch, versions: tuple[int, ...]) -> dict[int, datetime]:
    """The times of these versions: a recorded one never changes, so each is read once."""
    known, stream, head = streams.times, loaded.stream, loaded.head
    if head.recorded_at is not None:
        known[stream, head.version] = head.recorded_at
    missing = [each for each in versions if (stream, each) not in known]
    if missing:
        read = await times.times_of(streams.pool, loaded.club, stream, missing)
        known.update({(stream, version): at for version, at in read.items()})
    found = {each: known[stream, each] for each in versions if (stream, each) in known}
    while len(known) > KEPT_TIMES:
        known.popitem(last=False)
    return found


async def _posting(streams: Streams, loaded: LoadedMatch, upto: int | None, shown: bool) -> Posting | None:
    """The posting of a match of a tournament; None for one of its own, or whose pairing was taken back."""
    cup = loaded.match.setup.tournament
    kept = streams.kept(cup) if shown and cup is not None else None
    known = kept or (None if cup is None else await streams.tournament(cup))
    if known is not None and upto is not None:
        known = await streams.by(known, upto)
    place = None if known is None else place_of_match(known.tournament, loaded.stream)
    if known is None or place is None:
        return None
    return Posting(posted_at(known.tournament, *place, await _said(streams, loaded.club, known)))


async def _said(streams: Streams, club: str, known: LoadedTournament) -> list[tuple[AnyEvent, datetime]]:
    """The events of a tournament that post results, with their times: read once for each version of it."""
    key = (known.stream, known.head.version)
    if key not in streams.said:
        streams.said[key] = await times.said(streams.pool, club, known.stream, POSTING, known.head.version)
    found = streams.said[key]
    while len(streams.said) > KEPT_TOURNAMENTS:
        streams.said.popitem(last=False)
    return found


async def with_moment(streams: Streams, loaded: AnyLoaded, command: Any, at: datetime) -> Any:
    """A command on a match that asks in which window a deal is, with the moment of the match that it is decided on;
    any other as it is."""
    if not isinstance(command, CommandOnMatch) or isinstance(command, UNTIMED) or not isinstance(loaded.state, Match):
        return command
    return msgspec.structs.replace(command, moment=await moment_of(streams, loaded, at))
