"""A view never reveals a card that its seat has not seen."""

import random

import msgspec
import pytest

from domain import codec
from domain.cards.card import CARDS, cards_in, mask_of
from domain.game.script import DealCards
from domain.games import find
from tests.kit.games.strategies import FORM_IDS, FORMS, played_out
from tests.kit.match.tables import after, begin, deal_for, happened, random_deal, told

HIDDEN_HANDS = [
    pytest.param(form, id=name)
    for form, name in zip(FORMS, FORM_IDS, strict=True)
    if form[0] in ("cross_purposes", "cross_game", "garbo", "over_the_top", "ristikontra")
    or form[1].get("open_hands") is False
]
CODES = {str(card): card for card in CARDS}


def named_in(view) -> set:
    """Return the cards whose codes appear in a view, except in calls."""
    bare = codec.plain(msgspec.structs.replace(view, calls=(), legal=()))
    legal = [] if view.legal is None else [each.card for each in view.legal if getattr(each, "card", None) is not None]
    text = codec.encode([bare, view.figures, view.notes, view.layout]).decode()
    return {card for code, card in CODES.items() if f'"{code}"' in text} | set(legal)


def fallen(game, facts, states, place) -> int:
    """Return everything played or turned up before a state."""
    named = told(game, facts[:place], states[: place + 1])
    return mask_of(fact.card for fact in named if getattr(fact, "card", None) is not None)


def own_cards(game, options, deal, states, place, seat) -> int:
    """Return what a seat has held up to a state."""
    seen = 0
    for state in states[: place + 1]:
        seen |= mask_of(game.view(state, "all").hands[seat] or ())
    return seen


@pytest.mark.parametrize("form", HIDDEN_HANDS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.extended)])
def test_a_view_names_only_what_its_seat_has_held_or_seen_played(form, seed):
    game, options, _, deal, facts, states = played_out(form, seed)
    for place, state in enumerate(states):
        played = fallen(game, facts, states, place)
        for viewer in (None, *range(game.seats(options))):
            may = played
            if viewer is not None:
                may |= own_cards(game, options, deal, states, place, viewer)
            hidden = game.pack(options) & ~may
            assert not named_in(game.view(state, viewer)) & set(cards_in(hidden)), (place, viewer)


def shuffled_unseen(game, options, deal, seen: int, seed: int):
    """Return another deal that looks the same to a viewer who has seen these cards."""
    dealt = game.script.cards_of(deal)
    parts = [*dealt.hands, dealt.stock]
    loose = [card for part in parts for card in part if not seen >> card & 1]
    random.Random(seed).shuffle(loose)
    mixed = [tuple(card if seen >> card & 1 else loose.pop() for card in part) for part in parts]
    return game.script.deal_of(options, DealCards(tuple(mixed[:-1]), mixed[-1], dealt.rows, dealt.red))


@pytest.mark.parametrize("form", HIDDEN_HANDS)
@pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.extended)])
def test_a_view_is_the_same_whatever_the_unseen_cards_are(form, seed):
    game, options, dealer, deal, facts, states = played_out(form, seed)
    for place in range(0, len(states), 3):
        played = fallen(game, facts, states, place)
        pairs = partners_of(played) if game.key == "cross_game" else 0
        for viewer in (None, *range(game.seats(options))):
            seen = played | pairs
            if viewer is not None:
                seen |= own_cards(game, options, deal, states, place, viewer)
            other = game.start(options, dealer, shuffled_unseen(game, options, deal, seen, place))
            for fact in facts[:place]:
                other = game.evolve(other, fact)
            one, same = game.view(other, viewer), game.view(states[place], viewer)
            assert one == same, (place, viewer)
            assert [one.figures, one.notes, one.layout] == [same.figures, same.notes, same.layout]


def partners_of(played: int) -> int:
    """Return kings and queens whose partner has been led, since a shown pair reveals both."""
    return mask_of(card + step for card in cards_in(played) for step in (-1, 1) if card % 13 in (10, 11))


def test_pa_g6_open_hands_are_visible_and_closed_ones_are_not():
    game = find("parity")
    deal = deal_for("parity")
    opened, closed = begin("parity", 0, deal), begin("parity", 0, deal, open_hands=False)
    assert len(named_in(game.view(opened, None))) == 30
    assert named_in(game.view(closed, None)) == set()


def physical_trick():
    """Cross Game with physical cards: one trick is over and draws may be recorded."""
    state = after("cross_game", begin("cross_game", 1), (0, "bid", 1), (1, "pass"))
    return after("cross_game", state, (0, "play", "H9"), (1, "play", "HA"))


@pytest.mark.parametrize("viewer", [None, 0])
def test_cg_g2_a_recorded_draw_is_hidden_from_others(viewer):
    game = find("cross_game")
    one = happened("cross_game", physical_trick(), (1, "draw", "SA"), (0, "draw"))
    other = happened("cross_game", physical_trick(), (1, "draw", "C9"), (0, "draw"))
    assert game.view(one, viewer) == game.view(other, viewer)


@pytest.mark.parametrize("viewer", [None, 0])
def test_cg_g2_legal_moves_do_not_reveal_a_recorded_draw(viewer):
    game = find("cross_game")
    views = []
    for card in ("SA", "C9"):
        state = happened("cross_game", physical_trick(), (1, "draw", card), (0, "draw"), (1, "play", "DA"))
        views.append(game.view(state, viewer))
    assert views[0] == views[1]


@pytest.mark.parametrize("key", ["cross_purposes", "parity"])
def test_a_card_played_twice_reveals_no_hidden_card(key):
    game = find(key)
    options = codec.convert({"open_hands": False} if key == "parity" else {}, game.options)
    state = game.start(options, 0, random_deal(key, options, 1))
    fallen, doubled = [], False
    while game.to_act(state) is not None:
        fact = game.legal(state)[0]
        if len(fallen) == 5 and not doubled:
            fact, doubled = type(fact)(fact.seat, fallen[0]), True
        elif hasattr(fact, "card"):
            fallen.append(fact.card)
        state = game.evolve(state, fact)
    assert named_in(game.view(state, None)) <= set(fallen)
