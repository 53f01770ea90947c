"""Cross Purposes in notation: calls and cards, and the tricks of each phase."""

from collections.abc import Sequence

from domain.game.script import Calls, DealCards, NotedSection, Script, Sums
from domain.games.cross_purposes.forms import State, form_of
from domain.games.cross_purposes.options import Deal, Options
from domain.games.cross_purposes.scoring import FourEntry, TwoEntry
from domain.log.event import JsonObject


class CrossPurposesScript(Script):
    """The notation of Cross Purposes."""

    def sections(self, options: Options) -> tuple[str, ...]:
        """Two phases, or one stretch behind its calls."""
        return ("P1", "P2") if options.variant == "two" else ("BID",)

    def cards_of(self, deal: Deal) -> DealCards:
        """Phase 1 before phase 2; there is no stock."""
        return DealCards((*deal.phase1, *deal.phase2, *deal.hands))

    def deal_of(self, options: Options, cards: DealCards) -> Deal:
        """Two hands a phase, or four hands."""
        if options.variant == "two":
            return Deal(phase1=cards.hands[:2], phase2=cards.hands[2:])
        return Deal(hands=cards.hands)

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        """Tricks by seat, phase by phase."""
        return form_of(state).sums(state)

    def entry_noted(
        self, options: Options, dealer: int, entry: TwoEntry | FourEntry
    ) -> tuple[NotedSection, ...] | None:
        """Two phases with their calls; four counts in `fixed`. An alliance needs its allies named, which sums do not
        tell."""
        if isinstance(entry, FourEntry):
            plain = options.variant == "fixed" and entry.allies is None
            return (NotedSection((), entry.tricks),) if plain else None
        return _phases_noted(dealer, entry) if len(entry.calls) in (0, 4) else None

    def entry_read(self, options: Options, calls: Calls, sums: Sequence[Sums]) -> JsonObject | None:
        """Two phases with their calls; four counts in `fixed`."""
        if options.variant == "two":
            if len(sums) != 2:
                return None
            values = [value for _, value in calls]
            return {"phases": [list(tricks) for tricks in sums], **({"calls": values} if values else {})}
        if options.variant == "fixed" and len(sums) == 1:
            return {"tricks": list(sums[0])}
        return None


def _phases_noted(dealer: int, entry: TwoEntry) -> tuple[NotedSection, ...]:
    """Both phases: the non-dealer opens the first, the dealer the second."""
    sections = []
    for phase, tricks in enumerate(entry.phases):
        both = (tricks[0], 13 - tricks[0]) if len(tricks) == 1 else tricks
        seats = (dealer, 1 - dealer) if phase else (1 - dealer, dealer)
        calls = tuple(zip(seats, entry.calls[2 * phase : 2 * phase + 2], strict=False))
        sections.append(NotedSection(calls, both))
    return tuple(sections)
