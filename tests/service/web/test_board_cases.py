"""Cases and slow tables on the director's board: what holds a pairing, what can be closed with one tap, who is slow."""

import re

import pytest

from tests.kit.service.asking import House, squeezed
from tests.kit.service.club_evenings import Evening
from tests.kit.service.people import Phone
from tests.service.api.test_audit import later, round_of_eight  # noqa: F401  # a fixture

HTML = {"Accept": "text/html"}
RACE = {"target": 15}
KNOCKOUT = {"format": {"kind": "single"}, "game": "parity", "race": RACE}
SWISS = {"format": {"kind": "swiss", "rounds": 3}, "game": "parity", "race": RACE}
GROUPS = {"format": {"kind": "groups", "groups": 2}, "game": "parity", "race": RACE, "go_on": 2}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


class Board:
    """The board of an evening, and what a director taps on it."""

    def __init__(self, house, evening):
        self.house, self.evening = house, evening
        self.path = evening.path.removeprefix("/api/v1")
        self.dora = Phone(house)
        self.dora.owns()

    def page(self):
        self.house.client.cookies.clear()
        answer = self.house.client.get(f"{self.path}/director", headers={**HTML, **self.dora.header})
        assert answer.status_code == 200, answer.text[:500]
        return squeezed(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    def buttons(self):
        """The forms above the tables, by the text of their buttons: what each sends."""
        top = self.page().split('<section aria-labelledby="called">')[0].split('<section aria-labelledby="board">')[0]
        forms = re.findall(r'<form method="post" action="([^"]*)"[^>]*>(.*?)</form>', top)
        told = {}
        for action, inside in forms:
            text = re.sub("<[^>]*>", "", inside.rpartition("<button")[2].partition(">")[2]).strip()
            told[text] = (action, dict(re.findall(r'name="(\w+)" value="([^"]*)"', inside)))
        return told

    def tap(self, text):
        action, fields = self.buttons()[text]
        answer = self.dora.post(action, **fields)
        assert answer.status_code == 303, answer.text[:500]
        self.evening.read()
        return answer.headers["location"]

    def call(self, fixture, **more):
        body = {"fixture": fixture, "reason": "They quarrel.", **more}
        return self.house.done(f"{self.evening.path}/cases", body, "director")["case"]

    def decide(self):
        for each in self.evening.open():
            self.evening.act({"do": "report", "fixture": each["fixture"], "winner": 0})

    def paired(self):
        return [each["fixture"] for at in self.evening.view["rounds"] for each in at["pairings"]]


@pytest.fixture
def board(house):
    def made(*stages, players=8):
        evening = Evening(house, list(stages), players=players)
        evening.act({"do": "pair_round"})
        return Board(house, evening)

    return made


def test_the_board_offers_a_blocking_case_and_provisional_pairing(board):
    found = board(SWISS)
    fixture = found.evening.open()[1]["fixture"]
    found.decide()
    assert "Pair the next round" in found.buttons()
    case = found.call(fixture)
    page = found.page()
    assert "The case of table 2 holds what is paired next" in page
    assert f'<a href="/cases/{case}">Look at the case' in page
    assert [text for text in found.buttons() if text.startswith("Pair")] == ["Pair the next round, provisionally"]
    found.tap("Pair the next round, provisionally")
    assert (len(found.evening.view["rounds"]), found.evening.round()["provisional"]) == (2, [fixture])
    assert "holds what is paired next" not in found.page()


def test_beside_a_match_that_a_case_holds_the_others_are_offered(board):
    found = board(KNOCKOUT)
    found.call("W1.1")
    found.decide()
    assert {"Pair what is ready: 1 table", "Pair the next round, provisionally"} <= {*found.buttons()}
    found.tap("Pair what is ready: 1 table")
    assert found.paired()[-1] == "W2.2"
    assert [text for text in found.buttons() if text.startswith("Pair")] == ["Pair the next round, provisionally"]
    found.tap("Pair the next round, provisionally")
    assert {"W2.1", "W2.2"} <= {*found.paired()}


def test_a_case_about_a_final_or_running_match_blocks_nothing(board):
    found = board(KNOCKOUT, players=4)
    found.call("W1.1")
    assert "holds what is paired next" not in found.page()
    found.decide()
    found.tap("Pair the next round, provisionally")
    found.call("W2.1")
    found.decide()
    assert "holds what is paired next" not in found.page()
    assert "Finish the tournament" in found.buttons()


def test_the_next_stage_waits_for_a_case_too_and_begins_provisionally(board):
    found = board(GROUPS, KNOCKOUT, players=4)
    while found.evening.view["stages"][0]["status"] != "over":
        found.decide()
        if found.evening.view["stages"][0]["status"] != "over":
            found.evening.act({"do": "pair_round"})
    found.call(found.paired()[-1])
    assert "holds what is paired next" in found.page()
    (begin,) = [text for text in found.buttons() if text.startswith("Begin")]
    assert begin.endswith(", provisionally")
    found.tap(begin)
    assert found.evening.view["at"] == 1


def test_one_tap_on_the_board_closes_a_settled_case(board):
    found = board(KNOCKOUT)
    found.evening.act({"do": "report", "fixture": "W1.1", "winner": 0})
    found.evening.act({"do": "dispute", "fixture": "W1.1"})
    found.evening.read()
    (row,) = [each for each in queue(found) if each["fixture"] == "W1.1"]
    path = f"/api/v1/cases/{row['id']}/statements"
    found.house.done(path, {"words": "Ten it was.", "side": 0}, "director")
    assert "close it?" not in found.page()
    found.evening.act({"do": "uphold", "fixture": "W1.1"})
    page = found.page()
    assert "Dispute settled, the result stands: close it?" in page
    fields = dict(
        re.findall(r'name="(\w+)" value="([^"]*)"', page.split(f"/cases/{row['id']}/close")[1].split("</form>")[0])
    )
    answer = found.dora.post(f"/cases/{row['id']}/close", **fields)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{found.path}/director")
    (row,) = [each for each in queue(found) if each["fixture"] == "W1.1"]
    assert (row["state"], row["ended"]) == ("closed", "stands")


def queue(found):
    items = found.house.get(f"{found.house.path}/cases", "director").json()["items"]
    return [each for each in items if each["tournament"] == found.evening.id]


def test_a_tap_on_a_slow_table_opens_one_case(house, round_of_eight):  # noqa: F811
    evening, tables = round_of_eight
    found = Board(house, evening)
    assert "is slow" not in found.page()
    with later(house.client, minutes=26):
        page = found.page()
        where = f"Table {tables[3]['table']} is slow"
        assert f"{where}: 25 min for deal 1, the round’s median is 10 min; 6 min behind the clock" in page
        assert page.count("is slow") == 1
        case = found.tap("Open a case of slow play")
        view = house.get(f"/api/v1{case}", "owner").json()
        (call,) = view["view"]["calls"]
        assert (call["matter"], call["code"], call["place"]["deal"]) == ("slow", "SLO", 1)
        assert "Deal 1 took 25 min; the round’s median was 10 min." in view["words"].values()
        page = found.page()
        assert "Open a case of slow play" not in page
        assert f'href="{case.partition("?")[0]}"' in page
