"""The match view: everything that a client shows of a match, as one viewer may see it."""

from collections.abc import Mapping

import msgspec

from domain import codec
from domain.game.protocol import Viewer
from domain.game.race import GameScore, Lurch, LurchStatus, RaceStanding
from domain.log.event import JsonObject
from domain.match.agreement import match_confirmed
from domain.match.audit.finding import Finding
from domain.match.audit.grades import shown_findings
from domain.match.capacity import events_left
from domain.match.event import Delay, Signals
from domain.match.said import OpenDispute
from domain.match.state import Match, next_dealer, race_of
from domain.match.windows import Moment
from domain.tournament.doubts import Doubt
from projections.deal_view import DealView, RulingView, deal_view, rulings_of
from projections.mending_view import (
    AffirmationView,
    ProposalView,
    WindowView,
    affirmations_of,
    proposals_of,
    windows_of,
)
from projections.table_view import table_view


class SideView(msgspec.Struct, frozen=True):
    """A side: names (null for an erased person), players' ids, seats."""

    names: tuple[str | None, ...]
    players: tuple[str, ...]
    seats: tuple[int, ...]


class MatchView(msgspec.Struct, frozen=True):
    """A match for one viewer. `table` is null before the first deal; `findings` are those that the viewer
    may know of by now, as `signals` says: loud, quiet or silent. `confirmed`: every side agrees to
    how it ended; `own_table`: somebody who belongs to the table settled something of the match, as the other side had
    agreed; `disputes` are those that are open; `events_left` is how many more events the match takes, null while
    that is more than 500. What nobody said when it was opened is of the house rules that the club adopted at version
    `house` of its own stream. `windows` say how far the result of each deal has come by now (empty for a moment of the
    past), `proposals` are corrections that wait for an answer, `affirmations` entries that their side says were played
    so, told to who may know what was found; `sealed`: nothing changes any more.
    `contested`: the record of this match says something else than the result that stands in its tournament.
    `delay` is how far behind onlookers are.
    `doubt`: its result is contested, under appeal, or disputed, that is not yet final."""

    id: str
    club: str
    version: int
    game: str
    title: str
    rules: int
    options: JsonObject
    target: int | None
    win_by: int
    cap: int | None
    deals_fixed: int | None
    best_of: int
    lurch_lines: Lurch | None
    recording: str
    status: str
    winner: int | None
    sides: tuple[SideView, ...]
    totals: tuple[int, ...]
    games: tuple[GameScore, ...]
    lurch: tuple[LurchStatus, ...]
    next_dealer: int | None
    deals: tuple[DealView, ...]
    table: JsonObject | None
    findings: tuple[Finding, ...]
    rulings: tuple[RulingView, ...]
    tournament: str | None = None
    confirmed: bool = False
    disputes: tuple[OpenDispute, ...] = ()
    events_left: int | None = None
    house: int | None = None
    own_table: bool = False
    contested: bool = False
    doubt: Doubt | None = None
    signals: Signals = "quiet"
    delay: Delay = "none"
    windows: tuple[WindowView, ...] = ()
    proposals: tuple[ProposalView, ...] = ()
    affirmations: tuple[AffirmationView, ...] = ()
    sealed: bool = False


def status_now(match: Match, race: RaceStanding) -> str:
    """Open, finished or void."""
    return "void" if match.void else "finished" if race.finished else "open"


def match_view(
    stream: str,
    club: str,
    match: Match,
    names: Mapping[str, str | None],
    viewer: Viewer,
    opened: frozenset[int] = frozenset(),
    told: frozenset[int] = frozenset(),
    moment: Moment | None = None,
) -> MatchView:
    """The view; `opened` are the numbers of the deals that everybody may see all of by now, whatever moment is shown;
    `told` those of the deals whose findings the viewer may know by now; windows are those at the `moment`."""
    setup = match.setup
    race = race_of(match)
    last = match.deals[-1] if match.deals else None
    return MatchView(
        id=stream,
        club=club,
        version=match.version,
        game=setup.game.key,
        title=setup.game.title,
        rules=setup.rules,
        options=options_given(match),
        target=setup.race.target,
        win_by=setup.race.win_by,
        cap=setup.race.cap,
        deals_fixed=setup.race.deals,
        best_of=setup.race.best_of,
        lurch_lines=setup.race.lurch,
        recording=setup.recording,
        status=status_now(match, race),
        tournament=setup.tournament,
        house=setup.house,
        winner=race.winner,
        sides=tuple(
            SideView(tuple(names.get(player) for player in players), players, seats)
            for players, seats in zip(setup.sides, setup.seats, strict=True)
        ),
        totals=race.totals,
        games=race.games,
        lurch=race.lurch,
        next_dealer=next_dealer(match),
        deals=tuple(deal_view(match, deal) for deal in match.deals),
        table=None if last is None else table_view(match, last, viewer, last.number in opened),
        findings=shown_findings(match, told),
        rulings=rulings_of(match),
        confirmed=match_confirmed(match),
        disputes=match.disputes,
        events_left=events_left(match.version),
        own_table=match.own_table,
        signals=setup.signals,
        delay=setup.delay,
        windows=windows_of(match, moment),
        proposals=proposals_of(match, viewer, moment),
        affirmations=affirmations_of(match, told),
        sealed=bool(match.sealed),
    )


def options_given(match: Match) -> JsonObject:
    """The game's options that differ from its defaults."""
    default = match.setup.game.options()
    given: JsonObject = codec.plain(match.setup.options)
    return {name: value for name, value in given.items() if value != getattr(default, name)}
