"""Best play from a table of a deal that is over, worked out beside the event loop for whoever looks at it again."""

import asyncio
from collections import OrderedDict
from typing import Final

from domain.log.decider import Refusal
from domain.match.sight import Sight, hands_open
from domain.match.state import Match
from domain.solve import Best, best

WORK: Final = 60_000  # tables: less than a second
KEPT: Final = 200
AT_ONCE: Final = asyncio.Semaphore(1)
_KEPT: Final[OrderedDict[tuple[str, int, int], Best | None]] = OrderedDict()


def may_be_told(match: Match, past: Match, sight: Sight) -> bool:
    """Tells whether best play at a moment of the past may be told: its deal is over for good, everybody may see its
    hands and know what is found in it."""
    number = past.deals[-1].number if past.deals else None
    deal = next((each for each in match.deals if each.number == number), None)
    return deal is not None and hands_open(match, deal) and {deal.number} <= sight.opened & sight.told


async def best_at(stream: str, match: Match, past: Match) -> Best | None:
    """Best play from the table as it was; None where hands are not known. Only for who may be told."""
    key = (stream, match.version, past.version)
    if key not in _KEPT:
        async with AT_ONCE:
            _KEPT[key] = await asyncio.to_thread(_solved, past)
        while len(_KEPT) > KEPT:
            _KEPT.popitem(last=False)
    return _KEPT[key]


def _solved(past: Match) -> Best | None:
    deal = past.deals[-1]
    if deal.cards is None or past.setup.game.to_act(deal.table) is None:
        return None
    try:
        return best(past.setup.game, past.setup.options, deal.table, WORK)
    except Refusal:
        return None
