"""The guide followed: every word that it sets apart is pressed, filled in or read, in the order in which it tells them,
by somebody of that role in a browser of their own."""

import re
from contextlib import ExitStack

import pytest

from service.cli import clerk
from service.cli.invitation_clerk import invite
from service.store.streams import Streams
from service.web.guide_text import ROLES
from tests.browser.conftest import open_match
from tests.browser.test_evening_of_people import Hand, typed_in
from tests.browser.test_table_doors import door
from tests.browser.test_tournament_pages import announce, choose, report
from tests.conftest import with_pool
from tests.kit.phones import PHONE
from tests.kit.service.asking import NOWHERE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DESK = {"width": 1280, "height": 800}
PRESSED = "button, a, summary, label, input[type=submit]"


class Reader:
    """Somebody who does what the guide of their role says, and has to come to its end."""

    def __init__(self, role, page, club):
        self.page, self.club = page, f"/clubs/{club}"
        self.words = [word for each in ROLES if each.key == role for step in each.steps for word in step.words]

    def _next(self, words):
        assert self.words[: len(words)] == list(words), "the guide goes on with other words"
        del self.words[: len(words)]

    def reads(self, *words):
        """These words of the guide stand on the page."""
        self._next(words)
        for each in words:
            self.page.get_by_text(each).filter(visible=True).first.wait_for()

    def presses(self, word, within="main"):
        """This word of the guide is on something to press, and is pressed."""
        self._next([word])
        self.page.locator(within).locator(PRESSED).filter(has_text=word, visible=True).first.click()

    def opens(self, path):
        self.page.goto(path if path.startswith("/") else f"{self.club}/{path}")

    def sees(self, what):
        return self.page.wait_for_selector(what)

    def opens_more(self):
        """Unfolds all that can be done at a table besides."""
        self.page.wait_for_load_state()
        if not self.page.locator(".more[open]").count():
            self.page.click(".more > summary")

    def ends(self):
        assert self.words == [], "the guide tells more than was followed"


@pytest.fixture
def browsers(chromium, site):
    """Makes a browser that was never here."""
    with ExitStack() as stack:

        def make(size=PHONE):
            context = chromium.new_context(viewport=size, base_url=site, service_workers="block")
            context.set_default_timeout(60_000)
            stack.callback(context.close)
            page = context.new_page()
            stack.callback(page.goto, "about:blank")
            return page

        yield make


@pytest.fixture
def reader(browsers, database, club):
    """Makes a reader of a role's part, signed in by an invitation from a shell."""

    def make(role, appointed=None, size=PHONE):
        page = browsers(size)
        if appointed:
            comes_in(page, link_of(database, club, f"Reader {role}", appointed))
        return Reader(role, page, club[0])

    return make


def link_of(database, club, name, role):
    """The link of an invitation from a shell, from its path on."""
    called = with_pool(database, lambda pool: name_of(pool, club[0]))
    return f"/sign-in#{with_pool(database, lambda pool: invite(pool, called, name, role, None, False))}"


async def name_of(pool, club):
    return next(each.state.name for each in await Streams(pool).clubs() if each.club == club)


def comes_in(page, link):
    page.goto(link)
    page.click("text=Sign this browser in")
    page.wait_for_url("**/clubs/*")


def fill_in(page):
    """Twenty-one points to nothing, on the form of a result."""
    page.click("label:has-text('odd')")
    page.click("fieldset:has(input[name='tricks.0']) label:has(input[value='11'])")
    page.wait_for_selector("#preview b")


def twenty_one(page):
    fill_in(page)
    page.click("button:has-text('Close deal')")


def test_a_secretary_follows_the_guide(reader, browsers):
    own = reader("secretary", "secretary")
    own.opens(own.club)
    own.presses("Members", "body")
    own.page.fill("[name=name]", "Annie Ash")
    own.presses("Add member")
    own.sees("[role=status] a:has-text('Annie Ash')")
    own.page.fill("[name=name]", "Benny King")
    own.presses("Add visitor")
    own.sees("[role=status] a:has-text('Benny King')")
    own.opens(own.club)
    own.presses("Invite")
    own.page.click("button[aria-label='Invite Annie Ash']")
    own.sees(".scan svg")
    comes_in(browsers(), re.search(r"(/sign-in#[\w-]+)", own.page.inner_text(".secret"))[1])
    own.opens("settings")
    own.reads("Settings", "Time zone", "Games that we play", "Who opens matches")
    own.page.click("main button:has-text('Save')")
    own.opens("house-rules")
    own.reads("House rules")
    own.opens("roles")
    own.reads("Roles")
    own.page.select_option("[name=person]", label="Annie Ash")
    own.page.select_option("[name=role]", "scorer")
    own.presses("Give the role")
    own.sees("main li:has-text('Annie Ash')")
    own.opens("members")
    own.page.click("main a:has-text('Benny King')")
    own.reads("Rename", "Merge", "Erase")
    own.opens("members/import")
    own.page.fill("textarea", "name,visitor\nCarla Moss,no\n")
    own.presses("Show what it does")
    own.sees("text=1 new")
    own.ends()


def test_a_scorer_follows_the_guide(reader, browsers, club):
    own = reader("scorer", "scorer")
    own.opens(own.club)
    own.presses("New match")
    own.page.click("main a:has-text('Parity'), main label:has-text('Parity'), main button:has-text('Parity')")
    own.page.fill("[name=name0]", "Annie")
    own.page.fill("[name=name1]", "Benny")
    own.presses("Open the match")
    own.page.wait_for_url("**/matches/*")
    table = own.page.url
    own.presses("Enter result")
    own.page.goto(table)
    own.reads("Deal card by card")
    own.page.goto(f"{table}/result")
    fill_in(own.page)
    own.presses("Close deal")
    own.page.wait_for_url(table)
    other = browsers()
    other.goto(f"/t#{door(own.page, club)['secret']}")
    other.click("button:has-text('Benny')")
    other.click("a:has-text('Right')")
    other.wait_for_url(table)
    other.click(".dock .next button")
    own.sees("td:has-text('confirmed')")
    own.opens_more()
    own.page.click("button:has-text('Deal card by card')")
    own.page.click(".calls button:has-text('hearts')")
    own.page.click(".calls button:has-text('odd')")
    own.page.click("[data-key=HA]")
    own.sees(".trick [aria-label='Ace of hearts']")
    own.presses("Undo")
    own.presses("More")
    own.presses("Pause recording")
    own.page.click("a:has-text('Enter result')")
    twenty_one(own.page)
    own.page.wait_for_url(table)
    own.presses("correct")
    own.sees("h1:has-text('deal 2')")
    own.ends()


def test_a_player_follows_the_guide(reader, browsers, database, club):
    own = reader("player")
    own.page.goto(link_of(database, club, "Annie", "player"))
    own.presses("Sign this browser in")
    own.page.wait_for_url("**/clubs/*")
    scorer = browsers()
    comes_in(scorer, link_of(database, club, "Clara", "scorer"))
    table = open_match(scorer, club[0], "parity")
    own.opens("/t")
    own.reads("Come in at a table")
    typed_in(Hand(own.page.context), door(scorer, club)["code"], "Annie")
    own.page.bring_to_front()  # a page in the background draws once a second
    own.opens(own.club)
    own.reads("Tonight")
    own.sees("main a[href*='/matches/']:has-text('Benny')").click()
    own.page.wait_for_url(table)
    scorer.click("a:has-text('Enter result')")
    twenty_one(scorer)
    own.sees(".dock .next button")
    own.opens_more()
    own.reads("Dispute a result")
    own.page.click("button:has-text('Dispute it')")
    own.sees("td:has-text('disputed')")
    own.opens_more()
    own.reads("Call the director")
    own.page.click("[data-key=call0]")
    own.sees("text=director was called")
    own.opens("/me")
    own.reads("Me")
    own.sees("main li button")
    own.ends()


def test_a_director_follows_the_guide(reader):
    own = reader("director", "director", DESK)
    own.opens(own.club)
    own.page.click("main a:has-text('Tournaments')")
    own.presses("New tournament")
    own.reads("Players, one a line")
    own.presses("Create the tournament")
    path = announce(own.page, own.club.rpartition("/")[2], target="11")
    own.page.click("text=Pair the first round")
    own.sees("text=Round 1: 2 of 2 tables still on")
    own.reads("Director")
    beside = choose(own.page, 1)
    beside.locator("[name=score0]").fill("12")
    beside.locator("[name=score1]").fill("10")
    own.presses("Record the score")
    own.sees("text=Round 1: 1 of 2 tables still on")
    choose(own.page, 1).get_by_text("Dispute this result").click()
    own.sees(".flag:has-text('disputed')")
    choose(own.page, 1)
    own.presses("The result stands")
    own.page.click("nav a:has-text('Pairings')")
    own.reads("Pairings")
    own.presses("Why these meet")
    own.page.click("nav a:has-text('Standings')")
    own.reads("Standings")
    own.sees("text=still possible")
    own.opens("cases")
    own.reads("Cases")
    own.page.goto(f"{path}/show")
    own.sees("main")
    own.ends()


def test_a_spectator_follows_the_guide(reader, page, database, match_of_examples):
    club = with_pool(database, lambda pool: clerk.club_named(pool, "Pages club", True))
    path = announce(page, club, "single", target="11")
    page.click("text=Pair the first round")
    page.wait_for_selector("text=tables still on")
    report(page, 1, 12, 10)
    own = reader("spectator", size=DESK)
    own.page.goto(f"/clubs/{club}")
    own.reads("Tonight")
    own.page.goto(f"/matches/{match_of_examples}")
    own.presses("Replay")
    own.page.click("[aria-label='Trick back'], a:has-text('Trick back')")
    own.presses("Copy the link to this moment")
    own.page.goto(path)
    own.presses("Bracket")
    own.sees("main svg, main .bracket")
    own.page.goto(f"/clubs/{club}")
    own.presses("Ratings")
    own.page.click("main table a[href*='#history']")
    own.sees("#history")
    own.page.goto(f"/clubs/{club}")
    own.presses("Season")
    own.ends()


def test_a_programmer_follows_the_guide(reader, page, club):
    own = reader("programmer", "secretary")
    own.opens("tokens")
    own.reads("Make a token")
    own.page.fill("main [name=name]", "board")
    own.page.click("main button:has-text('Make')")
    own.sees("text=lurch_")
    own.opens("/docs")
    own.sees("text=The clubs that you may see")
    own.opens("webhooks")
    own.reads("Make a webhook")
    own.page.fill("[name=url]", NOWHERE)
    own.page.click("main button:has-text('Make')")
    own.sees("main a:has-text('/hook')")
    own.page.goto(open_match(page, club[0], "parity"))
    own.reads("Replay")
    own.ends()
