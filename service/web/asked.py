"""Questions that a match asks its viewer, with the moment at which that is so."""

import msgspec

from domain.match.windows import Moment
from service.desk.cases.heard import heard_at
from service.desk.own_table import OpenQuestions, asked_at
from service.desk.services import Services
from service.desk.showing import moment_shown
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch


async def asked_of(
    services: Services, caller: Caller, loaded: LoadedMatch, club: LoadedClub
) -> tuple[OpenQuestions, Moment]:
    """The questions at a match for a caller now, the case that concerns him among them."""
    asked, moment = await asked_at(services.recorder, loaded, club), await moment_shown(services, caller, loaded)
    return msgspec.structs.replace(asked, heard=await heard_at(services, caller, loaded, moment)), moment
