"""Pushed streams for tests of the API: made from a match of the club, changed and sent."""

import msgspec

from domain import codec
from domain.exchange.pushed import PushedUnit
from service.store.pushing import stream_to_push
from tests.conftest import with_pool
from tests.kit.service.rechained import chained_anew

ELSEWHERE = "01939f5e-0000-7000-8000-0000000000{:02x}"
SOURCE = "5ea1ed00"


def stream_of(house, match):
    """Return a match as a pushed stream."""
    return with_pool(house.database, lambda pool: stream_to_push(pool, house.id, match, 10_000))


def elsewhere(house, found, number, change=lambda each: each):
    """Return the pushed match with another id and source, every event passed through `change`, and a valid chain."""
    unit = PushedUnit(SOURCE, house.id, (msgspec.structs.replace(found, stream=ELSEWHERE.format(number)),))

    def another(each):
        return change(msgspec.structs.replace(each, command_id=f"{number} {each.command_id}"))

    return chained_anew(unit, another)


def first_events(unit, count):
    """Return the pushed match with its first events only."""
    (stream,) = unit.streams
    return msgspec.structs.replace(unit, streams=(msgspec.structs.replace(stream, events=stream.events[:count]),))


def announce(house, units, people=()):
    """Announce a push of these streams."""
    streams = [each for unit in units for each in unit.streams]
    heads = [{"stream": each.stream, "version": len(each.events), "hash": each.events[-1].hash} for each in streams]
    body = {"source": units[0].source, "heads": heads, "people": list(people)}
    return house.done(f"{house.path}/pushes", body, "director")


def send(house, unit, role="director"):
    """Send a stream; return the answer."""
    return house.post(f"{house.path}/pushes/streams", codec.encode_plain(unit), role)


def bring(house, unit):
    """Send a stream that must be accepted."""
    answer = send(house, unit)
    assert answer.status_code == 201, answer.text
