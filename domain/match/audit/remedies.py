"""Remedies: what becomes of a deal in which a rule was broken, under each remedy that there is for it.

Those of a game come from its own `remedy`, by their keys; the others need no game. What a remedy gives never leaves the
innocent side worse off than the table (*floor*): then the score stands.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from domain.game.remedy import Lacking, Wrong
from domain.log.message import Message
from domain.match.audit.findings import deal_findings
from domain.match.state import Deal, Match, by_side, played

STANDS: Final = "stands"
VOID: Final = "void"
EQUITY: Final = "equity"
ASSIGNED: Final = "assigned"
SPLIT: Final = "split"
PROCEDURAL: Final = "procedural"
TAKE_BACK: Final = "take-back"
OWN_REMEDIES: Final = (STANDS, EQUITY, ASSIGNED, SPLIT, PROCEDURAL, VOID, TAKE_BACK)
OPEN: Final = (EQUITY, ASSIGNED, SPLIT)  # a director says what they give
NO_RESULT: Final = "the result of the deal: it is still on"


class Offence(msgspec.Struct, frozen=True):
    """A breach that somebody may rule on: its code, who did it, in which side, and all places at which that side did
    the same in the deal; `established` when it can no longer be taken back, `second` when it was not the side's first,
    `mutual` when another side broke a rule in the deal too."""

    code: str
    at: int
    seat: int | None
    side: int | None
    places: tuple[int, ...]
    established: bool
    mutual: bool

    @property
    def second(self) -> bool:
        """Tells whether the side had done the same before, in this deal."""
        return len(self.places) > 1


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deal under a remedy: its key, the scores by side (null: those of the table), what was done, and what is missing
    where the remedy cannot be told. `floored`: it would have left the innocent side worse off than the table, so the
    score stands; `equity_first`: the contract turns on it."""

    key: str
    scores: tuple[int, ...] | None = None
    void: bool = False
    says: Message | None = None
    missing: str | None = None
    floored: bool = False
    equity_first: bool = False


def offence_at(match: Match, deal: Deal, code: str, at: int | None, light: Iterable[str | None] = ()) -> Offence | None:
    """The breach of a code at a version; None where nothing that a seat did stands there. Codes that are `light` do not
    make a deal one in which both sides broke a rule."""
    places = {version: place for place, (version, _) in enumerate(deal.facts)}
    if at is None or at not in places:
        return None
    found = deal_findings(match, deal)
    seat = next((_seat(deal, each, places) for each in found if (each.version, each.code) == (at, code)), None)
    if seat is None:
        seat = deal.facts[places[at]][1].seat
    side = side_of_seat(match, seat)
    own, mutual = {places[at]}, False
    for each in found:
        whose = _seat(deal, each, places)
        if whose is None:
            continue
        if side_of_seat(match, whose) != side:
            mutual = mutual or each.code not in tuple(light)
        elif each.code == code:
            own.add(places[each.version])
    where = tuple(sorted(own))
    return Offence(code, at, seat, side, where, established(match, deal, places[at], side), mutual)


def _seat(deal: Deal, finding: Any, places: dict[int, int]) -> int | None:
    """The seat whose breach a finding is."""
    seat: int | None = getattr(finding, "seat", None)
    if seat is None and finding.version in places:
        seat = deal.facts[places[finding.version]][1].seat
    return seat


def side_of_seat(match: Match, seat: int) -> int | None:
    """The side of a seat in the match."""
    return next((side for side, seats in enumerate(match.setup.seats) if seat in seats), None)


def established(match: Match, deal: Deal, place: int, side: int | None) -> bool:
    """Tells whether the offender's side has played to the next trick or made its next move; when the deal is over, it
    has."""
    if played(match, deal) is not None:
        return True
    game, remarks = match.setup.game, match.setup.game.remarks
    tables = _tables(match, deal)
    own = _trick(match, tables[place])
    in_trick = bool(game.view(tables[place + 1], "all").tricks)
    for later in range(place + 1, len(deal.facts)):
        fact = deal.facts[later][1]
        if type(fact) in remarks or side_of_seat(match, fact.seat) != side:
            continue
        if not in_trick or _trick(match, tables[later]) != own:
            return True
    return False


def _trick(match: Match, table: Any) -> tuple[int, int]:
    """The trick of a table: its phase, and how many were taken before it."""
    shown = match.setup.game.view(table, "all")
    return shown.phase, sum(shown.tricks)


def _tables(match: Match, deal: Deal) -> tuple[Any, ...]:
    """The table before each fact, and that after the last one."""
    game = match.setup.game
    table: Any = game.start(match.setup.options, deal.dealer, deal.cards)
    found = [table]
    for _, fact in deal.facts:
        table = table if type(fact) in game.remarks else game.evolve(table, fact)
        found.append(table)
    return tuple(found)


def effect(match: Match, deal: Deal, key: str, offence: Offence | None) -> Effect:
    """The deal under a remedy, whatever the director may name as scores of it."""
    if key == VOID:
        return Effect(key, void=True)
    if key in OWN_REMEDIES:
        return Effect(key)
    result = played(match, deal)
    if result is None or result.void:
        return Effect(key, missing=NO_RESULT)
    if offence is None or offence.seat is None:
        return Effect(key, missing="whose breach it was: name the entry")
    facts = tuple(fact for _, fact in deal.facts)
    wrong = Wrong(match.setup.options, facts, _tables(match, deal), result, offence.seat, offence.places)
    found = match.setup.game.remedy(key, wrong)
    if found is None:
        return Effect(key, missing="a remedy of that kind for this deal")
    if isinstance(found, Lacking):
        return Effect(key, missing=found.missing)
    before, after = by_side(match.setup, result.scores), by_side(match.setup, found.result.scores)
    if after == before:
        return Effect(key, says=found.says)
    if worse(before, after, _innocent(match, offence, found.innocent)):
        return Effect(key, says=found.says, floored=True)
    return Effect(key, after, says=found.says, equity_first=found.turns_on_it)


def _innocent(match: Match, offence: Offence, seats: tuple[int, ...]) -> frozenset[int]:
    """The sides of the match that are innocent: those of the seats that the game names, else all but the offender's."""
    if seats:
        return frozenset(side for each in seats if (side := side_of_seat(match, each)) is not None)
    return frozenset(side for side in range(len(match.setup.sides)) if side != offence.side)


def worse(before: tuple[int, ...], after: tuple[int, ...], innocent: frozenset[int]) -> bool:
    """Tells whether an innocent side has less than at the table, or leads an offending one by less."""
    offending = [side for side in range(len(before)) if side not in innocent]
    return any(
        after[mine] < before[mine]
        or any(after[mine] - after[other] < before[mine] - before[other] for other in offending)
        for mine in innocent
    )


def deal_of(match: Match, version: int) -> Deal | None:
    """The deal that an entry in force belongs to: its start, a fact of it, or its result."""
    for deal in match.deals:
        own = {deal.version, *(each for each, _ in deal.facts), *([deal.entry[0]] if deal.entry else [])}
        if version in own:
            return deal
    return None
