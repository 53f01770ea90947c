"""Every event type there is, by name: the facts of all games, the events of matches, clubs, tournaments and
cases."""

from collections.abc import Callable
from functools import cache

import msgspec

from domain import codec
from domain.case import events as case
from domain.club import events as club
from domain.games import fact_types
from domain.log.event import AnyEvent, ClosedEvent
from domain.log.upcast import UPCASTERS, Upcasters
from domain.match import events as match
from domain.tournament import events as tournament


@cache
def event_types() -> dict[str, type[msgspec.Struct]]:
    """Name -> Struct."""
    kinds: tuple[type[msgspec.Struct], ...] = (
        *fact_types(),
        *match.OWN_EVENTS,
        *club.OWN_EVENTS,
        *tournament.OWN_EVENTS,
        *case.OWN_EVENTS,
    )
    return {kind.__name__: kind for kind in kinds}


def open_types() -> dict[str, type[msgspec.Struct]]:
    """Name -> Struct of those that stand in open logs: what somebody may ask to be told of."""
    return {name: kind for name, kind in event_types().items() if not issubclass(kind, ClosedEvent)}


@cache
def decoder_of(name: str) -> msgspec.json.Decoder[AnyEvent]:
    """The decoder of one event type."""
    return codec.decoder(event_types()[name])


@cache
def reader(form: str) -> Callable[[bytes | str], AnyEvent]:
    """The reader of the stored text of a type's schema, named like `CardPlayed/1`. Raises KeyError for an unknown
    type."""
    name, _, schema = form.rpartition("/")
    if int(schema) == UPCASTERS.current(name):
        return decoder_of(name).decode
    return lambda text: read_event(name, int(schema), text)


def read_event(name: str, schema: int, text: bytes | str, upcasters: Upcasters = UPCASTERS) -> AnyEvent:
    """Stored text as the Struct of today. Raises KeyError for an unknown type."""
    if schema != upcasters.current(name):
        text = upcasters.lift(name, schema, text)
    return decoder_of(name).decode(text)


def write_event(event: msgspec.Struct) -> bytes:
    """Canonical JSON of an event's public part."""
    return codec.encode(event)
