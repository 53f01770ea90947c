"""The made-up format on the pages, in report files and at the terminal: none of them had to learn of it."""

import json
import re

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database
from tests.domain.tournament.test_made_up_format import Relay, relay
from tests.kit.service.asking import FORM, House, sign_in
from tests.kit.service.club_evenings import Evening
from tests.service.cli.test_cli import lurch
from tests.service.web.test_tournament_pages import PAGES

__all__ = ["relay"]  # a fixture that this file takes from there

PLAYERS = "Annie, 1900\nBenny, 1800\nCilla, 1700\nDuncan, 1600"


class Announced(Evening):
    """A tournament that the form has announced."""

    def __init__(self, house, view):
        self.house, self.id, self.view = house, view["id"], view
        self.path = f"/api/v1/tournaments/{self.id}"


@pytest.fixture
def alone(relay):
    """A house of its own: without its module nobody could read what is played here."""
    with (
        new_database() as database,
        TestClient(create_app(database, Settings())) as client,
        House(client, database) as house,
    ):
        yield house, {**sign_in(client, database), "Accept": "text/html"}


def test_it_is_in_the_form_board_report_file_and_archive(alone):
    house, owner = alone
    where = f"/clubs/{house.id}/tournaments/new"
    form = " ".join(house.client.get(where, headers=owner).text.split())
    assert re.search(rf'value="relay" ?><span>Relay: <span class="quiet">{Relay.sentence}</span>', form)
    assert re.search(r'Laps of the ring <input name="laps" inputmode="numeric" placeholder="1"', form)
    sent = {"name": "Ring", "template": "relay", "game": "parity", "laps": "2", "players": PLAYERS}
    made = house.client.post(where, data=sent, headers={**owner, **FORM}, follow_redirects=False)
    assert made.status_code == 303, made.text
    place = made.headers["location"].removesuffix("/director")
    evening = Announced(house, house.get(f"/api/v1{place}").json())
    assert evening.view["stages"][0]["format"] == {"kind": "relay", "laps": 2}
    evening.act({"do": "pair_round"})
    for page in PAGES:
        answer = house.client.get(f"{place}{page}", headers=owner)
        assert answer.status_code == 200, (page, answer.text[:300])
    board = house.client.get(f"{place}/director", headers=owner).text
    assert "Report file (TRF)" in board
    assert "Benny is the next one in the ring." in house.client.get(place, headers=owner).text
    evening.play()
    evening.to_the_end()
    assert len(evening.view["rounds"]) == 8
    report = house.get(f"{evening.path}/trf?stage=1").text
    assert "192 CUSTOM_RELAY" in report
    assert all(name in report for name in ("Annie", "Benny", "Cilla", "Duncan"))
    assert '"kind":"relay"' in house.get(f"{evening.path}/archive", "director").text.replace(" ", "")


def test_it_is_simulated(relay):
    code, out, error = lurch("simulate", "relay", "--players", 5, "--json")
    assert code == 0, error
    assert json.loads(out)["matches"] == 5
    code, _, error = lurch("simulate", "relay", "--players", 5, "--rounds", 3)
    assert code == 2
    assert "--rounds is for individual, ladder, swiss" in " ".join(error.replace("│", " ").split())
