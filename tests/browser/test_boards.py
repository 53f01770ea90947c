"""Boards on a phone: a layout typed card by card, a tap a move, a card and its square; the taps are counted."""

import random

import pytest
from axe_playwright_python.sync_playwright import Axe

from domain.cards.card import cards_in
from domain.games.garbo.options import ClaimMade
from domain.games.garbo.state import Building, level_of
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


def small(page, selector, least=44):
    """The targets that are too small for a finger."""
    boxes = page.locator(selector).evaluate_all(
        "all => all.map((each) => [each.dataset.key, each.offsetWidth, each.offsetHeight])"
    )
    return [box for box in boxes if min(box[1:]) < least]


def shuffled(key, seed):
    """The cards of a game by lot, and its deal of them."""
    game = find(key)
    cards = list(cards_in(game.pack(game.options())))
    random.Random(seed).shuffle(cards)
    return game.deal_out(game.options(), tuple(cards)), [str(card) for card in cards]


def play_by_lot(game, options, deal, seed):
    """Cards on squares by lot, each with the table before it and what it lets the other seat claim; at the end the
    table."""
    state, lot = game.start(options, 0, deal), random.Random(seed)
    while legal := [fact for fact in game.legal(state) if hasattr(fact, "cell")]:
        fact = lot.choice(legal)
        after = game.evolve(state, fact)
        due = level_of(after).due[1 - fact.seat] if game.key == "garbo" else 0
        yield state, fact, due
        state = game.evolve(after, ClaimMade(1 - fact.seat, due)) if due else after
    yield state, None, 0


def square(game, fact):
    """The square of a fact by its name."""
    frame = game.frame
    down, across = fact.cell[0] - frame.corner[0], fact.cell[1] - frame.corner[1]
    return frame.columns[across] + frame.rows[down]


def scores_shown(page):
    places = page.locator(".versus .total")
    return [places.nth(at).inner_text() for at in range(2)]


def lay_out(page, finger, cards):
    """The layout tapped card by card, with a reload and an undo on the way."""
    page.select_option("[name=dealer]", "0")
    for card in cards[:20]:
        finger.tap(key(card))
    page.reload()
    page.wait_for_selector("text=20 of 49")
    page.select_option("[name=dealer]", "0")
    page.click(key(cards[20]))
    page.click(key("undo"))
    for card in cards[20:48]:
        finger.tap(key(card))
    page.wait_for_selector("text=49 of 49")


def test_a_layout_takes_49_taps_and_each_move_one(page, club):
    page.set_viewport_size(SAFARI)
    open_match(page, club[0], "get_stuck")
    deal, cards = shuffled("get_stuck", 5)
    finger = Finger(page)
    finger.tap(key("layout"))
    page.wait_for_selector(".board")
    assert in_view(page, ".board", ".picks .suit:first-of-type", ".picks .suit:last-of-type")
    assert small(page, ".picks button", 40) == []
    check_looks(page)
    lay_out(page, finger, cards)
    check_looks(page)
    finger.tap(key("laid"))
    page.wait_for_selector(".on-board")
    check_looks(page)
    assert in_view(page, ".board")
    assert small(page, ".board button") == []
    game, moves = find("get_stuck"), 0
    for state, fact, _ in play_by_lot(game, game.options(), deal, 5):
        if fact is None:
            break
        assert page.locator(".board button").count() == 48 - moves, "which of them may move is told nowhere"
        finger.tap(f".board {key(square(game, fact))}")
        moves += 1
        if moves < 3:
            page.wait_for_selector(f".board [aria-label^='face down'] >> nth={moves - 1}")
        page.wait_for_function(TAKEN, arg=square(game, fact))
    page.wait_for_selector("td:has-text('reported')")
    assert scores_shown(page) == [str(score) for score in game.score(state).scores]
    assert finger.taps == 50 + moves, (
        "the way to the page, 48 cards of which the last follows, and that the deal is laid"
    )


TAKEN = """(name) => !document.querySelector(`button[data-key="${name}"]`) && !document.querySelector("[aria-busy]")"""
LIES = (
    """(name) => document.querySelector(`button.card[data-key="${name}"]`) && !document.querySelector("[aria-busy]")"""
)


def open_board(page, club, options):
    """Annie and Benny at a table of cards and squares, Annie dealing."""
    page.goto(f"/clubs/{club}/new?game=garbo")
    page.fill("[name=name0]", "Annie")
    page.fill("[name=name1]", "Benny")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    for name, value in options.items():
        page.select_option(f'[name="option.{name}"]', value)
    page.click("text=Open the match")
    page.wait_for_url("**/matches/*")
    page.click(key("deal0"))
    page.wait_for_selector(".on-board")


def claim(page, finger, points):
    """One tap for a number up to forty; a larger one is typed, every digit a tap."""
    if points <= 40:
        finger.tap(key(f"claim{points}"))
    else:
        finger.tap("[name=number]")
        page.fill("[name=number]", str(points))
        finger.taps += len(str(points))
        finger.tap(key("claim"))
    page.wait_for_selector(f"[data-said*='claims {points}. ']")


@pytest.mark.parametrize("claims", ["automatic", "manual"])
def test_a_card_and_its_square_are_two_taps(page, club, claims):
    page.set_viewport_size(SAFARI)
    open_board(page, club[0], {"claims": claims})
    game, finger = find("garbo"), Finger(page)
    options = game.options(claims=claims)
    deal, _ = shuffled("garbo", 9)
    assert page.locator(".board button").count() == 1
    for state, fact, due in play_by_lot(game, options, deal, 9):
        if fact is None:
            break
        if level_of(state).left == 14:
            assert page.locator(".board button").count() == 49, "which squares are legal is told nowhere"
            assert in_view(page, ".board", ".picks .suit:first-of-type", ".picks .suit:last-of-type")
            assert small(page, ".board button, .picks label", 43 if isinstance(state, Building) else 41) == []
            check_looks(page)
        finger.tap(f"label:has({key(fact.card)})")
        finger.tap(f".board {key(square(game, fact))}")
        page.wait_for_function(LIES, arg=square(game, fact))
        if due:
            claim(page, finger, due)
    if claims == "manual":
        finger.tap("button:has-text('pass')")
    page.wait_for_selector("td:has-text('reported')")
    assert finger.taps <= 100
    assert claims == "manual" or finger.taps == 64
