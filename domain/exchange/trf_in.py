"""A tournament report file as a new tournament: entries, seeds, every round and result as a director's commands."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from domain.exchange.faults import FaultyError, TextFault
from domain.exchange.trf import model
from domain.exchange.trf.players import column_of
from domain.exchange.trf_plan import ReportSource, in_pairing, pairs_of
from domain.log.actor import SERVICE
from domain.log.decider import New, Refusal
from domain.pairing.crosstable import Outcome, PlayerRow, RoundCell
from domain.tournament import commands as c
from domain.tournament.decide import NO_CHANCE, decide
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament

_KINDS: Final[dict[Outcome, Literal["half", "full", "zero"]]] = {
    Outcome.HALF_BYE: "half",
    Outcome.FULL_BYE: "full",
    Outcome.ZERO_BYE: "zero",
    Outcome.UNKNOWN: "zero",
}
_WON: Final = frozenset({Outcome.WIN, Outcome.UNRATED_WIN, Outcome.FORFEIT_WIN})
_LOST: Final = frozenset({Outcome.LOSS, Outcome.UNRATED_LOSS})


class PlacedCommand(msgspec.Struct, frozen=True):
    """A command, and the place of the file that it comes from."""

    command: c.TournamentCommand
    line: int
    column: int
    chance: c.Chance = NO_CHANCE


def events_of_file(
    file: model.TournamentFile,
    plan: c.Announce,
    fixed: bool,
    entries: Sequence[str],
    players: Sequence[tuple[str, ...]],
    matches: Iterator[str],
) -> list[New]:
    """The events of the whole file. Raises FaultyError, at the place whose command is refused."""
    replay = FileReplay(ReportSource(file), fixed, entries, matches)
    state, news = _done(Tournament(), [PlacedCommand(plan, 0, 0), *replay.entered(players)])
    for round_ in range(1, replay.last + 1):
        state, fresh = _done(state, replay.paired(round_))
        state, told = _done(state, replay.reported(state, round_))
        news += [*fresh, *told]
    return news + _done(state, replay.granted(range(replay.last + 1, replay.rounds(state) + 1)))[1]


def _done(state: Tournament, steps: Iterable[PlacedCommand]) -> tuple[Tournament, list[New]]:
    """Decide and fold commands: the tournament after them, and their events. Raises FaultyError."""
    news: list[New] = []
    for step in steps:
        try:
            fresh = decide(state, step.command, SERVICE, step.chance)
        except Refusal as refusal:
            raise FaultyError([TextFault(step.line, step.column, refusal.detail)]) from None
        state = fold(state, [(state.version + at, new.event) for at, new in enumerate(fresh, start=1)])
        news += fresh
    return state, news


class FileReplay:
    """A file's rounds as commands."""

    def __init__(self, source: ReportSource, fixed: bool, entries: Sequence[str], matches: Iterator[str]) -> None:
        self.source, self.fixed, self.matches = source, fixed, matches
        self.entry = {row.number: entry for row, entry in zip(source.table.rows, entries, strict=True)}
        self.last = source.known if fixed else source.last

    def rounds(self, state: Tournament) -> int:
        """The number of rounds with byes that may be granted beforehand."""
        return 0 if self.fixed else int(getattr(state.stages[0].format, "rounds", 0))

    def entered(self, players: Sequence[tuple[str, ...]]) -> Iterator[PlacedCommand]:
        """The commands that enter all players and seed them in the order of the file."""
        for row, own in zip(self.source.table.rows, players, strict=True):
            line = self.source.lines[row.number]
            yield PlacedCommand(c.Enter(self.entry[row.number], own, row.rating or None), line, 15)
        yield PlacedCommand(c.Seed("given", tuple(self.entry.values())), 1, 1)

    def granted(self, rounds: Sequence[int]) -> Iterator[PlacedCommand]:
        """The commands that grant the byes of these rounds."""
        for round_ in rounds:
            for row in self.source.table.rows:
                cell = row.cell(round_)
                if not in_pairing(cell) and (round_ <= self.last or cell.outcome is not Outcome.UNKNOWN):
                    yield self._step(c.GrantBye(self.entry[row.number], round_, _KINDS[cell.outcome]), row, round_)

    def paired(self, round_: int) -> Iterator[PlacedCommand]:
        """The commands that pair a round with its byes; a round robin is paired by its plan."""
        count = len(self.source.table.rows)
        ids = tuple(next(self.matches) for _ in range(count // 2))
        chance = c.Chance(ids, 1 if self.source.table.first_deals is False else 0)
        first = self.source.table.rows[0]
        if self.fixed:
            yield self._step(c.PairRound(provisional=True), first, round_, chance)
            return
        yield from self.granted([round_])
        numbers = {place: number for number, place in self.source.places.items()}
        every = list(pairs_of(self.source))[round_ - 1]
        pairs: list[tuple[str, str | None]] = [
            (self.entry[numbers[one]], self.entry[numbers[other]]) for one, other in every
        ]
        resting = [row for row in self.source.table.rows if row.cell(round_).outcome is Outcome.PAIRING_BYE]
        if len(resting) > 1:
            told = f"two have the bye of the pairing in round {round_}: one of an odd number has it"
            raise FaultyError([self.source.fault(resting[1], column_of(round_) + 7, told)])
        pairs += [(self.entry[row.number], None) for row in resting]
        where = next((row for row in self.source.table.rows if row.cell(round_).opponent), first)
        command = c.PairRound(provisional=True, pairs=tuple(pairs), knowingly=True)
        yield self._step(command, where, round_, chance)

    def reported(self, state: Tournament, round_: int) -> Iterator[PlacedCommand]:
        """The commands that report the known results of a round."""
        stage = state.stage
        for name in stage.rounds[-1].names:
            pairing = stage.pairings[name]
            seed = stage.order.index(pairing.entries[0])
            row = self.source.table.rows[seed]
            command = _report(name, row.cell(round_), self._cell_of(pairing.entries[1], stage.order, round_))
            if command is not None:
                yield self._step(command, row, round_)

    def _cell_of(self, entry: str, order: Sequence[str], round_: int) -> RoundCell:
        return self.source.table.rows[order.index(entry)].cell(round_)

    def _step(
        self, command: c.TournamentCommand, row: PlayerRow, round_: int, chance: c.Chance = NO_CHANCE
    ) -> PlacedCommand:
        return PlacedCommand(command, self.source.lines[row.number], column_of(round_), chance)


def _report(fixture: str, mine: RoundCell, theirs: RoundCell) -> c.Report | None:
    """The report of a match from the cells of both sides; None while its result is not known."""
    if mine.outcome is Outcome.UNKNOWN:
        return None
    if mine.outcome is Outcome.FORFEIT_LOSS and theirs.outcome is Outcome.FORFEIT_LOSS:
        return c.Report(fixture, None, "absent")
    if mine.outcome in (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS):
        return c.Report(fixture, 0 if mine.outcome in _WON else 1, "walkover")
    if mine.outcome in _WON:
        return c.Report(fixture, 0)
    return c.Report(fixture, 1) if mine.outcome in _LOST else c.Report(fixture)
