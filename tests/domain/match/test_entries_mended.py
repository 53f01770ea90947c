"""Replacing, removing, inserting and withdrawing entries, with a preview of the misfits."""

import random

import pytest

from domain.log.actor import SERVICE, Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match.mending_commands import Correct, ProposeCorrection, WithdrawFact
from domain.match.preview import moved_by
from tests.kit.match.moments import at
from tests.kit.match.tables import Table, deal_for, random_deal, random_legal

SCORER, DIRECTOR = Actor("scorer"), Actor("director", person="dee", strength="own device")
SIDES = (("ann",), ("ben",))


def play(seat, card):
    return {"seat": seat, "do": "play", "card": card}


def begun():
    """Two tricks of Parity with physical cards: versions 3 and 4 are calls, 5 to 8 cards."""
    table = Table("parity", sides=SIDES)
    table.start(dealer=0)
    table.record((1, "trump", "S"), (0, "parity", "odd"))
    table.record((1, "play", "HA"), (0, "play", "HK"), (1, "play", "DQ"), (0, "play", "DJ"))
    return table


def bids():
    """Cross Game: one bid, and ten cards behind it, so that without the bid none of them fits."""
    table = Table("cross_game", sides=SIDES)
    table.start(dealer=1)
    table.record((0, "pass"), (1, "bid", 1))
    game, chance = table.match.setup.game, random.Random(3)
    while len(table.match.deals[0].facts) < 12:
        table.record(chance.choice(game.legal(table.match.deals[0].table)))
    return table


def seen(table):
    return {str(card) for card in table.match.setup.game.view(table.match.deals[-1].table, None).seen}


def facts(table):
    return [version for version, _ in table.match.deals[-1].facts]


def test_removing_an_extra_entry_derives_later_facts_again():
    table = begun()
    version = table.do(at(Correct(version=7, now=None, note="typed twice")), SCORER)
    assert (facts(table), seen(table)) == ([3, 4, 5, 6, 8], {"HA", "HK", "DJ"})
    assert table.match.superseded == {7: version}
    assert table.log[-1][1].now == e.UNKNOWN


def test_a_forgotten_entry_is_inserted_at_its_place():
    table = begun()
    version = table.do(at(Correct(version=6, now=play(1, "CT"), do="insert", note="forgotten")), SCORER)
    assert facts(table) == [3, 4, 5, 6, version, 7, 8]
    assert seen(table) == {"HA", "HK", "CT", "DQ", "DJ"}


def test_a_forgotten_first_entry_is_inserted_behind_the_start_of_the_deal():
    table = Table("parity", sides=SIDES)
    table.start(dealer=0)
    table.record((1, "trump", "S"), (0, "parity", "odd"))
    table.do(at(Correct(version=3, now=None, note="too many", accepts=1)), DIRECTOR)
    assert table.match.deals[0].misfits == (4,)
    table.do(at(Correct(version=2, now={"seat": 1, "do": "trump", "suit": "S"}, do="insert", note="it was")), SCORER)
    assert facts(table) == [6, 4]
    assert table.match.deals[0].misfits == ()


def test_a_card_is_withdrawn_at_any_place_by_its_code():
    table = begun()
    table.do(at(WithdrawFact(version=6, code="REV", note="he had another")), SCORER)
    done = table.log[-1][1]
    assert (done.version, done.code, done.deal, done.window) == (6, "REV", 1, "T0")
    assert facts(table) == [3, 4, 5, 7, 8]


def test_an_undo_by_the_table_says_so_in_its_own_words():
    table = begun()
    table.do(at(c.UndoLast(withdrawn=True)), SCORER)
    assert isinstance(table.log[-1][1], e.FactWithdrawn)
    table.do(at(c.UndoLast()), SCORER)
    assert table.log[-1][1] == e.FactUndone(7)


@pytest.mark.parametrize("wrong", [0, 1, 2, 99, -3])
def test_a_version_that_is_no_entry_cannot_be_put_right(wrong):
    table = begun()
    for command in (
        Correct(version=wrong, now=play(1, "SK"), note="x"),
        Correct(version=wrong, now=None, note="x"),
        WithdrawFact(version=wrong),
        ProposeCorrection(version=wrong, now=None, note="x"),
    ):
        assert table.refused(at(command), DIRECTOR).slug == "misfit"
    if wrong != 2:
        insert = Correct(version=wrong, now=play(1, "SK"), do="insert", note="x")
        assert table.refused(at(insert), DIRECTOR).slug == "misfit"


def test_what_does_not_belong_together_is_refused():
    table = begun()
    for command in (
        Correct(version=5, now=None, do="replace", note="x"),
        Correct(version=5, now=None, do="insert", note="x"),
        Correct(version=5, now=play(1, "SK"), do="remove", note="x"),
        Correct(version=5, now=None),
        WithdrawFact(version=5, code="not a code"),
    ):
        assert table.refused(at(command), SCORER).slug == "malformed"


def test_a_result_is_replaced_and_neither_taken_out_nor_taken_back():
    table = Table("parity", sides=SIDES)
    version = table.enter({"parity": "odd", "tricks": [9, 6]})
    for command in (Correct(version=version, now=None, note="x"), WithdrawFact(version=version)):
        assert table.refused(at(command), SCORER).slug == "misfit"


def test_only_a_director_accepts_an_insertion_that_makes_ten_misfits():
    table = bids()
    wrong = Correct(version=3, now={"seat": 1, "do": "pass"}, do="insert", note="he passed, too")
    late = [version for version, _ in table.match.deals[0].facts]
    preview = moved_by(table.match, wrong)
    assert len(preview.misfits) >= 10
    assert {*preview.misfits} <= {*late}
    refusal = table.refused(at(wrong), SCORER)
    assert (refusal.slug, "director" in refusal.detail) == ("misfit", True)
    assert refusal.extra["misfits"] == [*preview.misfits]
    asked = table.refused(at(wrong), DIRECTOR)
    assert (asked.slug, asked.extra["accepts"]) == ("confirm-needed", len(preview.misfits))
    fewer = Correct(version=3, now=wrong.now, do="insert", note="x", accepts=3)
    assert table.refused(at(fewer), DIRECTOR).slug == "confirm-needed", "he saw another number"
    table.do(at(Correct(version=3, now=wrong.now, do="insert", note="x", accepts=len(preview.misfits))), DIRECTOR)
    assert table.match.deals[0].misfits == preview.misfits


def test_a_preview_says_what_a_card_moves_and_writes_nothing():
    table = Table("parity", sides=SIDES, target=100)
    table.start(dealer=0, deal=deal_for("parity"))
    game = table.match.setup.game
    table.record(*random_legal(game, table.match.deals[0].table, random.Random(5)))
    before, entries = table.match, [each for each in table.match.deals[0].facts if hasattr(each[1], "card")]
    moved = 0
    for version, fact in entries:
        other = next(each for _, each in entries if each.seat == fact.seat and each != fact)
        command = Correct(version=version, now=play(fact.seat, str(other.card)), note="?")
        preview = moved_by(table.match, command)
        assert (preview.deal, preview.was, preview.now) == (1, play(fact.seat, str(fact.card)), command.now)
        assert (preview.before.totals, preview.before.over) == (table.race.totals, True)
        moved += preview.before != preview.after
        twin = Table("parity", sides=SIDES, target=100)
        twin.state, twin.log = table.state, list(table.log)
        twin.do(at(Correct(version=version, now=command.now, note="?", accepts=len(preview.misfits))), SERVICE)
        assert (twin.race.totals, game.view(twin.match.deals[0].table, None).tricks) == (
            preview.after.totals,
            preview.after.tricks,
        )
    assert table.match is before
    assert moved


@pytest.mark.parametrize("how", ["replace", "insert", "remove", "withdraw"])
def test_who_does_not_see_a_hand_tries_out_none_of_its_cards(how):
    table = Table("cross_game", sides=SIDES)
    table.start(dealer=1, deal=random_deal("cross_game", table.match.setup.options, 7))
    table.record((0, "bid", 1), (1, "pass"))
    game = table.match.setup.game
    card = next(each for each in game.legal(table.match.deals[0].table))
    version = table.record(card)
    ben, door = Actor("scorer", person="ben"), Actor("player", person="ben", strength="table", by_code=True)
    now = None if how == "remove" else play(0, "SK")
    do = None if how == "remove" else how
    command = WithdrawFact(version=version) if how == "withdraw" else Correct(version=version, now=now, do=do, note="x")
    refusal = table.refused(at(command), ben)
    assert refusal.slug == "forbidden"
    if how == "withdraw":
        return
    said = set()
    for guess in ("SA", "SK", "HQ", "D2"):
        now = None if how == "remove" else play(0, guess)
        said.add(str(table.refused(at(Correct(version=version, now=now, do=do, note="x")), ben).detail))
        with pytest.raises(Refusal, match=r"hidden|seat|not see"):
            moved_by(table.match, Correct(version=version, now=now, do=do, note="x"), door)
    assert len(said) == 1, "what is refused tells no card"
