"""Doubts about results, for whoever may see the results: contested, under appeal, or disputed. No more is told: not who
said what, no code, no grade."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from domain.tournament.state import Stage

Doubt: TypeAlias = Literal["contested", "under appeal", "disputed"]
WEIGHT: Final[tuple[Doubt, ...]] = ("disputed", "under appeal", "contested")
BEGUN_BY: Final = ("OutcomeContested", "OutcomeDisputed")  # events without which no doubt stands in a tournament
NONE: Final[Mapping[str, Doubt]] = {}


def weightiest(doubts: Iterable[Doubt | None]) -> Doubt | None:
    """The doubt that is told where there are several; None where there is none."""
    return max((each for each in doubts if each is not None), key=WEIGHT.index, default=None)


def doubt_in(stage: Stage, name: str, beside: Mapping[str, Doubt] = NONE) -> Doubt | None:
    """The doubt about the result of a match of a stage; `beside` are those that do not stand in the tournament, by the
    match: an appeal stands in its case, a dispute that began after the finish in the record."""
    pairing = stage.pairings.get(name)
    if pairing is None:
        return None
    found: list[Doubt | None] = [
        "contested" if name in stage.contested else None,
        beside.get(pairing.match),
        "disputed" if name in stage.disputed else None,
    ]
    return weightiest(found)


def doubts_of_entries(stage: Stage, beside: Mapping[str, Doubt] = NONE) -> dict[str, Doubt]:
    """The weightiest doubt about a result of each entry of a stage that has one."""
    found: dict[str, Doubt] = {}
    for name, pairing in stage.pairings.items():
        doubt = doubt_in(stage, name, beside)
        if doubt is None:
            continue
        for entry in (*pairing.sides[0], *pairing.sides[1]):
            found[entry] = weightiest((doubt, found.get(entry))) or doubt
    return found
