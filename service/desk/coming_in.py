"""Coming in by a table's code: who may be tapped, who is in, who lets another device in, who throws one out."""

from datetime import timedelta

import msgspec

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.match.state import side_of
from service.desk.access import actor_at, require
from service.desk.services import Services
from service.desk.tables import is_over
from service.store import seats as rows
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch
from service.store.seats import Ask, NoDoorError, NoRoomError, SeatByCode, Visitor
from service.store.sign_ins import SIGN_IN_DAYS
from service.store.table_doors import Door
from service.store.tokens import digest


class Visit(msgspec.Struct, frozen=True):
    """A door with the match and the club behind it."""

    door: Door
    loaded: LoadedMatch
    club: LoadedClub

    @property
    def players(self) -> tuple[str, ...]:
        """The people whose names can be tapped: everybody who plays here and was not erased."""
        return tuple(each for side in self.loaded.match.setup.sides for each in side if not self._gone(each))

    def _gone(self, player: str) -> bool:
        return player in self.club.state.erased


def sign_in_of(caller: Caller) -> bytes | None:
    """The hash of a browser's sign-in; None for a token, or nobody."""
    return caller.sign_in


def no_door() -> Refusal:
    """The answer to a code that opens nothing, whatever it once opened."""
    return Refusal("not-found", "no table has this code: look at it again, or ask the director for the new one")


async def visited(services: Services, door: Door | None) -> Visit:
    """The table behind a door. Raises Refusal where there is none, or the match is over."""
    loaded = None if door is None else await services.streams.match(door.match)
    if door is None or loaded is None:
        raise no_door()
    if is_over(loaded.match):
        await services.tables.close(loaded)
        raise no_door()
    return Visit(door, loaded, await services.recorder.club(loaded.club))


async def come_in(
    services: Services, visit: Visit, caller: Caller, player: str | None, fresh: str | None
) -> SeatByCode | None:
    """Comes in under a name, or (None) to keep the score; `fresh` is the cookie of a browser without a sign-in. The
    seat of the device that has the name, where it was asked. Raises Refusal."""
    if player is not None and player not in visit.players:
        raise Refusal("malformed", "nobody of this name plays at this table: choose one of the names")
    at, own = services.tables.now(), sign_in_of(caller)
    if own is None and fresh is None:
        raise Refusal("forbidden", "a program comes in by its token: ask the owner for one")
    until = at + timedelta(days=SIGN_IN_DAYS)
    visitor = Visitor(own) if own is not None else Visitor(digest(fresh or ""), until)
    try:
        asked = await rows.come_in(services.pool, visit.door, visitor, player, at)
    except NoDoorError:
        raise no_door() from None
    except NoRoomError:
        raise too_many() from None
    services.doors.forget()
    return asked


def too_many() -> Refusal:
    """The refusal where as many devices are in as a table may have."""
    return Refusal("misfit", f"{rows.MOST} phones are in at this table: ask the director to throw one out")


async def ask_of(services: Services, match: str, ask: str) -> Ask:
    """A device that asks to come in at a table. Raises Refusal."""
    found = await rows.asking(services.pool, [match], services.tables.now())
    for each in found:
        if each.id == ask:
            return each
    raise Refusal("not-found", "no phone asks for that any more")


def may_answer(caller: Caller, loaded: LoadedMatch, ask: Ask) -> bool:
    """Tells who may let a device in: the device that has the name, the other side, the director; never the device
    that asks."""
    if sign_in_of(caller) == ask.hash:
        return False
    match = loaded.match
    if caller.directs(loaded.club, match.setup.tournament):
        return True
    sides = match.setup.sides
    asked = next((at for at, side in enumerate(sides) if ask.player in side), None)
    for each in actor_at(caller, loaded).each():
        own = side_of(match, each) if each.role == "player" else None
        if own is not None and (own != asked or ask.player in each.people):
            return True
    return False


async def answer(services: Services, caller: Caller, loaded: LoadedMatch, ask: str, yes: bool) -> None:
    """Let a device in that asks, or not. Raises Refusal."""
    asked = await ask_of(services, loaded.stream, ask)
    if not may_answer(caller, loaded, asked):
        raise Refusal("forbidden", "the phone that is in, the other side or the director lets another one in")
    if not yes:
        await rows.refuse(services.pool, asked)
        return
    door = await services.tables.door_of(loaded.stream)
    try:
        if door is None:
            raise NoDoorError
        await rows.let_in(services.pool, door, asked, services.tables.now())
    except NoDoorError:
        raise no_door() from None
    except NoRoomError:
        raise too_many() from None
    services.doors.forget()


def check_directs(caller: Caller, loaded: LoadedMatch) -> None:
    """Leaves doors to a director, or a deputy of the tournament. Raises Refusal."""
    require(caller, loaded.club, DIRECTORS, loaded.match.setup.tournament)


async def throw_out(services: Services, caller: Caller, loaded: LoadedMatch, seat: str) -> None:
    """End a device's seat at a table. Raises Refusal."""
    check_directs(caller, loaded)
    if not await rows.throw_out(services.pool, loaded.stream, seat, services.tables.now()):
        raise Refusal("not-found", "this phone is not in at this table any more")
    services.doors.forget()


async def change_code(services: Services, caller: Caller, loaded: LoadedMatch) -> None:
    """Give a table new codes. Raises Refusal."""
    check_directs(caller, loaded)
    await services.tables.change(loaded)
    services.doors.forget()
