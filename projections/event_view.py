"""An event as a viewer may see it: what a seat has not seen is null, and named in `hidden`."""

from datetime import datetime
from typing import Any

import msgspec

from domain import registry
from domain.club.devices import Devices
from domain.event import Recorded, instant
from domain.facts import CardDrawn
from domain.game import ALL, Viewer
from domain.match import events as e
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
    data: dict[str, Any]
    superseded_by: int | None
    match: str | None = None
    tournament: str | None = None
    note: str | None = None
    line: str | None = None
    device_name: str | None = None
    hash: str | None = None
    hidden: tuple[str, ...] = ()


def event_view(
    event: Recorded, viewer: Viewer, opened: bool, superseded_by: int | None, digest: bytes | None = None,
    notes: bool = False, devices: Devices | None = None,
) -> EventView:  # fmt: skip
    """The event for a viewer; `opened` when its deal is over, so that nothing is secret any more.

    `notes` adds the private words beside it, for those who may read them; nobody else is shown the words that an old
    event holds in its public part. `devices` tells the ids of the club's devices.
    """
    data: dict[str, Any] = msgspec.json.decode(registry.write_event(event.data))
    hidden: list[str] = []
    if viewer != ALL and not opened:
        hidden = hide(event, data, viewer)
    device = event.device if notes else devices.told(event.device) if devices is not None else None
    if not notes:
        hidden += hide_words(event, data)
    whole = not hidden and device == event.device
    private = event.private or {}
    return EventView(
        version=event.version, position=event.position, type=event.type, recorded_at=instant(event.recorded_at),
        role=event.role, actor=event.actor, seat=event.seat, device=device,
        device_clock=_clock(event.device_clock), data=data, superseded_by=superseded_by,
        note=private.get("note") if notes else None, line=private.get("line") if notes else None,
        device_name=devices.called(event.device) if notes and devices is not None else None,
        hash=digest.hex() if digest is not None and whole else None, hidden=tuple(hidden),
    )  # fmt: skip


def hide_words(event: Recorded, data: dict[str, Any]) -> list[str]:
    """Null the words that an old event holds in its public part, in place; the names of what was nulled."""
    if isinstance(event.data, e.ScoreStated) and has_words(event.data):
        data["stated"] = None
        return ["data.stated"]
    return []


def _clock(clock: datetime | None) -> str | None:
    return None if clock is None else instant(clock)


def hide(event: Recorded, data: dict[str, Any], viewer: Viewer) -> list[str]:
    """Null what the viewer has not seen, in place; the names of what was nulled."""
    match event.data:
        case e.DealStarted() if event.data.known:
            data["deal"] = None
            return ["data.deal"]
        case CardDrawn() if event.data.card is not None and event.data.seat != viewer:
            data["card"] = None
            return ["data.card"]
        case e.EntryCorrected() if data["now"].get("do") == "draw" and data["now"].get("seat") != viewer:
            data["now"] = None
            return ["data.now"]
    return []
