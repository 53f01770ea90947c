"""Claims behind a card (`!n`): whose fact they are, where claims are made by hand."""

from typing import Any

from domain.facts import Fact
from domain.game import Game


def claim_of(game: Game[Any, Any], options: Any, table: Any, word: str) -> Fact | None:
    """The fact that `!n` states at a table that waits for claims; None where nobody claims."""
    for seat in range(game.seats(options)):
        for kind in game.facts:
            for fact in kind.of_word(seat, word):
                said = game.word(table, fact)
                if said is not None and not any(breach.misfit for breach in game.breaches(table, fact)):
                    return fact
    return None
