"""A revoke from the card that fell to the bracket that moves: two players, who keeps the score, a director, and who
decides the appeal, each with a phone. The score that was ruled is in force in every club to which the match goes."""

import os
import re
import subprocess
import sys

import pytest

from domain.match.state import race_of
from service.cli import clerk, intake, seals
from tests.browser.test_case_pages import Hand
from tests.browser.test_two_phones import tap
from tests.conftest import with_pool
from tests.kit.logs import faults_of
from tests.kit.phones import PHONE, more, put_away
from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening
from tests.kit.service.people import Phone
from tests.kit.service.revoke_scene import RevokeScene, planted

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

STAGE = {"format": {"kind": "single"}, "game": "cross_purposes", "race": {"deals": 2, "target": None}}
ENTRIES = ("Annie", "Carla", "Denny", "Benny")  # the first meets the last


class Story(RevokeScene):
    """A cup of four with five people around its first match."""

    def __init__(self, house):
        self.house = house
        self.dora, self.dirk = (self.named(name) for name in ("Dora", "Dirk"))
        self.as_dora, self.as_dirk = (self.directs(each) for each in (self.dora, self.dirk))
        entries = [{"do": "enter", "players": [name]} for name in ENTRIES]
        self.cup = Evening(house, [STAGE], entries=entries, name="Cup")
        self.cup.act({"do": "pair_round"})
        first = self.pairing("W1.1")
        self.match, self.path = first["match"], f"/api/v1/matches/{first['match']}"
        self.annie, self.benny = (each["players"][0] for each in house.get(self.path).json()["sides"])
        self.scorer = Phone(house, match=self.match)

    def pairing(self, fixture):
        """A fixture of the cup, as it stands now."""
        rounds = self.cup.read()["rounds"]
        return next(each for at in rounds for each in at["pairings"] if each["fixture"] == fixture)

    def winner(self):
        """Who goes on from the match."""
        found = self.pairing("W1.1")
        return None if found["winner"] is None else ENTRIES[::3][found["winner"]]


class Person(Hand):
    """Somebody's phone: taps are counted from `begins`."""

    def begins(self, path):
        self.page.goto(path)
        self.taps = 0

    def touch(self, what):
        """A tap on a page that stays."""
        self.page.click(what)
        self.taps += 1

    def reads(self):
        return self.page.inner_text("main")


@pytest.fixture
def people(chromium, site, client, database):
    """The story, and its five people; a page that breaks its own content policy or throws is a fault."""
    faults, contexts = [], []

    def hand(phone):
        context = chromium.new_context(viewport=PHONE, base_url=site, reduced_motion="reduce", service_workers="block")
        contexts.append(context)
        context.set_default_timeout(60_000)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda line: "Security Policy" in line.text and faults.append(line.text))
        context.add_cookies([{"name": "lurch_sign_in", "value": phone.cookie, "url": site}])
        return Person(context.new_page())

    with House(client, database, public=True) as house:
        story = Story(house)
        phones = (story.scorer, *(story.phone(each) for each in (story.annie, story.benny, story.dora, story.dirk)))
        yield story, *(hand(each) for each in phones)
    for context in contexts:
        put_away(context)
    assert faults == []


def test_the_story_of_a_revoke(people, database, tmp_path):
    story, sam, annie, benny, dora, dirk = people
    recorded(story, sam)
    signed(story, annie, benny)
    assert story.winner() == "Annie"
    case = disputed(story, benny, dora)
    stated(case, annie, benny, dora)
    affirmed(story, annie)
    ruled(story, dora)
    assert story.winner() == "Benny"
    appealed(case, annie, benny)
    decided(case, dora, dirk)
    moved(story, case, dora)
    exported_and_imported(story, database)
    the_same_in_another_process(story, case, database, tmp_path)
    assert with_pool(database, lambda pool: faults_of(pool, story.house.id)) == []


def recorded(story, sam):
    """Deal 1 is entered, 56–42; deal 2 is tapped card by card, with the ten of spades on a heart that was led."""
    sam.begins(f"/matches/{story.match}")
    sam.page.click("text=Enter result")
    for control in ('[name="phases.0.0"][value="7"]', '[name="phases.1.0"][value="7"]'):
        sam.page.check(control, force=True)
    sam.page.click("text=Close deal")
    sam.page.wait_for_selector("td:has-text('56')")
    more(sam.page, "text=Deal card by card")
    facts = [fact for _, fact in planted().deals[0].facts]
    for called, played in ((facts[:2], facts[2:28]), (facts[28:30], facts[30:])):
        for call in called:
            sam.page.click(f".calls button[value*='\"{call.dim}\"'][value*='\"{call.value}\"']")
        cards = [str(fact.card) for fact in played]
        sam.page.wait_for_selector(f"[data-key={cards[0]}]")
        tap(sam.page, *cards)
        sam.page.wait_for_selector(f"[data-key={cards[-1]}]", state="detached", timeout=60_000)  # each by itself
    sam.page.wait_for_selector("td:has-text('48')")


def signed(story, annie, benny):
    """Both sign what the match came to."""
    for side, hand in enumerate((annie, benny)):
        hand.begins(f"/matches/{story.match}")
        while hand.page.locator(f"[data-key=confirm{side}]").count():
            with hand.page.expect_response("**/confirm"):
                hand.page.locator(f"[data-key=confirm{side}]").first.click()
            hand.page.goto(f"/matches/{story.match}")


def disputed(story, benny, dora):
    """Two taps, no word; the steward opens the case, and the director finds it in the queue. The path of the case."""
    benny.begins(f"/matches/{story.match}")
    benny.touch("summary:has-text('More')")
    assert benny.page.input_value("details select[name=deal]") == "2", "the last deal is offered first"
    benny.touch("button:has-text('Dispute it')")
    benny.page.wait_for_selector("text=is disputed")
    assert benny.taps == 2
    dora.begins(f"/clubs/{story.house.id}/cases")
    dora.page.wait_for_selector("a:has-text('Annie – Benny')")
    return dora.page.get_attribute("main a:has-text('Annie – Benny')", "href")


def stated(case, annie, benny, dora):
    """Sealed until both are in: the other side and the director read nothing of the first."""
    benny.begins(case)
    benny.page.fill("form[action$='/statement'] textarea", "She had a heart.")
    benny.tap(benny.button("State it"))
    for hand in (annie, dora):
        hand.begins(case)
        assert "She had a heart." not in hand.reads()
        assert "sealed" in hand.reads()
    annie.page.click("summary:has-text('State what happened')")
    annie.page.fill("form[action$='/statement'] textarea", "I did not see it.")
    annie.tap(annie.button("State it"))
    for hand in (annie, benny, dora):
        hand.begins(case)
        assert "She had a heart." in hand.reads()
        assert "I did not see it." in hand.reads()


def affirmed(story, annie):
    """The offender's side says what was played: two taps from its table."""
    annie.begins(f"/matches/{story.match}")
    annie.touch("summary:has-text('It was played so')")
    annie.touch("button:has-text('Affirm entries')")
    annie.page.wait_for_selector("text=Annie affirms")
    assert annie.taps == 2


def ruled(story, dora):
    """From the queue: open, remedy, preview, rule, confirm; that it was affirmed saves the sixth tap."""
    dora.begins(f"/clubs/{story.house.id}/cases")
    dora.tap(dora.link("Annie – Benny"))
    assert "and held the three of hearts" in dora.reads()
    assert "Proven: the entries are settled" in dora.reads()
    dora.tap(dora.link("Tricks pass"))
    assert "48–49 → 40–56" in dora.page.inner_text(".moves")
    dora.tap(dora.button("Preview"))
    assert "48–49 → 40–56" in dora.page.inner_text(".moves")
    dora.tap(dora.button("Rule", exact=True))
    dora.tap(dora.button("Confirm: 40–56"))
    assert dora.taps <= 6
    (ruling,) = story.house.get(story.path).json()["rulings"]
    assert (ruling["scores"], ruling["code"]) == ([40, 56], "REV")


def appealed(case, annie, benny):
    """Benny accepts, Annie appeals."""
    benny.begins(case)
    benny.tap(benny.button("We accept it"))
    assert "accepted by Benny" in benny.reads().replace("\u2068", "").replace("\u2069", "")
    annie.begins(case)
    annie.page.click("summary:has-text('Appeal against it')")
    annie.page.fill("form[action$='/appeal'] textarea", "I had no heart.")
    annie.tap(annie.button("Appeal", exact=True))
    assert "under appeal" in annie.reads()


def decided(case, dora, dirk):
    """Who ruled first does not hear the appeal; somebody else does, and the ruling stands."""
    dora.begins(case)
    assert dora.page.locator("summary:has-text('Decide the appeal')").count() == 0
    dirk.begins(case)
    dirk.page.click("summary:has-text('Decide the appeal')")
    assert dirk.page.get_by_role("checkbox", name="Dirk").is_checked(), "who decides is in the panel"
    dirk.page.fill("form[action$='/decide'] textarea", "The three of hearts fell later.")
    dirk.tap(dirk.button("Write the decision down"))
    assert re.search("On appeal: the ruling stands", dirk.reads(), re.I)


def moved(story, case, dora):
    """Nothing hangs on the match while the case is open; it is closed, and Benny plays the final."""
    story.cup.act({"do": "report", "fixture": "W1.2", "winner": 0})
    pairs = "button:text-is('Pair the next round')"
    dora.begins(f"/tournaments/{story.cup.id}/director")
    assert "The case of table 1 holds what is paired next." in dora.reads()
    assert dora.page.locator(pairs).count() == 0, "it would be refused"
    dora.begins(case)
    dora.page.click("summary:has-text('Close the case')")
    dora.page.select_option("form[action$='/close'] select", "ruled")
    dora.tap(dora.page.locator("form[action$='/close'] button"))
    assert "closed: " in dora.reads()
    dora.begins(f"/tournaments/{story.cup.id}/director")
    dora.page.click(pairs)
    dora.page.wait_for_selector("text=Round 2")
    dora.begins(f"/tournaments/{story.cup.id}/bracket")
    last = dora.page.locator("svg .box").last.text_content()
    assert ("Benny" in last, "Annie" in last) == (True, False), last


def exported_and_imported(story, database):
    """In the file and in another club the ruled score is in force."""
    text = with_pool(database, lambda pool: seals.export_ctn(pool, story.match))
    assert re.search(r"^! ruling REV@P2\.4 rule=CP\.5 .* grade=P .*accepted=B => A 40 B 56$", text, re.M), text
    for words in ("She had a heart", "becomes 5-8", "I had no heart"):
        assert words not in text, "what somebody said stays in the club"
    told = []
    with_pool(database, lambda pool: intake.import_ctn(pool, "Elsewhere", True, text, told.append))
    there = with_pool(database, lambda pool: clerk.find_match(pool, told[0].match)).loaded.match
    assert race_of(there).totals == (96, 98)


def the_same_in_another_process(story, case, database, tmp_path):
    """The view of the case, under the SHA-256 of its file, is what another process makes of the logs."""
    made = tmp_path / "case.json"
    made.write_text(story.phone(story.dora).page(f"{case}/file"), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    asked = [sys.executable, "-c", "from service.cli import main; main()", "verify", str(made)]
    where = {**kept, "LURCH_DATABASE_URL": database.url}
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env=where)
    assert f"{made}: as it stands in the log" in done.stdout, done.stdout + done.stderr
