"""Ristikontra in notation: cards, a star before one that was played in the dark, and the tricks of each seat."""

from typing import ClassVar

from domain.cards.facts import Fact
from domain.game.script import PlainScript, Sums, card_text
from domain.games.ristikontra.options import DarkPlayed, Deal
from domain.games.ristikontra.state import Scored, State, turned_up


class RistikontraScript(PlainScript):
    """The notation of Ristikontra. Tricks do not tell card points, so an entered result stands for itself."""

    deal: ClassVar = Deal

    def move_text(self, before: State, fact: Fact) -> str | None:
        """A card; a star before one that was played in the dark."""
        if isinstance(fact, DarkPlayed):
            card = turned_up(before, fact)
            return "*" if card is None else f"*{card}"
        return card_text(fact)

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        """The tricks of a complete deal by seat."""
        return (state.play.taken.tricks,) if isinstance(state, Scored) else ()
