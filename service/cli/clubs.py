"""The club that a command means."""

from domain.log.decider import Refusal
from service.store.loaded import LoadedClub
from service.store.streams import Streams


async def club_of(streams: Streams, name: str | None) -> LoadedClub:
    """The club of that name, or id; without either the only one. Raises Refusal."""
    found = [club for club in await streams.clubs() if name is None or name in (club.state.name, club.club)]
    if len(found) == 1:
        return found[0]
    called = "" if name is None else f" called {name!r}"
    raise Refusal("malformed", f"there are {len(found) or 'no'} clubs{called}: say which with --club, by name or id")
