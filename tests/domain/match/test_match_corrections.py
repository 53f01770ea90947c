"""Undo and corrections, and what is derived again after them."""

import msgspec
import pytest

from domain.log.actor import Actor
from domain.match import commands as c
from domain.match.mending_commands import Correct
from tests.kit.match.tables import Table, deal_for, random_deal, random_legal, recording

FULL = {"parity": "odd", "tricks": [15, 0]}


def begun(**given) -> Table:
    table = Table("parity", **given)
    table.start(dealer=0)
    table.record((1, "trump", "S"), (0, "parity", "odd"))
    return table


def view(table: Table):
    return table.match.setup.game.view(table.match.deals[-1].table, None)


def play(seat: int, card: str) -> dict:
    return {"seat": seat, "do": "play", "card": card}


def test_all_5_a_correction_is_a_new_event():
    table = begun()
    version = table.record((1, "play", "SA"))
    table.do(Correct(version=version, now=play(1, "SK"), note="typing slip"))
    assert table.match.superseded == {version: version + 1}
    assert [number for number, _ in table.log] == list(range(1, version + 2))
    assert [str(each) for each in view(table).seen] == ["SK"]


def test_undo_takes_the_last_fact_back_and_again():
    table = begun()
    table.record((1, "play", "SA"), (0, "play", "SK"))
    for seen in (["SA"], [], []):
        table.do(c.UndoLast())
        assert [str(each) for each in view(table).seen] == seen
    assert view(table).parity is None


def test_undo_takes_a_result_back_and_the_deal_is_on_again():
    table = Table("parity", target=20)
    table.enter(FULL)
    assert table.race.finished
    table.do(c.UndoLast())
    assert (table.race.totals, table.race.finished) == ((0, 0), False)
    table.enter({"parity": "odd", "tricks": [9, 6]})
    assert (table.race.totals, len(table.match.deals)) == ((19, 0), 1)


def test_undo_works_after_the_last_card_until_the_next_deal_has_begun():
    table = Table("parity")
    deal = deal_for("parity")
    table.start(dealer=0, deal=deal)
    import random

    game = table.match.setup.game
    table.record(*random_legal(game, table.match.deals[0].table, random.Random(1)))
    assert max(table.race.totals) >= 10
    table.do(c.UndoLast())
    assert table.race.totals == (0, 0)
    table.record(game.legal(table.match.deals[0].table)[0])
    table.start()
    assert table.refused(c.UndoLast()).slug == "window-closed"


def test_there_is_nothing_to_undo_in_an_empty_first_deal():
    table = Table("parity")
    assert table.refused(c.UndoLast()).slug == "misfit"
    table.start()
    assert table.refused(c.UndoLast()).slug == "misfit"


def test_undo_after_a_correction_takes_back_the_last_fact_of_the_deal():
    table = begun()
    first = table.record((1, "play", "SA"))
    table.record((0, "play", "SK"))
    table.do(Correct(version=first, now=play(1, "SQ"), note="slip"))
    table.do(c.UndoLast())
    assert [str(each) for each in view(table).seen] == ["SQ"]
    assert view(table).to_act == 0


def test_a_correction_needs_a_reason_and_a_version_that_is_a_fact():
    table = begun()
    version = table.record((1, "play", "SA"))
    assert table.refused(Correct(version=version, now=play(1, "SK"))).slug == "malformed"
    for wrong in (1, 2, version + 1, 0):
        assert table.refused(Correct(version=wrong, now=play(1, "SK"), note="slip")).slug == "misfit"
    for wrong in ({"do": "fly"}, {}, 3, {**play(1, "SK"), "more": 1}, play(1, "S1")):
        assert table.refused(Correct(version=version, now=wrong, note="slip")).slug == "malformed"


def test_a_superseded_version_is_corrected_at_its_successor():
    table = begun()
    version = table.record((1, "play", "SA"))
    table.do(Correct(version=version, now=play(1, "SK"), note="slip"))
    refusal = table.refused(Correct(version=version, now=play(1, "SQ"), note="slip"))
    assert str(version + 1) in refusal.detail
    table.do(Correct(version=version + 1, now=play(1, "SQ"), note="slip"))
    assert [str(each) for each in view(table).seen] == ["SQ"]


def test_everything_derived_follows_a_corrected_card():
    table = begun()
    version = table.record((1, "play", "HA"), (0, "play", "HK"))
    assert view(table).tricks == (0, 1)
    table.do(Correct(version=version, now=play(0, "S2"), note="it was a trump"))
    assert (view(table).tricks, view(table).to_act) == ((1, 0), 0)


def test_everything_derived_follows_corrected_trumps():
    table = begun()
    version = table.match.deals[0].facts[0][0]
    table.record((1, "play", "HA"), (0, "play", "D2"))
    assert view(table).tricks == (0, 1)
    table.do(Correct(version=version, now={"seat": 1, "do": "trump", "suit": "D"}, note="misheard"))
    assert (view(table).trumps, view(table).tricks) == ("D", (1, 0))


def test_everything_derived_follows_a_corrected_result():
    table = Table("parity", target=20)
    version = table.enter(FULL)
    assert table.race.finished
    table.do(Correct(version=version, now={"parity": "odd", "tricks": [9, 6]}, note="misread"))
    assert (table.race.totals, table.race.finished) == ((19, 0), False)
    refusal = table.refused(Correct(version=version + 1, now={"parity": "odd", "tricks": [9, 7]}, note="x"))
    assert refusal.rule == "PA.i1"


def test_an_earlier_deal_is_corrected_late_only_by_the_director():
    table = Table("parity")
    version = table.enter(FULL)
    table.enter(FULL)
    fixed = {"parity": "odd", "tricks": [9, 6]}
    late = Correct(version=version, now=fixed, note="late")
    assert table.refused(late, Actor("scorer")).slug == "window-closed"
    table.do(late, Actor("director"))
    assert table.race.totals == (44, 0)


def test_a_correction_of_the_past_can_end_the_match_earlier():
    table = Table("parity", target=40)
    version = table.enter({"parity": "odd", "tricks": [1, 14]})
    table.enter(FULL)
    table.enter({"parity": "odd", "tricks": [0, 15]})
    assert not table.race.finished
    table.do(Correct(version=version, now=FULL, note="late"))
    assert (table.race.winner, table.race.totals) == (0, (50, 0))


def test_misfits_after_a_correction_are_listed_and_change_nothing():
    table = Table("cross_game")
    table.start(dealer=1)
    versions = [table.record(each) for each in ((0, "bid", 1), (1, "pass"), (0, "play", "HA"))]
    passed = Correct(version=versions[0], now={"seat": 0, "do": "pass"}, note="he passed")
    asked = table.refused(passed)
    assert (asked.slug, asked.extra["misfits"], asked.extra["accepts"]) == ("confirm-needed", [versions[2]], 1)
    table.do(msgspec.structs.replace(passed, accepts=1))
    assert table.match.deals[0].misfits == (versions[2],)
    assert table.race.totals == (0, 0)
    assert table.match.setup.game.score(table.match.deals[0].table).void


@pytest.mark.parametrize("mode", ["record", "strict"])
def test_a_correction_to_a_misfit_is_refused(mode):
    table = begun(recording=mode)
    version = table.record((1, "play", "SA"))
    for wrong in (play(3, "SK"), {"seat": 1, "do": "trump", "suit": "D"}, {"seat": 0, "do": "pass"}):
        assert table.refused(Correct(version=version, now=wrong, note="slip")).slug == "misfit"


def test_a_strict_match_cannot_be_corrected_into_a_broken_rule():
    table = Table("parity", recording="strict")
    table.start(dealer=0, deal=deal_for("parity", "SK", "SA"))
    table.record((1, "trump", "S"), (0, "parity", "odd"))
    version = table.record((1, "play", "SA"))
    assert table.refused(recording((1, "play", "SK"))).slug == "rule-broken"
    assert table.refused(Correct(version=version, now=play(1, "SK"), note="slip")).slug == "rule-broken"


def test_undo_on_a_void_deal_drops_no_fact():
    table = begun()
    table.record((1, "play", "SA"))
    table.do(c.VoidDeal())
    facts = table.match.deals[0].facts
    try:
        table.do(c.UndoLast())
    except Exception:
        return
    assert table.match.deals[0].facts == facts or not table.match.deals[0].void


@pytest.mark.parametrize("seed", range(3))
def test_a_refused_fact_in_strict_mode_changes_nothing(seed):
    import random

    from tests.kit.games.strategies import universe

    chance = random.Random(seed)
    for key in ("parity", "cross_purposes", "cross_game"):
        table = Table(key, recording="strict")
        game = table.match.setup.game
        table.start(dealer=0, deal=random_deal(key, table.match.setup.options, seed))
        facts = random_legal(game, table.match.deals[0].table, chance)
        pool = [each for each in universe(game) if type(each) not in game.remarks and not each.is_word]
        for fact in facts:
            for wrong in chance.sample(pool, 4):
                if wrong not in game.legal(table.match.deals[0].table):
                    assert table.refused(c.RecordFacts(facts=(wrong,))).slug in ("misfit", "rule-broken")
            table.record(fact)
        assert table.match.deals[0].facts == tuple(enumerate(facts, start=3))
