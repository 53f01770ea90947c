"""Draws of physical cards, in every game that has them: a card lies in one place."""

import pytest

from domain.cards.card import parse_card
from domain.cards.facts import CardDrawn
from tests.kit.match.tables import after, begin, codes, find

# facts up to the first draws of a deal, the seat that draws first, and a card that is still in the stock
TABLES = {
    "over_the_top": ([(0, "play", "S3"), (1, "play", "DK"), (0, "play", "H4"), (1, "play", "C6")], 1, "H9"),
    "cross_game": ([(0, "bid", 2), (1, "pass"), (0, "play", "SK"), (1, "play", "SA")], 1, "HA"),
    "garbo": (
        [
            (seat % 2, "place", card, [0, seat] if seat < 4 else [1, seat - 4])
            for seat, card in enumerate(("SQ", "CJ", "HT", "DJ", "HJ", "HA", "DQ", "CA"))
        ],
        0,
        "S7",
    ),
}


def before_the_draws(key):
    facts, seat, card = TABLES[key]
    return after(key, begin(key, 1), *facts), seat, card


@pytest.mark.parametrize("key", TABLES)
def test_a_card_is_drawn_only_once_even_by_its_known_holder(key):
    state, seat, card = before_the_draws(key)
    rule = {"over_the_top": "OT.7", "cross_game": "CG.g2", "garbo": "GA.5"}[key]
    assert codes(key, state, seat, "draw", card) == []
    state = find(key).evolve(state, CardDrawn(seat, parse_card(card)))
    for who in (seat, 1 - seat):
        assert (rule, "DUP") in codes(key, state, who, "draw", card)
        assert CardDrawn(who, parse_card(card)) not in find(key).legal(state)


@pytest.mark.parametrize("key", TABLES)
def test_a_card_on_the_table_cannot_be_drawn(key):
    state, seat, _ = before_the_draws(key)
    played = next(iter(find(key).view(state, "all").seen))
    (found,) = [each for each in find(key).breaches(state, CardDrawn(seat, played)) if each.code == "DUP"]
    assert found.detail == f"{played} has been played already: it cannot be drawn"
