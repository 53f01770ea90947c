"""Whom a case concerns: those of its sides, those who direct there, whoever was named to rule, the secretary. To
everybody else it is not there."""

from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec

from domain.case.rights import near, rules_here
from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match.sight import is_told
from service.desk.access import check_known
from service.desk.moments import moment_of
from service.desk.services import Services
from service.store.callers import Caller
from service.store.streams import LoadedCase, LoadedClub

CaseKind: TypeAlias = Literal["director", "secretary", "party", "recused"]
MISSING: Final = Refusal("not-found", "there is nothing here, or nothing that you may see")


class CaseViewer(msgspec.Struct, frozen=True):
    """A kind of viewer of a case: a director (or who rules there), a secretary, a party with its side, or a director
    who is near to it and is told only that there is one."""

    kind: CaseKind
    side: int | None = None


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


def viewer_in(caller: Caller, loaded: LoadedCase) -> CaseViewer | None:
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
        return CaseViewer("recused")
    return CaseViewer("director" if any(each.directs for each in leads) else "secretary")


def _administers(actor: Actor) -> bool:
    return actor.administers and actor.tournament is None and actor.match is None


async def case_for(services: Services, caller: Caller, case: UUID) -> SeenCase:
    """A case that the caller may see. Raises Refusal: not-found for whom it does not concern, as for one that there is
    not; recused for a director who is too near to it."""
    loaded = await services.streams.case(str(case))
    viewer = None if loaded is None else viewer_in(caller, loaded)
    if loaded is None or viewer is None or (viewer.kind == "party" and not await told(services, loaded)):
        raise MISSING
    check_known(caller)
    if viewer.kind == "recused":
        raise Refusal("recused", "you are close to somebody in this case: another director hears it, or a deputy")
    return SeenCase(loaded, await services.recorder.club(loaded.club), viewer)


async def told(services: Services, loaded: LoadedCase) -> bool:
    """Tells whether the sides of a case know of it: one of them called, or it is about no finding, or the findings of
    its deals are told to everybody at the table by now."""
    if any(each.side is not None or each.matter != "finding" for each in loaded.state.calls):
        return True
    for each in loaded.state.places():
        found = None if each.match is None else await services.streams.match(each.match)
        if found is None:
            continue
        moment = await moment_of(services.streams, found, services.recorder.clock(), shown=True)
        deals = [deal for deal in found.match.deals if each.deal in (None, deal.number)]
        if not all(is_told(found.match, deal, "table", moment) for deal in deals):
            return False
    return True
