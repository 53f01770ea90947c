"""Over the Top in notation: cards and passes, and the points of both at the end."""

from collections.abc import Sequence
from typing import ClassVar

from domain.game.script import Calls, NotedSection, PlainScript, Sums
from domain.games.over_the_top.counting import points_by_seat
from domain.games.over_the_top.options import Deal, Options
from domain.games.over_the_top.scoring import Entry
from domain.games.over_the_top.state import Scored, State
from domain.log.event import JsonObject


class OverTheTopScript(PlainScript):
    """The notation of Over the Top."""

    deal: ClassVar = Deal

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        """The points of a complete deal."""
        return (points_by_seat(state.course.taken),) if isinstance(state, Scored) else ()

    def entry_noted(self, options: Options, dealer: int, entry: Entry) -> tuple[NotedSection, ...] | None:
        """The totals; single tricks are told by the entry only."""
        return None if entry.totals is None else (NotedSection((), entry.totals),)

    def entry_read(self, options: Options, calls: Calls, sums: Sequence[Sums]) -> JsonObject | None:
        """The totals of the score sheet."""
        return {"totals": list(sums[0])} if len(sums) == 1 else None
