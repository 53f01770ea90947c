"""Draws at the close: where every other draw of a deal was written down, the one that is missing was not made (DRW)."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from domain.cards.facts import CardDrawn
from domain.game.judgement import Breach, Late
from domain.game.protocol import AnyGame
from domain.game.replay import Replay, places

LEAST: Final = 3  # draws on record: with fewer nobody meant to write them all down


def not_drawn(game: AnyGame, replay: Replay) -> Iterator[Late]:
    """The one draw that was due and is not on record, of a deal that is over."""
    if replay.known or not game.drawing_rule or game.to_act(replay.tables[-1]) is not None:
        return
    recorded = sum(isinstance(fact, CardDrawn) for fact in replay.facts)
    if recorded < LEAST:
        return
    missing = [
        (place, seat)
        for place in range(len(replay.facts))
        if replay.acts(place)
        for seat in _left(game.due_draws(replay.tables[place]), game.due_draws(replay.tables[place + 1]))
    ]
    if len(missing) == 1:
        ((place, seat),) = missing
        detail = f"seat {seat} did not draw, and every other draw is on record"
        breach = Breach(game.drawing_rule, "DRW", detail)
        yield Late(places(place, replay.trick_before(place)), breach, seat)


def _left(due: tuple[int, ...], after: tuple[int, ...]) -> Iterator[int]:
    """The draws that were due on a table and are not on the next one."""
    yield from (Counter(due) - Counter(after)).elements()
