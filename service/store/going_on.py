"""Streams after what the log has behind them: one by itself, or several by one statement."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec

from service.store import log
from service.store.kinds import KINDS, State
from service.store.loaded import AnyLoaded, Loaded, fresh, head_of
from service.store.log import Beside
from service.store.pool import Pool

NEWEST: Final = 2**31 - 1


async def gone_on(pool: Pool, known: Loaded[State], upto: int = NEWEST) -> tuple[Loaded[State], Beside | None]:
    """A stream after what the log has behind it, up to a version, and what stood beside it; of a club itself that is
    not told."""
    if known.kind.whole:
        stored = await log.read_stream(pool, known.club, known.stream, known.head.version, upto)
        return known.after([each.event for each in stored], head_of(stored[-1])) if stored else known, None
    pairs, head, beside = await log.read_for_fold(pool, known.club, known.stream, known.head.version, upto)
    if head is None:
        return known, beside
    return msgspec.structs.replace(known, state=known.kind.fold(known.state, pairs), head=head), beside


async def gone_on_together(
    pool: Pool, club: str, known: Mapping[str, AnyLoaded | None], upto: Mapping[str, int] | None = None
) -> tuple[dict[str, AnyLoaded], Beside]:
    """The same of several streams of a club, up to a version of each; None is one that is not remembered, and may not
    be there. Nothing of a club itself."""
    ends = upto or dict.fromkeys(known, NEWEST)
    within = {stream: (0 if each is None else each.head.version, ends[stream]) for stream, each in known.items()}
    news, beside = await log.read_news_for_fold(pool, club, within)
    found = dict[str, AnyLoaded]()
    for stream, each in known.items():
        more = news.get(stream)
        begun = fresh(club, stream, KINDS[more.first]) if each is None and more and more.first in KINDS else each
        if begun is None or begun.kind.whole:
            continue
        if more is not None:
            state = begun.kind.fold(begun.state, more.events)
            begun = msgspec.structs.replace(begun, state=state, head=more.head)
            await asyncio.sleep(0)  # others have their turn between two folds
        found[stream] = begun
    return found, beside
