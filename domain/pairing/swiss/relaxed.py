"""The round that breaks the absolute criteria least, where none keeps them all; and which ones given pairs break."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.log.decider import Refusal
from domain.log.message import Message
from domain.pairing.crosstable import NO_OPPONENT, Crosstable, Outcome
from domain.pairing.swiss.answer import NoLegalPairing, Paired, PairReason
from domain.pairing.swiss.entrants import Strength, SwissPlayer, players_of_round
from domain.pairing.swiss.matcher import heaviest_matching
from domain.pairing.swiss.reasons import turn
from domain.pairing.swiss.sides import allocated, initial_side

REMATCH: Final = 1 << 60
SECOND_BYE: Final = 1 << 50
SAME_SIDE: Final = 1 << 40


def breaking_least(
    table: Crosstable, round_: int, absent: Mapping[int, Outcome], said: NoLegalPairing, sides: bool
) -> Paired:
    """Fewest rematches first, then second byes, then sides three times running, then score differences. Raises Refusal
    where too few are there."""
    players = players_of_round(table, round_, said.rules, absent, sides)
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
    mates = heaviest_matching(size, edges, whole=True)
    pairs = [(players[one], players[mates[one]]) for one in range(len(players)) if one < mates[one] < len(players)]
    odd_first = initial_side(table)
    placed = [allocated(one, other, odd_first)[:2] for one, other in pairs]
    why = [
        _why(first, second, _told(one, other, players))
        for (first, second), (one, other) in zip(placed, pairs, strict=True)
    ]
    bye = None
    if odd:
        resting = players[mates[size - 1]]
        bye = resting.number
        why.append(_why(resting, None, _rested(resting, players, table)))
    numbers = tuple((first.number, second.number) for first, second in placed)
    return Paired(said.rules, round_, numbers, bye, absent, tuple(why))


def _why(first: SwissPlayer, second: SwissPlayer | None, told: Message) -> PairReason:
    """A reason without a bracket: where rules give way there are none."""
    pair = first.number, NO_OPPONENT if second is None else second.number
    return PairReason(pair, first.score, (), (), (), None, (told,))


def _told(one: SwissPlayer, other: SwissPlayer, players: Sequence[SwissPlayer]) -> Message:
    """The reason for a pair where no round keeps every rule."""
    pair = {"pair": (one.number, other.number)}
    everybody = {each.number for each in players}
    if other.number in one.met:
        met = all(everybody <= each.met for each in players)
        return Message("swiss.again-all" if met else "swiss.again", people=pair)
    if _same_side(one, other):
        return Message("swiss.same-turn", {"turn": turn(one.wish)}, pair)
    return Message("swiss.unbroken", people=pair)


def _rested(player: SwissPlayer, players: Sequence[SwissPlayer], table: Crosstable) -> Message:
    """The reason for the bye where no round keeps every rule."""
    return Message(f"swiss.{_bye_rule(player, players, table)}", people={"player": player.number})


def _bye_rule(player: SwissPlayer, players: Sequence[SwissPlayer], table: Crosstable) -> str:
    if not player.barred:
        return "bye-lowest"
    byes = {row.number for row in table.rows if any(cell.outcome is Outcome.PAIRING_BYE for cell in row.cells)}
    if all(each.number in byes for each in players):
        return "bye-again-all"
    return "bye-again-unplayed" if all(each.barred for each in players) else "bye-again"


def _cost(one: SwissPlayer, other: SwissPlayer) -> int:
    cost = abs(one.score - other.score) ** 2
    return cost + REMATCH * (other.number in one.met) + SAME_SIDE * _same_side(one, other)


def _bye_cost(player: SwissPlayer, players: Sequence[SwissPlayer]) -> int:
    lowest = min(each.score for each in players)
    return SECOND_BYE * player.barred + (player.score - lowest) ** 2


def _same_side(one: SwissPlayer, other: SwissPlayer) -> bool:
    both = one.strength == other.strength == Strength.ABSOLUTE
    return both and one.wish == other.wish and not (one.top or other.top)


def _broken(one: SwissPlayer, other: SwissPlayer) -> Message | None:
    """The absolute criterion that a pair breaks."""
    pair = {"pair": (one.number, other.number)}
    if other.number in one.met:
        return Message("swiss.breaks-C1", people=pair)
    return Message("swiss.breaks-C3", {"turn": turn(one.wish)}, pair) if _same_side(one, other) else None


def _broken_by_bye(resting: SwissPlayer) -> Message | None:
    return Message("swiss.breaks-C2", people={"player": resting.number}) if resting.barred else None


def criteria_broken_by(
    table: Crosstable, round_: int, absent: Mapping[int, Outcome], pairs: Sequence[tuple[int, int]], sides: bool
) -> dict[int, Message]:
    """The absolute criteria that given pairs break, by place in the list."""
    players = {
        each.number: each for each in players_of_round(table, round_, table.rules or "dutch-2026", absent, sides)
    }
    found = {}
    for place, (one, other) in enumerate(pairs):
        if NO_OPPONENT in (one, other):
            told = _broken_by_bye(players[one or other])
        else:
            told = _broken(players[one], players[other])
        if told is not None:
            found[place] = told
    return found
