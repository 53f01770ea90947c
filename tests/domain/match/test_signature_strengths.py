"""Who signs a result, and how strongly: two acts of one device are one actor, whatever names were tapped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log.actor import SERVICE, Actor, Right
from domain.log.decider import Refusal, decided
from domain.log.strength import RANK, reaches
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import match_confirmed
from domain.match.command import OwnActs
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.signatures import signature_of, signature_under
from tests.kit.match.tables import Table

NINE, EIGHT = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [7, 8]}


def signed_in(person):
    """A person on the own phone."""
    return Actor(rights=(Right("player", person=person, id=person, strength="own device"),))


def tapped(person):
    """A name tapped behind the table's code."""
    return Actor(rights=(Right("player", person=person, id=person, strength="table", match="m", by_code=True),))


KEEPER = Actor(rights=(Right("scorer", id="door", strength="scorer", match="m", by_code=True),))


def with_pin(person):
    """A person whose PIN was typed on somebody's device."""
    return Actor(rights=(Right("player", person=person, id=person, strength="pin"),))


class Evening:
    """A match with devices: each act is known by the device that it was done on, as the desk knows it from the log."""

    def __init__(self, asks=None, **race):
        self.table, self.asks = Table("parity", **race), asks
        self.acts = []  # device, version, actor

    @property
    def match(self):
        return self.table.match

    def do(self, device, command, actor):
        """The event types of a command that is taken; none where it is refused."""
        if isinstance(command, c.EnterResult | c.ConfirmResult):
            own = tuple((version, who) for known, version, who in self.acts if known == device)
            command = type(command)(**{**fields(command), "own": OwnActs(self.match.version, own)})
        command = type(command)(**{**fields(command), "asks": self.asks})
        news, acting = decided(decide, self.match, command, actor)
        for new in news:
            version = self.match.version + 1
            self.table.log.append((version, new.event))
            self.table.state = fold(self.table.state, [(version, new.event)])
            self.acts.append((device, version, acting.id))
        return [type(new.event).__name__ for new in news]

    def strengths(self, deal=-1):
        """Who signed the deal and how strongly, by side."""
        found = (signature_of(self.match.deals[deal], side) for side in (0, 1))
        return [None if each is None else (each.person, each.strength) for each in found]


def fields(command):
    """The members of a command."""
    return {name: getattr(command, name) for name in command.__struct_fields__}


def enter(entry=NINE):
    return c.EnterResult(entry=entry)


def confirm(side, deal=1):
    return c.ConfirmResult(deal=deal, side=side)


def test_two_phones_confirm_as_their_people():
    table = Evening()
    table.do("annie's phone", enter(), signed_in("ann"))
    table.do("benny's phone", confirm(1), signed_in("ben"))
    assert table.strengths() == [("ann", "own device"), ("ben", "own device")]


def test_two_phones_behind_a_code_are_names_that_were_tapped():
    table = Evening()
    table.do("one", enter(), tapped("ann"))
    table.do("other", confirm(1), tapped("ben"))
    assert table.strengths() == [("ann", "table"), ("ben", "table")]


def test_the_entering_device_confirms_for_another_name_as_scorer():
    table = Evening()
    table.do("tablet", enter(), tapped("ann"))
    table.do("tablet", confirm(1), tapped("ben"))
    assert table.strengths() == [("ann", "table"), (None, "scorer")]


def test_a_second_sign_in_on_one_device_is_the_scorer_too():
    table = Evening()
    table.do("tablet", enter(), signed_in("ann"))
    table.do("tablet", confirm(1), signed_in("ben"))
    assert table.strengths()[1] == (None, "scorer")


def test_a_pin_signs_on_the_device_that_entered_the_result():
    table = Evening()
    table.do("tablet", enter(), tapped("ann"))
    table.do("tablet", confirm(1), with_pin("ben"))
    assert table.strengths()[1] == ("ben", "pin")


def test_an_entry_of_whoever_keeps_the_score_needs_both_sides():
    table = Evening()
    assert table.do("tablet", enter(), KEEPER) == ["DealStarted", "ResultEntered"]
    table.do("tablet", confirm(0), KEEPER)
    table.do("tablet", confirm(1), tapped("ben"))
    assert table.strengths() == [(None, "scorer"), (None, "scorer")]


def test_only_a_stronger_signature_replaces_a_weaker_one():
    table = Evening()
    table.do("tablet", enter(), KEEPER)
    table.do("tablet", confirm(1), KEEPER)
    table.do("benny's phone", confirm(1), signed_in("ben"))
    assert table.strengths()[1] == ("ben", "own device")
    for actor in (KEEPER, tapped("ben"), signed_in("ben")):
        with pytest.raises(Refusal) as told:
            table.do("other", confirm(1), actor)
        assert told.value.slug in ("misfit", "forbidden")


def test_a_club_may_require_confirmations_from_own_devices():
    table = Evening(asks="own device")
    assert "ResultConfirmed" not in table.do("tablet", enter(), tapped("ann"))
    with pytest.raises(Refusal) as told:
        table.do("tablet", confirm(1), with_pin("ben"))
    assert told.value.slug == "forbidden"
    assert "own phone" in told.value.detail
    table.do("benny's phone", confirm(1), signed_in("ben"))
    assert table.strengths() == [None, ("ben", "own device")]


def test_a_tournament_keeps_what_is_weaker_and_counts_it_by_itself():
    table = Evening(asks="own device")
    setup = type(table.match.setup)(**{**fields(table.match.setup), "tournament": "cup"})
    table.table.state = type(table.match)(**{**fields(table.match), "setup": setup})
    table.do("tablet", enter(), tapped("ann"))
    assert table.strengths() == [("ann", "table"), None]


def test_an_outdated_view_of_the_devices_acts_is_retried():
    table = Evening()
    table.do("tablet", enter(), tapped("ann"))
    stale = c.ConfirmResult(deal=1, side=1, own=OwnActs(table.match.version - 1))
    with pytest.raises(Refusal) as told:
        decided(decide, table.match, stale, tapped("ben"))
    assert told.value.slug == "changed"


def test_a_match_shows_its_totals_signature_or_the_weakest():
    table = Evening(target=30)
    table.do("one", enter(), signed_in("ann"))
    table.do("two", confirm(1), signed_in("ben"))
    table.do("tablet", c.EnterResult(entry=NINE, deal=2), KEEPER)
    table.do("tablet", confirm(0, 2), KEEPER)
    table.do("tablet", confirm(1, 2), KEEPER)
    assert match_confirmed(table.match)
    assert signature_under(table.match, 0).strength == "scorer"
    table.do("one", confirm(0, 2), signed_in("ann"))
    assert signature_under(table.match, 0).strength == "own device"


def silence(table, **more):
    return c.CountSilence(**{"deal": 1, "side": 1, "since": table.match.version, "waited": 30, "after": 30, **more})


def test_silence_counts_after_its_time_and_is_the_weakest():
    table = Evening(target=10)
    table.do("one", enter(), signed_in("ann"))
    for wrong in ({"waited": 29}, {"since": 1}, {"side": 0}):
        with pytest.raises(Refusal):
            table.do("service", silence(table, **wrong), SERVICE)
    with pytest.raises(Refusal):
        table.do("service", silence(table), Actor("director", strength="own device"))
    table.do("service", silence(table), SERVICE)
    assert table.strengths() == [("ann", "own device"), (None, "timeout")]
    assert not reaches("timeout", "scorer")


def test_a_disputed_result_is_not_confirmed_by_silence():
    table = Evening(target=10)
    table.do("one", enter(), signed_in("ann"))
    since = table.match.version
    table.do("two", c.DisputeResult(deal=1, side=1), signed_in("ben"))
    with pytest.raises(Refusal):
        table.do("service", silence(table, since=since), SERVICE)


def acts(table, device):
    return OwnActs(table.match.version, tuple((version, who) for own, version, who in table.acts if own == device))


def right(table, was, now, own, other):
    return c.RightNames(was=was, now=now, own=acts(table, own), other=acts(table, other))


def test_names_tapped_crosswise_are_put_right_with_what_was_signed():
    table = Evening()
    table.do("one", enter(), tapped("ben"))  # it is Annie's phone
    table.do("two", confirm(0), tapped("ann"))
    before = table.match.deals[0].signed
    table.do("one", right(table, "ben", "ann", "one", "two"), tapped("ben"))
    assert table.strengths() == [("ann", "table"), ("ben", "table")]
    assert table.match.deals[0].signed == before
    assert signature_of(table.match.deals[0], 0).version < signature_of(table.match.deals[0], 1).version


def test_one_name_tapped_wrongly_leaves_the_other_side_unsigned():
    table = Evening()
    table.do("one", enter(), tapped("ben"))
    table.do("one", right(table, "ben", "ann", "one", "nobody's"), tapped("ben"))
    assert table.strengths() == [("ann", "table"), None]


def test_a_device_with_a_corrected_name_signs_for_one_name():
    table = Evening()
    table.do("one", enter(), tapped("ann"))
    table.do("one", right(table, "ann", "ben", "one", "nobody's"), tapped("ann"))
    table.do("one", confirm(0), tapped("ann"))  # the first name is tapped again, as nobody has it now
    assert table.strengths() == [(None, "scorer"), ("ben", "table")]


def test_a_scorer_signing_for_the_opponent_still_signs_as_player():
    table = Evening()
    table.do("desk", enter(), KEEPER)
    ann = signed_in("ann")
    scores = Actor(rights=(*ann.rights, Right("scorer", person="ann", id="ann", strength="own device")))
    table.do("annie's phone", confirm(1), scores)
    table.do("annie's phone", confirm(0), scores)
    assert table.strengths() == [("ann", "own device"), (None, "scorer")]


def test_putting_names_right_moves_nothing_that_another_device_signed():
    table = Evening()
    table.do("one", enter(), tapped("ann"))
    table.do("two", confirm(1), signed_in("ben"))
    with pytest.raises(Refusal) as told:
        table.do("tablet", right(table, "ann", "ben", "tablet", "two"), tapped("ann"))
    assert told.value.slug == "misfit"
    with pytest.raises(Refusal):
        table.do("one", right(table, "ann", "ben", "one", "two"), signed_in("ann"))
    table.do("one", right(table, "ann", "ben", "one", "two"), tapped("ann"))
    assert table.strengths() == [None, ("ben", "own device")]  # the stronger signature of that side stays


HANDS = [*map(signed_in, ("ann", "ben")), *map(tapped, ("ann", "ben")), KEEPER]
NEXT = st.one_of(
    st.builds(lambda entry, deal: c.EnterResult(entry=entry, deal=deal), st.sampled_from([NINE, EIGHT]), st.just(1)),
    st.builds(confirm, st.integers(0, 1)),
    st.just(c.UndoLast()),
    st.just(c.VoidDeal()),
    st.just(c.RestoreDeal()),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(NEXT, st.sampled_from(HANDS)), max_size=12))
def test_one_device_never_confirms_for_both_sides_above_the_scorer(taps):
    table = Evening()
    for command, actor in taps:
        try:
            table.do("the only device", command, actor)
        except Refusal:
            continue
    for deal in table.match.deals:
        found = [signature_of(deal, side) for side in (0, 1)]
        assert any(each is None or RANK[each.strength] <= RANK["scorer"] for each in found)
        assert all(each is None or isinstance(each.version, int) for each in found)
    assert not any(isinstance(event, e.NamesRighted) for _, event in table.table.log)
