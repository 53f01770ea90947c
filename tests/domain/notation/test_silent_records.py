"""Records that were once accepted silently or could not be read back."""

import pytest

from domain.games import all_games
from domain.notation.ctn_read import loads
from domain.notation.dealing import random_deal
from domain.notation.report import score_text
from tests.kit.notation.mutation_oracle import judge

PARITY = '[Game "parity"] [A "Ida"] [B "Per"]\n'
FIFTEEN = (
    "BID A:H B:odd 1.ST SK 2.HK HA 3.DT D5 4.H5 HQ 5.CQ CJ 6.C2 CK 7.DQ H2 8.HT HJ 9.DK XB 10.SQ SA 11.DJ S5 "
    "12.DA S2 13.D2 CA 14.CT C5 15.SJ XR"
)
DEAL = f'[Deal "1"] [Dealer "B"]\n{FIFTEEN} =9-6 R A 19 B 0\n'
SUMMARY = '[Dealer "A"] [Detail "summary"]\nBID B:odd =9-6 R A 19 B 0\n'
TOP = '[Game "over_the_top"]\n[Deal "1"] [Dealer "B"]\n1.S3 '


def said(text):
    """Return the texts of all problems and differences."""
    (script,) = loads(text)
    problems = [each.detail for each in script.problems]
    return problems + [f"{each.what}: {each.stated}, {each.derived}" for each in script.differences]


def test_the_record_that_the_others_are_made_of_says_nothing():
    assert said(PARITY + DEAL + '[Deal "2"] ' + SUMMARY) == []


@pytest.mark.parametrize("number", ["1", "3", "0", "-2", "two"])
def test_a_deal_that_is_missing_or_there_twice_is_told(number):
    assert said(f'{PARITY}{DEAL}[Deal "{number}"] {SUMMARY}') == [f"deal: {number}, 2"]


def test_cards_without_a_first_dealer_are_told():
    assert len(said(PARITY + DEAL.replace('[Dealer "B"]', '[Dealr "B"]'))) >= 1
    assert said(PARITY + DEAL + '[Deal "2"] ' + SUMMARY.replace('[Dealer "A"]', "")) == []


def test_a_full_deal_without_its_hands_is_told():
    assert said(PARITY + DEAL.replace("]\n", '] [Detail "full"]\n')) == ["[Detail full] needs [Hands] or a layout"]


@pytest.mark.parametrize(
    "text",
    [
        PARITY.replace("\n", ' [Game "cross_game"]\n') + DEAL,
        PARITY.replace("\n", ' [Target "50"] [Target "100"]\n') + DEAL,
        PARITY + DEAL.replace("]\n", '] [Dealer "A"]\n'),
        PARITY + DEAL + '[Deal "2"] [Detail "plays"] ' + SUMMARY,
        PARITY.replace("\n", ' [Option "open_hands true"] [Option "open_hands false"]\n') + DEAL,
    ],
)
def test_a_tag_that_says_two_things_is_told(text):
    assert any("twice" in each for each in said(text))


def test_a_tag_may_be_repeated_as_it_is():
    assert said(PARITY + DEAL.replace("]\n", '] [Dealer "B"]\n')) == []


def test_a_sum_too_many_is_told():
    assert said(PARITY + DEAL.replace("=9-6", "=9-6 =9-6")) == ["there is no stretch left that these figures sum"]


@pytest.mark.parametrize("scores", ["A 19 A 20 B 0", "AA 19 B 0", "A+B 19 B 0"])
def test_a_seat_with_two_scores_is_no_record(scores):
    assert len(said(PARITY + DEAL.replace("A 19 B 0", scores))) == 1


@pytest.mark.parametrize("total", ["1001", "-1001", "9" * 40, "9" * 5000])
def test_a_total_that_the_log_could_not_give_back_is_malformed(total):
    (script,) = loads(f"{TOP}={total}" if "-" not in total else f"{TOP} ={total}")
    assert len(script.problems) == 1
    assert len(script.state.deals[0].facts) == 1
    judge(f"{TOP}={total} DK=6".encode(), "ctn")


def test_a_member_that_stands_twice_is_malformed():
    game = all_games()["cross_purposes"]
    line = random_deal(game, game.options(variant="fixed"), {"variant": "fixed"}, 1, 1)
    assert next(score_text(line, False)).status == 0
    for old, new in (
        ('"dealer":0', '"dealer":1,"dealer":0'),
        ('"variant":"fixed"', '"variant":"two","variant":"fixed"'),
        ('"hands":', '"hands":[],"hands":'),
        ('"dealer":0', '"deal\\u0065r":1, "dealer" : 0'),
        ('"game":', '"game": "parity","game":'),
    ):
        assert old in line
        (answer,) = score_text(line.replace(old, new), False)
        assert answer.answer["error"]["rule"] == "malformed"
        assert "twice" in answer.answer["error"]["detail"]
        assert (answer.answer["error"]["column"] > 1) == ("u0065" not in new)


def test_the_lowest_card_played_in_the_dark_keeps_its_name():
    game = all_games()["ristikontra"]
    table = game.start(game.options(), 3, None)
    dark = next(fact for fact in game.legal(table) if getattr(fact, "card", None) == 0 and fact.as_call())
    assert game.script.move_text(table, dark) == "*C2"
