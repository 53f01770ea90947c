"""Ruling in a case: by whoever may rule there, on a deal that it is about."""

from uuid import UUID

import msgspec

from domain.case.rulers import check_rules
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.ruling_events import Instance
from service.desk import rulings
from service.desk.cases.access import SeenCase, actor_in, case_for
from service.desk.cases.around import around_of
from service.desk.requests import DoneMatch, Request
from service.desk.services import Services
from service.store.callers import Caller


async def rule(
    services: Services, caller: Caller, case: UUID, match: UUID, command: c.Rule, request: Request
) -> DoneMatch:
    """A ruling that names its case. Raises Refusal."""
    seen = await case_for(services, caller, case)
    if str(match) not in {each.match for each in seen.case.places()}:
        raise Refusal("misfit", "this case is about no such match: have it joined first")
    around = await around_of(services.streams, seen.loaded, services.recorder.clock())
    check_rules(seen.case, actor_in(caller, seen.loaded), around)
    command = msgspec.structs.replace(command, case=seen.loaded.stream, instance=instance_of(seen, str(match), command))
    return await rulings.rule(services, caller, match, command, request)


def instance_of(seen: SeenCase, match: str, command: c.Rule) -> Instance:
    """2 where the ruling follows from an appeal that was heard and changed the one that it supersedes, else 1."""
    changed = {(each.match, each.ruling) for each in seen.case.appeals if each.heard and each.outcome == "changed"}
    return 2 if (match, command.supersedes) in changed else 1
