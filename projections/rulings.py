"""Rulings before they are made: the remedies of a breach side by side, and all that one of them moves."""

from collections.abc import Mapping, Sequence

import msgspec

from domain import english
from domain.club.names import Names
from domain.game.race import GameScore
from domain.match.audit.remedies import Effect, Offered
from domain.match.events import DealVoided
from domain.match.evolve import evolve
from domain.match.ruling_events import RulingMade
from domain.match.state import Deal, Match, procedural_points, race_of, side_scores
from domain.standings.ratings import RatedMatch, Rating, RatingKind, Who, changed_by
from domain.tournament.moved_record import MovedRecord
from domain.tournament.state import Tournament
from projections.tournaments.moves import Moved, preview
from projections.tournaments.view import calling


class RaceUnder(msgspec.Struct, frozen=True):
    """A match under a ruling: the deal's scores by side as they count (null: it does not), procedural points beside
    them, the totals, the games that are over, the winner, and whether the match is over."""

    scores: tuple[int, ...] | None
    procedural: tuple[int, ...] | None
    totals: tuple[int, ...]
    games: tuple[GameScore, ...]
    finished: bool
    winner: int | None


class RemedyView(msgspec.Struct, frozen=True):
    """A remedy that is offered: its key, the scores that it gives each side (null: those of the table), what is done in
    words, what is missing where it cannot be told, and the match under it (null: the director names the scores)."""

    key: str
    scores: tuple[int, ...] | None
    void: bool
    says: str | None
    missing: str | None
    floored: bool
    equity_first: bool
    race: RaceUnder | None


class RemediesView(msgspec.Struct, frozen=True):
    """The remedies for a breach: the deal, its code, title and ledger number, the entry, whose seat and side it was,
    whether it can be taken back no more (`established`), is not the side's first (`second`), or both sides broke a rule
    (`mutual`). `default` is offered first; `reason` are the words that stand in the form; `procedural` are usual
    points, `least` the most that may be taken off; `supersedes` is the ruling in force. `now` is the match now."""

    deal: int
    code: str
    title: str | None
    rule: str | None
    at: int | None
    seat: int | None
    side: int | None
    established: bool
    second: bool
    mutual: bool
    default: str | None
    reason: str
    procedural: tuple[int, ...] | None
    least: int
    supersedes: int | None
    now: RaceUnder
    remedies: tuple[RemedyView, ...]


class RatingMove(msgspec.Struct, frozen=True):
    """The rating of a player, now and under the ruling."""

    player: str
    name: str | None
    before: int
    after: int


class RepairView(msgspec.Struct, frozen=True):
    """A way to repair a tournament whose result is contested: pairings and places that would move, or why not."""

    repair: str
    pairings: tuple[Moved, ...]
    places: tuple[Moved, ...]
    refused: str | None


class RulingPreview(msgspec.Struct, frozen=True):
    """All that a ruling moves: the match now and under it; in its tournament pairings, places, whether the result would
    be contested and then the repairs to choose from; the ratings of players. `winner_moves`: another side wins, or
    none does any more."""

    version: int
    deal: int
    remedy: str | None
    scores: tuple[int, ...] | None
    now: RaceUnder
    under: RaceUnder
    winner_moves: bool
    tournament: str | None
    contested: bool
    pairings: tuple[Moved, ...]
    places: tuple[Moved, ...]
    repairs: tuple[RepairView, ...]
    ratings: tuple[RatingMove, ...]


def race_under(match: Match, number: int) -> RaceUnder:
    """A match as it stands, with one of its deals."""
    deal, race = match.deals[number - 1], race_of(match)
    return RaceUnder(
        side_scores(match, deal), procedural_points(deal), race.totals, race.games, race.finished, race.winner
    )


def with_effect(match: Match, deal: Deal, effect: Effect) -> Match:
    """The match with a remedy on a deal, in the place of the ruling in force."""
    last = deal.rulings[-1].version if deal.rulings else None
    made = RulingMade(deal.number, "", None, effect.scores, remedy=effect.key, supersedes=last)
    after = evolve(match, match.version + 1, made)
    if effect.void and not deal.void:
        after = evolve(after, match.version + 2, DealVoided(deal.number))
    assert isinstance(after, Match)
    return after


def remedy_view(match: Match, deal: Deal, effect: Effect, named: bool) -> RemedyView:
    """One remedy; `named`: a director has to name its scores."""
    race = None
    if not named and effect.missing is None:
        race = race_under(with_effect(match, deal, effect), deal.number)
    says = None if effect.says is None else english.sentence(match.setup.game.key, effect.says)
    return RemedyView(
        effect.key, effect.scores, effect.void, says, effect.missing, effect.floored, effect.equity_first, race
    )


class RatingsBefore(msgspec.Struct, frozen=True):
    """The ratings that another result of a match is worked out from: as they stand, those `before` some results, and
    the results `since`, which the match is among."""

    stands: Mapping[Who, Rating]
    before: Mapping[Who, Rating]
    since: Sequence[RatedMatch]


def rated_moves(
    ratings: RatingsBefore, kind: RatingKind, was: RatedMatch | None, now: RatedMatch | None, names: Names
) -> tuple[RatingMove, ...]:
    """The ratings that move when a match has another result, or none."""
    moves = changed_by(ratings.stands, ratings.before, ratings.since, kind, was, now)
    found = [RatingMove(who[0], names.get(who[0]), one.shown, other.shown) for who, (one, other) in moves.items()]
    return tuple(each for each in found if each.before != each.after)


def repairs_view(before: Tournament, moved: MovedRecord, names: Names) -> tuple[RepairView, ...]:
    """The repairs to choose from, each with what it moves against the tournament as it stands now."""
    found = []
    for way in moved.ways:
        if way.state is None:
            found.append(RepairView(way.repair, (), (), way.refused))
            continue
        shown = preview(before, way.state, (), calling(way.state, names))
        found.append(RepairView(way.repair, shown.pairings, shown.places, None))
    return tuple(found)


def offered_reason(title: str | None, offered: Offered, remedies: tuple[RemedyView, ...]) -> str:
    """The words that stand in the form: what it was, and what is done about it first."""
    first = next((each for each in remedies if each.key == offered.default), None)
    done = "" if first is None or first.says is None else f": {first.says}"
    return f"{title or 'Irregularity'}{done}"
