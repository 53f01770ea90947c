"""Streams after what the log has behind them: one by itself, or several by one statement."""

from collections.abc import Mapping

import msgspec

from service.store import log
from service.store.kinds import KINDS, State
from service.store.loaded import AnyLoaded, Loaded, fresh, head_of
from service.store.log import Beside
from service.store.news import NEWEST, NewLines, News, read_for_fold, read_lines, read_news_for_fold
from service.store.pool import Pool
from service.store.turns import Turns


async def gone_on(pool: Pool, known: Loaded[State], upto: int = NEWEST) -> tuple[Loaded[State], Beside | None]:
    """A stream after what the log has behind it, up to a version, and what stood beside it; of a club itself that is
    not told."""
    if known.kind.whole:
        stored = await log.read_stream(pool, known.club, known.stream, known.head.version, upto)
        return known.after([each.event for each in stored], head_of(stored[-1])) if stored else known, None
    lines, beside = await read_for_fold(pool, known.club, known.stream, known.head.version, upto)
    if lines is None:
        return known, beside
    return _behind(known, read_lines(known.stream, known.head.version, lines)), beside


async def gone_on_together(
    pool: Pool, club: str, known: Mapping[str, AnyLoaded | None], upto: Mapping[str, int] | None = None
) -> tuple[dict[str, AnyLoaded | Exception], Beside]:
    """The same of several streams of a club, up to a version of each; None is one that is not remembered, and may not
    be there. Nothing of a club itself. What is wrong with one of them stands in its place."""
    ends = upto or dict.fromkeys(known, NEWEST)
    within = {stream: (0 if each is None else each.head.version, ends[stream]) for stream, each in known.items()}
    lines, beside = await read_news_for_fold(pool, club, within)
    found, turns = dict[str, AnyLoaded | Exception](), Turns()
    for stream, each in known.items():
        try:
            gone = _after(club, stream, each, lines.get(stream))
        except Exception as error:  # nobody else pays for it
            found[stream] = error
            continue
        if gone is not None:
            found[stream] = gone
        await turns.give()
    return found, beside


def _after(club: str, stream: str, known: AnyLoaded | None, lines: NewLines | None) -> AnyLoaded | None:
    """A stream after its news. Raises UnreadableLogError, or what an event that cannot be folded raises."""
    if known is not None and known.kind.whole:
        return None
    if lines is None:
        return known
    news = read_lines(stream, 0 if known is None else known.head.version, lines)
    if known is None:
        kind = KINDS.get(news.first)
        if kind is None or kind.whole:
            return None
        known = fresh(club, stream, kind)
    return _behind(known, news)


def _behind(known: Loaded[State], news: News) -> Loaded[State]:
    """A stream folded on over its news."""
    return msgspec.structs.replace(known, state=known.kind.fold(known.state, news.events), head=news.head)
