"""Doubts about a result: contested, under appeal or disputed, in the same words wherever the result is shown, now and
as of any moment."""

import csv
import io
import re

import pytest

from domain.log.event import instant
from service.store.ids import now
from tests.kit.service.asking import House, squeezed
from tests.kit.service.case_scene import RESULT, CaseScene
from tests.kit.service.club_evenings import Evening
from tests.kit.service.people import Phone

KNOCKOUT = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
TABLE = {"format": {"kind": "round-robin"}, "game": "parity", "race": {"target": 15}}
WORDS = {"contested": "⚑ contested", "under appeal": "⚑ under appeal", "disputed": "⚑ result not yet final"}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


class Cup(CaseScene):
    """A tournament of four people, whose first match was played 21–0, and two directors."""

    def __init__(self, house, stage):
        self.house = house
        people = [self.person() for _ in range(4)]
        self.dora, self.dirk = self.person(), self.person()
        self.as_dora, self.as_dirk = (self.directs(each) for each in (self.dora, self.dirk))
        entries = [{"do": "enter", "players": [{"id": each}]} for each in people]
        self.evening = Evening(house, [stage], entries=entries)
        self.evening.act({"do": "pair_round"})
        self.pairing = self.evening.open()[0]
        self.fixture, self.match = self.pairing["fixture"], self.pairing["match"]
        self.path = f"/api/v1/matches/{self.match}"
        players = {each["id"]: each["players"][0] for each in self.evening.view["entries"]}
        self.entries = [side["entries"][0] for side in self.pairing["sides"]]
        self.sides = [self.token("player", players[each]) for each in self.entries]
        house.done(f"{self.path}/results", {"entry": RESULT})
        self.evening.read()

    def appealed(self):
        """The director rules, and the loser appeals: the case, and the appeal."""
        case = self.call(self.as_dora)
        ruling = self.rule((17, 0))
        loser = self.sides[1]
        return case, self.step(case, "appeals", loser, ruling=ruling, grounds="The rule is another.")["version"]

    def decide(self, case, appeal):
        self.step(case, f"appeals/{appeal}/decision", self.as_dirk, panel=[self.dirk], outcome="stands", grounds="No.")

    def told(self, **when):
        """What each answer says of the first match, and of those who played it."""
        view = self.evening.read("", **when)
        found = {each["fixture"]: each for at in view["rounds"] for each in at["pairings"]}
        rows = {row["entry"]: row for row in self.evening.read("/standings", **when)["rows"]}
        said = {found[self.fixture]["doubt"], *(rows[each]["doubt"] for each in self.entries)}
        others = [row["doubt"] for entry, row in rows.items() if entry not in self.entries]
        assert others == [None, None]
        if view["stages"][0]["kind"] == "single":
            boxes = {each["id"]: each for each in self.evening.read("/bracket", **when)["boxes"]}
            said.add(boxes[self.fixture]["doubt"])
        else:
            cells = {
                row["entry"]: [cell["doubt"] for cell in row["cells"]]
                for row in self.evening.read("/crosstable", **when)
            }
            assert {entry for entry, own in cells.items() if any(own)} in (set(), set(self.entries))
            said |= {next(filter(None, cells[each]), None) for each in self.entries}
        (doubt,) = said
        return doubt

    def listed(self, query=""):
        items = self.house.get(f"{self.house.path}/matches{query}").json()["items"]
        return next(each["doubt"] for each in items if each["id"] == self.match)

    def of_match(self, query=""):
        view = self.read(self.path, "scorer", query)
        assert view["contested"] is (view["doubt"] == "contested")
        return view["doubt"]

    def in_csv(self):
        text = self.house.get(f"{self.evening.path}/results.csv", "director").text.removeprefix("\ufeff")
        return {row["fixture"]: row.get("doubt", "") for row in csv.DictReader(io.StringIO(text))}

    def pages(self):
        """The pages that show the result, without spaces that nobody sees."""
        walls = [f"/show?slide={number}" for number in (1, 2, 3)]
        names = ["?round=1", "/standings", "/bracket", "/crosstable", *walls, f"/entries/{self.entries[0]}"]
        told = {}
        for each in names:
            answer = self.house.client.get(
                f"/tournaments/{self.evening.id}{each}", headers={"Accept": "text/html"}, follow_redirects=False
            )
            assert answer.status_code == 200, answer.text[:300]
            told[each] = squeezed(re.sub('</?b>|</?bdi>|<b class="flag">', "", answer.text))
        return told


@pytest.fixture(params=[KNOCKOUT, TABLE], ids=["knock-out", "round robin"])
def cup(house, request):
    return Cup(house, request.param)


def everywhere(cup, doubt):
    """Every answer says so of this result and of no other."""
    assert (cup.told(), cup.listed(), cup.of_match()) == (doubt, doubt, doubt)
    assert {fixture for fixture, said in cup.in_csv().items() if said == doubt} == {cup.fixture}
    bracket = cup.evening.view["stages"][0]["kind"] == "single"
    for name, page in cup.pages().items():
        if name == ("/crosstable" if bracket else "/bracket") or "/show" in name:
            continue
        short = name == "/crosstable"
        word = WORDS[doubt].removeprefix("⚑ ")
        assert (f'aria-label="{word}"' if short else WORDS[doubt]) in page, name
    assert any("⚑" in page for name, page in cup.pages().items() if "/show" in name)


def nowhere(cup):
    assert (cup.told(), cup.listed(), cup.of_match()) == (None, None, None)
    assert set(cup.in_csv().values()) == {""}
    assert all(word not in page.split("Each cell:")[0] for page in cup.pages().values() for word in WORDS.values())


def test_a_result_that_nobody_doubts_says_nothing(cup):
    nowhere(cup)


def test_a_disputed_result_is_not_yet_final_until_the_dispute_is_settled(cup):
    cup.house.done(f"{cup.path}/disputes", {"side": 1, "reason": "Ten it was."}, cup.sides[1])
    cup.evening.read()
    everywhere(cup, "disputed")
    cup.house.done(f"{cup.path}/settlements", {"how": "upheld"}, cup.as_dora)
    cup.evening.read()
    nowhere(cup)


def test_a_result_under_appeal_says_so_until_the_appeal_is_decided(cup):
    case, appeal = cup.appealed()
    everywhere(cup, "under appeal")
    owner = Phone(cup.house)
    owner.owns()
    board = cup.house.client.get(
        f"/tournaments/{cup.evening.id}/director", headers={"Accept": "text/html", **owner.header}
    )
    cup.house.client.cookies.clear()
    assert "⚑ under appeal: " in board.text
    cup.decide(case, appeal)
    nowhere(cup)


def test_a_ruling_that_changes_a_paired_on_result_contests_it(house):
    cup = Cup(house, KNOCKOUT)
    other = cup.evening.open()[0]
    cup.evening.act({"do": "report", "fixture": other["fixture"], "winner": 0})
    cup.evening.act({"do": "pair_round"})
    cup.rule((0, 21))
    cup.evening.read()
    everywhere(cup, "contested")


def test_the_past_has_the_doubts_of_the_past(house):
    cup = Cup(house, KNOCKOUT)
    house.done(f"{cup.path}/disputes", {"side": 1, "reason": "Ten it was."}, cup.sides[1])
    cup.evening.read()
    disputed, match, version = house.position(), cup.read(cup.path, "scorer")["version"], cup.evening.view["version"]
    house.done(f"{cup.path}/settlements", {"how": "upheld"}, cup.as_dora)
    case, appeal = cup.appealed()
    cup.evening.read()
    appealed = instant(now())
    cup.decide(case, appeal)
    nowhere(cup)
    assert cup.listed(f"?as_of={disputed}") == "disputed"
    assert cup.of_match(f"?as_of={match}") == "disputed"
    assert cup.told(as_of=version) == "disputed"
    assert cup.listed(f"?as_of={appealed}") == "under appeal"
    assert cup.of_match(f"?as_of={appealed}") == "under appeal"
    assert cup.told(as_of=appealed) == "under appeal"
    assert cup.listed(f"?as_of={disputed - 3}") is None


def test_the_table_of_results_reads_back_as_it_was_written(house):
    cup = Cup(house, KNOCKOUT)
    cup.appealed()
    text = house.get(f"{cup.evening.path}/results.csv", "director").content
    headers = {**house.bearer("director"), "Content-Type": "text/csv"}
    answer = house.client.post(f"{cup.evening.path}/results.csv", content=text, headers=headers)
    assert answer.status_code in (200, 201), answer.text


def test_pairings_from_a_ruling_under_appeal_are_provisional(house):
    cup = Cup(house, KNOCKOUT)
    case, _ = cup.appealed()
    cup.step(case, "close", cup.as_dora, ended="ruled")
    other = cup.evening.open()[0]
    cup.evening.act({"do": "report", "fixture": other["fixture"], "winner": 0})
    cup.evening.act({"do": "pair_round"})
    assert cup.evening.round()["provisional"] == [cup.fixture]


def test_a_dispute_after_the_finish_is_shown_as_a_doubt(house):
    cup = Cup(house, KNOCKOUT)
    for _ in range(2):
        for each in cup.evening.open():
            cup.evening.act({"do": "report", "fixture": each["fixture"], "winner": 0})
        if len(cup.evening.view["rounds"]) == 1:
            cup.evening.act({"do": "pair_round"})
    cup.evening.act({"do": "finish"})
    house.done(f"{cup.path}/disputes", {"side": 1, "reason": "Ten it was."}, cup.sides[1])
    cup.evening.read()
    everywhere(cup, "disputed")
    house.done(f"{cup.path}/settlements", {"how": "withdrawn"}, cup.sides[1])
    nowhere(cup)
