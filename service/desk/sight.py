"""Sight: the events of a club as one caller may see them."""

from domain.club.devices import Devices
from domain.log.event import Recorded
from projections.event_view import EventView, event_view
from service.desk.access import kind_of, viewer_in
from service.desk.delays import stream_seen
from service.desk.services import Services
from service.store.callers import Caller
from service.store.kinds import MATCH
from service.store.loaded import LoadedMatch
from service.store.log import Stored


class ClubSight:
    """The events of one club as a caller may see them, match by match."""

    def __init__(self, services: Services, caller: Caller, club: str) -> None:
        self.services, self.caller, self.club = services, caller, club
        self._devices: Devices | None = None
        self._nameless: set[str] = set()

    async def _match(self, event: Recorded) -> LoadedMatch | None:
        """The match of an event, at least as far as that; None for an event of a tournament or of the club itself."""
        if event.stream == self.club:
            return None
        loaded = self.services.streams.kept(event.stream)
        if loaded is None or loaded.head.version < event.version:
            loaded = await self.services.streams.load(event.stream)
        return loaded if loaded is not None and loaded.kind is MATCH else None

    async def kind(self, event: Recorded) -> Caller:
        """The kind of viewer that the caller is for this event: what is drawn for the kind is right for him."""
        loaded = await self._match(event)
        if loaded is None:
            return kind_of(self.caller, self.club)
        return kind_of(self.caller, self.club, loaded.match, loaded.stream)

    async def view(self, each: Stored) -> EventView:
        """One event for this caller, beside the match as he may see it."""
        event = each.event
        loaded = await self._match(event)
        if loaded is not None:
            loaded = await stream_seen(self.services, self.caller, loaded)
        about = event.stream if loaded is None else loaded.match.setup.tournament
        notes = self.caller.directs(self.club, about)
        devices = await self._told(event.device, notes)
        if loaded is None:
            return event_view(event, "all", None, each.hash, notes, devices)
        return event_view(event, viewer_in(self.caller, loaded), loaded.match, each.hash, notes, devices)

    async def _told(self, device: str | None, names: bool) -> Devices:
        """Devices as this caller may know them; names are read again for one that came since."""
        new = names and device is not None and device not in self._nameless
        if self._devices is None or (new and self._devices.name_of(device) is None):
            self._devices = await self.services.recorder.devices.of(self.club, names)
            if device is not None and self._devices.name_of(device) is None:
                self._nameless.add(device)
        return self._devices
