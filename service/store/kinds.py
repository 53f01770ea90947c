"""The kinds of streams: what decides and folds each, the event that begins it, and what it is about."""

from typing import Any, Final, TypeAlias, TypeVar

from domain.case.commands import CaseCommand
from domain.case.decide import decide as decide_case
from domain.case.events import CaseEvent
from domain.case.state import NO_CASE, Case
from domain.case.state import fold as fold_case
from domain.case.state import reach as reach_of_case
from domain.club.commands import ClubCommand
from domain.club.decide import decide as decide_club
from domain.club.state import Club, EventWithPrivate
from domain.club.state import fold as fold_club
from domain.log.actor import Reach
from domain.log.decider import Decider
from domain.match import state as match_state
from domain.match.commands import MatchCommand
from domain.match.decide import decide
from domain.match.events import MatchEvent
from domain.match.evolve import fold
from domain.match.state import Match, NoMatch
from domain.tournament.events import TournamentEvent
from domain.tournament.evolve import fold as fold_tournament
from domain.tournament.orders import Orders, directed
from domain.tournament.state import Tournament

State = TypeVar("State")


def _of_match(state: match_state.State, stream: str) -> tuple[Reach, ...]:
    """A match is about itself and its tournament."""
    assert isinstance(state, Match)
    return (Reach(stream, state.setup.tournament),)


def _of_tournament(state: Tournament, stream: str) -> tuple[Reach, ...]:
    """A tournament is about itself."""
    return (Reach(None, stream),)


CLUB: Final[Decider[Club, ClubCommand, EventWithPrivate]] = Decider(
    "ClubFounded", Club(), decide_club, fold_club, whole=True, word="club"
)
MATCH: Final[Decider[match_state.State, MatchCommand, MatchEvent]] = Decider(
    "MatchOpened", NoMatch(), decide, fold, reach=_of_match, word="match"
)
TOURNAMENT: Final[Decider[Tournament, Orders, TournamentEvent]] = Decider(
    "TournamentAnnounced", Tournament(), directed, fold_tournament, reach=_of_tournament, word="tournament"
)
CASE: Final[Decider[Case, CaseCommand, CaseEvent]] = Decider(
    "CaseOpened", NO_CASE, decide_case, fold_case, closed=True, reach=reach_of_case, word="case"
)
Kind: TypeAlias = Decider[State, Any, Any]  # only the decider itself takes its commands and events apart
KINDS: Final[dict[str, Kind[Any]]] = {kind.first: kind for kind in (CLUB, MATCH, TOURNAMENT, CASE)}  # one row a kind
