"""Streams pushed from another copy of the club: planned, announced and imported, and a fork that is discarded."""

from msgspec.structs import replace

from domain import codec
from domain.exchange.pushed import PushedUnit
from service.store.ids import new_id
from tests.kit.posts.matches import NINE
from tests.kit.service.pushed import SOURCE, stream_of
from tests.kit.service.rechained import chained_anew


def play(posts):
    """Push a match that was recorded elsewhere, and a diverging history of it."""
    house = posts.house
    match = house.match(sides=(("Nora",), ("Olga",)), target=100)
    house.done(f"{match}/results", {"entry": NINE, "dealer": 0})
    came = replace(stream_of(house, match.rpartition("/")[2]), stream=new_id())
    unit, other = (_recorded_elsewhere(house, came, seat) for seat in (None, 1))
    (stream,) = unit.streams
    heads = [{"stream": stream.stream, "version": len(stream.events), "hash": stream.events[-1].hash}]
    people = [{"id": new_id(), "name": "Nora"}, {"id": new_id(), "name": "Pia"}]
    posts.done(f"{house.path}/pushes/plan", {"heads": heads, "people": people}, "director")
    posts.done(f"{house.path}/pushes", {"source": SOURCE, "heads": heads, "people": people}, "director")
    posts.done(f"{house.path}/pushes/streams", codec.encode_plain(unit), "director")
    posts.post(f"{house.path}/pushes/streams", codec.encode_plain(other), "director")
    fork = house.get(f"{house.path}/pushes", "director").json()["forks"][0]["id"]
    posts.done(f"{house.path}/forks/{fork}", None, "director", "DELETE")


def _recorded_elsewhere(house, stream, seat):
    """Return the stream with new command ids, all by one seat."""
    unit = PushedUnit(SOURCE, house.id, (stream,))
    return chained_anew(unit, lambda each: replace(each, command_id=f"away {each.command_id}", seat=seat))
