"""A tournament report file as a new tournament: entries, seeds, every round and result as a director's commands."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from domain.actor import SERVICE
from domain.decider import New, Refusal
from domain.tournament import commands as c
from domain.tournament.crosstable import Cell, Outcome, Row
from domain.tournament.decide import NO_CHANCE, decide
from domain.tournament.evolve import fold
from domain.tournament.exchange.faults import Fault, FaultyError
from domain.tournament.exchange.trf_plan import Source, in_pairing, pairs_of
from domain.tournament.state import Tournament
from domain.tournament.trf import model
from domain.tournament.trf.players import column_of

_KINDS: Final = {Outcome.HALF_BYE: "half", Outcome.FULL_BYE: "full", Outcome.ZERO_BYE: "zero", Outcome.UNKNOWN: "zero"}
_WON: Final = frozenset({Outcome.WIN, Outcome.UNRATED_WIN, Outcome.FORFEIT_WIN})
_LOST: Final = frozenset({Outcome.LOSS, Outcome.UNRATED_LOSS})


class Step(msgspec.Struct, frozen=True):
    """One command, and the place of the file that it comes from."""

    command: c.TournamentCommand
    line: int
    column: int
    chance: c.Chance = NO_CHANCE


def replayed(
    file: model.Tournament, plan: c.Announce, fixed: bool, entries: Sequence[str], players: Sequence[tuple[str, ...]],
    matches: Iterator[str],
) -> list[New]:  # fmt: skip
    """The events of the whole file. Raises FaultyError, at the place whose command is refused."""
    replay = Replay(Source(file), fixed, entries, matches)
    state, news = _done(Tournament(), [Step(plan, 0, 0), *replay.entered(players)])
    for round_ in range(1, replay.last + 1):
        state, fresh = _done(state, replay.paired(round_))
        state, told = _done(state, replay.reported(state, round_))
        news += [*fresh, *told]
    return news + _done(state, replay.granted(range(replay.last + 1, replay.rounds(state) + 1)))[1]


def _done(state: Tournament, steps: Iterable[Step]) -> tuple[Tournament, list[New]]:
    """The tournament after these, and their events. Raises FaultyError."""
    news: list[New] = []
    for step in steps:
        try:
            fresh = decide(state, step.command, SERVICE, step.chance)
        except Refusal as refusal:
            raise FaultyError([Fault(step.line, step.column, refusal.detail)]) from None
        state = fold(state, [(state.version + at, new.event) for at, new in enumerate(fresh, start=1)])
        news += fresh
    return state, news


class Replay:
    """A file's rounds as commands."""

    def __init__(self, source: Source, fixed: bool, entries: Sequence[str], matches: Iterator[str]) -> None:
        self.source, self.fixed, self.matches = source, fixed, matches
        self.entry = {row.number: entry for row, entry in zip(source.table.rows, entries, strict=True)}
        self.last = source.known if fixed else source.last

    def rounds(self, state: Tournament) -> int:
        """The rounds in which byes may have been granted beforehand."""
        return 0 if self.fixed else int(getattr(state.stages[0].format, "rounds", 0))

    def entered(self, players: Sequence[tuple[str, ...]]) -> Iterator[Step]:
        """Everybody, and the order of the file."""
        for row, own in zip(self.source.table.rows, players, strict=True):
            line = self.source.lines[row.number]
            yield Step(c.Enter(self.entry[row.number], own, row.rating or None), line, 15)
        yield Step(c.Seed("given", tuple(self.entry.values())), 1, 1)

    def granted(self, rounds: Sequence[int]) -> Iterator[Step]:
        """Byes that were asked for."""
        for round_ in rounds:
            for row in self.source.table.rows:
                cell = row.cell(round_)
                if not in_pairing(cell) and (round_ <= self.last or cell.outcome is not Outcome.UNKNOWN):
                    kind: Any = _KINDS[cell.outcome]
                    yield self._step(c.GrantBye(self.entry[row.number], round_, kind), row, round_)

    def paired(self, round_: int) -> Iterator[Step]:
        """A round with its byes; in a round robin the plan says who meets whom."""
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

    def reported(self, state: Tournament, round_: int) -> Iterator[Step]:
        """What came of a round; what is not known yet stays open."""
        stage = state.stage
        for name in stage.rounds[-1].names:
            pairing = stage.pairings[name]
            seed = stage.order.index(pairing.entries[0])
            row = self.source.table.rows[seed]
            command = _report(name, row.cell(round_), self._cell_of(pairing.entries[1], stage.order, round_))
            if command is not None:
                yield self._step(command, row, round_)

    def _cell_of(self, entry: str, order: Sequence[str], round_: int) -> Cell:
        return self.source.table.rows[order.index(entry)].cell(round_)

    def _step(self, command: c.TournamentCommand, row: Row, round_: int, chance: c.Chance = NO_CHANCE) -> Step:
        return Step(command, self.source.lines[row.number], column_of(round_), chance)


def _report(fixture: str, mine: Cell, theirs: Cell) -> c.Report | None:
    """A result from the cells of both sides."""
    if mine.outcome is Outcome.UNKNOWN:
        return None
    if mine.outcome is Outcome.FORFEIT_LOSS and theirs.outcome is Outcome.FORFEIT_LOSS:
        return c.Report(fixture, None, "absent")
    if mine.outcome in (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS):
        return c.Report(fixture, 0 if mine.outcome in _WON else 1, "walkover")
    if mine.outcome in _WON:
        return c.Report(fixture, 0)
    return c.Report(fixture, 1) if mine.outcome in _LOST else c.Report(fixture)
