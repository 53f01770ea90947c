"""Tables at which matches are played, and sides that deal first."""

from collections.abc import Mapping
from typing import TypeAlias

from domain.tournament.state import Stage, Tournament

Sides: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


def tables_for(state: Tournament, seated: Mapping[str, Sides]) -> dict[str, int]:
    """Tables from 1 in the order of the round; an entry with a table of its own plays there, and nobody else; a match
    that is still on keeps its table."""
    stage = state.stage
    own = {entry.id: entry.table for entry in state.entries.values() if entry.table is not None}
    fixed: dict[str, int] = {}
    for name, sides in seated.items():
        wanted = (own[entry] for side in sides for entry in side if entry in own)
        table = next((table for table in wanted if table not in fixed.values()), None)
        if table is not None:
            fixed[name] = table
    busy = {each.table for name, each in stage.pairings.items() if name not in stage.decided}
    taken = busy | set(own.values())
    free = (table for table in range(1, 10_001) if table not in taken)
    return {name: fixed[name] if name in fixed else next(free) for name in seated}


def deals_first(stage: Stage, sides: Sides) -> int:
    """The side that deals first: where the pairing does not see to it, whoever has dealt first less often by now; among
    equals the first-named in odd rounds, the other in even ones."""
    if stage.format.balances_first_deal:
        return 0
    counts = [0, 0]
    for each in stage.pairings.values():
        for place, side in enumerate(sides):
            counts[place] += len(set(each.sides[each.first]) & set(side))
    return len(stage.rounds) % 2 if counts[0] == counts[1] else int(counts[1] < counts[0])
