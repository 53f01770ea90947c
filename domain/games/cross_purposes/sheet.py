"""Cross Purposes entered without cards: tricks by phase for two, four counts and the allies for four."""

from domain.game.sheet import EntryField, Result, Sheet
from domain.games.cross_purposes import scoring
from domain.games.cross_purposes.options import Options


class CrossPurposesSheet(Sheet):
    """The entered results of Cross Purposes."""

    def entry(self, options: Options) -> type[scoring.TwoEntry | scoring.FourEntry]:
        """Tricks by phase, or four counts and the allies."""
        return scoring.TwoEntry if options.variant == "two" else scoring.FourEntry

    def form(self, options: Options) -> tuple[EntryField, ...]:
        """Two-hand: three taps and a confirmation, the opponent's tricks being derived."""
        if options.variant == "two":
            return tuple(
                EntryField(f"phases.{phase}.0", f"tricks in phase {phase + 1}", "choice", tuple(range(14)), seat=0)
                for phase in (0, 1)
            )
        counts = tuple(
            EntryField(f"tricks.{seat}", "tricks", "choice", tuple(range(14)), seat=seat, adds_up=13)
            for seat in range(4)
        )
        if options.variant == "fixed":
            return counts
        asked = ("Who allied with whom?", "… and the other of the two?")
        pairs = tuple(
            EntryField(f"allies.{place}", label, "seat", (0, 1, 2, 3), usual=usual)
            for place, (label, usual) in enumerate(zip(asked, (0, None), strict=True))
        )
        return (*counts, *pairs)

    def score(self, options: Options, entry: scoring.TwoEntry | scoring.FourEntry) -> Result:
        """The score of an entered result. Raises EntryError."""
        if isinstance(entry, scoring.TwoEntry):
            return scoring.score_two_entry(options, entry)
        return scoring.score_four_entry(options, entry)
