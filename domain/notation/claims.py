"""Claims behind a card (`!n`), in games that have them made by hand."""

from domain.cards.facts import Fact
from domain.game.protocol import AnyGame, AnyOptions, AnyTable


def claim_of(game: AnyGame, options: AnyOptions, table: AnyTable, word: str) -> Fact | None:
    """The fact that `!n` states at a table that waits for claims; None at any other table."""
    for seat in range(game.seats(options)):
        for kind in game.facts:
            for fact in kind.of_word(seat, word):
                said = game.script.move_text(table, fact)
                if said is not None and not any(breach.misfit for breach in game.breaches(table, fact)):
                    return fact
    return None
