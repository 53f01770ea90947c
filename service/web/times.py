"""Times on pages: as the clocks of the club have them, with the instant in UTC for programs."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from markupsafe import Markup

from service.desk.zones import local

_ELEMENT = Markup('<time datetime="{}"{}>{}</time>')


def local_text(instant: str, zone: str, form: str = "%Y-%m-%d %H:%M:%S %Z") -> str:
    """An instant in words: the date, the time, and the letters of the zone, which tell two hours of one name apart."""
    return local(datetime.fromisoformat(instant), zone).strftime(form)


def when(instant: str, zone: str) -> Markup:
    """A recorded time."""
    return _ELEMENT.format(_in_utc(instant), "", local_text(instant, zone))


def minute(instant: str, zone: str) -> Markup:
    """A time to the minute."""
    return _ELEMENT.format(_in_utc(instant), "", local_text(instant, zone, "%Y-%m-%d %H:%M %Z"))


def clock(instant: str, zone: str) -> Markup:
    """A time of this evening: hour and minute."""
    return _ELEMENT.format(_in_utc(instant), "", local_text(instant, zone, "%H:%M %Z"))


def evening(instant: str, zone: str, tonight: bool) -> Markup:
    """A time in a list: the hour and minute of tonight, else the day."""
    return _ELEMENT.format(_in_utc(instant), "", local_text(instant, zone, "%H:%M" if tonight else "%-d %b %Y"))


def until(instant: str, zone: str) -> Markup:
    """The time at which a clock ends; a script counts down to it."""
    utc = _in_utc(instant)
    counts = Markup(' data-until="{}"').format(utc)
    return _ELEMENT.format(utc, counts, f"until {local_text(instant, zone, '%H:%M %Z')}")


WINDOWS: Final = {
    "T0": "Whoever keeps the score corrects it",
    "T1": "The sides correct it together, or the director",
    "T2": "The director corrects it",
    "T3": "The director and the secretary correct a slip together",
    "sealed": "Sealed: nothing changes any more",
}


def window(closing: Mapping[str, Any], zone: str) -> Markup:
    """The window of a deal in words, with the time at which it ends; a script counts down to it."""
    said, ends = WINDOWS[closing["window"]], closing["ends"]
    if ends is None:
        return Markup("{}").format(said)
    counts = Markup('<span data-closes="{}"></span>').format(_in_utc(ends))
    at = _ELEMENT.format(_in_utc(ends), "", local_text(ends, zone, "%Y-%m-%d %H:%M %Z"))
    return Markup("{}, until {}{}").format(said, at, counts)


def _in_utc(instant: str) -> str:
    return datetime.fromisoformat(instant).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
