"""People with several ids: views are told the one id that counts. Nothing that is kept is written anew for a merge."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from domain.match.state import Match
from domain.standings.ratings import RatedMatch
from domain.tournament.state import Entry, Tournament
from projections.lists import MatchRow
from projections.results import Account, FinalLadder

Firsts: TypeAlias = Mapping[str, str]  # the id that counts, for each id that was merged with another
Side: TypeAlias = tuple[str, ...]


def side_with(firsts: Firsts, side: Side) -> Side:
    """The people of a side."""
    return tuple(firsts.get(player, player) for player in side)


def sides_with(firsts: Firsts, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The people of a match by side."""
    return tuple(side_with(firsts, side) for side in sides)


def row_with(firsts: Firsts, row: MatchRow) -> MatchRow:
    """A match of a list."""
    return msgspec.structs.replace(row, sides=sides_with(firsts, row.sides)) if firsts else row


def match_with(firsts: Firsts, match: Match) -> Match:
    """A match as it is shown."""
    if not firsts:
        return match
    setup = msgspec.structs.replace(match.setup, sides=sides_with(firsts, match.setup.sides))
    return msgspec.structs.replace(match, setup=setup)


def tournament_with(firsts: Firsts, state: Tournament) -> Tournament:
    """A tournament as it is shown."""
    if not firsts:
        return state
    return msgspec.structs.replace(state, entries={id: _entry(firsts, each) for id, each in state.entries.items()})


def result_with(firsts: Firsts, result: RatedMatch) -> RatedMatch:
    """A result that ratings are made from; one of a person against himself rates nobody."""
    return msgspec.structs.replace(result, sides=sides_with(firsts, result.sides)) if firsts else result


def account_with(firsts: Firsts, account: Account) -> Account:
    """The account of a tournament. Who has two places in it has the better one; the other one is still taken up."""
    if not firsts:
        return account
    places, placed = [], set[str]()
    for rank, players in account.event.places:
        own = tuple(dict.fromkeys(each for each in side_with(firsts, players) if each not in placed))
        placed |= set(own)
        places.append((rank, own))
    return msgspec.structs.replace(
        account,
        event=msgspec.structs.replace(account.event, places=tuple(places)),
        ladders=tuple(_ladder(firsts, each) for each in account.ladders),
        results=tuple(result_with(firsts, each) for each in account.results),
    )


def _ladder(firsts: Firsts, ladder: FinalLadder) -> FinalLadder:
    """The final order; a holder who ended on two places has the better one."""
    order = (tuple(sorted(set(side_with(firsts, each)))) for each in ladder.order)
    return FinalLadder(ladder.game, tuple(dict.fromkeys(order)))


def _entry(firsts: Firsts, entry: Entry) -> Entry:
    before = tuple(side_with(firsts, each) for each in entry.before)
    return msgspec.structs.replace(entry, players=side_with(firsts, entry.players), before=before)
