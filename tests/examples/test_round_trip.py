"""Everything that a scorer may write next to the cards survives import and export."""

import re

import pytest

from domain.cards.facts import CardPlayed
from domain.game.script import DealCards
from domain.log.actor import SERVICE, Actor
from domain.match import commands as c
from domain.match.agreement import agreed_by
from domain.match.audit.findings import findings
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.mending_commands import Correct, WithdrawFact
from domain.match.state import NoMatch, played, race_of
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent

TWO = '[Game "cross_purposes"] [A "Ida Holm"] [B "Per Aas"]\n'
PARITY = '[Game "parity"] [A "Ida Holm"] [B "Per Aas"]\n'
CROSS = '[Game "cross_game"] [A "Ida Holm"] [B "Per Aas"]\n'
P1 = (
    "P1 A:S B:8 1.C7 C4 2.D3 DA 3.C6 CQ 4.C5 CJ 5.DT D4 6.S2 C9 7.CK D9 8.S5 D7 9.S8 H2 "
    "10.HJ H8 11.HK H5 12.HA H7 13.HQ H9 =7-6"
)
P2 = (
    "P2 B:D A:Q 1.CT C3 2.C2 C8 3.SK S6 4.H4 ST 5.CA D6 6.SJ S3 7.DK DJ 8.S9 S4 9.H6 H3 10.HT D5 "
    "11.SQ SA 12.S7 D2 13.D8 DQ =6-7"
)
SECOND = '\n[Deal "2"] [Dealer "A"] [Detail "summary"] P1 =6-7 P2 =8-5'
ENTRY = '[Entry "{\\"bidder\\":0,\\"bid\\":2,\\"cross_points\\":[2,1]}"]'
FIFTEEN = (
    "BID A:H B:odd 1.ST SK 2.HK HA 3.DT D5 4.H5 HQ 5.CQ CJ 6.C2 CK 7.DQ H2 8.HT HJ 9.DK XB 10.SQ SA "
    "11.DJ S5 12.DA S2 13.D2 CA 14.CT C5 15.SJ XR =9-6"
)


def one(text):
    """The only match of a text that holds no mistake of notation."""
    (script,) = loads(text)
    assert script.problems == []
    return script


def export(script):
    events = [NumberedEvent(place, new.event, new.private) for place, new in enumerate(script.events, start=1)]
    return dumps(events, script.tags.names)


def round_trip(text):
    """Import and export a text twice; return the canonical text, which must not change, and the match."""
    first = one(text)
    once = export(first)
    again = one(once)
    assert export(again) == once
    assert [kept(again.state, deal) for deal in again.state.deals] == [
        kept(first.state, deal) for deal in first.state.deals
    ]
    assert race_of(again.state) == race_of(first.state)
    assert again.state.setup.race == first.state.setup.race
    return once, first


def kept(match, deal):
    """Return everything of a deal that a round trip must preserve."""
    spread = match.setup.game.script.cards_of(deal.cards) if deal.cards else DealCards()
    result = played(match, deal)
    return {
        "dealer": deal.dealer,
        "hands": [sorted(hand) for hand in spread.hands],
        "rest": (spread.stock, spread.rows, spread.red),
        "facts": [fact for _, fact in deal.facts],
        "entry": deal.entry and deal.entry[1],
        "void": deal.void or bool(result and result.void),
        "paused": deal.paused,
        "confirmed": deal.confirmed,
        "rulings": [ruling.scores for ruling in deal.rulings],
    }


def recorded(commands, names=(("Ida Holm",), ("Per Aas",))):
    """The canonical text of a match that was recorded at a table; beside a command may stand who gives it."""
    state, events = NoMatch(), []
    for each in commands:
        command, actor = each if isinstance(each, tuple) else (each, SERVICE)
        for new in decide(state, command, actor):
            events.append(NumberedEvent(len(events) + 1, new.event, new.private))
            state = fold(state, [(len(events), new.event)])
    return dumps(events, names), state


@pytest.mark.parametrize(
    "text",
    [
        TWO + '{a draughty night} [Deal "1"] [Dealer "B"] ' + P1 + " " + P2,
        "{copied from the book}\n" + TWO + '[Deal "1"] [Dealer "B"] ' + P1 + " " + P2,
        "{copied from the book}\n\n" + TWO + '[Deal "1"] [Dealer "B"] ' + P1 + " " + P2,
        TWO + '[Deal "1"] {moved to table 3} [Dealer "B"] ' + P1 + " " + P2,
        TWO + '[Deal "1"] [Dealer "B"] {late start} ' + P1 + " " + P2,
        TWO + '[Deal "1"] [Dealer "B"] ' + P1.replace("S2", "S2 {her last trump}") + " " + P2,
        TWO + '[Deal "1"] [Dealer "B"] ' + P1.replace("4.C5", "4.CT~ {wrong card} C5") + " " + P2.replace("CT", "CT"),
        TWO + '[Deal "1"] [Dealer "B"] ' + P1 + " " + P2.replace("ST", "ST^REV {called at once}"),
        TWO + '[Deal "1"] [Dealer "B"] ' + P1 + " {counted twice} " + P2,
        TWO + '[Deal "1"] [Dealer "B"] ' + P1 + " " + P2 + " R A 48 B 49 {agreed}",
        TWO + '[Deal "1"] [Dealer "B"] ' + P1 + " =void {a card on the floor}",
        TWO + '[Deal "1"] [Dealer "B"] [Detail "summary"] =void {the pack was short}',
        TWO + '[Deal "1"] [Dealer "B"] [Detail "summary"] P1 =6-7 P2 =8-5 {no cards kept} R A 56 B 40',
        TWO + f'[Deal "1"] [Dealer "B"] {P1} {P2}\n! ruling REV by=Dee accepted=A,B => A 40 B 56\n{{both content}}',
        TWO + f'[Deal "1"] [Dealer "B"] {P1} {P2}\n! confirmed A\n{{by nod}}\n! confirmed B',
        TWO + f'[Deal "1"] [Dealer "B"] {P1} {P2}\n! photograph of the sheet taken by=Dee\n{{on the board}}',
    ],
)
def test_a_comment_is_kept(text):
    comment = text[text.index("{") : text.index("}") + 1]
    assert round_trip(text)[0].count(comment) == 1


def test_a_call_that_the_table_took_back_is_kept_with_its_mark():
    text = CROSS + '[Deal "1"] [Dealer "B"] BID A:2 B:1^INS~ {did not hear} B:3 1.SK!40 CQ 2.S9 SA'
    once, script = round_trip(text)
    assert "A:2 B:1^INS~ {did not hear} B:3" in once
    assert [str(fact.bid) for _, fact in script.state.deals[0].facts[:2]] == ["2", "3"]


def test_a_mark_of_an_irregularity_may_follow_that_of_a_withdrawn_fact():
    text = TWO + '[Deal "1"] [Dealer "B"] ' + P1.replace("2.D3 DA", "2.D3 H2~^REV DA") + " " + P2
    assert "2.D3 H2^REV~ DA" in round_trip(text)[0]


def test_a_draw_keeps_its_marks():
    text = CROSS + '[Deal "1"] [Dealer "B"] BID A:2 B:- 1.SK CQ +A:H9^DRW~ +A:?? +B:HT 2.S9 SA'
    assert "+A:H9^DRW~ +A:?? +B:HT" in round_trip(text)[0]


def test_an_announcement_keeps_its_marks():
    text = CROSS + '[Deal "1"] [Dealer "B"] BID A:2 B:- A:!S^KQF {said too late} 1.SK!40 CQ 2.D9~ S9 SA'
    once, script = round_trip(text)
    assert "BID A:2 B:- A:!S^KQF {said too late} 1.SK!40 CQ" in once
    assert len(script.state.deals[0].facts) == 7


@pytest.mark.parametrize(
    ("tags", "kept_tags"),
    [
        ('[Deals "4"]', ['[Deals "4"]']),
        ('[Target "100"] [Deals "4"]', ['[Target "100"]', '[Deals "4"]']),
        ('[WinPoints "1 2 4"]', ['[Lurch "66 50"]', '[WinPoints "1 2 4"]']),
        ('[Target "50"]', ['[Target "50"]']),
        ('[Lurch "none"]', ['[Lurch "none"]']),
        ('[WinBy "2"] [Cap "110"] [BestOf "3"]', ['[WinBy "2"]', '[Cap "110"]', '[BestOf "3"]']),
    ],
)
def test_the_race_is_the_same_after_the_round_trip(tags, kept_tags):
    once, script = round_trip(f'{PARITY}{tags} [Deal "1"] [Dealer "B"] {FIFTEEN}')
    written = [line for line in once.splitlines() if line.startswith(("[Ta", "[Wi", "[Ca", "[Lu", "[Be", "[Deals"))]
    assert written == kept_tags
    if "WinPoints" in tags:
        assert script.state.setup.race.lurch.win_points == (1, 2, 4)


@pytest.mark.parametrize(
    ("text", "void"),
    [
        ('[Deal "1"] [Dealer "B"] BID A:- B:- =void', False),
        ('[Deal "1"] [Dealer "B"] [Detail "summary"] BID A:- B:- =void', False),
        ('[Deal "1"] [Dealer "B"] [Detail "summary"] =void', True),
        ('[Deal "1"] [Dealer "B"] [Detail "summary"] BID A:2 B:- =70-50 =void', True),
        ('[Deal "1"] [Dealer "B"] BID A:2 B:- 1.SK CQ =void', True),
        ('[Deal "1"] [Dealer "B"] ' + ENTRY + " BID A:2 B:- 1.SK CQ =void", True),
    ],
)
def test_the_deal_after_one_that_scores_nothing_is_read(text, void):
    more = '\n[Deal "2"] [Dealer "B"] [Detail "summary"] BID A:2 B:- =70-50'
    once, script = round_trip(CROSS + text + more)
    assert once.count("=void") == 1
    assert script.state.deals[0].void is void
    assert race_of(script.state).totals == (2, 1)


def test_confirming_again_after_a_correction_can_be_read_again():
    deal = c.StartDeal(dealer=1)
    agreed = [c.ConfirmResult(deal=1, side=0), c.ConfirmResult(deal=1, side=1)]
    wrong = c.EnterResult(entry={"parity": "odd", "tricks": [7, 8]})
    right = Correct(version=3, now={"parity": "odd", "tricks": [9, 6]}, note="a pile of two was one trick")
    opening = c.OpenMatch(game="parity", options={}, race={}, sides=(("Ida Holm",), ("Per Aas",)))
    text, state = recorded([opening, deal, wrong, *agreed, right, *agreed])
    once, script = round_trip(text)
    assert once == text
    assert script.state.deals[0].confirmed == state.deals[0].confirmed == (0, 1)


def without_corrections(text):
    """The text without its lines of corrections."""
    return [line for line in text.splitlines() if not line.startswith("! ")]


def test_an_inserted_card_stands_at_its_place_and_one_too_many_nowhere():
    opening = c.OpenMatch(game="parity", options={}, race={}, sides=(("Ida Holm",), ("Per Aas",)))
    script = one(PARITY + '[Deal "1"] [Dealer "B"] ' + FIFTEEN)
    facts = tuple(fact for _, fact in script.state.deals[0].facts)
    right, _ = recorded([opening, c.StartDeal(dealer=1), c.RecordFacts(facts=facts)])
    forgotten = [opening, c.StartDeal(dealer=1), c.RecordFacts(facts=(*facts[:4], *facts[5:]), it_happened=True)]
    now = {"do": "play", "seat": facts[4].seat, "card": str(facts[4].card)}
    put_in, _ = recorded([*forgotten, Correct(version=6, now=now, do="insert", note="forgotten", accepts=0)])
    assert without_corrections(put_in) == without_corrections(right)
    assert "forgotten" not in put_in
    assert "! inserted 2 now=" in put_in
    rest = c.RecordFacts(facts=facts[5:])
    twice = [opening, c.StartDeal(dealer=1), c.RecordFacts(facts=(*facts[:5], facts[4]), it_happened=True)]
    taken_out, _ = recorded([*twice, Correct(version=8, now=None, note="typed twice"), rest])
    assert without_corrections(taken_out) == without_corrections(right)
    assert re.search(r"! correction \d was=.:.. now=-", taken_out)
    taken_back, _ = recorded([*twice, WithdrawFact(version=8), rest])
    assert "~" in taken_back
    assert round_trip(taken_back)[0] == taken_back


def test_a_correction_is_written_with_both_facts_but_without_its_reason():
    opening = c.OpenMatch(game="parity", options={}, race={}, sides=(("Ida Holm",), ("Per Aas",)))
    script = one(PARITY + '[Deal "1"] [Dealer "B"] ' + FIFTEEN)
    facts = tuple(fact for _, fact in script.state.deals[0].facts)
    slip = (*facts[:3], CardPlayed(1, facts[9].card), *facts[4:])
    start = [opening, c.StartDeal(dealer=1), c.RecordFacts(facts=slip, it_happened=True, notes={3: "quick"})]
    again = Correct(version=6, now={"do": "play", "seat": 1, "card": str(facts[3].card)}, note='said "king"')
    text, _ = recorded([*start, again, c.ConfirmResult(deal=1, side=0)])
    assert "1.ST SK {quick} 2.HK" in text
    assert text.splitlines()[-2:] == ["! correction 1 was=B:HQ now=B:SK window=T0", "! confirmed A"]
    assert round_trip(text)[0] == text


def test_a_line_with_a_long_reason_stays_one_line():
    why = "word " * 80
    line = f'! ruling REV by=Dee why="{why.strip()}" accepted=A,B => A 40 B 56'
    once, script = round_trip(f'{TWO}[Deal "1"] [Dealer "B"] {P1} {P2}\n{line}\n! confirmed A')
    assert line in once.splitlines()
    assert agreed_by(script.state.deals[0]) == (0, 1)


@pytest.mark.parametrize(("place", "version"), [("@4", True), ("@BID.4", True), ("", False)])
def test_a_ruling_in_a_game_without_phases_names_the_trick(place, version):
    text = f'{PARITY}[Deal "1"] [Dealer "B"] {FIFTEEN}\n! ruling REV{place} by=Dee => A 0 B 17'
    deal = round_trip(text)[1].state.deals[0]
    at = deal.rulings[0].at
    assert (at is not None) is version
    assert not version or str(dict(deal.facts)[at].card) == "HQ"


@pytest.mark.parametrize("stated", ["13.HQ H9>A", "13.HQ H9>B"])
def test_who_took_the_last_trick_of_a_phase_is_checked(stated):
    script = one(f'{TWO}[Deal "1"] [Dealer "B"] {P1.replace("13.HQ H9", stated)} {P2}')
    found = [(each.stated, each.derived) for each in script.differences]
    assert found == ([] if stated.endswith("A") else [("B", "A")])


@pytest.mark.parametrize("written", ["7.CK D9", "7. CK D9", "07. CK D9", "8.CK D9", "8. CK D9"])
def test_a_trick_with_the_wrong_number_is_a_difference(written):
    script = one(f'{TWO}[Deal "1"] [Dealer "B"] {P1.replace("7.CK D9", written)} {P2}')
    found = [(each.stated, each.derived) for each in script.differences]
    assert found == ([("8", "7")] if "8." in written else [])


def test_a_record_that_stops_in_mid_deal_goes_on_as_a_result():
    cards = P1 + " " + P2.partition(" 6.")[0]
    text = f'{TWO}[Deal "1"] [Dealer "B"] {cards} =6-7 R A 48 B 49{SECOND}'
    once, script = round_trip(text)
    deal = script.state.deals[0]
    assert (deal.paused, len(deal.facts)) == (True, 40)
    assert played(script.state, deal).scores == (48, 49)
    assert race_of(script.state).totals == (104, 89)
    assert "5.CA D6" in once


def test_a_record_that_stops_without_a_result_is_named():
    (script,) = loads(f'{TWO}[Deal "1"] [Dealer "B"] {P1} P2 B:D A:Q 1.CT C3{SECOND}')
    assert script.problems[0].token == '[Deal "2"]'
    assert len(script.state.deals) == 1


@pytest.mark.parametrize(("call", "read"), [("A:♠ B:8", "A:S B:8"), ("A:s B:10", "A:S B:T")])
def test_calls_are_read_as_people_write_them(call, read):
    text = TWO + '[Deal "1"] [Dealer "B"] ' + P1.replace("A:S B:8", call).split(" 2.")[0]
    assert read in round_trip(text)[0]


def test_a_note_with_odd_spaces_survives_a_second_round_trip():
    opening = c.OpenMatch(game="parity", options={}, race={}, sides=(("Ida Holm",), ("Per Aas",)))
    entry = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]}, note="  two  spaces\nand a line }")
    text, _ = recorded([opening, c.StartDeal(dealer=1), entry])
    assert "R A 19 B 0 {two spaces and a line )}" in text
    assert round_trip(text)[0] == text


def test_line_ends_of_another_system_make_no_difference():
    text = f'{TWO}[Deal "1"] [Dealer "B"] {P1}\n{P2} {{late}}\nR A 48 B 49\n! confirmed A\n'
    assert export(one(text.replace("\n", "\r\n"))) == export(one(text))


@pytest.mark.parametrize("word", ["~", "^REV", ">A", "=10", "+A:H9", "!20", "! ruling", "! confirmed Z", "A:", "A:!"])
def test_a_word_in_the_wrong_place_never_stops_the_reading(word):
    (script,) = loads(f'{TWO}[Deal "1"] [Dealer "B"]\n{word}\n{P1} {P2} R A 48 B 49{SECOND}')
    assert race_of(script.state).totals == (104, 89)


def test_a_ruling_on_a_dispute_is_written_with_acceptance_but_without_reason():
    opening = c.OpenMatch(game="parity", options={}, race={}, sides=(("Annie",), ("Benny",)))
    entered = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})
    disputed = c.DisputeResult(deal=1, side=1, note="She had a heart.")
    ruled = c.Rule(code="REV", deal=1, scores=(0, 17), note="It was a revoke.")
    benny = Actor("player", person="Benny", id="Benny", strength="own device")
    before, _ = recorded([opening, entered, disputed, ruled])
    assert "! ruling REV => A 0 B 17" in before.splitlines()
    text, state = recorded([opening, entered, disputed, ruled, (c.AcceptRuling(deal=1, side=1), benny)])
    assert "! ruling REV accepted=B => A 0 B 17" in text.splitlines()
    assert not state.disputes
    assert "heart" not in text
    assert "It was a revoke" not in text
    assert round_trip(text)[0] == text


def test_a_ruling_names_the_facts_on_which_it_rests_and_goes_round():
    script = one(f'{TWO}[Deal "1"] [Dealer "B"] {P1} {P2}')
    deal = script.state.deals[0]
    revoke = next(each for each in findings(script.state) if each.code == "REV")
    facts = tuple(fact for _, fact in deal.facts)
    opening = c.OpenMatch(game="cross_purposes", options={}, race={}, sides=(("Annie",), ("Benny",)))
    at = revoke.place + 3  # behind the opening and the start
    rule = c.Rule(
        code="REV", at=at, scores=(40, 56), findings=(c.NamedFinding("REV", at),), rule="CP.5", held="Annie saw it late"
    )
    start = [opening, c.StartDeal(dealer=deal.dealer), c.RecordFacts(facts=facts, it_happened=True)]
    text, state = recorded([*start, rule])
    (line,) = [each for each in text.splitlines() if each.startswith("! ruling")]
    assert line == "! ruling REV@P2.4 rule=CP.5 proof=P2.4A,P2.4B,P2.9A grade=C => A 40 B 56"
    assert "saw it late" not in text
    once, again = round_trip(text)
    assert once == text
    assert again.differences == []
    (read,), (made,) = again.state.deals[0].rulings[0].findings, state.deals[0].rulings[0].findings
    assert (read.code, len(read.rests_on)) == (made.code, len(made.rests_on))
    (told,) = one(text.replace("P2.9A", "P2.8A")).differences
    assert (told.what, told.stated) == ("P2.4 proof", "P2.4A,P2.4B,P2.8A")
