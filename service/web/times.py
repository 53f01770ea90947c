"""Times on pages: as the clocks of the club have them, with the instant in UTC for programs."""

from datetime import UTC, datetime

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


def until(instant: str, zone: str) -> Markup:
    """The time at which a clock ends; a script counts down to it."""
    utc = _in_utc(instant)
    counts = Markup(' data-until="{}"').format(utc)
    return _ELEMENT.format(utc, counts, f"until {local_text(instant, zone, '%H:%M %Z')}")


def _in_utc(instant: str) -> str:
    return datetime.fromisoformat(instant).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
