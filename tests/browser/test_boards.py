"""Boards on a phone: a layout typed card by card, a tap a move, a card and its square; the taps are counted."""

import random

import pytest
from axe_playwright_python.sync_playwright import Axe

from domain.cards.card import CARD_OF, cards_in
from tests.browser.conftest import open_match
from tests.kit.match.tables import find

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
SAFARI = {"width": 390, "height": 664}  # what Safari leaves of a phone of 844


class Finger:
    """Taps on a page, counted."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, selector):
        self.taps += 1
        self.page.click(selector)




def key(name):
    return f'[data-key="{name}"]'


def in_view(page, *selectors):
    """True where all of these stand on the screen as it is, above the bar at the bottom."""
    dock = page.locator(".dock").bounding_box()["y"]
    boxes = [page.locator(each).first.bounding_box() for each in selectors]
    return all(box["y"] >= 0 and box["y"] + box["height"] <= dock + 1 for box in boxes)


def check_looks(page):
    """Legible in both themes, no wider than the screen, and every target 44 px high or 40 at least."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    page.emulate_media(color_scheme="light")
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def small(page, selector):
    """The targets that are too small for a finger."""
    boxes = page.locator(selector).evaluate_all(
        "all => all.map((each) => [each.dataset.key, each.offsetWidth, each.offsetHeight])"
    )
    return [box for box in boxes if min(box[1:]) < 44]


def shuffled_layout(seed):
    """A deal of Get Stuck and its cards as they are tapped."""
    game = find("get_stuck")
    cards = list(cards_in(game.pack(game.options())))
    random.Random(seed).shuffle(cards)
    return game.deal_out(game.options(), tuple(cards)), [str(card) for card in cards]


def play_of(game, state, seed):
    """A legal move by lot; None at the end."""
    legal = [fact for fact in game.legal(state) if hasattr(fact, "cell")]
    return random.Random(seed).choice(legal) if legal else None


def test_a_whole_layout_takes_49_taps_and_each_move_one(page, club, context):
    page.set_viewport_size(SAFARI)
    open_match(page, club[0], "get_stuck")
    finger = Finger(page)
    deal, cards = shuffled_layout(5)
    page.click(f"{key('layout')}")
    page.wait_for_selector(".board")
    page.select_option("[name=dealer]", "0")
    assert in_view(page, ".board", ".picks .suit:last-of-type", ".picks .suit:first-of-type")
    assert small(page, ".picks button") == []
    check_looks(page)
    for card in cards[:20]:
        finger.tap(key(card))
    page.reload()
    page.wait_for_selector("text=20 of 49")
    page.select_option("[name=dealer]", "0")
    finger.tap(key(cards[20]))
    page.click(key("undo"))
    for card in cards[20:48]:
        finger.tap(key(card))
    page.wait_for_selector("text=49 of 49")
    check_looks(page)
    finger.tap(key("laid"))
    page.wait_for_selector(".on-board")
    check_looks(page)
    assert small(page, ".board button") == []
    game = find("get_stuck")
    state, moves = game.start(game.options(), 0, deal), 0
    while (fact := play_of(game, state, moves)) is not None:
        name = f"{'abcdefg'[fact.cell[1]]}{7 - fact.cell[0]}"
        assert page.locator(".board button").count() == 48 - moves
        finger.tap(f".board {key(name)}")
        state, moves = game.evolve(state, fact), moves + 1
        page.wait_for_function(f"document.querySelectorAll('[aria-label^=\"face down\"]').length >= {moves}")
    assert finger.taps == 50 + moves
    page.wait_for_selector("td:has-text('reported')")
    scores = game.score(state).scores
    shown = page.locator(".versus .total")
    assert [shown.nth(at).inner_text() for at in range(2)] == [str(score) for score in scores]
