"""A further format is one module: it is found, explained, announced, played and placed, and nothing else changes."""

import random

import msgspec
import pytest

from domain.tournament import formats
from domain.tournament.bracket import Fixture, SeedSlot
from domain.tournament.format import Format
from domain.tournament.places import Place
from tests.domain.directed import Event

MODULE = "from tests.domain.test_made_up_format import FORMAT as FORMAT\n"


class Relay(Format, frozen=True, tag="relay"):
    """Everybody plays the next one once, in a ring; whoever wins most is first."""

    title = "Relay"

    def fixtures(self, entrants):
        """A ring."""
        return tuple(
            Fixture(f"R1.{seed}", seed, (SeedSlot(seed), SeedSlot(seed % entrants + 1)))
            for seed in range(1, entrants + 1)
        )

    def reason(self, field, fixture):
        """Neighbours."""
        return "The next one in the ring."

    def places(self, field):
        """By matches won."""
        won = {seed: sum(each.winner == seed for each in field.found.values()) for seed in range(1, field.entrants + 1)}
        order = sorted(won, key=lambda seed: (-won[seed], seed))
        return tuple(Place(1 + sum(won[other] > won[seed] for other in won), seed, (won[seed],)) for seed in order)


FORMAT = Relay


@pytest.fixture
def relay(tmp_path, monkeypatch):
    """The formats with the made-up one among them, as if its file lay in their folder."""
    (tmp_path / "relay.py").write_text(MODULE)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    caches = (formats.all_formats, formats.format_type)
    for cached in caches:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


def test_a_further_format_is_one_module(relay):
    assert "relay" in formats.all_formats()
    assert msgspec.json.schema(formats.all_formats()["relay"])
    event = Event({"kind": "relay"}, entries=5)
    places = event.to_the_end(random.Random(3))
    assert sorted(entry for _, entry in places) == ["e1", "e2", "e3", "e4", "e5"]
    assert len(event.state.stage.pairings) == 5
    assert {each.why for each in event.state.stage.pairings.values()} == {"The next one in the ring."}


def test_without_its_module_it_is_unknown():
    with pytest.raises(Exception, match="there is no format 'relay'"):
        Event({"kind": "relay"}, entries=5)
