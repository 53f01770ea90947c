"""Boards on a phone: a layout typed card by card, a tap a move, a card and its square; the taps are counted."""

import random
import re
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe

from domain.cards.card import cards_in
from domain.games.garbo.options import ClaimMade
from domain.games.garbo.state import Building, level_of
from service.cli import clerk
from tests.browser.conftest import open_match
from tests.conftest import with_pool
from tests.kit.match.tables import find
from tests.kit.phones import phone, put_away, until_lasts

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
SAFARI = {"width": 390, "height": 664}  # what Safari leaves of a phone of 844
STREAM_KEPT = """window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    window.stream = this;
    this.addEventListener("message", ({ data }) => { this.last = data; });
  }
};"""


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
    dock = page.locator(".dock:visible").bounding_box()["y"]
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


def until_laid(page, number):
    """Waits until so many cards of a layout last: they go to the shelf beside what is tapped."""
    until_lasts(page, lambda entries: [len(each["typed"]["cards"]) for each in entries] == [number])


def lay_out(page, finger, cards):
    """The layout tapped card by card, with a reload and an undo on the way."""
    page.select_option("[name=dealer]", "0")
    for card in cards[:20]:
        finger.tap(key(card))
    until_laid(page, 20)
    page.reload()
    page.wait_for_selector("text=20 of 49")
    page.select_option("[name=dealer]", "0")
    page.click(key(cards[20]))
    page.click(key("undo"))
    for card in cards[20:48]:
        finger.tap(key(card))
    page.wait_for_selector("text=49 of 49")


@pytest.mark.extended
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
    *plays, (end, _, _) = play_by_lot(game, game.options(), deal, 5)
    for _, fact, _ in plays:
        assert page.locator(".board button").count() == 48 - moves, "which of them may move is told nowhere"
        finger.tap(f".board {key(square(game, fact))}")
        moves += 1
        page.wait_for_function(TAKEN, arg=square(game, fact))
    page.wait_for_selector("td:has-text('reported')")
    assert scores_shown(page) == [str(score) for score in game.score(end).scores]
    assert finger.taps == 50 + moves, (
        "the way to the page, 48 cards of which the last follows, and that the deal is laid"
    )


TAKEN = """(name) => !document.querySelector(`:is(button, input)[data-key="${name}"]`)
    && !document.querySelector("[aria-busy]")"""


def until_drawn(page):
    """Waits until the table shows the version that the service would draw now."""
    drawn = """async () => {
        const html = await (await fetch(location.href)).text();
        const read = (part) => part.querySelector("[data-version]").dataset.version;
        return read(new DOMParser().parseFromString(html, "text/html")) === read(document);
    }"""
    page.wait_for_function(drawn)


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


SHEET = 40  # numbers that lie open at once


def claim(page, finger, points):
    """One tap for a number that lies open, two for a larger one."""
    page.wait_for_selector(".claim[open]")
    if points > SHEET:
        finger.tap(f"label:has({key(f'from{(points - 1) // SHEET * SHEET + 1}')})")
    finger.tap(key(f"claim{points}"))
    page.wait_for_selector(f"[data-said*='claims {points}. ']")


def taps_of(claims):
    """The taps of a deal: it is opened, each card is tapped and its square, the first card alone, of the last one the
    square alone, a claim is one tap or two, none where nothing is claimed, and the end is passed."""
    return 1 + 2 * len(claims) - 2 + sum((points > 0) + (points > SHEET) for points in claims) + 1


def claims_in_view(page):
    """Every number that lies open on the screen, as large as the keys of a phone's keyboard, above the bar, and the
    whole board above them."""
    for size in ({"width": 360, "height": 640}, SAFARI):
        page.set_viewport_size(size)
        assert in_view(page, key("claim1"), key("claim40"))
        numbers = page.locator(".claim .chips:visible button")
        assert (numbers.count(), small(page, ".claim .chips:first-of-type button", 32)) == (SHEET, [])
        board, sheet = (page.locator(each).bounding_box() for each in (".board", ".claim .drawer"))
        assert board["y"] >= 0 and board["y"] + board["height"] <= sheet["y"]
    check_looks(page)


def looks_at(page, state):
    """Board and cards in view above the bar, large enough, and no hint of what is legal."""
    assert page.locator(".board button").count() == 49, "which squares are legal is told nowhere"
    page.evaluate("window.scrollTo(0, 0)")
    assert in_view(page, ".board", ".picks .suit:first-of-type", ".picks .suit:last-of-type")
    assert small(page, ".board button, .picks label", 43 if isinstance(state, Building) else 41) == []
    check_looks(page)


@pytest.mark.extended
def test_a_deal_by_taps_where_a_square_says_that_nothing_is_claimed(page, club):
    """A whole deal, each tap waited for: that is why it takes half a minute."""
    page.set_viewport_size(SAFARI)
    open_board(page, club[0], {"claims": "manual"})
    game, finger, claims = find("garbo"), Finger(page), []
    finger.taps = 1  # the deal is open
    deal, _ = shuffled("garbo", 9)
    assert page.locator(".board button").count() == 1
    for state, fact, due in play_by_lot(game, game.options(claims="manual"), deal, 9):
        if fact is None:
            break
        taps = [f"label:has({key(fact.card)})", f".board {key(square(game, fact))}"]
        if claims and not claims[-1]:
            page.wait_for_selector(".claim[open]")
            taps.reverse()
        if level_of(state).left == 14:
            until_drawn(page)
            page.evaluate("document.querySelector('.claim').open = true")
            claims_in_view(page)
            page.evaluate("document.querySelector('.claim').open = false")
            looks_at(page, state)
        for each in taps[len(claims) == 31 : 2 if claims else 1]:
            finger.tap(each)
        page.wait_for_function(TAKEN, arg=str(fact.card))
        claims.append(due)
        if due:
            claim(page, finger, due)
    finger.tap("button:has-text('pass')")
    page.wait_for_selector("td:has-text('reported')")
    assert finger.taps == taps_of(claims)


def test_a_deal_with_its_claims_is_at_most_100_taps():
    game = find("garbo")
    for seed in range(100):
        deal, _ = shuffled("garbo", seed)
        plays = play_by_lot(game, game.options(claims="manual"), deal, seed)
        assert taps_of([due for _, fact, due in plays if fact]) <= 100, seed


@pytest.mark.extended
def test_a_chosen_square_is_marked_announced_kept_and_released(page, club, chromium, site, database):
    open_board(page, club[0], {"claims": "manual"})
    page.click(f"label:has({key('SA')})")
    page.wait_for_selector(".claim[open]")
    page.click(key("d5"))
    marked = page.locator(".board [aria-pressed=true]")
    assert (marked.count(), marked.get_attribute("data-key")) == (1, "d5")
    assert "Chosen: column d, row 5. Now its card." in page.inner_text("#said")
    assert page.locator(".claim[open]").count() == 0
    check_looks(page)
    page.click(key("d5"))
    assert marked.count() == 0
    page.click(key("e4"))
    page.keyboard.press("Escape")
    assert marked.count() == 0
    page.click(key("d5"))
    page.click(key("g7"))
    with phone(chromium, site, database, "Dora", club=club[0]) as other:
        second = other.new_page()
        second.goto(page.url)
        second.click(key("e4"))
        second.click(f"label:has({key('HK')})")
        page.wait_for_selector(f"button.card{key('e4')}")
    assert (marked.get_attribute("data-key"), page.locator(".claim[open]").count()) == ("g7", 0)
    page.click(key("d5"))
    page.click(f"label:has({key('CQ')})")
    page.wait_for_selector(f"button.card{key('d5')}")
    page.wait_for_selector(".claim[open]")
    assert marked.count() == 0


@pytest.mark.extended
def test_a_chosen_square_stays_told_when_the_same_table_comes_again(page, club):
    """The stream may bring what the answer to the own tap has drawn already, right behind the tap on a square."""
    page.add_init_script(STREAM_KEPT)
    open_board(page, club[0], {"claims": "manual"})
    page.click(f"label:has({key('SA')})")
    page.wait_for_function("() => stream.last?.includes('the ace of spades to column d, row 4')")
    page.wait_for_selector(".claim[open]")
    page.click(key("d5"))
    page.evaluate("stream.onmessage({ data: stream.last })")
    assert "Chosen: column d, row 5. Now its card." in page.inner_text("#said")


@pytest.mark.extended
def test_a_square_chosen_by_keys_gets_its_card_by_enter(page, club):
    open_board(page, club[0], {})
    page.focus(key("d4"))
    page.keyboard.press("Enter")
    page.focus(key("SA"))
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    assert (page.is_checked(key("SK")), page.locator(".board .card").count()) == (True, 0)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"button.card{key('d4')}:has-text('K')")


@pytest.mark.extended
def test_a_level_is_at_most_50_keys(page, club):
    open_board(page, club[0], {})
    game, keys = find("garbo"), {}
    deal, _ = shuffled("garbo", 9)
    for state, fact, _ in play_by_lot(game, game.options(), deal, 9):
        if fact is None:
            break
        suit, rank = str(fact.card)
        place = ("12345678", "qwertyui", "asdfghjk", "zxcvbnm,")["SHDC".index(suit)]["AKQJT987".index(rank)]
        for each in place + square(game, fact) * bool(keys):  # the first card has one square only
            page.keyboard.press(each)
            keys[type(state)] = keys.get(type(state), 0) + 1
        page.wait_for_function(TAKEN, arg=str(fact.card))
    page.wait_for_selector("td:has-text('reported')")
    assert max(keys.values()) <= 50, keys


@pytest.fixture
def open_club(database):
    """A club whose matches anybody may follow."""
    return with_pool(database, lambda pool: clerk.club_named(pool, "Open club", public=True))


@contextmanager
def anybody(chromium, site):
    """A page of somebody who is not signed in."""
    context = chromium.new_context(viewport=SAFARI, base_url=site, service_workers="block")
    page = context.new_page()
    yield page
    put_away(context)


def test_a_board_is_played_by_keyboard_and_followed_by_a_spectator(page, open_club, chromium, site):
    open_board(page, open_club, {})
    with anybody(chromium, site) as follower:
        follower.goto(page.url)
        page.keyboard.type("S9")
        page.wait_for_selector(f"button.card{key('d4')}")
        page.keyboard.type("D7")
        page.keyboard.press("Escape")
        page.keyboard.type("D8d5")
        page.wait_for_selector(f"button.card{key('d5')}")
        said = "plays the eight of diamonds to column d, row 5"
        page.wait_for_function("(said) => document.querySelector('#said').textContent.includes(said)", arg=said)
        follower.wait_for_selector(".layout [aria-label='Eight of diamonds']")
        assert follower.locator(".board").count() == 0
        assert said in follower.inner_text("#said")
        page.keyboard.press("Backspace")
        page.wait_for_selector(f"button.spot{key('d5')}")
        follower.wait_for_selector(".layout [aria-label='Eight of diamonds']", state="detached")
        check_looks(follower)
    page.goto(f"{page.url}/replay?at=4")
    assert said in page.inner_text("main")
    assert page.locator(".layout [aria-label='Eight of diamonds']").count() == 1


@pytest.mark.extended
def test_a_square_typed_before_the_board_reaches_it_is_played_later(page, club):
    open_board(page, club[0], {})
    held = []
    page.route(re.compile("/facts$"), lambda route: held.insert(0, route), times=1)
    page.wait_for_function("() => document.readyState === 'complete'")
    page.keyboard.type("S9")
    while not held:
        page.wait_for_timeout(10)
    assert page.locator(key("d5")).count() == 0
    page.keyboard.type("D8d5H8d6")
    held[0].continue_()
    for spot in ("d4", "d5", "d6"):
        page.wait_for_selector(f"button.card{key(spot)}")
    assert page.locator("button.card").count() == 3
    assert page.locator("[role=alert]").count() == 0


def test_a_layout_is_typed_and_played_by_keyboard_alone(page, open_club, chromium, site):
    open_match(page, open_club, "get_stuck")
    table, (deal, cards) = page.url, shuffled("get_stuck", 6)
    page.goto(f"{table}/layout")
    page.wait_for_selector("text=0 of 49")
    page.keyboard.type("".join("x" if card[0] == "X" else card.lower() for card in cards[:3]))
    page.keyboard.press("Backspace")
    page.keyboard.type("".join("x" if card[0] == "X" else card.lower() for card in cards[2:48]))
    page.wait_for_selector("text=49 of 49")
    page.keyboard.press("Enter")
    page.wait_for_selector(".on-board")
    game = find("get_stuck")
    dealer = int(re.search(r"dealer (Annie|Benny)", page.inner_text(".felt"))[1] == "Benny")
    state = game.start(game.options(), dealer, deal)
    first = square(game, game.legal(state)[0])
    with anybody(chromium, site) as follower:
        follower.goto(table)
        assert (
            follower.locator(".felt .card.redframe").count() == follower.locator(".felt .card.blackframe").count() == 24
        )
        page.keyboard.type(first)
        follower.wait_for_selector(".felt .card.down")
        assert re.search(rf"moves the \w+ of \w+ from column {first[0]}, row {first[1]}", follower.inner_text("#said"))
        check_looks(follower)


@pytest.mark.extended
def test_a_card_stays_chosen_when_the_table_is_drawn_anew(page, club, chromium, site, database):
    open_board(page, club[0], {})
    page.click(f"label:has({key('SA')})")
    page.wait_for_selector(f"button.card{key('d4')}")
    page.click(f"label:has({key('HK')})")
    with phone(chromium, site, database, "Dora", club=club[0]) as other:
        second = other.new_page()
        second.goto(page.url)
        second.click(f"label:has({key('SK')})")
        second.click(key("d5"))
        page.wait_for_selector(f"button.card{key('d5')}")
        assert page.is_checked(key("HK"))
        page.click(key("d6"))
        page.wait_for_selector(f"button.card{key('d6')}")
    assert page.locator(f"{key('HK')}").count() == 0
    assert page.locator(".picks :checked").count() == 0
