"""Ristikontra entered without cards: card points by side, and what the options in force need."""

from domain.game.sheet import EntryField, Sheet
from domain.games.ristikontra import scoring
from domain.games.ristikontra.options import SIDES, Options


class RistikontraSheet(Sheet):
    """The entered results of Ristikontra."""

    def entry(self, options: Options) -> type[scoring.Entry]:
        """Card points by side, tricks, queens and cleaning."""
        return scoring.Entry

    def form(self, options: Options) -> tuple[EntryField, ...]:
        """One side's card points: the other's follow. Then what the options in force need."""
        fields = [EntryField("points.0", "card points", "number", high=options.total, side=0)]
        if options.tie_break_tricks:
            fields.append(EntryField("tricks.0", "tricks", "choice", tuple(range(scoring.TRICKS_IN_ALL + 1)), side=0))
        if options.cleaning:
            for path, label in (
                ("queens_taken", "Took a queen while the stock lasted?"),
                ("cleaned", "Took a king after it, in a trick not led with a queen?"),
            ):
                fields += [
                    EntryField(f"{path}.{side}", label, "choice", (True, False), side=side)
                    for side in range(len(SIDES))
                ]
        return tuple(fields)

    def score(self, options: Options, entry: scoring.Entry) -> scoring.RistikontraResult:
        """The score of an entered result. Raises EntryError."""
        return scoring.score_entry(options, entry)
