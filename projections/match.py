"""Views of one match, folded on demand: trick counts, cross points, lurch status, scoreboard, timeline."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.cards.facts import Fact
from domain.game.protocol import ALL
from domain.game.race import GameScore, LurchStatus
from domain.log.event import Recorded
from domain.match.evolve import fold
from domain.match.state import Match, NoMatch, State, is_complete, played, race_of, side_scores
from projections.projection import Projection


class DealTricks(msgspec.Struct, frozen=True):
    """Tricks by seat of one deal, for each phase that is over and the one that is on."""

    deal: int
    phases: tuple[tuple[int, ...], ...]
    tricks: tuple[int, ...]


class DealPoints(msgspec.Struct, frozen=True):
    """Cross points of one deal by seat before the contract, and the scores after it."""

    deal: int
    cross_points: tuple[int, ...]
    scores: tuple[int, ...] | None


class ScoreRow(msgspec.Struct, frozen=True):
    """One deal on the scoreboard: scores by side, null while it is on or when void, running totals."""

    deal: int
    dealer: int
    scores: tuple[int, ...] | None
    totals: tuple[int, ...]
    void: bool
    complete: bool


class Scoreboard(msgspec.Struct, frozen=True):
    """The deals, where the race stands, and the games of a match of several."""

    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]
    games: tuple[GameScore, ...]
    finished: bool
    winner: int | None


class TimelineEvent(msgspec.Struct, frozen=True):
    """One event on the timeline; `trick` numbers tricks within the deal from 1, 0 before the play."""

    version: int
    type: str
    at: datetime
    actor: str | None
    deal: int | None
    trick: int
    superseded_by: int | None


def apply_match(state: State, recorded: Recorded) -> State:
    """The match after one more recorded event."""
    return fold(state, [(recorded.version, recorded.data)])


def tricks_of(state: State) -> tuple[DealTricks, ...]:
    """Trick counts of every deal."""
    if not isinstance(state, Match):
        return ()
    game = state.setup.game
    return tuple(
        DealTricks(deal.number, game.script.section_sums(deal.table), game.view(deal.table, None).tricks)
        for deal in state.deals
    )


def cross_points_of(state: State) -> tuple[DealPoints, ...]:
    """Cross points of every deal, for games that have them."""
    if not isinstance(state, Match):
        return ()
    found = []
    for deal in state.deals:
        result = played(state, deal)
        points = state.setup.game.cross_points(deal.table, result)
        if points is not None:
            found.append(DealPoints(deal.number, points, side_scores(state, deal)))
    return tuple(found)


def lurch_of(state: State) -> tuple[LurchStatus, ...]:
    """The running lurch status by side."""
    return race_of(state).lurch if isinstance(state, Match) else ()


def scoreboard_of(state: State) -> Scoreboard:
    """The scoreboard. Totals run within a game and begin again with the next."""
    if not isinstance(state, Match):
        return Scoreboard((), (), (), False, None)
    race = race_of(state)
    rows = []
    for place, deal in enumerate(state.deals):
        so_far = msgspec.structs.replace(state, deals=state.deals[: place + 1])
        at = race_of(so_far)
        closed = at.games and at.totals == (0,) * len(at.totals) and not at.finished
        totals = at.games[-1].totals if closed else at.totals
        rows.append(
            ScoreRow(deal.number, deal.dealer, side_scores(state, deal), totals, deal.void, is_complete(state, deal))
        )
    return Scoreboard(tuple(rows), race.totals, race.games, race.finished, race.winner)


class Timeline(msgspec.Struct, frozen=True):
    """The timeline so far, with the fold that it numbers tricks by."""

    state: State
    moments: tuple[TimelineEvent, ...]


def apply_timeline(view: Timeline, recorded: Recorded) -> Timeline:
    """One more moment."""
    before = view.state
    state = apply_match(before, recorded)
    deal = state.deals[-1] if isinstance(state, Match) and state.deals else None
    trick = 0
    if isinstance(before, Match) and before.deals and isinstance(recorded.data, Fact):
        table = before.setup.game.view(before.deals[-1].table, ALL)
        trick = trick_number(before, table) if type(recorded.data).__name__ == "CardPlayed" else 0
    number = deal.number if deal is not None else None
    moment = TimelineEvent(recorded.version, recorded.type, recorded.recorded_at, recorded.actor, number, trick, None)
    return Timeline(state, (*view.moments, moment))


def trick_number(match: Match, table: Any) -> int:
    """The number of the trick that is on, counted over the phases of a deal."""
    script = match.setup.game.script
    counted = table.phase > 1 and len(script.sections(match.setup.options)) > 1
    earlier = sum(sum(sums) for sums in script.section_sums(match.deals[-1].table)) if counted else 0
    return int(earlier + sum(table.tricks) + 1)


def show_timeline(view: Timeline) -> tuple[TimelineEvent, ...]:
    """The moments, superseded ones marked, never hidden."""
    return marked(view.moments, view.state)


def marked(moments: Sequence[TimelineEvent], state: State) -> tuple[TimelineEvent, ...]:
    """Moments with what has become of each by a state of the match."""
    superseded = state.superseded if isinstance(state, Match) else {}
    return tuple(msgspec.structs.replace(moment, superseded_by=superseded.get(moment.version)) for moment in moments)


NOTHING: Final[State] = NoMatch()
TRICKS: Final = Projection("tricks", 1, NOTHING, apply_match, tricks_of)
CROSS_POINTS: Final = Projection("cross_points", 1, NOTHING, apply_match, cross_points_of)
LURCH: Final = Projection("lurch", 1, NOTHING, apply_match, lurch_of)
SCOREBOARD: Final = Projection("scoreboard", 1, NOTHING, apply_match, scoreboard_of)
TIMELINE: Final = Projection("timeline", 1, Timeline(NOTHING, ()), apply_timeline, show_timeline)


def timeline_page(before: State, events: Iterable[Recorded], now: State) -> tuple[TimelineEvent, ...]:
    """The timeline of some events: the match before the first of them, and as it is now."""
    return marked(TIMELINE.over(events, Timeline(before, ())).moments, now)


ON_DEMAND: Final[dict[str, Projection[Any]]] = {
    each.name: each for each in (TRICKS, CROSS_POINTS, LURCH, SCOREBOARD, TIMELINE)
}
