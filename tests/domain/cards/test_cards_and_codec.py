"""Cards by name, bit sets, and facts as lists and as JSON."""

import msgspec
import pytest

from domain import codec
from domain.cards.card import CARD_OF, CARDS, Card, cards_in, mask_of, pack_of, parse_card, sorted_hand
from domain.cards.facts import CardDrawn, CardPlayed, Passed, TotalCalled
from domain.games import fact_types
from domain.games.cross_purposes.options import ValueDeclared
from domain.games.parity.options import ParityDeclared


def test_a_card_is_read_in_either_order_and_printed_suit_first():
    for card in CARDS[:52]:
        assert parse_card(str(card)) == parse_card(str(card)[::-1]) == card
    assert [str(parse_card(text)) for text in ("RJ", "XR", "BJ", "XB")] == ["XR", "XR", "XB", "XB"]
    assert parse_card("9H").spoken == "Nine of hearts"


def test_no_two_cards_share_a_name():
    assert len({str(card) for card in CARDS}) == 54
    assert len(CARD_OF) == 108


@pytest.mark.parametrize("text", ["", "S", "SS", "10H", "sa", "S1", "XX", "SA ", "JR"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match="not a card"):
        parse_card(text)


def test_bit_sets_give_their_cards_back_lowest_first():
    assert list(cards_in(mask_of([51, 0, 53]))) == [0, 51, 53]
    assert len(list(cards_in(pack_of("AKQJT52")))) == 28
    assert [str(card) for card in sorted_hand(mask_of(CARD_OF[c] for c in ("C2", "SA", "S2", "XR")))] == [
        *("SA", "S2", "C2", "XR")
    ]


@pytest.mark.parametrize(
    ("action", "made"),
    [
        ([0, "play", "AS"], CardPlayed(0, Card(51))),
        ([1, "pass"], Passed(1)),
        ([1, "draw"], CardDrawn(1)),
        ([1, "draw", None], CardDrawn(1)),
        ([1, "draw", "C2"], CardDrawn(1, Card(0))),
        ([1, "declare", "top", "T"], ValueDeclared(1, "top", "T")),
        ([0, "parity", "even"], ParityDeclared(0, "even")),
        ([0, "total", -3], TotalCalled(0, -3)),
    ],
)
def test_a_list_makes_a_fact_and_the_fact_makes_a_list(action, made):
    assert codec.from_list(action) == made
    assert codec.from_list(codec.to_list(made)) == made


@pytest.mark.parametrize(
    "action",
    [
        [],
        [0],
        [0, 1],
        [0, "fly"],
        [4, "pass"],
        [-1, "pass"],
        [True, "pass"],
        ["0", "pass"],
        [0, "play"],
        [0, "play", "S1"],
        [0, "play", 5],
        [0, "play", None],
        [0, "play", ["SA"]],
        [0, "play", {"card": "SA"}],
        [0, "play", "SA", "SK"],
        [0, "pass", 1],
        [0, "bid", "2"],
        [0, "bid", -1],
        [0, "declare", "trump", "3"],
        [0, "declare", "top", "S"],
        [0, "parity", "both"],
    ],
)
def test_a_list_that_is_no_fact_is_a_value_error(action):
    with pytest.raises(ValueError, match=r"."):
        codec.from_list(action)


def test_cards_in_json_are_text():
    assert codec.encode(CardPlayed(0, Card(51))) == b'{"do":"play","seat":0,"card":"SA"}'
    assert codec.decode(b'{"do":"play","seat":0,"card":"AS"}', CardPlayed) == CardPlayed(0, Card(51))
    for wrong in (b'{"do":"play","seat":0,"card":51}', b'{"do":"play","seat":0,"card":"S1"}'):
        with pytest.raises(msgspec.ValidationError):
            codec.decode(wrong, CardPlayed)


@pytest.mark.parametrize("kind", fact_types(), ids=lambda kind: kind.__name__)
def test_an_unknown_member_of_a_fact_is_refused(kind):
    word = kind.__struct_config__.tag
    with pytest.raises(msgspec.ValidationError):
        codec.fact_decoder().decode(f'{{"do":"{word}","seat":0,"more":1}}')


@pytest.mark.parametrize("kind", fact_types(), ids=lambda kind: kind.__name__)
def test_a_call_written_down_is_read_back(kind):
    from tests.kit.games.strategies import candidates

    for made in candidates(kind):
        call = made.as_call()
        if call is not None:
            assert kind.of_call(made.seat, call) == made
        assert kind.of_call(0, "?!") is None
