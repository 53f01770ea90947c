"""Times on pages: as the clocks of the club have them, with the instant in UTC for programs."""

from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from domain.match.windows import Closing
from projections.mending_view import WindowView
from service.desk.zones import local
from service.languages.spoken import N_, translate

MONTHS: Final = (
    N_("Jan"),
    N_("Feb"),
    N_("Mar"),
    N_("Apr"),
    N_("May"),
    N_("Jun"),
    N_("Jul"),
    N_("Aug"),
    N_("Sep"),
    N_("Oct"),
    N_("Nov"),
    N_("Dec"),
)
_ELEMENT = Markup('<time datetime="{}"{}>{}</time>')


def local_text(instant: str, zone: str, form: str = "%Y-%m-%d %H:%M:%S %Z") -> str:
    """An instant in words: the date, the time, and the letters of the zone, which tell two hours of one name apart."""
    return local(datetime.fromisoformat(instant), zone).strftime(form)


def day_month(instant: str, zone: str) -> str:
    """The day of an instant, with its month by name."""
    at = local(datetime.fromisoformat(instant), zone)
    return translate("{day} {month} {year}").format(day=at.day, month=translate(MONTHS[at.month - 1]), year=at.year)


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
    return _ELEMENT.format(
        _in_utc(instant), "", local_text(instant, zone, "%H:%M") if tonight else day_month(instant, zone)
    )


def until(instant: str, zone: str) -> Markup:
    """The time at which a clock ends; a script counts down to it."""
    utc = _in_utc(instant)
    counts = Markup(' data-until="{}"').format(utc)
    return _ELEMENT.format(utc, counts, translate("until {time}").format(time=local_text(instant, zone, "%H:%M %Z")))


WINDOWS: Final = {
    "T0": N_("Whoever keeps the score corrects it"),
    "T1": N_("The sides correct it together, or the director"),
    "T2": N_("The director corrects it"),
    "T3": N_("The director and the secretary correct a slip together"),
    "sealed": N_("Sealed: nothing changes any more"),
}


def window(closing: Closing | WindowView, zone: str) -> Markup:
    """The window of a deal in words, with the time at which it ends; a script counts down to it."""
    said = translate(WINDOWS[closing.window])
    if closing.ends is None:
        return Markup("{}").format(said)
    ends = closing.ends.isoformat()
    counts = Markup('<span data-closes="{}"></span>').format(_in_utc(ends))
    at = _ELEMENT.format(_in_utc(ends), "", local_text(ends, zone, "%Y-%m-%d %H:%M %Z"))
    text = Markup("{}").format(translate("{window}, until {time}"))
    return text.format(window=said, time=at) + counts


def _in_utc(instant: str) -> str:
    return datetime.fromisoformat(instant).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
