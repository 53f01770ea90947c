"""Whom a case concerns: those of its sides, those who direct there, whoever was named to rule, the secretary. To
everybody else it is not there."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec

from domain.case.events import CasePlace
from domain.case.rights import near, rules_here
from domain.case.state import Case
from domain.game.protocol import Viewer
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match.sight import is_told, seat_of, sides_near
from domain.match.state import Match
from projections.case_eyes import CaseKind
from service.desk.access import actor_at, check_known
from service.desk.moments import moment_of
from service.desk.services import Services
from service.store.callers import Caller
from service.store.loaded import LoadedCase, LoadedClub, LoadedMatch
from service.store.streams import Streams

MISSING: Final = Refusal("not-found", "there is nothing here, or nothing that you may see")


class CaseViewer(msgspec.Struct, frozen=True):
    """A kind of viewer of a case: a director (or who rules there), a secretary, or a party with its side. `shut` are
    the matches of a case that a director of it sees as if he were none, because he does not direct there or is near to
    them, each with the seat whose eyes he has (None: everybody's)."""

    kind: CaseKind
    side: int | None = None
    shut: tuple[tuple[str, Viewer], ...] = ()


class NearDirector(msgspec.Struct, frozen=True):
    """A director who is near to a case, and is told only that there is one."""

    kind: Literal["recused"] = "recused"


CaseCaller: TypeAlias = CaseViewer | NearDirector


class SeenCase(msgspec.Struct, frozen=True):
    """A case that somebody may see, its club, and which kind of viewer that is."""

    loaded: LoadedCase
    club: LoadedClub
    viewer: CaseViewer

    @property
    def case(self) -> Case:
        """The case as it stands."""
        return self.loaded.state


def actor_in(caller: Caller, loaded: LoadedCase) -> Actor:
    """The caller with the rights that reach a case; a table's code opens none."""
    actor = caller.actor().within(loaded.club).reaching_any(loaded.reach)
    return msgspec.structs.replace(actor, rights=tuple(each for each in actor.rights if not each.by_code))


def viewer_in(caller: Caller, loaded: LoadedCase) -> CaseCaller | None:
    """The kind of viewer that a caller is; None for whom it does not concern."""
    case, actor = loaded.state, actor_in(caller, loaded)
    side = case.side_of(actor)
    if side is not None and not rules_here(case, actor):
        return CaseViewer("party", side)
    held = list(actor.each()) if actor.rights else []
    if any(rules_here(case, each) for each in held):
        return CaseViewer("director")
    leads = [each for each in held if each.directs or _administers(each)]
    if not leads:
        return None
    if near(case, leads[0]):
        return NearDirector()
    return CaseViewer("director" if any(each.directs for each in leads) else "secretary")


def _administers(actor: Actor) -> bool:
    return actor.administers and actor.tournament is None and actor.match is None


async def case_for(services: Services, caller: Caller, case: UUID) -> SeenCase:
    """A case that the caller may see. Raises Refusal: not-found for whom it does not concern, as for one that there is
    not; recused for a director who is too near to it."""
    loaded = await services.streams.case(str(case))
    viewer = None if loaded is None else viewer_in(caller, loaded)
    if (
        loaded is None
        or viewer is None
        or not await hears(services.streams, viewer, loaded.state, services.recorder.clock())
    ):
        raise MISSING
    check_known(caller)
    if viewer.kind == "recused":
        raise Refusal("recused", "you are close to somebody in this case: another director hears it, or a deputy")
    if viewer.kind == "director":
        viewer = msgspec.structs.replace(viewer, shut=await _shut(services.streams, caller, loaded))
    return SeenCase(loaded, await services.recorder.club(loaded.club), viewer)


async def _shut(streams: Streams, caller: Caller, about: LoadedCase) -> tuple[tuple[str, Viewer], ...]:
    """The matches of a case that a director of it, or who was named to rule on it, sees as if he were neither."""
    ids = dict.fromkeys(each.match for each in about.state.places() if each.match is not None)
    found = [await streams.match(each) for each in ids]
    matches = [each for each in found if each is not None and isinstance(each.state, Match)]
    named = any(rules_here(about.state, each) for each in actor_in(caller, about).each())
    return tuple(
        (each.stream, seat_of(each.match, known_at(caller, each)))
        for each in matches
        if near_to(caller, each) or not (named or known_at(caller, each).directs)
    )


def known_at(caller: Caller, loaded: LoadedMatch) -> Actor:
    """The caller with the rights that reach a match, but those of a table's code."""
    actor = actor_at(caller, loaded)
    return msgspec.structs.replace(actor, rights=tuple(each for each in actor.rights if not each.by_code))


def near_to(caller: Caller, loaded: LoadedMatch) -> bool:
    """Tells who plays in a match, or is close to somebody who does, whatever else he is."""
    return any(sides_near(loaded.match, each) for each in caller.actor().within(loaded.club).each())


async def hears(streams: Streams, viewer: CaseCaller, case: Case, at: datetime) -> bool:
    """Tells whether a kind of viewer hears of a case at all: who is near to it, a director too, hears what the sides
    do."""
    return viewer.kind in ("director", "secretary") or await told_by(streams, case, at)


async def told(services: Services, loaded: LoadedCase) -> bool:
    """Tells whether the sides of a case know of it by now."""
    return await told_by(services.streams, loaded.state, services.recorder.clock())


async def told_by(streams: Streams, case: Case, at: datetime) -> bool:
    """Tells whether the sides of a case know of it at a time: one of them called, or it is about no finding, or the
    findings of its deals are told to everybody at the table by then."""
    return any(not each.looks for each in case.calls) or await may_be_told(streams, case.places(), at)


async def may_be_told(streams: Streams, places: Iterable[CasePlace], at: datetime) -> bool:
    """Tells whether the findings of all these places are told to everybody at their tables at a time."""
    for each in places:
        found = None if each.match is None else await streams.match(each.match)
        if found is None or not isinstance(found.state, Match):
            continue
        moment = await moment_of(streams, found, at, shown=True)
        deals = [deal for deal in found.match.deals if each.deal in (None, deal.number)]
        if not all(is_told(found.match, deal, "table", moment) for deal in deals):
            return False
    return True
