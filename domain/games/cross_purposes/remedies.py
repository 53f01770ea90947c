"""Cross Purposes: tricks that pass after a revoke, within one phase (two players) or from pile to pile (four)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.game.remedy import NO_WINNER, Remedied, Remedy, Wrong, best_for, either
from domain.game.tricks import Playing
from domain.games.cross_purposes.forms import State
from domain.games.cross_purposes.scoring import FourResult, TwoResult, score_four, score_two
from domain.games.cross_purposes.two.state import phase_of
from domain.log.message import Message, Value

TRICKS_GO: Final = "tricks-pass"
PHRASES: Final[Mapping[str, str]] = {
    "remedy.phase": "{n} trick of phase {phase} passes to {other:seat}: {was} becomes {now}"
    "|{n} tricks of phase {phase} pass to {other:seat}: {was} becomes {now}",
    "remedy.piles": "{n} trick passes to the innocent side: {was} becomes {now}"
    "|{n} tricks pass to the innocent side: {was} becomes {now}",
}


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """One trick passes, two if the offender won the trick of the revoke; never more than were won from that trick on
    (CP.7, CP.14)."""
    if key != TRICKS_GO:
        return None
    if isinstance(wrong.result, TwoResult):
        found = [_two(wrong, wrong.result, place) for place in wrong.places]
        return either(found, (1 - wrong.seat,), (wrong.seat,))
    if isinstance(wrong.result, FourResult):
        offending, innocent = _sides(wrong.result, wrong.seat)
        found = [_four(wrong, wrong.result, place) for place in wrong.places]
        return either(found, innocent, offending)
    return None


def _two(wrong: Wrong, result: TwoResult, place: int) -> Remedy:
    table, seat = wrong.tables[place], wrong.seat
    if not isinstance(table, Playing):
        return NO_WINNER
    phase = phase_of(table).declared.phase
    own = result.phases[phase - 1]
    winner = _winner(wrong.tables, place, own)
    if winner is None:
        return NO_WINNER
    n = max(0, min(2 if winner == seat else 1, own[seat] - table.tricks[seat]))
    moved = tuple(won - n if at == seat else won + n for at, won in enumerate(own))
    phases = tuple(moved if number == phase else tricks for number, tricks in enumerate(result.phases, start=1))
    values: dict[str, Value] = {"n": n, "phase": phase, "other": 1 - seat, "was": _counts(own), "now": _counts(moved)}
    return Remedied(score_two(wrong.options, phases), Message("remedy.phase", values))


def _four(wrong: Wrong, result: FourResult, place: int) -> Remedy:
    table, seat = wrong.tables[place], wrong.seat
    if not isinstance(table, Playing):
        return NO_WINNER
    winner = _winner(wrong.tables, place, result.tricks)
    if winner is None:
        return NO_WINNER
    offending, innocent = _sides(result, seat)
    since = {each: max(0, result.tricks[each] - table.tricks[each]) for each in offending}
    n = min(2 if winner == seat else 1, sum(since.values()))
    ways = []
    for moved in _moves(result.tricks, since, innocent, n):
        values: dict[str, Value] = {"n": n, "was": _counts(result.tricks), "now": _counts(moved)}
        scored = score_four(wrong.options, moved, offending)
        ways.append(Remedied(scored, Message("remedy.piles", values), innocent=innocent))
    best = best_for(innocent, offending, ways)
    assert best is not None
    return best


def _moves(
    tricks: tuple[int, ...], since: dict[int, int], innocent: tuple[int, ...], n: int
) -> Iterator[tuple[int, ...]]:
    """The piles after so many tricks went from one side's piles, of what each has won since, to the other's."""
    (one, most), (other, rest) = since.items()
    for taken in range(max(0, n - rest), min(n, most) + 1):
        for given in range(n + 1):
            change = {one: -taken, other: taken - n, innocent[0]: given, innocent[1]: n - given}
            yield tuple(won + change[seat] for seat, won in enumerate(tricks))


def _sides(result: FourResult, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats of the offending side, and those of the other."""
    one, other = result.sides
    return (one, other) if seat in one else (other, one)


def _winner(tables: Sequence[State], place: int, total: tuple[int, ...]) -> int | None:
    """The seat that won the trick of a place; `total` are the tricks of that phase at its end."""
    at = tables[place]
    assert isinstance(at, Playing)
    for table in tables[place + 1 :]:
        after = table.tricks if isinstance(table, Playing) and table.base is at.base else total
        if after != at.tricks:
            return next((seat for seat, won in enumerate(after) if won > at.tricks[seat]), None)
    return None


def _counts(tricks: tuple[int, ...]) -> str:
    return "-".join(map(str, tricks))
