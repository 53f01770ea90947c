"""Remedies: what becomes of a deal in which a rule was broken, under each remedy that there is for it.

Those of a game come from its own `remedy`, by their keys; the others need no game. What a remedy gives never leaves the
innocent side worse off than the table (*floor*): then the score stands.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.game.protocol import AnyTable
from domain.game.remedy import Lacking, Wrong
from domain.log.message import Message
from domain.match.audit.catalogue import catalogue, severity
from domain.match.audit.finding import Finding
from domain.match.audit.findings import deal_findings
from domain.match.event import Window
from domain.match.state import Deal, Match, by_side, played

STANDS: Final = "stands"
EQUITY: Final = "equity"
ASSIGNED: Final = "assigned"
SPLIT: Final = "split"
PROCEDURAL: Final = "procedural"
TAKE_BACK: Final = "take-back"
VOIDS: Final = ("void", "void-and-deal-again")
OPEN: Final = (EQUITY, ASSIGNED, SPLIT, "best-play")  # a director says what they give
LEAVES: Final = (  # what was played stands, as the game counts it
    STANDS,
    PROCEDURAL,
    TAKE_BACK,
    "play-on",
    "cut",
    "refused",
    "lapses",
    "cards-decide",
    "agreed",
    "correct",
    "warning",
    "clock",
)
GENERIC: Final = (STANDS, PROCEDURAL, EQUITY, ASSIGNED, SPLIT)
OWN_REMEDIES: Final = (*LEAVES, *OPEN, *VOIDS)
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


def _seat(deal: Deal, finding: Finding, places: dict[int, int]) -> int | None:
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


def _trick(match: Match, table: AnyTable) -> tuple[int, int]:
    """The trick of a table: its phase, and how many were taken before it."""
    shown = match.setup.game.view(table, "all")
    return shown.phase, sum(shown.tricks)


def _tables(match: Match, deal: Deal) -> tuple[AnyTable, ...]:
    """The table before each fact, and that after the last one."""
    game = match.setup.game
    table: AnyTable = game.start(match.setup.options, deal.dealer, deal.cards)
    found = [table]
    for _, fact in deal.facts:
        table = table if type(fact) in game.remarks else game.evolve(table, fact)
        found.append(table)
    return tuple(found)


def effect(match: Match, deal: Deal, key: str, offence: Offence | None) -> Effect:
    """The deal under a remedy, whatever the director may name as scores of it."""
    if key in VOIDS:
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


class Offered(msgspec.Struct, frozen=True):
    """The remedies for a breach, each with what becomes of the deal under it; that which is offered first (null: there
    is none, where both sides broke a rule or something is missing), and the points that a procedural one takes off."""

    offence: Offence | None
    effects: tuple[Effect, ...]
    default: str | None
    procedural: tuple[int, ...] | None


def offered(match: Match, deal: Deal, code: str, at: int | None, window: Window) -> Offered:
    """All remedies for a breach: those of its code, then those that every breach may have."""
    game = match.setup.game
    known = catalogue(game).get(code)
    light = [each for each in catalogue(game) if severity(game, each) == 0]
    offence = offence_at(match, deal, code, at, light)
    own = () if known is None else known.remedies
    void = () if any(key in VOIDS for key in own) else VOIDS[:1]
    early = (TAKE_BACK,) if offence is not None and not offence.established else ()
    keys = tuple(dict.fromkeys((*early, *own, *GENERIC, *void)))
    effects = tuple(effect(match, deal, key, offence) for key in keys)
    side = None if offence is None else offence.side
    return Offered(offence, effects, _default(own, effects, offence, window), _some_points(match, side))


def _default(own: tuple[str, ...], effects: tuple[Effect, ...], offence: Offence | None, window: Window) -> str | None:
    """The remedy that is offered first."""
    if offence is not None and offence.mutual:
        return None
    if offence is not None and not offence.established:
        return TAKE_BACK
    wanted = list(own)
    if wanted and wanted[0] in VOIDS and window not in ("T0", "T1"):
        wanted = [*wanted[1:], wanted[0]]
    if len(wanted) > 1 and wanted[0] in LEAVES and offence is not None and offence.second:
        wanted = wanted[1:]
    under = {each.key: each for each in effects}
    for key in wanted:
        if under[key].equity_first:
            return EQUITY
        if under[key].missing is None:
            return key
    return None


def _some_points(match: Match, side: int | None) -> tuple[int, ...] | None:
    """A twentieth of the target off the offender's side, one point at least."""
    if side is None:
        return None
    target = match.setup.race.target
    points = 1 if target is None else max(1, target // 20)
    least = 1 if target is None else target // 5
    return tuple(-min(points, least) if each == side else 0 for each in range(len(match.setup.sides)))
