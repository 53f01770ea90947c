"""Looking for level evenings where no whist tournament fits: other numbers of players, fewer rounds.

An attempt prescribes a symmetry (`turns`, a divisor of the number of rounds), deals the base rounds out from a seed and
anneals them. Much symmetry leaves little to look for and mostly gets there; none always fits. The same arguments give
the same answer.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from domain.chance import shuffled, words
from domain.pairing.movements.levelling import STRICT, WARM, Annealing, Seating
from domain.pairing.movements.orbits import Symmetry, circles_of, moved_on, symmetry

Excess: TypeAlias = tuple[int, int]  # squares too many: of partners, of opponents; (0, 0) cannot be beaten
STEPS: Final = 10_000


class Attempted(msgspec.Struct, frozen=True):
    """The result of an attempt: all rounds, numbers from 0."""

    score: Excess
    seatings: tuple[tuple[int, ...], ...]


def attempt(players: int, rounds: int, turns: int, seed: int) -> Attempted | None:
    """One attempt; None where sitting out cannot be shared evenly under such a symmetry."""
    form = symmetry(turns, circles_of(players, turns))
    resting = resting_shared(form, rounds // turns)
    if resting is None:
        return None
    stream = words(f"{players}/{rounds}/{turns}/{seed}".encode())
    seats = [[*shuffled([each for each in range(players) if each not in out], stream), *out] for out in resting]
    return anneal_rounds(form, seats, seed, STEPS * min(rounds // turns, 4))


def anneal_rounds(form: Symmetry, seats: list[Seating], seed: int, steps: int) -> Attempted:
    """Anneal base rounds from anywhere."""
    annealing = Annealing(form, seats, seed)
    wanted = lowest_squares(form.players, len(seats) * form.turns)
    annealing.anneal(steps, (wanted[0] // form.turns, wanted[1] // form.turns))
    return _attempted(annealing)


def refine(form: Symmetry, seats: list[Seating], steps: int) -> Attempted:
    """Level the opponents of base rounds in which nobody has a partner twice, and keep it so."""
    annealing = Annealing(form, seats, 1, STRICT)
    wanted = lowest_squares(form.players, len(seats) * form.turns)
    annealing.anneal_opponents(steps)
    annealing.anneal(steps, (wanted[0] // form.turns, wanted[1] // form.turns), held=True, hot=WARM)
    return _attempted(annealing)


def _attempted(annealing: Annealing) -> Attempted:
    """The whole evening that the base rounds stand for."""
    form = annealing.form
    wanted = lowest_squares(form.players, len(annealing.rounds) * form.turns)
    partners, opponents = (each * form.turns for each in annealing.cost())
    moves = [moved_on(form.circles, turn) for turn in range(form.turns)]
    seatings = tuple(tuple(move[seat] for seat in base) for base in annealing.rounds for move in moves)
    return Attempted((partners - wanted[0], opponents - wanted[1]), seatings)


def lowest_squares(players: int, rounds: int) -> Excess:
    """The sums of squares when every count is as near the average as whole numbers can be."""
    pairs, tables = players * (players - 1) // 2, players // 4
    found = []
    for meetings in (2 * tables * rounds, 4 * tables * rounds):
        each, more = divmod(meetings, pairs)
        found.append((pairs - more) * each * each + more * (each + 1) ** 2)
    return found[0], found[1]


def resting_shared(form: Symmetry, base_rounds: int) -> list[list[int]] | None:
    """The players who sit out in each base round. Over the evening nobody does so more than once oftener than another;
    None if the circles do not allow it."""
    out = form.players % 4
    at_least = out * base_rounds * form.turns // form.players
    if any(at_least * length % form.turns for length in form.circles):
        return None
    shares = [at_least * length // form.turns for length in form.circles]
    for circle, length in enumerate(form.circles):
        if length == form.turns and sum(shares) < out * base_rounds:
            shares[circle] += 1
    if sum(shares) != out * base_rounds:
        return None
    return _dealt(form.circles, shares, out, base_rounds)


def _dealt(circles: Sequence[int], shares: list[int], out: int, base_rounds: int) -> list[list[int]] | None:
    """The shares of the circles, dealt out round by round; None if somebody would sit out twice in one."""
    slots = [
        sum(circles[:circle]) + turn % circles[circle]
        for turn in range(max(shares, default=0))
        for circle, share in enumerate(shares)
        if turn < share
    ]
    found = (
        [slots[at : at + out] for at in range(0, out * base_rounds, out)] if out else [[] for _ in range(base_rounds)]
    )
    return found if all(len(set(each)) == out for each in found) else None


def patterned_evening(players: int) -> Attempted:
    """A full evening from one round in which nobody has a partner twice by construction; its opponents are levelled."""
    turns = players if players % 4 else players - 1
    pairs, out = _pattern(players, turns)
    seats = [seat for pair in shuffled(pairs, words(f"{players}".encode())) for seat in pair]
    return refine(symmetry(turns, circles_of(players, turns)), [[*seats, *out]], STEPS)


def _pattern(players: int, turns: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Partners with every difference at most once, and who sits out: x with -x, as long as the modulus is odd; else
    two halves folded, one for the odd differences and one for the even."""
    if turns % 2 == 0:
        n = turns // 4
        halves = ((1, 2 * n), (2 * n + 1, 4 * n + 1))
        return [(one + x, other - x) for one, other in halves for x in range(n)], [0, 3 * n + 1]
    folded = [(x, turns - x) for x in range(1, (turns + 1) // 2)]
    if players % 4 == 0:
        return [*folded, (turns, 0)], []
    return (folded, [0]) if players % 4 == 1 else (folded[1:], [0, 1, turns - 1])


def cut_evening(players: int, full: Sequence[Sequence[int]], rounds: int) -> Attempted | None:
    """So many rounds of a full evening, sitting out shared evenly, and then made more level; None where the rounds
    do not allow it."""
    out = players % 4
    order = _apart([each[-2:] for each in full], rounds) if out == 2 else _in_steps(len(full), max(out, 1), rounds)
    seats = [list(full[at]) for at in order]
    return refine(symmetry(1, (1,) * players), seats, 2 * STEPS) if seats else None


def longer_evening(players: int, full: Sequence[Sequence[int]], rounds: int) -> Attempted | None:
    """A full evening and some rounds more, made level together."""
    more = attempt(players, rounds - len(full), 1, 1)
    seats = [list(each) for each in (*full, *(more.seatings if more else ()))]
    return refine(symmetry(1, (1,) * players), seats, 2 * STEPS) if more else None


def _in_steps(length: int, step: int, rounds: int) -> list[int]:
    order: list[int] = []
    for turn in range(rounds):
        at = turn * step % length
        while at in order:
            at += 1
        order.append(at)
    return order


def _apart(pairs: Sequence[Sequence[int]], rounds: int) -> list[int]:
    """Rounds in which nobody sits out twice, or all but such rounds. Everybody sits out in two of the full evening,
    so that its rounds form rings, each sharing a player with the next; every other one of a ring is taken."""
    taken: list[int] = []
    left = set(range(len(pairs)))
    while left:
        ring = [min(left)]
        left.discard(ring[0])
        while near := [at for at in sorted(left) if set(pairs[at]) & set(pairs[ring[-1]])]:
            ring.append(near[0])
            left.discard(near[0])
        taken += ring[: len(ring) // 2 * 2 : 2]
    if rounds <= len(taken):
        return taken[:rounds]
    if len(pairs) - rounds <= len(taken):
        return [at for at in range(len(pairs)) if at not in taken[: len(pairs) - rounds]]
    return []
