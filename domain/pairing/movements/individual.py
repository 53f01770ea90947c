"""The individual movement of so many players and rounds: a whist tournament where one fits, else the best found."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.log.decider import Refusal
from domain.pairing.movements.evening import Movement, movement
from domain.pairing.movements.search import Attempted, attempt, cut_evening, longer_evening, patterned_evening
from domain.pairing.movements.seeds import SEEDS
from domain.pairing.movements.whist import whist

FEWEST: Final = 4
MOST: Final = 100
CYCLES: Final = 4
TRIES: Final = 6


def individual(players: int, rounds: int | None = None) -> Movement:
    """The movement; without `rounds` as many as a whist tournament would have. Raises Refusal."""
    check_evening(players, rounds)
    full = full_length(players)
    wanted = full if rounds is None else rounds
    if wanted <= _pairs_last(players):
        return movement(players, _part(players, wanted))
    cycles, more = divmod(wanted, full)
    return movement(players, _part(players, full) * cycles + (_part(players, more) if more else []))


def check_evening(players: int, rounds: int | None = None) -> None:
    """Raises Refusal for what cannot be played at tables of four."""
    if players < FEWEST:
        raise Refusal("players", f"a table has four seats: {players} cannot fill one; let them play a round robin")
    if players > MOST:
        raise Refusal("players", f"a movement seats at most {MOST} players, not {players}: play in sections")
    longest = CYCLES * full_length(players)
    if rounds is not None and not 1 <= rounds <= longest:
        raise Refusal("rounds", f"{players} players can play 1 to {longest} rounds, not {rounds}")


def full_length(players: int) -> int:
    """The rounds of a whist tournament, or what comes nearest to one."""
    return players if players % 4 else players - 1


def _pairs_last(players: int) -> int:
    """The rounds for which there are new partners: one or more beyond a full evening for 4n + 2 and 4n + 3 players."""
    return players * (players - 1) // 2 // (players // 4 * 2)


def _part(players: int, rounds: int) -> list[list[int]]:
    """An evening as long as there are new partners, at most."""
    known = whist(players)
    if known is not None and rounds == full_length(players):
        return known
    return [[seat + 1 for seat in seats] for seats in best(players, rounds).seatings]


def best(players: int, rounds: int) -> Attempted:
    """The most level of a fixed list of attempts: no partner twice goes before level opponents."""
    found: Attempted | None = None
    for each in _attempts(players, rounds):
        if found is None or each.score < found.score:
            found = each
        if found.score <= (0, 0):
            break
    assert found is not None
    return found


def _attempts(players: int, rounds: int) -> Iterator[Attempted]:
    """The attempts, those with most symmetry first, as they are cheap and good; about a second's work in all."""
    known = (players, rounds) in SEEDS
    for turns, seed in [SEEDS[players, rounds]] if known else _plan(rounds):
        found = attempt(players, rounds, turns, seed)
        if found is not None:
            yield found
    if not known:
        found = _derived(players, rounds)
        if found is not None:
            yield found


def _derived(players: int, rounds: int) -> Attempted | None:
    """From a full evening: itself, some of its rounds, or some more than it has."""
    full = full_length(players)
    if rounds == full:
        return patterned_evening(players)
    return (cut_evening if rounds < full else longer_evening)(players, _full(players), rounds)


def _full(players: int) -> Sequence[Sequence[int]]:
    """A full evening to take rounds from."""
    known = whist(players)
    if known is not None:
        return [[seat - 1 for seat in seats] for seats in known]
    return patterned_evening(players).seatings if players % 4 == 3 else best(players, full_length(players)).seatings


def _plan(rounds: int) -> list[tuple[int, int]]:
    less = [turns for turns in range(rounds - 1, 1, -1) if rounds % turns == 0][:2]
    return [(rounds, seed) for seed in range(1, TRIES + 1)] + [(turns, 1) for turns in (*less, 1)]
