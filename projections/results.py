"""Results beyond one match: for ratings, seasons and ladders, read from the log."""

from collections.abc import Iterable

import msgspec

from domain.log.event import Recorded, instant
from domain.standings.club_ladder import LadderHolder, holder
from domain.standings.ratings import RatedMatch
from domain.standings.season import Finished
from domain.tournament import events as e
from domain.tournament.evolve import fold
from domain.tournament.state import Stage, Tournament
from projections.lists import MatchRow


class FinalLadder(msgspec.Struct, frozen=True):
    """The order in which a stage that was a ladder ended."""

    game: str
    order: tuple[LadderHolder, ...]


class Account(msgspec.Struct, frozen=True):
    """The account of a tournament for its club: the season it counts for, its final places and ladders once it is
    finished, and every result that was played. `ended` is the position in the log at which it was finished first,
    `people` is everybody who was entered, `over` tells that it was finished or put away."""

    event: Finished
    season: str | None
    ended: int | None
    ladders: tuple[FinalLadder, ...]
    results: tuple[RatedMatch, ...]
    people: frozenset[str] = frozenset()
    over: bool = False

    @property
    def finished(self) -> bool:
        """Tells whether its places are final."""
        return bool(self.event.places)


class MatchReport(msgspec.Struct, frozen=True):
    """The first report of an outcome: its time, and the players of the entries then."""

    at: int
    when: str
    sides: tuple[tuple[str, ...], ...]


def result_of(row: MatchRow, at: int) -> RatedMatch | None:
    """The result of a match of its own; those of tournaments are told by their tournament."""
    if row.status != "finished" or row.tournament is not None:
        return None
    return RatedMatch(at, row.id, row.game, row.opened_at, row.sides, row.winner)


def account_of(events: Iterable[Recorded]) -> Account:
    """The account of a tournament's whole stream."""
    state, ended, stream = Tournament(), None, ""
    reports: dict[str, MatchReport] = {}  # by match: a pairing that is made again is another match
    for each in events:
        stream = each.stream
        state = fold(state, [(each.version, each.data)])
        if isinstance(each.data, e.OutcomeReported):
            pairing = state.stages[each.data.stage].pairings.get(each.data.fixture)
            if pairing is not None and pairing.match not in reports:
                sides = tuple(_players(state, side) for side in pairing.sides)
                reports[pairing.match] = MatchReport(each.position, instant(each.recorded_at), sides)
        elif isinstance(each.data, e.TournamentFinished) and ended is None:
            ended = each.position
    event = Finished(stream, state.name, state.plan.date, _places(state))
    ladders = tuple(_ladders(state)) if state.finished else ()
    results = tuple(result for stage in state.stages for result in _results(stream, stage, reports))
    entered = (own for entry in state.entries.values() for own in (entry.players, *entry.before))
    people = frozenset(player for own in entered for player in own)
    return Account(event, state.plan.season, ended, ladders, results, people, state.finished or state.archived)


def _players(state: Tournament, side: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(player for entry in side for player in state.entries[entry].players)


def _places(state: Tournament) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The final places; an entry that never came or was excluded takes up a place and gets nothing for it."""
    return tuple(
        (rank, () if state.entries[entry].withdrawn in ("no-show", "excluded") else state.entries[entry].players)
        for rank, entry in state.places
    )


def _ladders(state: Tournament) -> Iterable[FinalLadder]:
    for number, stage in enumerate(state.stages):
        if stage.begun and stage.format.moves_club_ladder:
            order = (state.entries[stage.order[place.seed - 1]] for place in state.places_of(number))
            yield FinalLadder(stage.setup.game, tuple(holder(entry.players) for entry in order))


def _results(stream: str, stage: Stage, reports: dict[str, MatchReport]) -> Iterable[RatedMatch]:
    """Results of a stage; partners are together for the tournament where they entered together."""
    for name, decided in stage.decided.items():
        pairing = stage.pairings.get(name)
        if decided.how != "played" or pairing is None or pairing.match not in reports:
            continue
        report, fixed = reports[pairing.match], all(len(side) == 1 for side in pairing.sides)
        yield RatedMatch(
            report.at, pairing.match, stage.setup.game, report.when, report.sides, decided.winner, fixed, stream
        )
