"""Corrections by proposal: one side proposes, the others accept."""

import msgspec
import pytest

from domain.log.actor import Actor, Right
from domain.log.decider import Refusal, decided
from domain.match import commands as c
from domain.match import events as e
from domain.match.command import OwnActs
from domain.match.decide import decide
from domain.match.mending_commands import AnswerCorrection, Correct, ProposeCorrection
from tests.kit.match.moments import at, moment
from tests.kit.match.tables import Table, random_deal

SIDES = (("ann",), ("ben",))
ANN, BEN = (Actor("player", person=name, id=name, strength="own device") for name in ("ann", "ben"))
SCORER, DIRECTOR = Actor("scorer"), Actor("director", person="dee", id="dee", strength="own device")
NINE, EIGHT = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [7, 8]}
PROPOSE = ProposeCorrection(version=3, now=EIGHT, note="the piles say 7 and 8", cause="mistyped")


def confirmed(**race):
    table = Table("parity", sides=SIDES, **(race or {"target": 100}))
    table.enter(NINE)
    table.do(c.ConfirmResult(deal=1, side=1), BEN)
    return table


def proposed(actor=ANN, **race):
    table = confirmed(**race)
    return table, table.do(at(PROPOSE), actor)


def yes(version, **given):
    return at(AnswerCorrection(proposal=version, yes=True, **given))


def test_the_other_sides_yes_applies_the_proposal_in_one_append():
    table, version = proposed()
    assert (table.race.totals, len(table.match.proposals)) == ((19, 0), 1)
    table.do(yes(version), BEN)
    assert [type(event) for _, event in table.log[-2:]] == [e.CorrectionAnswered, e.EntryCorrected]
    done = table.log[-1][1]
    assert (done.window, [(each.side, each.person, each.strength) for each in done.consents]) == (
        "T1",
        [(0, "ann", "own device"), (1, "ben", "own device")],
    )
    assert (table.race.totals, table.match.proposals) == ((0, 18), ())


def test_a_no_ends_it_and_changes_nothing():
    table, version = proposed()
    table.do(at(AnswerCorrection(proposal=version, yes=False)), BEN)
    assert (table.race.totals, table.match.proposals) == ((19, 0), ())
    assert table.refused(yes(version), BEN).slug == "misfit"
    table.do(at(PROPOSE), ANN)


def test_who_proposed_it_takes_it_back_and_does_not_answer_it():
    table, version = proposed()
    assert table.refused(yes(version), ANN).slug == "forbidden"
    table.do(at(AnswerCorrection(proposal=version, yes=False)), ANN)
    assert table.match.proposals == ()


def test_what_a_neutral_scorer_proposes_each_side_answers():
    table, version = proposed(SCORER)
    table.do(yes(version), ANN)
    assert (table.race.totals, len(table.match.proposals)) == ((19, 0), 1)
    table.do(yes(version), BEN)
    assert table.race.totals == (0, 18)


@pytest.mark.parametrize(
    "actor",
    [
        SCORER,
        Actor("scorer", person="ben"),
        Actor("spectator"),
        Actor("player", person="cleo", strength="own device"),
        Actor("player", person="ben", strength="token"),
        Actor("player", person="ben", strength="scorer"),
        Actor("secretary", person="sue", strength="own device"),
    ],
)
def test_only_a_player_of_the_side_accepts_a_proposal(actor):
    table, version = proposed()
    assert table.refused(yes(version), actor).slug == "forbidden"


def test_a_second_name_on_the_proposing_device_cannot_accept():
    table, version = proposed()
    own = OwnActs(version, ((version, "ann"),))
    tapped = Actor("player", person="ben", strength="table", by_code=True)
    assert table.refused(yes(version, own=own), tapped).slug == "forbidden"
    assert table.refused(yes(version, own=OwnActs(version - 1)), tapped).slug == "changed"
    table.do(yes(version, own=own), Actor("player", person="ben", strength="pin"))
    assert table.race.totals == (0, 18)


def test_a_proposal_lapses_after_t1_and_waits_for_the_director():
    table, version = proposed(deals=1)
    late = msgspec.structs.replace(yes(version), moment=moment(11))
    refusal = table.refused(late, BEN)
    assert (refusal.slug, "waits for the director" in refusal.detail) == ("window-closed", True)
    no = at(AnswerCorrection(proposal=version, yes=False), 11)
    assert table.refused(no, BEN).slug == "window-closed"
    table.do(late, DIRECTOR)
    assert (table.log[-1][1].window, table.race.totals, table.match.proposals) == ("T2", (0, 18), ())


def test_a_director_says_no_to_what_waits_in_the_queue():
    table, version = proposed(deals=1)
    table.do(at(AnswerCorrection(proposal=version, yes=False), 11), DIRECTOR)
    assert (table.race.totals, table.match.proposals) == ((19, 0), ())


def test_a_playing_director_answers_as_a_player():
    table, version = proposed()
    rights = tuple(Right(role, person="ben", id="ben", strength="own device") for role in ("player", "director"))
    news, acting = decided(decide, table.match, yes(version), Actor(rights=rights))
    assert (acting.role, len(news)) == ("player", 2)
    own = tuple(Right(role, person="ann", id="ann", strength="own device") for role in ("player", "director"))
    with pytest.raises(Refusal) as refused:
        decided(decide, table.match, yes(version), Actor(rights=own))
    assert refused.value.slug == "recused"


def test_the_second_of_two_concurrent_answers_is_refused():
    table, version = proposed(SCORER)
    table.do(yes(version), ANN)
    before = table.match
    table.do(yes(version), BEN)
    assert table.refused(yes(version), BEN).slug == "misfit"
    assert len(before.deals[0].facts) == len(table.match.deals[0].facts)


def test_a_correction_of_the_same_entry_settles_what_was_proposed_for_it():
    table, version = proposed()
    table.do(at(Correct(version=3, now={"parity": "odd", "tricks": [11, 4]}, note="counted")), DIRECTOR)
    assert table.match.proposals == ()
    assert table.refused(yes(version), BEN).slug == "misfit"


def test_the_same_is_not_proposed_twice_and_only_so_much_waits():
    table, _ = proposed()
    assert table.refused(at(PROPOSE), BEN).slug == "misfit"
    for tricks in range(5):
        entry = {"parity": "odd", "tricks": [tricks, 15 - tricks]}
        table.do(at(ProposeCorrection(version=3, now=entry, note="x")), BEN)
    assert table.refused(at(ProposeCorrection(version=3, now={**NINE, "tricks": [1, 14]}, note="x")), BEN)


@pytest.mark.parametrize("how", ["replace", "insert", "remove"])
def test_cards_are_proposed_too(how):
    table = Table("parity", sides=SIDES, target=100)
    table.start(dealer=0)
    table.record((1, "trump", "S"), (0, "parity", "odd"), (1, "play", "HA"), (0, "play", "HK"))
    table.enter(NINE)
    table.do(c.ConfirmResult(deal=1, side=1), BEN)
    now = None if how == "remove" else {"seat": 0, "do": "play", "card": "HQ"}
    version = table.do(at(ProposeCorrection(version=6, now=now, do=how, note="x")), ANN)
    table.do(yes(version), BEN)
    played = [str(fact.card) for _, fact in table.match.deals[0].facts if hasattr(fact, "card")]
    assert played == {"replace": ["HA", "HQ"], "insert": ["HA", "HK", "HQ"], "remove": ["HA"]}[how]
    assert table.match.proposals == ()


def test_a_chain_of_misfits_is_not_for_the_sides_to_agree_to():
    table = Table("cross_game", sides=SIDES)
    table.start(dealer=1)
    table.record((0, "pass"), (1, "bid", 1), (1, "play", "HA"))
    table.enter({"bidder": 1, "bid": 1, "cross_points": [1, 1]})
    table.do(c.ConfirmResult(deal=1, side=1), BEN)
    wrong = ProposeCorrection(version=3, now={"seat": 1, "do": "pass"}, do="insert", note="x")
    refusal = table.refused(at(wrong), ANN)
    assert (refusal.slug, refusal.extra["misfits"]) == ("misfit", [4, 5])


@pytest.mark.parametrize("strength", ["own device", "table", "pin"])
def test_who_does_not_see_a_hand_proposes_none_of_its_cards(strength):
    table = Table("cross_game", sides=SIDES)
    table.start(dealer=1, deal=random_deal("cross_game", table.match.setup.options, 7))
    table.record((0, "bid", 1), (1, "pass"))
    card = table.match.setup.game.legal(table.match.deals[0].table)[0]
    version = table.record(card)
    table.enter({"bidder": 0, "bid": 1, "cross_points": [1, 1]})
    table.do(c.ConfirmResult(deal=1, side=1), BEN)
    ben = Actor("player", person="ben", strength=strength, by_code=strength == "table")
    said = set()
    for guess in ("SA", "SK", "HQ", "D2"):
        now = {"seat": 0, "do": "play", "card": guess}
        refusal = table.refused(at(ProposeCorrection(version=version, now=now, note="x")), ben)
        said.add((refusal.slug, refusal.detail))
    assert [slug for slug, _ in said] == ["forbidden"]
