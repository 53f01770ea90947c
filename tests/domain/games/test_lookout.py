"""Lookout: by hand, and beside a naive table that knows suits and ranks as letters."""

import json
import random

import pytest

from domain import codec
from domain.cards.card import parse_card
from domain.game.protocol import ALL
from domain.game.sheet import EntryError
from domain.games import find
from tests.kit.match.tables import after, begin, deal_for, fact

KEY = "lookout"
RANKS = "9TJQKA"
PACK = [rank + suit for suit in "SHDC" for rank in RANKS]


def winner(seat, led, answer):
    """Who takes a trick, by letters."""
    if answer[1] == led[1]:
        return seat if RANKS.index(led[0]) > RANKS.index(answer[0]) else 1 - seat
    return 1 - seat if answer[1] == "S" else seat


def naive(seed, broken=False):
    """A deal that is played out by letters, as a line of tests/data; a broken one has a revoke, and says where."""
    chance, pack = random.Random(seed), [*PACK]
    chance.shuffle(pack)
    hands, stock, dealer = [pack[:11], pack[11:22]], pack[22:], seed % 2
    deal = {"hands": [[*hand] for hand in hands], "stock": stock}
    seat, won, wrong = 1 - dealer, [0, 0], None
    actions = [[seat, "lookout"]]
    while hands[0]:
        led = hands[seat].pop(chance.randrange(len(hands[seat])))
        actions.append([seat, "play", led])
        other = hands[1 - seat]
        suit, rest = [each for each in other if each[1] == led[1]], [each for each in other if each[1] != led[1]]
        odd = broken and wrong is None and suit and rest
        answer = chance.choice(rest if odd else suit or other)
        other.remove(answer)
        wrong = len(actions) if odd else wrong
        actions.append([1 - seat, "play", answer])
        seat = winner(seat, led, answer)
        won[seat] += 1
    history = {"game": KEY, "options": {}, "dealer": dealer, "deal": deal, "actions": actions}
    expect = {"error": {"action": wrong}} if broken else {"complete": True, "scores": won}
    return json.dumps({"rules": KEY, "history": history, "expect": expect}, separators=(",", ":"))


@pytest.mark.parametrize("seed", range(20))
def test_lo_4_lo_5_tricks_are_counted_as_by_letters(seed):
    line = json.loads(naive(seed))
    game, history = find(KEY), line["history"]
    state = game.start(game.options(), history["dealer"], codec.convert(history["deal"], game.deal))
    for action in history["actions"]:
        each = fact(*action)
        assert game.breaches(state, each) == ()
        state = game.evolve(state, each)
    assert list(game.score(state).scores) == line["expect"]["scores"]


def test_lo_3_the_card_that_was_looked_at_is_told_to_its_seat_alone():
    deal = deal_for(KEY, "SA", "HA", "DA")
    state = after(KEY, begin(KEY, 0, deal), (1, "lookout"))
    seen = {viewer: find(KEY).view(state, viewer).looked_at for viewer in (0, 1, None, ALL)}
    assert seen == {0: None, 1: parse_card("DA"), None: None, ALL: parse_card("DA")}
    assert find(KEY).view(state, None).looked == 1


def test_lo_3_the_look_is_the_non_dealers_and_comes_first():
    state = begin(KEY, 0, deal_for(KEY))
    assert [(each.rule, each.code) for each in find(KEY).breaches(state, fact(0, "lookout"))] == [("LO.3", "OOB")]
    assert find(KEY).breaches(state, fact(1, "play", "SA"))[0].misfit
    assert find(KEY).breaches(state, fact(1, "lookout", "SA"))[0].misfit, "the deal tells which card it is"
    assert find(KEY).breaches(begin(KEY), fact(1, "lookout", "SA")) == ()


def test_lo_4_suit_is_followed_and_spades_are_trumps():
    state = after(KEY, begin(KEY, 0, deal_for(KEY, "HA SA CA", "H9 C9")), (1, "lookout"), (1, "play", "H9"))
    assert [each.code for each in find(KEY).breaches(state, fact(0, "play", "SA"))] == ["REV"]
    assert find(KEY).view(find(KEY).evolve(state, fact(0, "play", "SA")), None).tricks == (1, 0)


def test_lo_i1_entered_tricks_make_eleven():
    sheet, options = find(KEY).sheet, find(KEY).options()
    assert sheet.score(options, sheet.entry(options)((7, 4))).scores == (7, 4)
    with pytest.raises(EntryError, match="11"):
        sheet.score(options, sheet.entry(options)((7, 5)))
