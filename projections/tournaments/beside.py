"""Neighbours in the standings: the difference between an entry and each of them, in words."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, TypeAlias

from domain.standings.tiebreaks.registry import tiebreaks_named
from domain.tournament.format import Format, StageSoFar
from domain.tournament.places import RankedSeed

GroupPlaces: TypeAlias = Mapping[int, tuple[str, int]]  # the letter of the group, and the rank in it, by seed
ORDER_ONLY: Final = ("DE", "LOT")  # their values are an order, no figure


def beside(
    format_: Format,
    field: StageSoFar,
    mine: RankedSeed,
    other: RankedSeed,
    names: Mapping[int, str],
    groups: GroupPlaces,
) -> str:
    """One sentence on a neighbour in the standings; `names` by seed."""
    codes = format_.ordered_by(field)
    if not codes:
        return _by_reach(format_, field, mine, other, names)
    if mine.seed in groups and groups[mine.seed][0] != groups[other.seed][0]:
        return _across(codes, mine, other, names, groups)
    return _parted(codes, mine.values, other.values, names[other.seed])


def _by_reach(format_: Format, field: StageSoFar, mine: RankedSeed, other: RankedSeed, names: Mapping[int, str]) -> str:
    """By how far both came; who shares a place is said together."""
    me, name = names[mine.seed], names[other.seed]
    mine_came, other_came = format_.came(field, mine.seed), format_.came(field, other.seed)
    if not other_came:
        return f"{name} has place {other.rank}, and {me} place {mine.rank}."
    if mine.rank == other.rank and mine_came == other_came:
        both = mine_came.replace("is still", "are both still") if mine_came.startswith("is") else f"both {mine_came}"
        return f"{me} and {name} {both} and share place {mine.rank}."
    shared = f", and they share place {mine.rank}" if mine.rank == other.rank else ""
    return f"{name} {other_came}; {me} {mine_came}{shared}."


def _across(
    codes: tuple[str, ...], mine: RankedSeed, other: RankedSeed, names: Mapping[int, str], groups: GroupPlaces
) -> str:
    """Two of different groups: by their places there; of one place by what can be compared, match by match."""
    (here, rank), (there, their_rank) = groups[mine.seed], groups[other.seed]
    name = names[other.seed]
    if rank != their_rank:
        return f"{name} is number {their_rank} of group {there}, and {names[mine.seed]} number {rank} of group {here}."
    sizes = {letter: sum(each == letter for each, _ in groups.values()) for letter in (here, there)}
    if sizes[here] == sizes[there]:
        kept = [at for at, code in enumerate(codes) if code != "DE"]
        return _parted(
            tuple(codes[at] for at in kept),
            tuple(mine.values[at] for at in kept),
            tuple(other.values[at] for at in kept),
            name,
        )
    for code, one, two in zip(codes, mine.values, other.values, strict=True):
        each = [Fraction(value) / (sizes[group] - 1) for value, group in ((one, here), (two, there))]
        if code != "DE" and each[0] != each[1]:
            title = tiebreaks_named([code])[0].title
            return f"{_way(code, each[0], each[1])} {name} on {title} a match, for groups differ in size."
    return f"Level with {name} on every tie-break."


def _parted(codes: tuple[str, ...], mine: tuple[int | float, ...], yours: tuple[int | float, ...], name: str) -> str:
    """The first tie-break in which two neighbours differ."""
    for code, one, other in zip(codes, mine, yours, strict=True):
        if one != other:
            figures = "" if code in ORDER_ONLY else f": {one:g} to {other:g}"
            return f"{_way(code, one, other)} {name} on {tiebreaks_named([code])[0].title}{figures}."
    return f"Level with {name} on every tie-break."


def _way(code: str, one: float | Fraction, other: float | Fraction) -> str:
    least_first = tiebreaks_named([code])[0].least_first
    return "Ahead of" if (one < other) == least_first else "Behind"
