"""An event as a viewer may see it: what a seat has not seen is null, and named in `hidden`."""

from datetime import datetime
from typing import Any

import msgspec

from domain import registry
from domain.event import Recorded, instant
from domain.facts import CardDrawn
from domain.game import ALL, Viewer
from domain.match import events as e


class EventView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event as JSON. `hash` (hex) only where the whole event may be seen."""

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
    hash: str | None = None
    hidden: tuple[str, ...] = ()


def event_view(
    event: Recorded, viewer: Viewer, opened: bool, superseded_by: int | None, digest: bytes | None = None,
    notes: bool = False,
) -> EventView:  # fmt: skip
    """The event for a viewer; `opened` when its deal is over, so that nothing is secret any more.

    `notes` adds the private words beside it, for those who may read them.
    """
    data: dict[str, Any] = msgspec.json.decode(registry.write_event(event.data))
    hidden: list[str] = []
    if viewer != ALL and not opened:
        hidden = hide(event, data, viewer)
    private = event.private or {}
    return EventView(
        version=event.version, position=event.position, type=event.type, recorded_at=instant(event.recorded_at),
        role=event.role, actor=event.actor, seat=event.seat, device=event.device,
        device_clock=_clock(event.device_clock), data=data, superseded_by=superseded_by,
        note=private.get("note") if notes else None,
        hash=digest.hex() if digest is not None and not hidden else None, hidden=tuple(hidden),
    )  # fmt: skip


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
