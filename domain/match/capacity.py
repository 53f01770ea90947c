"""Capacity: the number of events that a match takes, and the last of them, kept for its end.

A whole evening at one table has some hundred. Longer matches that stand in a log are read like any other.
"""

from collections.abc import Sequence
from typing import Final

from domain.cards.facts import Fact
from domain.log.decider import New, Refusal
from domain.match.events import DealStarted

MOST: Final = 5000
TOLD_FROM: Final = 4500
FOR_THE_END: Final = 100


def events_left(version: int) -> int | None:
    """The number of events that a match still takes, once it should be told."""
    return max(MOST - version, 0) if version >= TOLD_FROM else None


def check_room(version: int, news: Sequence[New]) -> None:
    """Checks that a match at this version takes these events. Raises Refusal."""
    after = version + len(news)
    if after > MOST:
        raise Refusal("misfit", f"the match has {version:,} events and takes {MOST:,}: play on in a new match")
    if after > MOST - FOR_THE_END and any(_is_play(new) for new in news):
        raise Refusal(
            "misfit",
            f"the match has {version:,} events, and the last {FOR_THE_END} of the {MOST:,} that it takes are kept "
            "for its end: enter the result of the deal without its cards, confirm, and play on in a new match",
        )


def check_length(events: int) -> None:
    """Checks that a record of so many events can become a match. Raises Refusal."""
    if events > MOST:
        raise Refusal(
            "malformed", f"the match has {events:,} events, and a match takes {MOST:,}: divide it into several"
        )


def _is_play(new: New) -> bool:
    """Tells whether an event is a fact of the game or begins a deal that is to have some."""
    return isinstance(new.event, Fact) or (isinstance(new.event, DealStarted) and new.event.depth != "summary")
