"""Parity in notation: cards, and the tricks of both at the end."""

from collections.abc import Sequence
from typing import ClassVar

from domain.game.script import Calls, NotedSection, PlainScript, Sums
from domain.games.parity.options import Deal, Options
from domain.games.parity.scoring import Entry
from domain.games.parity.state import Scored, State
from domain.log.event import JsonObject


class ParityScript(PlainScript):
    """The notation of Parity."""

    deal: ClassVar = Deal

    def sections(self, options: Options) -> tuple[str, ...]:
        """One stretch, behind its calls."""
        return ("BID",)

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        """The tricks of a complete deal."""
        return (state.tricks,) if isinstance(state, Scored) else ()

    def entry_noted(self, options: Options, dealer: int, entry: Entry) -> tuple[NotedSection, ...] | None:
        """The dealer's parity and the tricks."""
        return (NotedSection(((dealer, entry.parity),), entry.both),)

    def entry_read(self, options: Options, calls: Calls, sums: Sequence[Sums]) -> JsonObject | None:
        """The parity that was called, and the tricks."""
        parity = next((call for _, call in calls if call in ("odd", "even")), None)
        if parity is None or len(sums) != 1:
            return None
        return {"parity": parity, "tricks": list(sums[0])}
