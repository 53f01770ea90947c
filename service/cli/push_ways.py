"""The two ways of a push: into the club that is copied here, or from a club of its own into another one."""

from collections.abc import Callable

import msgspec

from domain.log.decider import Refusal
from service.cli.push_archives import ArchiveClerk
from service.cli.push_clerk import PushClerk, PushedSum, Told
from service.cli.push_door import DoorRefusal, ServerDoor
from service.store.pool import Pool
from service.store.streams import Streams


class OwnRole(msgspec.Struct, frozen=True):
    """A right of the token there, as far as it is needed here: its club."""

    club: str | None = None


class Own(msgspec.Struct, frozen=True):
    """The server's word on whose the token is."""

    roles: tuple[OwnRole, ...]


async def push(
    pool: Pool, door: ServerDoor, name: str | None, told: Told, step: Callable[[], None], dry: bool
) -> PushedSum:
    """Push the club of that name here, or the one that the server has too, to the club whose token it is. Raises
    Refusal, DoorRefusal, Unable."""
    own = await door.get("/api/v1/me", Own)
    there = sorted({each.club for each in own.roles if each.club is not None})
    if not there:
        raise DoorRefusal(
            "forbidden", "this token opens no club there: make one with `lurch token create` on the server"
        )
    clubs = [each for each in await Streams(pool).clubs() if name is None or each.state.name == name]
    if not clubs:
        raise Refusal("not-found", "there is no club of that name here" if name else "there is no club here yet")
    same = [each for each in clubs if each.club in there]
    if same:
        return await PushClerk(pool, door, same[0], told, step, dry).push()
    if len(clubs) > 1:
        raise Refusal("malformed", "there are several clubs here: say which with --club")
    return await ArchiveClerk(pool, door, clubs[0], there[0], told, step, dry).push()
