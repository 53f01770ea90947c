"""Time zones by the names of the time zone database, the same on every machine."""

from datetime import datetime
from functools import cache
from importlib import resources
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_NO_PLACES: Final = ("Factory", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT")
UTC_ZONE: Final = "UTC"


@cache
def zone_names() -> tuple[str, ...]:
    """Every zone that a club can choose; those that are called after a place, and UTC, first."""
    found = resources.files("tzdata").joinpath("zones").read_text("ascii").split()
    return tuple(sorted(set(found) - set(_NO_PLACES), key=lambda name: ("/" not in name, name)))


@cache
def is_zone(name: str) -> bool:
    """Tells whether there is a zone of that name."""
    return name in zone_names()


@cache
def zone_called(name: str) -> ZoneInfo:
    """A zone by its name; UTC for one that this machine does not know any more."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(UTC_ZONE)


def local(moment: datetime, zone: str) -> datetime:
    """A moment as the clocks of a zone have it."""
    return moment.astimezone(zone_called(zone))
