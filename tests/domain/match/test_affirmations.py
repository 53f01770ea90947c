"""Entries are affirmed by a side in person or by a director after inspection."""

import random

import pytest

from domain.log.actor import Actor
from domain.match.affirming import whole_tricks
from domain.match.command import OwnActs
from domain.match.mending_commands import Affirm, Correct, WithdrawAffirmation
from tests.kit.match.moments import at
from tests.kit.match.tables import Table, deal_for, random_legal

SIDES = (("ann",), ("ben",))
ANN, BEN = (Actor("player", person=name, id=name, strength="own device") for name in ("ann", "ben"))
SCORER, DIRECTOR = Actor("scorer"), Actor("director", person="dee", id="dee", strength="own device")


def played(over=True):
    table = Table("parity", sides=SIDES, target=100)
    table.start(dealer=0, deal=deal_for("parity"))
    game = table.match.setup.game
    facts = random_legal(game, table.match.deals[0].table, random.Random(5))
    table.record(*(facts if over else facts[:6]))
    return table


def deal(table):
    return table.match.deals[0]


TRICK = (5, 6)  # the first trick: versions 3 and 4 are calls


def affirm(*versions, **given):
    return at(Affirm(deal=1, versions=versions or TRICK, **given))


def test_a_player_affirms_whole_tricks_for_the_own_side():
    table = played()
    version = table.do(affirm(), BEN)
    (given,) = deal(table).affirmed
    assert (given.version, given.versions, given.side, given.person, given.strength) == (
        version,
        TRICK,
        1,
        "ben",
        "own device",
    )
    assert not deal(table).confirmed, "it says nothing of the result"
    assert table.refused(affirm(), BEN).slug == "misfit"
    table.do(affirm(), ANN)


@pytest.mark.parametrize(
    "actor",
    [
        SCORER,
        Actor("scorer", person="ben"),
        Actor("spectator"),
        *(Actor("player", person="ben", strength=each) for each in ("scorer", "timeout", "token", "file")),
        Actor("player", person="cleo", strength="own device"),
        Actor("secretary", person="sue", strength="own device"),
        DIRECTOR,
    ],
)
def test_nobody_else_affirms_for_a_side_the_scorer_neither(actor):
    assert played().refused(affirm(), actor).slug == "forbidden"


def test_a_name_tapped_where_somebody_else_recorded_affirms_nothing():
    table = played()
    own = OwnActs(table.match.version, ((5, "ann"),))
    tapped = Actor("player", person="ben", strength="table", by_code=True)
    assert table.refused(affirm(own=own), tapped).slug == "forbidden"
    table.do(affirm(own=own), Actor("player", person="ben", strength="pin"))


def test_a_director_who_looked_at_the_cards_affirms_as_inspected():
    table = played()
    for actor in (BEN, SCORER):
        assert table.refused(affirm(inspected=True), actor).slug == "forbidden"
    assert table.refused(affirm(inspected=True), Actor("director", person="ann", strength="pin")).slug == "recused"
    table.do(affirm(inspected=True), DIRECTOR)
    assert (deal(table).affirmed[0].side, deal(table).affirmed[0].strength) == (None, "inspected")


def test_nothing_is_affirmed_while_the_deal_is_on():
    refusal = played(over=False).refused(affirm(), BEN)
    assert (refusal.slug, "still on" in refusal.detail) == ("misfit", True)


def test_half_a_trick_is_refused_with_the_other_half():
    refusal = played().refused(affirm(5), BEN)
    assert (refusal.slug, refusal.extra["versions"]) == ("misfit", [5, 6])
    assert whole_tricks(played().match, deal(played()), (4, 6, 7)) == (4, 5, 6, 7, 8)


@pytest.mark.parametrize("wrong", [(), (1,), (2,), (99,), (5, 6, 999)])
def test_what_is_no_entry_of_the_deal_is_not_affirmed(wrong):
    command = at(Affirm(deal=1, versions=wrong))
    assert played().refused(command, BEN).slug == ("misfit" if wrong else "malformed")
    assert played().refused(at(Affirm(deal=7, versions=TRICK)), BEN).slug == "misfit"


def test_an_affirmation_falls_with_one_of_its_entries():
    table = played()
    table.do(affirm(), BEN)
    fact = dict(deal(table).facts)[6]
    other = next(each for _, each in deal(table).facts[6:] if getattr(each, "seat", None) == fact.seat)
    now = {"seat": fact.seat, "do": "play", "card": str(other.card)}
    table.do(at(Correct(version=6, now=now, note="misread")), DIRECTOR)
    assert deal(table).affirmed == ()
    assert table.refused(affirm(), BEN).slug == "misfit", "version 6 is not in force any more"


def test_a_side_withdraws_its_affirmation_until_a_ruling_rests_on_it():
    table = played()
    version = table.do(affirm(), BEN)
    back = at(WithdrawAffirmation(affirmation=version))
    for actor in (ANN, SCORER, DIRECTOR):
        assert table.refused(back, actor).slug == "forbidden"
    table.do(back, BEN)
    assert deal(table).affirmed == ()
    assert table.refused(back, BEN).slug == "misfit"


def test_a_director_takes_back_what_he_inspected():
    table = played()
    version = table.do(affirm(inspected=True), DIRECTOR)
    back = at(WithdrawAffirmation(affirmation=version))
    assert table.refused(back, BEN).slug == "forbidden"
    table.do(back, DIRECTOR)
    assert deal(table).affirmed == ()


def test_what_a_ruling_rests_on_is_not_taken_back():
    from domain.match import events as e
    from domain.match.evolve import fold
    from domain.match.ruling_events import Found

    table = played()
    version = table.do(affirm(), BEN)
    found = (Found("REV", 6, (5, 6), "P"),)
    ruled = e.RulingMade(1, "REV", 6, (0, 20), findings=found)
    table.log.append((table.match.version + 1, ruled))
    table.state = fold(table.state, table.log[-1:])
    refusal = table.refused(at(WithdrawAffirmation(affirmation=version)), BEN)
    assert (refusal.slug, "ruling" in refusal.detail) == ("window-closed", True)
