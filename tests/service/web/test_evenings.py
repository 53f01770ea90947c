"""Evenings as clubs have them, over HTTP: one shared tablet and no phone, and one director who plays."""

import re

import pytest

from tests.conftest import with_pool
from tests.kit.logs import faults_of
from tests.kit.service.asking import House, squeezed
from tests.kit.service.club_evenings import Evening
from tests.kit.service.doors import Phone as Tablet
from tests.kit.service.doors import door_of
from tests.kit.service.people import Phone, granted

NAMES = ("Annie", "Benny", "Carla", "Dora")
STAGE = {"format": {"kind": "round-robin"}, "game": "parity", "race": {"target": 15}}
WON, LOST = {"parity": "odd", "tricks.0": "11"}, {"parity": "odd", "tricks.0": "4"}
PIN = "2468"


class Round:
    """A private club whose members play one round of a tournament; what is at each table."""

    def __init__(self, house, **plan):
        self.house = house
        self.people = {
            name: house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in (*NAMES, "Dee")
        }
        entries = [{"do": "enter", "players": [{"id": self.people[name]}]} for name in NAMES]
        self.cup = Evening(house, [STAGE], entries=entries, plan={"counts": "confirmed", **plan})
        self.cup.act({"do": "seed", "how": "given", "order": [each["id"] for each in self.cup.view["entries"]]})
        self.cup.act({"do": "pair_round"})
        self.page = f"/tournaments/{self.cup.id}"

    def tables(self):
        """The tables of the round: the match's address, and the names of its sides."""
        pairings = self.cup.read()["rounds"][0]["pairings"]
        return [(f"/matches/{each['match']}", [side["name"] for side in each["sides"]]) for each in pairings]

    def table_of(self, name):
        """The table at which somebody plays, and the side."""
        return next((table, names.index(name)) for table, names in self.tables() if name in names)

    def phone(self, name):
        return Phone(self.house, self.people[name])

    def strengths(self, table):
        """How each side has signed the deal of a table."""
        deal = self.house.get(f"/api/v1{table}", "director").json()["deals"][0]
        return {each["side"]: each["strength"] for each in deal["signatures"]}

    def status(self):
        return [(each["status"], each["final"]) for each in self.cup.read()["rounds"][0]["pairings"]]


@pytest.fixture
def house(client, database):
    with House(client, database) as made:
        yield made
    assert with_pool(database, lambda pool: faults_of(pool, made.id)) == []


def confirm(side, scores="21 0", **more):
    return {"deal": "1", "side": str(side), "scores": scores, **more}


def one_tablet(house, round_):
    """The club's tablet, by whose code the score of every table is kept; it has entered all results."""
    tablet = Tablet(house.client)
    for table, names in round_.tables():
        tablet.come_in(door_of(house, f"/api/v1{table}"), "I keep the score")
        assert tablet.post(f"{table}/result", WON).status_code == 303
        sheet = squeezed(tablet.get(table).text)
        for name in names:  # both look at the sheet before they say yes
            assert f"<bdi>{name}</bdi> confirms the match, 21–0 <small>through the scorer</small>" in sheet
        assert re.search(r"<td[^>]*>21</td><td[^>]*>0</td>", sheet)
    return tablet


def test_a_round_on_one_tablet_rests_on_the_scorers_word(house):
    evening = Round(house)
    tablet = one_tablet(house, evening)
    for table, names in evening.tables():
        for side in (0, 1):
            assert tablet.post(f"{table}/confirm", confirm(side)).status_code == 303
        assert evening.strengths(table) == {0: "scorer", 1: "scorer"}
        for reader in names:  # at home, on whatever they have signed in
            read = squeezed(evening.phone(reader).page(table)).casefold()
            assert all(f"the scorer confirmed for \u2068{name.casefold()}\u2069" in read for name in names)
    assert evening.status() == [("decided", True)] * 2
    evening.cup.act({"do": "pair_round"})
    assert [each["round"] for each in evening.cup.view["rounds"]] == [1, 2]


def test_on_one_tablet_only_a_right_pin_raises_the_assurance_level(house):
    evening = Round(house, plays_on="scorer", final="pin")
    for name in NAMES:
        evening.phone(name).does("/me", do="pin", club=house.id, pin=PIN)
    tablet = one_tablet(house, evening)
    (first, _), (second, _) = evening.tables()
    before = house.position()
    assert tablet.post(f"{first}/confirm", confirm(0, pin="8642")).status_code == 403
    assert house.position() == before
    house.log.execute("delete from secret_failures")  # the second that a wrong PIN costs is over
    for side in (0, 1):
        assert tablet.post(f"{first}/confirm", confirm(side, pin=PIN)).status_code == 303
        assert tablet.post(f"{second}/confirm", confirm(side)).status_code == 303
    assert evening.strengths(first) == {0: "pin", 1: "pin"}
    assert evening.strengths(second) == {0: "scorer", 1: "scorer"}
    assert sorted(evening.status()) == [("decided", False), ("decided", True)]
    assert squeezed(evening.phone("Annie").page(first)).count("confirmed by PIN") == 2
    evening.cup.act({"do": "pair_round"})  # the round goes on, one result is not final yet


class OwnTable(Round):
    """Annie directs alone and plays; the other side disputes what she has entered."""

    def __init__(self, house):
        super().__init__(house)
        granted(house, self.people["Annie"], "director")
        self.table, self.side = self.table_of("Annie")
        self.other = next(names for table, names in self.tables() if table == self.table)[1 - self.side]
        self.annie, self.opponent = self.phone("Annie"), self.phone(self.other)
        self.annie.does(f"{self.table}/result", **(WON if self.side == 0 else LOST))
        self.opponent.does(f"{self.table}/dispute", deal="1", side=str(1 - self.side), reason="I had eight")
        found = self.house.get(f"/api/v1{self.table}", "director").json()["disputes"]
        self.cup.read()  # the tournament has heard of it
        self.settle = {"dispute": str(found[0]["version"]), "how": "upheld"}

    def disputes(self):
        return self.house.get(f"/api/v1{self.table}", "director").json()["disputes"]


def details_of(phone, page, table):
    """The details of a table on the director's board, which are offered for this one."""
    board = squeezed(phone.page(f"{page}/director?table={table.removeprefix('/matches/')}"))
    (details,) = re.findall(r"<li class=\"beside\".*?</li>", board)
    assert table in details
    return details


def test_a_playing_director_cannot_direct_the_own_table(house):
    evening = OwnTable(house)
    shown = squeezed(evening.annie.page(evening.table))
    assert "You play at this table" in shown
    assert "The result stands" not in shown
    assert "ask another director" in evening.annie.post(f"{evening.table}/settle", **evening.settle).text
    token = house.token("director", player=evening.people["Annie"])
    told = house.refused("POST", f"/api/v1{evening.table}/settlements", {"how": "upheld"}, 403, "recused", token)
    assert "a deputy" in told["detail"]


def test_a_playing_directors_board_offers_no_result_at_the_own_table(house):
    evening = OwnTable(house)
    other = next(table for table, _ in evening.tables() if table != evening.table)
    own = details_of(evening.annie, evening.page, evening.table)
    assert "You play this match" in own
    for offered in ("Walkover", "Record the score", " won</button>", "The result stands", "Reopen"):
        assert offered not in own, offered
    assert "Walkover" in details_of(evening.annie, evening.page, other), "the others are hers to decide on"
    (fixture,) = (
        each["fixture"] for each in evening.cup.read()["rounds"][0]["pairings"] if each["match"] in evening.table
    )
    token = house.token("director", player=evening.people["Annie"])
    walkover = {"do": "report", "fixture": fixture, "winner": 0, "how": "walkover"}
    assert "a deputy" in evening.cup.refused(walkover, role=token, status=403, slug="recused")["detail"]


def test_a_deputy_is_appointed_on_the_spot_and_decides(house):
    evening = OwnTable(house)
    dee = evening.phone("Dee")
    assert dee.post(f"{evening.table}/settle", **evening.settle).status_code == 403
    board = squeezed(evening.annie.page(f"{evening.page}/director"))
    appoint = re.search(r"<summary>Appoint a deputy</summary>.*?</details>", board)[0]
    assert f'value="{evening.people["Dee"]}"><bdi>Dee</bdi></button>' in appoint, (
        "two taps: who is signed in stands there"
    )
    role = {"role": "deputy", "tournament": evening.cup.id, "board": evening.cup.id}
    evening.annie.does(f"/clubs/{house.id}/roles", person=evening.people["Dee"], **role)
    assert evening.opponent.post(f"{evening.table}/consents", deal=1, ruler=evening.people["Annie"]).status_code == 403
    assert "The result stands" in squeezed(dee.page(evening.table))
    dee.does(f"{evening.table}/settle", **evening.settle)
    assert evening.disputes() == []
    assert "own table" not in dee.page(evening.table)


def test_the_other_side_agrees_that_the_director_decides_and_it_is_marked(house):
    evening = OwnTable(house)
    assert "may decide on" in squeezed(evening.opponent.page(evening.table))
    evening.opponent.does(f"{evening.table}/consents", deal=1, ruler=evening.people["Annie"])
    assert "The result stands" in squeezed(evening.annie.page(evening.table))
    evening.annie.does(f"{evening.table}/settle", **evening.settle)
    assert evening.disputes() == []
    assert house.get(f"/api/v1{evening.table}", "director").json()["deals"][0]["own_table"]
    for reader in (evening.annie, evening.opponent):
        assert "own table" in reader.page(evening.table)
    types = [event["type"] for event in events_of(house, evening.table)]
    assert types[-3:] == ["OwnTableAgreed", "OwnTableDirected", "DisputeSettled"]


def events_of(house, table):
    text = house.get(f"/api/v1{table}/events", "director").text
    return [{"type": each} for each in re.findall(r'"type":\s*"(\w+)"', text)]
