"""The round that breaks the absolute criteria least, where none keeps them all; and which ones given pairs break."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.decider import Refusal
from domain.tournament.bracket import Fixture, SeedSlot
from domain.tournament.crosstable import Crosstable, Outcome
from domain.tournament.format import Drawn
from domain.tournament.swiss.answer import NoLegalPairing
from domain.tournament.swiss.entrants import Entrant, Strength, entrants
from domain.tournament.swiss.matcher import matched
from domain.tournament.swiss.sides import allocated, initial_side

REMATCH: Final = 1 << 60
SECOND_BYE: Final = 1 << 50
SAME_SIDE: Final = 1 << 40


def relaxed(table: Crosstable, round_: int, absent: Mapping[int, Outcome], said: NoLegalPairing, sides: bool) -> Drawn:
    """Fewest rematches first, then second byes, then sides three times running, then score differences. Raises Refusal
    where too few are there."""
    players = entrants(table, round_, said.rules, absent, sides)
    if len(players) < 2:
        raise Refusal(
            "misfit",
            f"{len(players)} left to pair, for the others have byes or have left: take a bye back, or end here",
        )
    odd = len(players) % 2
    size = len(players) + odd
    most = REMATCH << 4
    edges = [
        (one, other, most - _cost(players[one], players[other]))
        for one in range(len(players))
        for other in range(one + 1, len(players))
    ]
    if odd:
        edges += [(one, size - 1, most - _bye_cost(each, players)) for one, each in enumerate(players)]
    mates = matched(size, edges, whole=True)
    pairs = [(players[one], players[mates[one]]) for one in range(len(players)) if one < mates[one] < len(players)]
    odd_first = initial_side(table)
    placed = [allocated(one, other, odd_first)[:2] for one, other in pairs]
    fixtures = tuple(
        Fixture(f"R{round_}.{board}", round_, (SeedSlot(first.number), SeedSlot(second.number)))
        for board, (first, second) in enumerate(placed, start=1)
    )
    why = {fixture.id: _told(one, other, players) for fixture, (one, other) in zip(fixtures, pairs, strict=True)}
    if not odd:
        return Drawn(round_, fixtures, {}, why)
    resting = players[mates[size - 1]]
    return Drawn(round_, fixtures, {resting.number: "bye"}, why, {resting.number: _rested(resting, players, table)})


def _told(one: Entrant, other: Entrant, players: Sequence[Entrant]) -> str:
    """Why two meet where no round keeps every rule."""
    names = f"{{{one.number}}} and {{{other.number}}}"
    everybody = {each.number for each in players}
    if other.number in one.met:
        met = all(everybody <= each.met for each in players)
        why = "Everybody has met everybody" if met else "No round is left in which nobody meets again"
        return f"{why}: {names} meet again (C1)."
    if _same_side(one, other):
        return f"No round is left that keeps every rule: {names} both had to deal {_due(one)}; one does not (C3)."
    return f"No round is left that keeps every rule. {names} break none: they have not met."


def _rested(player: Entrant, players: Sequence[Entrant], table: Crosstable) -> str:
    """Why somebody has the bye where no round keeps every rule."""
    name = f"{{{player.number}}}"
    if not player.barred:
        return f"{name} has the bye: nobody lower can have it."
    byes = {row.number for row in table.rows if any(cell.outcome is Outcome.PAIRING_BYE for cell in row.cells)}
    if all(each.number in byes for each in players):
        return f"Everybody has had the bye: {name} has it a second time (C2)."
    if all(each.barred for each in players):
        return f"Everybody has had the bye, or a win without play: {name} has another (C2)."
    return f"No round is left in which nobody has a second bye: {name} has another (C2)."


def _due(player: Entrant) -> str:
    return "first" if player.wish else "second"


def _cost(one: Entrant, other: Entrant) -> int:
    cost = abs(one.score - other.score) ** 2
    return cost + REMATCH * (other.number in one.met) + SAME_SIDE * _same_side(one, other)


def _bye_cost(player: Entrant, players: Sequence[Entrant]) -> int:
    lowest = min(each.score for each in players)
    return SECOND_BYE * player.barred + (player.score - lowest) ** 2


def _same_side(one: Entrant, other: Entrant) -> bool:
    both = one.strength == other.strength == Strength.ABSOLUTE
    return both and one.wish == other.wish and not (one.top or other.top)


def _broken(one: Entrant, other: Entrant) -> str:
    """Which absolute criteria a pair breaks, in words."""
    names = f"{{{one.number}}} and {{{other.number}}}"
    if other.number in one.met:
        return f"{names} have met before, or must not meet (C1)"
    return f"{names} must both deal {_due(one)} (C3)" if _same_side(one, other) else ""


def broken_by(
    table: Crosstable, round_: int, absent: Mapping[int, Outcome], pairs: Sequence[tuple[int, int]], sides: bool
) -> dict[int, str]:
    """The absolute criteria that given pairs break, by place in the list."""
    players = {each.number: each for each in entrants(table, round_, table.rules or "dutch-2026", absent, sides)}
    found = {}
    for place, (one, other) in enumerate(pairs):
        if 0 in (one, other):
            resting = players[one or other]
            told = f"{{{resting.number}}} has had a bye, or points without play (C2)" if resting.barred else ""
        else:
            told = _broken(players[one], players[other])
        if told:
            found[place] = told
    return found
