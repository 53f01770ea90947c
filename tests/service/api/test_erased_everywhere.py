"""A person who was everything in a club is erased: the name is in no row, in no answer to anybody, in no line of a log,
and in none of a service that is started again."""

import logging
from uuid import uuid4

import pytest
from litestar.testing import TestClient
from structlog.testing import capture_logs

from domain.club import events as e
from domain.match.events import IrregularityNoted
from service.run.app import create_app
from service.run.settings import Settings
from service.store.ids import new_id
from tests.kit.service.asking import House, sign_in
from tests.kit.service.case_scene import CaseScene
from tests.kit.service.leaving import erase, foreseen, put, registered, rows_with, said, signed_in, wrong
from tests.kit.service.reading_all import addresses, read_by
from tests.service.api.test_erasure import STAGES, corrected, with_match

pytestmark = pytest.mark.timeout(300)

NAME, FIRST = "Zenobia Quill", "Zenobia"
DEVICES = "hash in (select hash from sign_in_people where club_id = %s)"
SEAT = """insert into table_seats select %s, hash, club_id, %s, player, 1, now(), now(), now() + interval '1 h'
from sign_in_people where club_id = %s and player = %s"""
LEFT = (
    "select count(*) from sign_ins join sign_in_people using (hash) where sign_in_people.club_id = %s and player = %s"
)


class Life:
    """Somebody in every role, and what others wrote meanwhile."""

    def __init__(self, house):
        self.house, self.scene = house, CaseScene(house)
        self.id, self.other, self.third = (registered(house, each) for each in (NAME, "Balthasar Venn", "Cleo"))
        self.as_member()
        self.token = house.token("director", player=self.id)
        house.log.execute("update tokens set name = 'Zenobia Quill at the desk' where club_id = %s", [house.id])
        self.match = with_match(house, self.id, self.other)
        self.at_the_table()
        self.cup, self.entry = self.in_a_tournament()
        self.case = self.as_party()
        self.as_witness()

    def as_member(self):
        """Renamed, described, close to somebody, signed in on a device, at a table behind a code, in a list."""
        zen, house = self.id, self.house
        put(house, said(e.PlayerRenamed(zen), name="Zenobia Q. Quill"), said(e.PlayerDescribed(zen), note="plays late"))
        put(house, said(e.FriendDeclared(), people=[zen, self.third]), said(e.RoleGranted("director", zen)))
        note = "Sits beside Zenobia Q. Quill, left-handed"
        put(house, said(e.PlayerDescribed(self.other), note=note, rating=1500))
        self.cookie, self.cookie_of_other = signed_in(house, zen), signed_in(house, self.other)
        house.log.execute(f"update sign_ins set name = %s where {DEVICES}", [NAME, house.id])
        house.log.execute(SEAT, [new_id(), new_id(), house.id, zen])
        row = f'{{"id":"{zen}","name":"{NAME}","visitor":false}}'
        house.log.execute("insert into views values ('players', 1, %s, %s, %s)", [house.id, zen, row])

    def at_the_table(self):
        """A player, a director who writes a reason about somebody, a witness in somebody's note, a scorer's device."""
        self.own = corrected(self.house, self.match, "Balthasar misread it", self.token, **{"X-Lurch-Device": NAME})
        self.others = corrected(self.house, self.match, "ZENOBIA  QUILL saw it, and Cleo too")
        put(self.house, said(IrregularityNoted(1, "A1", 2), note="called by Zenobia"), stream=self.match)

    def in_a_tournament(self):
        """Entered, and one who directs it writes the name; the tournament and the entry."""
        house = self.house
        entries = [{"do": "enter", "players": [{"id": each}]} for each in (self.id, self.third)]
        made = house.done(
            f"{house.path}/tournaments", {"name": "Cup", "stages": STAGES, "entries": entries}, "director"
        )["tournament"]
        act = {"actions": [{"do": "pair_round"}], "reason": f"{NAME} may start"}
        house.done(f"/api/v1/tournaments/{made['id']}/actions", act, self.token)
        return made["id"], made["entries"][0]["id"]

    def as_party(self):
        """Called the director at the own table, and stated; the case is closed."""
        scene, own = self.scene, self.scene.token("player", self.id)
        case = scene.call(role=own, path=f"/api/v1/matches/{self.match}", reason="He turned two cards.")
        scene.step(case, "statements", own, words="I saw both of them.")
        scene.step(case, "close", scene.as_dora, ended="stands")
        return case.rpartition("/")[2]

    def as_witness(self):
        """Saw what others called about, who name the person, and so does the director in closing it."""
        scene = self.scene
        case = scene.call(role=scene.as_annie, reason=f"{NAME} saw that he revoked.")
        scene.step(case, "witnesses", scene.as_dora, person=self.id, words=f"I, {NAME}, saw it.")
        scene.step(case, "statements", scene.as_annie, words=f"Ask {NAME}.")
        scene.step(case, "close", scene.as_dora, ended="stands", reason=f"{NAME} was right.")
        self.seen = case.rpartition("/")[2]

    def addresses(self):
        """Every address about any of it."""
        ids = {"club_id": self.house.id, "match_id": self.match, "tournament_id": self.cup, "entry": self.entry}
        ids |= {"webhook_id": self.house.webhook(), "case_id": self.case, "fork_id": str(uuid4())}
        found = addresses(self.id, self.other, "ze", **ids)
        return dict.fromkeys([*found, *addresses(self.id, self.other, "ze", **{**ids, "case_id": self.seen})])


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as made:
        yield made


@pytest.mark.extended
def test_an_erased_person_is_gone_from_every_table_answer_and_log_line(client, database, house, caplog):
    caplog.set_level(logging.DEBUG)
    with capture_logs() as lines:
        life = Life(house)
        owner, dora = sign_in(client, database), signed_in(house, life.scene.dora)
        people = {"owner": (house.tokens["owner"], owner), "director": (life.scene.as_dora, dora)}
        people["opponent"] = (house.token("player", player=life.other), life.cookie_of_other)
        asked = life.addresses()
        before = read_by(client, asked, people)
        named = {address for (address, _), (_, text) in before.items() if FIRST in text}
        assert len(named) > 80, "the name was there to be looked for"
        assert {who for (_, who), (_, text) in before.items() if FIRST in text} == people.keys()

        seen = foreseen(house, life.id)
        assert seen["own"] == {"names": 2, "described": 1, "pairs": 1, "said": 4}
        assert seen["held"] == {"sign_ins": 1, "seats": 1, "tokens": 2}
        assert seen["disputed"] == []
        assert sorted(each["whole"] for each in seen["texts"]) == [False, *[True] * 6]
        gone = erase(house, life.id, *(each["id"] for each in seen["texts"]))
        assert gone["rows"] == 8 + 7

        after = read_by(client, asked, people)
        with TestClient(create_app(database, Settings(webhook_private=True))) as again:
            started = read_by(again, asked, people)
    for found in (after, started):
        assert [place for place, (_, text) in found.items() if FIRST.casefold() in text.casefold()] == []
    assert [place for found in (before, after, started) for place, (status, _) in found.items() if status >= 500] == []
    assert {place: status for place, (status, _) in started.items()} == {
        place: status for place, (status, _) in after.items()
    }
    assert rows_with(database, FIRST) == []
    assert FIRST.casefold() not in (caplog.text + repr(lines)).casefold()
    assert wrong(house) == []
    assert house.log.execute(LEFT, [house.id, life.id]).fetchone() == (0,)
    assert client.get(f"/clubs/{house.id}/new", headers=life.cookie).status_code == 401
    assert house.ask("GET", f"{house.path}/players", role=life.token).status_code == 401
    notes = house.get(f"/api/v1/matches/{life.match}/events", "director").text
    assert "misread" not in notes
    assert "(name removed) saw it, and Cleo too" in notes
    assert "called by (name removed)" in notes
    assert life.own < life.others
