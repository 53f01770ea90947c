"""Calls: a director is called to a place, and whatever belongs to the same matter is heard together."""

import re
from typing import Final

from domain.case import commands as c
from domain.case import events as e
from domain.case.events import CasePlace, Matter, Sides
from domain.case.rights import check_directs, rules_here
from domain.case.state import Case, DirectorCall, side_in
from domain.case.statements import said
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden
from domain.match.state import Deal, Match, deal_at

CODE: Final = re.compile(r"[A-Z][A-Z0-9]{1,7}")
MOST_VERSIONS: Final = 40
MOST_CALLS: Final = 60  # of one side that one case hears
MOST_MINUTES: Final = 60


def opened(command: c.OpenCase, actor: Actor) -> list[New]:
    """A case begins. Raises Refusal."""
    _check(command, command.sides)
    if not 0 <= command.minutes <= MOST_MINUTES:
        raise Refusal("malformed", f"`minutes` is 0 to {MOST_MINUTES}")
    side, person = _caller(command, command.sides, actor)
    event = e.CaseOpened(
        command.matter, command.place, command.sides, command.minutes, command.code, side, person, command.dispute
    )
    return [New(event, said(command.words))]


def joined(case: Case, command: c.JoinCase, actor: Actor, around: c.Around) -> list[New]:
    """A call is heard with the case; none for a dispute that is. A further match is joined by a director. Raises
    Refusal."""
    _check(command, command.sides)
    if command.dispute is not None and any(_same(each, command) for each in case.calls):
        return []
    if command.place.match not in {each.place.match for each in case.calls}:
        check_directs(case, actor, around)
    sides = (*case.sides, *(each for each in command.sides if each not in case.sides))
    side, person = _caller(command, command.sides, actor)
    if side is not None:
        side = sides.index(command.sides[side])
    _check_room(case, command, side, actor)
    event = e.CaseJoined(command.matter, command.place, sides, command.code, side, person, command.dispute)
    return [New(event, said(command.words))]


def matter_of(command: c.Calling, actor: Actor) -> Matter:
    """The matter of a call by whoever holds all these roles: a director who calls for no side looks into something that
    he found, and the signal policy says who hears of that. Slow play, and what is no irregularity, is told at once."""
    named = command.matter == "call" or (command.matter == "other" and bool(command.code or command.place.at))
    alone = command.side is None and side_in(command.sides, actor.people) is None
    return "finding" if named and alone and actor.directs else command.matter


def check_place(match: Match, place: CasePlace) -> None:
    """Raises Refusal for a deal that the match does not have, or a version that is not of it."""
    if place.deal is not None and not 1 <= place.deal <= len(match.deals):
        raise Refusal("misfit", f"there is no deal {place.deal} in this match")
    for version in place.at:
        if version > match.version:
            raise Refusal("misfit", f"there is no entry {version} in this match")
        deal = deal_at(match, version)
        held = next((each for each in match.deals if _holds(each, version)), deal)
        if held is None or place.deal not in (None, held.number):
            raise Refusal("misfit", f"entry {version} is not of deal {place.deal}")


def same_matter(case: Case, place: CasePlace) -> bool:
    """Tells whether a call to a place is about what an open case is about: the same deal of the same match, the match
    as a whole, or the same fixture."""
    return case.is_open and any(
        (each.match, each.tournament, each.stage, each.fixture, each.deal)
        == (place.match, place.tournament, place.stage, place.fixture, place.deal)
        for each in case.places()
    )


def _check_room(case: Case, command: c.JoinCase, side: int | None, actor: Actor) -> None:
    """Raises Refusal for one more call of a side that has called without end. Others are heard still: the other sides,
    a dispute, whoever directs."""
    if command.dispute is not None or _is_service(actor) or actor.directs or rules_here(case, actor):
        return
    if sum(each.side == side and each.matter != "dispute" for each in case.calls) >= MOST_CALLS:
        raise Refusal("misfit", f"this case hears {MOST_CALLS} calls of yours already: the director is on the way")


def _is_service(actor: Actor) -> bool:
    return actor.strength == "file" and actor.person is None


def _check(command: c.Calling, sides: Sides) -> None:
    """Raises Refusal for what names nothing, or what nobody can be called to."""
    place = command.place
    if place.match is None and (place.tournament is None or place.stage is None or place.fixture is None):
        raise Refusal("malformed", "name a match, or a fixture of a tournament")
    if place.match is None and (place.deal is not None or place.at):
        raise Refusal("malformed", "a fixture that was not played has no deal and no entries")
    if command.code is not None and not CODE.fullmatch(command.code):
        raise Refusal("malformed", "`code` is one of the catalogue, like REV")
    if len(place.at) > MOST_VERSIONS:
        raise Refusal("malformed", f"`at` names at most {MOST_VERSIONS} entries")
    if len(sides) < 2 or not all(sides):
        raise Refusal("misfit", "there is nobody yet on one side of this match")
    if command.side is not None and not 0 <= command.side < len(sides):
        raise Refusal("malformed", f"`side` is 0 to {len(sides) - 1}")


def _caller(command: c.Calling, sides: Sides, actor: Actor) -> tuple[int | None, str | None]:
    """The side and the person that call: whoever plays calls for the own side, whoever keeps the score for anybody.
    Raises Refusal."""
    own = side_in(sides, actor.people)
    if own is None and not actor.records:
        raise forbidden(actor)
    if own is not None and command.side not in (None, own):
        raise Refusal("forbidden", "you call for your own side only")
    person = command.person if _is_service(actor) else actor.person
    return (command.side if own is None else own), person


def _same(call: DirectorCall, command: c.JoinCase) -> bool:
    return (call.dispute, call.place.match) == (command.dispute, command.place.match)


def _holds(deal: Deal, version: int) -> bool:
    return version == deal.version or any(each == version for each, _ in deal.facts)
