"""Eyes on a case: which of its events a kind of viewer is told, and with whose eyes each of its matches is seen."""

from typing import Final, Literal, TypeAlias

import msgspec

from domain.case import events as ce
from domain.case.state import Case
from domain.game.protocol import ALL, Viewer
from domain.log.event import Recorded
from domain.match.sight import Audience, is_told
from domain.match.state import Match
from domain.match.windows import Moment

CaseKind: TypeAlias = Literal["director", "secretary", "party"]
Shut: TypeAlias = tuple[tuple[str, Viewer], ...]
AUDIENCES: Final[dict[CaseKind, Audience]] = {"director": "director", "party": "table", "secretary": "public"}


class CaseMatch(msgspec.Struct, frozen=True):
    """A match of a case as its log stood: its events, the match after them, the moment at which it is looked at, and
    where it stands in its tournament: stage and round, from 1, the name in the plan, and the table."""

    stream: str
    events: tuple[Recorded, ...]
    match: Match
    moment: Moment
    place: tuple[int, int, str, int] | None = None


class Eyes(msgspec.Struct, frozen=True):
    """The eyes with which a match of a case is seen: as which kind of viewer, from which seat, as whose audience."""

    kind: CaseKind
    viewer: Viewer
    audience: Audience


class CaseRecord(msgspec.Struct, frozen=True):
    """A case as the two logs of its club stood."""

    stream: str
    club: str
    events: tuple[Recorded, ...]
    case: Case
    matches: tuple[CaseMatch, ...] = ()


def eyes_of(record: CaseRecord, own: CaseMatch, kind: CaseKind, side: int | None, shut: Shut) -> Eyes:
    """The eyes of a kind of viewer in one match of a case. Who plays in one match of it sees another as everybody
    does."""
    closed = dict(shut)
    if kind == "director" and own.stream not in closed:
        return Eyes("director", ALL, "director")
    if kind == "director":
        return Eyes("party", closed[own.stream], "table")
    here = {person for each in own.match.setup.sides for person in each}
    sides = record.case.sides
    plays = side is not None and side < len(sides) and bool(here & {*sides[side]})
    return Eyes(kind, seat_of_side(own.match, sides, side), "table" if plays else "public")


def untold(record: CaseRecord, kind: CaseKind) -> frozenset[int]:
    """The versions of the case at which a director looked into a finding that this kind of viewer is not told yet, and
    all those before it hears of anything."""
    if kind == "director":
        return frozenset()
    matches = {each.stream: each for each in record.matches}
    hidden = {
        call.version
        for call in record.case.calls
        if call.looks and not _known_at(matches.get(call.place.match or ""), call.place.deal, kind)
    }
    first = min((each.version for each in record.case.calls if each.version not in hidden), default=0)
    return frozenset(hidden | {each.version for each in record.events if hidden and each.version < first})


def told_of(record: CaseRecord, kind: CaseKind) -> CaseRecord:
    """A case without the events of which a kind of viewer is not told, and the matches that those alone are about."""
    kept_back = untold(record, kind)
    about = {each.place.match for each in record.case.calls if each.version not in kept_back}
    return msgspec.structs.replace(
        record,
        events=tuple(each for each in record.events if each.version not in kept_back),
        matches=tuple(each for each in record.matches if each.stream in about),
    )


def _known_at(own: CaseMatch | None, number: int | None, kind: CaseKind) -> bool:
    """Tells whether the findings of a deal, or of all of a match, are told to a kind of viewer."""
    deals = () if own is None else own.match.deals
    asked = [deal for deal in deals if number in (None, deal.number)]
    return own is None or all(is_told(own.match, deal, AUDIENCES[kind], own.moment) for deal in asked)


def seat_of_side(match: Match, sides: ce.Sides, side: int | None) -> Viewer:
    """The seat whose eyes a side of the case has in a match: its own where it sits alone, else the public's."""
    people = set(sides[side]) if side is not None and side < len(sides) else set[str]()
    own = [number for number, each in enumerate(match.setup.sides) if people & set(each)]
    seats = match.setup.seats[own[0]] if own else ()
    return seats[0] if len(seats) == 1 else None
