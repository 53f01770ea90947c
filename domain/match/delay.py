"""Delay: how far a match has been told to onlookers, who may not see what goes on at the table before it has rested."""

from itertools import chain, groupby

import msgspec

from domain.game.protocol import ALL, AnyTable
from domain.match.state import Match, open_deal, race_of


def rested(before: Match, after: Match) -> Match:
    """The match after an event, with the version up to which its delay lets everybody see. What is told is always all
    up to a version, so that no answer about it tells of what came later; and it never goes back."""
    delay = after.setup.delay
    if delay == "none":
        return after
    upto = after.version if _rests(before, after) else max(after.rested, _moved_on(after))
    return after if upto <= after.rested else msgspec.structs.replace(after, rested=upto)


def _rests(before: Match, after: Match) -> bool:
    """Tells whether everybody may see a match as it is after an event. Of a tournament's round its tournament says when
    it is over, and a match with none has no other round."""
    if after.setup.delay == "round":
        return after.setup.tournament is None and (after.void or race_of(after).finished)
    on = open_deal(after)
    if on is None or after.void:
        return True
    if after.setup.delay == "deal":
        return False
    then = open_deal(before)
    return then is not None and then.number == on.number and _tricks(after, on.table) > _tricks(after, then.table)


def _tricks(match: Match, table: AnyTable) -> tuple[int, int]:
    """The tricks that are over at a table: the phase, and how many of it; nothing in a game without tricks."""
    view = match.setup.game.view(table, ALL)
    return (view.phase, sum(view.tricks)) if view.tricks else (0, 0)


def _moved_on(match: Match) -> int:
    """In a game without tricks, the version behind which each player has moved once more; 0 in any other."""
    on, seats = open_deal(match), sum(map(len, match.setup.seats))
    if match.setup.delay != "trick" or on is None or match.setup.game.view(on.table, ALL).tricks:
        return 0
    moves = [[version for version, _ in run] for _, run in groupby(on.facts, lambda each: each[1].seat)]
    return min(chain.from_iterable(moves[-seats:])) - 1 if len(moves) >= seats else 0
