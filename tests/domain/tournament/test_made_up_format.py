"""A further format is one module: it is found, explained, announced, played, placed and simulated, and nothing else
changes."""

import random
from typing import Annotated, ClassVar

import msgspec
import pytest

from domain.log.message import Catalogue, Message
from domain.tournament import formats
from domain.tournament.crosstable_of import table_of
from domain.tournament.fixtures import Fixture, SeedSlot
from domain.tournament.format import COMMON, Format
from domain.tournament.places import RankedSeed
from tests.kit.tournament.directed import Event
from tests.kit.tournament.explained import told

MODULE = "from tests.domain.tournament.test_made_up_format import FORMAT as FORMAT\n"


class Relay(Format, frozen=True, tag="relay"):
    """Everybody plays the next one once, in a ring; whoever wins most is first."""

    title: ClassVar = "Relay"
    sentence: ClassVar = "You play whoever stands next to you in the ring."
    report_system: ClassVar = "CUSTOM_RELAY"
    english: ClassVar = COMMON | Catalogue({"relay.next": "{player} is the next one in the ring."})
    laps: Annotated[int, msgspec.Meta(ge=1, le=3, title="Laps of the ring")] = 1

    def fixtures(self, entrants):
        """A ring."""
        return tuple(
            Fixture(f"R1.{round_}", round_, (SeedSlot(seed), SeedSlot(seed % entrants + 1)))
            for round_, seed in enumerate([*range(1, entrants + 1)] * self.laps, start=1)
        )

    def crosstable(self, field):
        """Who met whom."""
        return table_of(field, self.laps * field.entrants, fixed=True)

    def reason(self, field, fixture):
        """Neighbours."""
        return (Message("relay.next", people={"player": fixture.slots[1].seed}),)

    def places(self, field):
        """By matches won."""
        won = {seed: sum(each.winner == seed for each in field.found.values()) for seed in range(1, field.entrants + 1)}
        order = sorted(won, key=lambda seed: (-won[seed], seed))
        return tuple(RankedSeed(1 + sum(won[other] > won[seed] for other in won), seed, (won[seed],)) for seed in order)


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
    assert set(told(event).values()) == {"Ann is the next one in the ring."}


def test_its_plan_and_its_options_are_offered(relay):
    offered = formats.templates()[-1]
    assert (offered.key, offered.title, offered.sentence) == ("relay", "Relay", Relay.sentence)
    assert formats.all_option_fields()[-1] == formats.OptionField("laps", "Laps of the ring", 1)


def test_without_its_module_it_is_unknown():
    with pytest.raises(Exception, match="there is no format 'relay'"):
        Event({"kind": "relay"}, entries=5)
