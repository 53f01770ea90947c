"""Server-sent events as bytes: written once, sent to everybody who is shown the same."""

from typing import Final

OPEN: Final = b": open\nretry: 1000\n\n"
PING: Final = b": ping\n\n"
PULSE: Final = b"event: pulse\ndata:\n\n"  # a ping that a page's script hears: silence is a network that failed
LATER: Final = b"retry: 10000\n\n"
END: Final = "end"


def at(place: str, frame: bytes) -> bytes:
    """The same message with the place that a client sends back."""
    return b"id: " + place.encode() + b"\n" + frame


def message(data: str, place: str | None = None, name: str | None = None) -> bytes:
    """One event; `place` is what a client that was cut off sends back."""
    lines = [] if place is None else [f"id: {place}"]
    lines += [] if name is None else [f"event: {name}"]
    lines += [f"data: {line}" for line in data.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join([*lines, "", ""]).encode()
