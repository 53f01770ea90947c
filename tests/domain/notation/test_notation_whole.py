"""CTN 1: every example, every lax form and every checked mark. Numbers are those of the notation."""

import re
from pathlib import Path

import msgspec
import pytest

from domain.cards.facts import Passed
from domain.cards.seats import NAMES
from domain.game.script import DealCards
from domain.match.state import played, race_of
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps, rewritten
from domain.notation.write_course import NumberedEvent
from tests.kit.games.strategies import FORM_IDS, FORMS, played_out
from tests.kit.match.tables import Table, find, options_of, random_deal

TEXT = (Path(__file__).parents[3] / "examples" / "notation.ctn").read_text(encoding="utf-8")
SCORES = {
    "cross_purposes": [(48, 49), (56, 40)],
    "cross_purposesalliance": [(15, 15, 20, 20)],
    "parity": [(19, 0)],
    "cross_game": [(1, 4)],
    "over_the_top": [(104, 84)],
    "get_stuck": [(33, 88)],
    "garbo": [(198, 131)],
    "ristikontra": [(1, 0)],
}
EXAMPLE = dict(zip(SCORES, loads(TEXT), strict=True))
GARBO = '[Game "garbo"] [Deal "1"] [Dealer "B"]\n'
MANUAL = '[Game "garbo"] [Option "claims manual"] [Deal "1"] [Dealer "B"]\n'
TOP = '[Game "over_the_top"] [Deal "1"] [Dealer "B"]\n'
DARK = '[Game "ristikontra"] [Deal "1"] [Dealer "W"]\n'
STUCK = next(block for block in TEXT.split("\n\n") if '"get_stuck"' in block)


def one(text):
    (script,) = loads(text)
    return script


def clean(text):
    script = one(text)
    assert (script.problems, script.differences) == ([], [])
    return script


def facts(script):
    return [fact for deal in script.state.deals for _, fact in deal.facts]


def differing(text):
    script = one(text)
    assert script.problems == []
    return [(each.what, each.stated, each.derived) for each in script.differences]


def last_line(text):
    return rewritten(one(text)).splitlines()[-1]


def goes_round(text):
    """The canonical text, which reading and writing leave as it is."""
    once = rewritten(one(text))
    assert rewritten(one(once)) == once
    return once


@pytest.mark.parametrize("name", SCORES)
def test_every_example_reads_replays_scores_as_stated_and_is_byte_stable(name):
    script = EXAMPLE[name]
    assert (script.problems, script.differences) == ([], [])
    assert [played(script.state, deal).scores for deal in script.state.deals] == SCORES[name]
    once = goes_round(rewritten(script))
    again = clean(once)
    assert facts(again) == facts(script)
    assert race_of(again.state) == race_of(script.state)
    words = set(re.split(r"\s+", once))
    mine = TEXT.split("\n\n")[list(SCORES).index(name)]
    told = re.sub(r"\[[^]]*\]|;.*", "", mine)
    assert set(told.split()) <= words, "the canonical form writes the play in the example's own words"


def test_the_canonical_order_of_tags_is_that_of_rule_10():
    tags = {"Lang": "en", "Event": "Open", "Director": "Dee", "Red": "B", "B": "Benny", "A": "Annie", "Odd": "kept"}
    text = " ".join(f'[{name} "{value}"]' for name, value in tags.items())
    head = STUCK.replace('[Red "A"]', text).replace('[Deal "1"]', '\n[Deal "1"]')
    once = goes_round(head)
    names = re.findall(r"^\[(\w+)", once, re.MULTILINE)
    assert names == [
        "Event",
        "Game",
        "Rules",
        "A",
        "B",
        "Red",
        "Director",
        "Lang",
        "Odd",
        "Deal",
        "Dealer",
        "Detail",
        "Layout",
    ]


# ------------------------------------------------------------------ squares, layouts, moves


def test_the_layout_has_seven_rows_and_red_names_a_player():
    script = clean(STUCK)
    deal = script.state.deals[0].cards
    assert (deal.grid[0], deal.grid[6], deal.grid[13], deal.grid[48]) == ("C7", "H9", "--", "SQ")
    assert deal.colours == ("red", "black")
    swapped = one(STUCK.replace('[Red "A"]', '[Red "B"]').split("\nD3g4")[0])
    assert swapped.state.deals[0].cards.colours == ("black", "red")
    assert '[Red "B"]' in rewritten(swapped)
    usual = one(STUCK.replace('[Red "A"] ', ""))
    assert usual.state.deals[0].cards.colours == ("red", "black")


def test_a_deal_may_be_played_with_the_colours_the_other_way_round():
    layout = STUCK[STUCK.index("[Layout") : STUCK.index("\nD3g4")]
    text = f'{STUCK}\n[Deal "2"] [Dealer "A"] [Red "B"] {layout}\n'
    once = goes_round(text)
    assert once.count("[Red ") == 2
    assert [deal.cards.colours[0] for deal in one(once).state.deals] == ["red", "black"]


@pytest.mark.parametrize(
    ("layout", "said"),
    [("C7 C9/ZZ", "rows from the top"), ("C7 C9/SA", "49 squares")],
)
def test_a_layout_that_is_none_is_named(layout, said):
    script = one(f'[Game "get_stuck"] [Deal "1"] [Dealer "B"] [Layout "{layout}"]\nD3g4 R A 33 B 88')
    assert len(script.problems) == 1
    assert said in script.problems[0].detail
    assert script.problems[0].line == 1


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        ("SQg1", "SKg1", ("word", "SKg1", "SQg1")),
        ("SQg1", "SQg1/", ("word", "SQg1/", "SQg1")),
        ("stuck=A", "stuck=B", ("R stuck", "B", "A")),
        ("R A 33", "R A 34", ("R A", "34", "33")),
    ],
)
def test_what_a_move_states_is_held_against_the_layout(was, now, difference):
    assert differing(STUCK.replace(was, now)) == [difference]


def test_a_diagonal_move_without_slash_is_written_with_it():
    text = STUCK.replace("SJc3/", "SJc3")
    assert differing(text) == []
    assert " SJc3/ " in goes_round(text)


def test_moves_without_a_layout_name_their_cards():
    text = re.sub(r'\[Layout "[^"]*"\]', "", STUCK).replace(" stuck=A", "")
    script = one(text)
    assert {fact.card is None for fact in facts(script)} == {False}
    assert "\nD3g4 SQg1 " in goes_round(text)


@pytest.mark.parametrize("words", ["sqg1 ♥Qb1 qcd1", "QSg1 HQb1 cqd1", "♠qg1 qhb1 CQd1"])
def test_words_with_squares_are_read_as_people_write_them(words):
    assert "D3g4 SQg1 HQb1 CQd1" in goes_round(STUCK.replace("SQg1 HQb1 CQd1", words))


def test_cards_are_laid_on_squares_and_what_they_give_is_checked():
    assert facts(clean(GARBO + "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3!5"))[3].cell == (1, 0)
    assert differing(GARBO + "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3!6") == [("DJ@d3!6 !", "6", "5")]
    assert "DJ@d3!6" in goes_round(GARBO + "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3!6"), "what was written is not repaired"
    assert goes_round(GARBO + "L1 sq@d4 cj@c4 h10@d5 dj@d3").endswith("HT@d5 DJ@d3!5\n")


def test_claims_made_by_hand_are_facts_of_the_other_seat():
    script = clean(MANUAL + "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3!5 HJ@d2!5")
    made = [(fact.seat, fact.claim) for fact in facts(script) if hasattr(fact, "claim")]
    assert made == [(0, 5), (1, 5)]
    once = goes_round(MANUAL + "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3!2!3 HJ@d2")
    assert "DJ@d3!2!3 HJ@d2" in once, "claims in parts stand as they were made"
    assert "DJ@d3 {late} !5" in goes_round(MANUAL + "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3 {late} !5 HJ@d2")


# ------------------------------------------------------------------ tricks, totals, the dark


def test_a_dark_card_stands_behind_a_star():
    script = clean(DARK + "1.H9 C4 D9 *S2 2.H6 SQ DK *HA")
    assert [type(fact).__struct_config__.tag for fact in facts(script)][3] == "dark"
    assert facts(clean(DARK + "1.h9 c4 9d *♠2"))[3] == facts(script)[3]


def test_a_dark_card_from_a_known_stock_is_named_and_checked():
    game, options = find("ristikontra"), options_of("ristikontra")
    deal = random_deal("ristikontra", options, 4)
    hands = " / ".join(
        f"{letter}:" + " ".join(f"{suit} {''.join(c.rank for c in hand if c.suit == suit) or '-'}" for suit in "SHDC")
        for letter, hand in zip("NESW", deal.hands, strict=True)
    )
    head = (
        f'[Game "ristikontra"] [Deal "1"] [Dealer "W"] [Hands "{hands}"] [Stock "{" ".join(map(str, deal.stock))}"]\n'
    )
    top, other = deal.stock[0], deal.stock[1]
    assert goes_round(head + "1.*").endswith(f"1.*{top}\n")
    assert differing(head + f"1.*{top}") == []
    assert differing(head + f"1.*{other}") == [("word", f"*{other}", f"*{top}")]
    assert game.to_act(one(head + "1.*").state.deals[0].table) == 1


@pytest.mark.parametrize(
    ("stated", "difference"),
    [
        ("C6=16>B7", None),
        ("C6=16>B", None),
        ("C6=16>A7", ((">", "A7", "B7"))),
        ("C6=16>B8", ((">", "B8", "B7"))),
        ("C6=16>A", ((">", "A", "B"))),
    ],
)
def test_who_took_a_trick_and_for_how_much_is_checked_and_kept(stated, difference):
    text = TOP + f"1.S3=3 DK=6 H4=10 {stated} 2.CQ=10"
    found = [(what.split()[-1], *rest) for what, *rest in differing(text)]
    assert found == ([difference] if difference else [])
    assert stated in goes_round(text)


def test_a_pass_is_a_dash_with_its_seat_if_out_of_turn():
    text = TOP + "1.S3 DK H4 C6 2.CQ D3 SQ H8 3.D6 H6 CJ SJ 4.D2 HK SA C5 5.D5 H2 S9 C2 6.S7 CK HA DQ 7.H3 D8 C3 S2"
    text += " 8.HJ D7 S4 C7 9.CT H7 D4 SK 10.C4 ST H5 D9 11.DT S5 HQ CA 12.C8 DJ S6 "
    script = clean(text + "- HT")
    assert isinstance(facts(script)[-2], Passed)
    assert goes_round(text + "- HT").endswith("S6 - HT\n")
    turn = facts(script)[-2].seat
    assert goes_round(text + f"{'AB'[1 - turn]}:- -").split()[-2] == f"{'AB'[1 - turn]}:-"


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        ("NS 97", "NS 98", ("R NS", "98", "97")),
        ("EW 23", "W+E 22", ("R W+E", "22", "23")),
    ],
)
def test_scores_by_side_are_held_against_the_facts(was, now, difference):
    block = next(block for block in TEXT.split("\n\n") if '"ristikontra"' in block)
    assert differing(block.replace(was, now)) == [difference]


def test_the_tricks_behind_a_score_are_held_against_the_facts():
    block = next(block for block in TEXT.split("\n\n") if "alliance" in block)
    assert differing(block.replace("(4,3)", "(3,4)")) == [("R S+W tricks", "3,4", "4,3")]


# ------------------------------------------------------------------ languages (rule 3)

ENGLISH = "1.DK DQ 2.HJ HA 3.CJ CQ"


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("de", "1.DK DD 2.HB HA 3.CB CD"),
        ("de", "1.KD DD 2.BH AH 3.BC D"),
        ("fi", "1.DK DR 2.HJ HA 3.CJ CR"),
        ("fi", "1.KD RD 2.JH A 3.cj cr"),
        ("ro", "1.DK DD 2.HJ HA 3.CJ CD"),
        ("ro", "1.♦K ♦D 2.♥J ♥A 3.♣J ♣D"),
        ("en", "1.dk dq 2.J♥ A♥ 3.Cj Q"),
    ],
)
def test_the_ranks_of_four_languages_are_read_and_written_in_english(language, written):
    text = f'[Game "parity"] [Lang "{language}"] [Deal "1"] [Dealer "B"]\nBID A:S B:odd {written}'
    once = goes_round(text)
    assert f"BID A:S B:odd {ENGLISH}" in once


@pytest.mark.parametrize(
    ("language", "written"), [("de", "SD@d4 CB@c4 HT@d5 DB@d3"), ("fi", "SR@d4 CJ@c4 10H@d5 JD@d3")]
)
def test_languages_hold_for_squares_too(language, written):
    text = GARBO.replace("[Deal", f'[Lang "{language}"] [Deal') + "L1 " + written
    assert "L1 SQ@d4 CJ@c4 HT@d5 DJ@d3!5" in goes_round(text)


def test_in_calls_suits_and_ranks_stay_english_under_every_language():
    text = '[Game "cross_purposes"] [Lang "de"] [Deal "1"] [Dealer "B"]\nP1 A:D B:J 1.DK DD'
    assert "P1 A:D B:J 1.DK DQ" in goes_round(text)


def test_only_numbers_and_bare_ranks_need_the_table_view(monkeypatch):
    kind, looked = type(find("parity")), []
    view = kind.view
    monkeypatch.setattr(kind, "view", staticmethod(lambda *given: looked.append(given) or view(*given)))
    head = '[Game "parity"] [Deal "1"] [Dealer "B"]\nBID A:H B:odd '  # H may be a rank: that is one look
    for play, looks in (("ST SK HK H2 ", 1), ("1.ST SK 2.HK H2 ", 3), ("ST K HK H2 ", 2)):
        looked.clear()
        script = one(head + play)
        assert (script.problems, len(looked)) == ([], looks)
        assert [str(fact.card) for fact in facts(script)[2:]] == ["ST", "SK", "HK", "H2"]


def test_comments_and_blank_lines_before_a_match_belong_to_it():
    script = one("{one}\n\n" * 50 + '[Game "parity"]\n\n[Deal "1"] [Dealer "B"]\nBID A:H B:odd 1.ST\n')
    assert script.problems == []
    assert script.events[0].private["note"] == " ".join(["one"] * 50)


# ------------------------------------------------------------------ what is not known, not over, or sealed


def test_after_an_unseen_card_the_deal_continues_as_a_result():
    head = '[Game "parity"] [Deal "1"] [Dealer "B"]\nBID A:H B:odd 1.ST SK 2.HK ?? 3.D5'
    script = clean(head + " =9-6 R A 19 B 0")
    assert script.state.deals[0].paused
    assert played(script.state, script.state.deals[0]).scores == (19, 0)
    once = goes_round(head + " =9-6 R A 19 B 0")
    assert "{?? 3.D5}" in once
    assert goes_round(head).endswith("2.HK\n! paused\n{?? 3.D5}\n")


def test_a_pause_without_a_result_is_a_line():
    text = '[Game "parity"] [Deal "1"] [Dealer "B"]\nBID A:H B:odd 1.ST SK\n! paused\n'
    assert clean(text).state.deals[0].paused
    assert last_line(text) == "! paused"


def test_the_seal_is_the_last_of_a_match_and_is_kept():
    text = TEXT.split("\n\n")[3] + '\n[Seal "41 0f00"]\n\n' + TEXT.split("\n\n")[2] + '\n[Seal "7 aa"]'
    scripts = loads(text)
    assert [script.problems for script in scripts] == [[], []]
    written = [rewritten(script) for script in scripts]
    assert [each.splitlines()[-1] for each in written] == ['[Seal "41 0f00"]', '[Seal "7 aa"]']
    assert [rewritten(one(each)) for each in written] == written


def test_without_tricks_a_ruling_names_a_card_by_number():
    text = GARBO + "L1 SQ@d4 CJ@c4 HT@d5^WSQ DJ@d3!5\n! ruling WSQ@L1.3 accepted=A,B => A 1 B 0\n"
    script = one(text)
    assert script.problems == []
    (ruling,) = script.state.deals[0].rulings
    assert ruling.at == next(version for version, fact in script.state.deals[0].facts if str(fact.card) == "HT")
    assert "HT@d5^WSQ" in goes_round(text)


def test_malformed_words_are_reported_with_line_column_and_token():
    text = GARBO + "L1 SQ@d4 CJ@h9 CJ@c4\nHT@d5 *Z9 DJ@d3"
    script = one(text)
    assert [(each.line, each.column, each.token) for each in script.problems] == [(2, 10, "CJ@h9"), (3, 7, "*Z9")]
    assert len(facts(script)) == 4


# ------------------------------------------------------------------ any deal of any rule set


def in_order(game, deal):
    """A deal with the cards of each hand sorted, for a hand has no order."""
    spread = DealCards() if deal is None else game.script.cards_of(deal)
    return msgspec.structs.replace(spread, hands=tuple(tuple(sorted(hand)) for hand in spread.hands))


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_a_random_deal_goes_from_facts_to_notation_and_back_without_loss(form, known):
    game, options, dealer, deal, done, _ = played_out(form, 21, known)
    letters = NAMES[game.seats(options)]
    names = [[letters[seat] for seat in side] for side in game.sides(options)]
    table = Table(game.key, names, options=form[1])
    table.start(dealer=dealer, deal=deal, depth="full" if known else "plays")
    table.record(*done)
    once = dumps([NumberedEvent(version, event) for version, event in table.log], names)
    script = clean(once)
    assert facts(script) == done
    assert in_order(game, script.state.deals[0].cards) == in_order(game, deal)
    assert script.state.setup == table.match.setup
    assert race_of(script.state) == race_of(table.match)
    assert rewritten(script) == once
    assert all(len(line) <= 250 for line in once.splitlines() if line[0] != "[")
