"""Names that were tapped by mistake: the seats change places, and what was signed goes to whom it belongs."""

from uuid import UUID

from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.command import OwnActs
from domain.match.rights import check_any
from service.desk.access import match_to_write
from service.desk.on_stream import actor_on
from service.desk.requests import Request
from service.desk.services import Services
from service.desk.signing import all_acts
from service.store.callers import Caller
from service.store.loaded import LoadedMatch
from service.store.seat_names import exchange, seats_at


async def right_names(services: Services, caller: Caller, match: UUID, now: str, request: Request) -> None:
    """Whoever came by a table's code on this device under one name is another player of that table; whoever came as
    that one takes the first name. Raises Refusal."""
    loaded = await match_to_write(services, caller, match)
    if await services.recorder.answered(loaded.club, request) is not None:
        return
    tapped = [each.person for each in caller.rights if each.by_code and each.match == loaded.stream]
    was = next((person for person in tapped if person is not None), None)
    kind, _, holder = (caller.holder or "").partition(" ")
    if was is None or kind != "sign-in":
        raise Refusal("forbidden", "no name was tapped on this device behind the code of this table")
    if now == was or all(now not in side for side in loaded.match.setup.sides):
        raise Refusal("malformed", "say which other player of this table you are")
    command = await _command(services, loaded, holder, was, now)
    check_any(loaded.match, command, actor_on(loaded, request.actor))
    try:
        await services.recorder.match(loaded.stream, command, request)
    except Refusal as refusal:
        if refusal.slug != "misfit":  # nothing was signed yet: only the seats change
            raise
    await exchange(services.pool, loaded.club, loaded.stream, holder, was, now)
    services.forget()


async def _command(services: Services, loaded: LoadedMatch, holder: str, was: str, now: str) -> c.RightNames:
    """The command with what both devices have done."""
    current = await services.streams.match(loaded.stream) or loaded
    seats = await seats_at(services.pool, loaded.club, loaded.stream)
    other = next((each.holder for each in seats if each.player == now and each.holder != holder), None)
    own = await all_acts(services.recorder, current, holder)
    theirs = OwnActs(current.head.version) if other is None else await all_acts(services.recorder, current, other)
    return c.RightNames(was=was, now=now, own=own, other=theirs)
