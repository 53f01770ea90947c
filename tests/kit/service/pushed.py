"""Streams that come from another copy of a club, made from a match that is there: as they travel, and sent."""

import msgspec

from domain import codec
from domain.exchange.pushed import PushedUnit
from service.store.pushing import stream_to_push
from tests.conftest import with_pool
from tests.kit.service.rechained import chained_anew

ELSEWHERE = "01939f5e-0000-7000-8000-0000000000{:02x}"
SOURCE = "5ea1ed00"


def stream_of(house, match):
    """A match of a house as it travels."""
    return with_pool(house.database, lambda pool: stream_to_push(pool, house.id, match, 10_000))


def elsewhere(house, found, number, change=lambda each: each):
    """The match as another one that was recorded elsewhere."""
    unit = PushedUnit(SOURCE, house.id, (msgspec.structs.replace(found, stream=ELSEWHERE.format(number)),))

    def another(each):
        return change(msgspec.structs.replace(each, command_id=f"{number} {each.command_id}"))

    return chained_anew(unit, another)


def first_events(unit, count):
    """The match as it was after so many events."""
    (stream,) = unit.streams
    return msgspec.structs.replace(unit, streams=(msgspec.structs.replace(stream, events=stream.events[:count]),))


def announce(house, units, people=()):
    """Say that they come."""
    streams = [each for unit in units for each in unit.streams]
    heads = [{"stream": each.stream, "version": len(each.events), "hash": each.events[-1].hash} for each in streams]
    body = {"source": units[0].source, "heads": heads, "people": list(people)}
    return house.done(f"{house.path}/pushes", body, "director")


def send(house, unit, role="director"):
    """Send one; the answer."""
    return house.post(f"{house.path}/pushes/streams", codec.encode_plain(unit), role)


def bring(house, unit):
    """Send one that has to be taken."""
    answer = send(house, unit)
    assert answer.status_code == 201, answer.text
