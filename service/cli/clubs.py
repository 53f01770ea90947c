"""The club that a command means."""

from uuid import UUID

from domain.log.decider import Refusal
from service.store.loaded import LoadedClub
from service.store.streams import Streams


async def club_of(streams: Streams, name: str | None) -> LoadedClub:
    """The club of that name, or id; without either the only one. Raises Refusal."""
    found = await club_there(streams, name)
    if found is None:
        raise Refusal("malformed", f"there are no clubs{_called(name)}: say which with --club, by name or id")
    return found


async def club_there(streams: Streams, name: str | None) -> LoadedClub | None:
    """The club of that name, or id, if there is one; without either the only one. Raises Refusal for several."""
    found = [club for club in await streams.clubs() if name is None or means(club, name)]
    if len(found) > 1:
        said = f"there are {len(found)} clubs{_called(name)}: say which with --club, by name or id"
        raise Refusal("malformed", said)
    return found[0] if found else None


def means(club: LoadedClub, name: str) -> bool:
    """Tells whether a club has that name, or id."""
    return name.strip() in (club.state.name.strip(), club.club)


def to_found(name: str) -> str:
    """The name of a club that is to be founded. Raises Refusal for none, and for an id."""
    called = name.strip()
    if not called:
        raise Refusal("malformed", "--club names no club: say what it is called")
    try:
        UUID(called)
    except ValueError:
        return called
    raise Refusal("not-found", f"there is no club with the id {called}: say with --club which is meant")


def _called(name: str | None) -> str:
    return "" if name is None else f" called {name!r}"
