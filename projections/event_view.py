"""An event as a viewer may see it: what a seat has not seen is null, and named in `hidden`."""

from datetime import datetime

import msgspec

from domain import registry
from domain.club.devices import Devices
from domain.club.events import PersonErased, PlayerDescribed
from domain.game.protocol import Viewer
from domain.log.event import Json, JsonObject, Recorded, instant
from domain.match import events as e
from domain.match.sight import seen
from domain.match.state import Match
from domain.match.stated import has_words


class EventView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event as JSON. `device` is an id; what it is called (`device_name`), and the words that stood there in old
    events, are for directors. `hash` (hex) only where the whole event may be seen."""

    version: int
    position: int
    type: str
    recorded_at: str
    role: str
    actor: str | None
    seat: int | None
    device: str | None
    device_clock: str | None
    data: JsonObject
    superseded_by: int | None
    match: str | None = None
    tournament: str | None = None
    note: str | None = None
    line: str | None = None
    device_name: str | None = None
    hash: str | None = None
    hidden: tuple[str, ...] = ()


def event_view(
    event: Recorded,
    viewer: Viewer,
    match: Match | None,
    digest: bytes | None = None,
    notes: bool = False,
    devices: Devices | None = None,
) -> EventView:
    """The event for a viewer. `match` is the one that it belongs to, as it stands now: it says which deals are open and
    what was replaced; without it every deal is on.

    `notes` adds the private words beside it, for those who may read them; nobody else is shown the words that an old
    event holds in its public part. What the club keeps of a person is shown with that person alone. `devices` tells the
    ids of the club's devices. The rows of an erasure are told to nobody: they say where somebody spoke, and an inner
    hash would let a hidden card be guessed.
    """
    known = seen(event.data, viewer, match, event.version) if isinstance(event.data, e.MatchEvent) else event.data
    known = known if notes else without_words(known)
    known = msgspec.structs.replace(known, rows=()) if isinstance(known, PersonErased) else known
    hidden = [f"data.{name}" for name in known.__struct_fields__ if getattr(known, name) != getattr(event.data, name)]
    device = event.device if notes else devices.public_id(event.device) if devices is not None else None
    whole = not hidden and device == event.device
    private = event.private or {}
    return EventView(
        version=event.version,
        position=event.position,
        type=event.type,
        recorded_at=instant(event.recorded_at),
        role=event.role,
        actor=event.actor,
        seat=event.seat,
        device=device,
        device_clock=_clock(event.device_clock),
        data=msgspec.json.decode(registry.write_event(known)),
        superseded_by=None if match is None else match.superseded.get(event.version),
        note=private.get("note") if notes and not isinstance(event.data, PlayerDescribed) else None,
        line=private.get("line") if notes else None,
        device_name=devices.name_of(event.device) if notes and devices is not None else None,
        hash=digest.hex() if digest is not None and whole else None,
        hidden=tuple(hidden),
    )


def without_words(data: Json) -> Json:
    """An event without the words that an old one holds in its public part."""
    if isinstance(data, e.ScoreStated) and has_words(data):
        return msgspec.structs.replace(data, stated=e.UNKNOWN)
    return data


def _clock(clock: datetime | None) -> str | None:
    return None if clock is None else instant(clock)
