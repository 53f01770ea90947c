"""Streams as one answer sees them: each is brought up to date once, however many of its parts ask for it."""

from collections.abc import Iterable

from service.store.kinds import Kind, State
from service.store.loaded import AnyLoaded, Loaded
from service.store.streams import Streams


class Glance(Streams):
    """The streams of this process, looked at for one list: its rows are about the same few matches and tournaments."""

    def __init__(self, streams: Streams) -> None:
        """Shares with the streams what the process remembers."""
        vars(self).update(vars(streams))
        self._seen: dict[str, AnyLoaded | None] = {}

    async def look_at(self, club: str, streams: Iterable[str]) -> None:
        """Bring up to date together those matches, tournaments and cases of a club that will be asked for."""
        self._seen |= await self.several(club, [stream for stream in streams if stream not in self._seen])

    async def of_kind(self, stream: str, kind: Kind[State]) -> Loaded[State] | None:
        """A stream of this kind as it was when it was first asked for here; None for one of another kind, or none."""
        if stream not in self._seen:
            self._seen[stream] = await self.load(stream)
        found = self._seen[stream]
        return found if found is not None and found.kind is kind else None
