"""The signal policy where it is chosen, and a page that is open when its time comes."""

import re
from datetime import timedelta

import anyio
import pytest

from service.live import feed
from service.store.ids import now
from tests.kit.service.asking import FORM, House
from tests.kit.service.club_evenings import Evening
from tests.kit.service.spectators import hall

PLAN = {"format": {"kind": "single"}, "game": "parity"}
OUT_OF_TURN = {"facts": [{"do": "trump", "seat": 0, "suit": "S"}]}
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


def chosen(page):
    """The policy that a form has chosen."""
    return re.search(r'<option\s+value="(\w+)"\s+selected>', page[page.index('name="signals"') :])[1]


def test_a_match_takes_the_policy_of_its_club_unless_another_is_chosen(house):
    assert house.get(house.match()).json()["signals"] == "quiet"
    house.done(f"{house.path}/settings", {"signals": "silent"}, "secretary")
    assert house.get(house.match()).json()["signals"] == "silent"
    assert house.get(house.match(signals="loud")).json()["signals"] == "loud"
    body = {"game": "parity", "sides": [["Annie"], ["Benny"]], "signals": "deaf"}
    assert house.post(f"{house.path}/matches", body).status_code == 400


def test_the_form_of_a_match_begins_with_the_club_s_policy(house, owner, client):
    house.done(f"{house.path}/settings", {"signals": "loud"}, "secretary")
    where = f"/clubs/{house.id}/new"
    assert chosen(client.get(f"{where}?game=parity", headers=owner).text) == "loud"
    form = {"game": "parity", "variant": "", "name0": "Annie", "name1": "Benny", "signals": "silent", "depth": "plays"}
    made = client.post(where, data=form, headers={**owner, **FORM}, follow_redirects=False)
    assert made.status_code == 303, made.text
    assert house.get(f"/api/v1{made.headers['location']}", "director").json()["signals"] == "silent"
    wrong = client.post(where, data={**form, "signals": "deaf"}, headers={**owner, **FORM})
    assert wrong.status_code == 400
    assert 'role="alert"' in wrong.text


@pytest.mark.parametrize("signals", ["loud", "silent"])
def test_a_tournament_hands_its_policy_to_its_matches_whatever_the_club_says(house, signals):
    house.done(f"{house.path}/settings", {"signals": {"loud": "silent", "silent": "loud"}[signals]}, "secretary")
    evening = Evening(house, [PLAN], players=4, plan={"signals": signals})
    evening.act({"do": "pair_round"})
    assert evening.read()["plan"]["signals"] == signals
    matches = [each["match"] for each in evening.round()["pairings"]]
    assert {house.get(f"/api/v1/matches/{each}").json()["signals"] for each in matches} == {signals}


def test_the_form_of_a_tournament_offers_the_policies(house, owner, client):
    where = f"/clubs/{house.id}/tournaments/new"
    assert chosen(client.get(where, headers=owner).text) == "quiet"


def test_a_page_that_is_open_is_told_when_its_time_has_come(database, monkeypatch):
    for name in ("BEAT", "PING"):
        monkeypatch.setattr(feed, name, 0.2)

    async def follow():
        async with hall(database) as here:
            body = {"game": "parity", "sides": [["Annie"], ["Benny"]], "target": None, "deals": 1}
            match = f"/matches/{(await here.post(f'/clubs/{here.club}/matches', body))['match']['id']}"
            await here.post(f"{match}/deals", {"dealer": 0})
            await here.post(f"{match}/facts", OUT_OF_TURN)
            await here.post(f"{match}/results", RESULT)
            public = here.page(f"{match}/live", "127.0.0.2", Accept="text/event-stream")
            await public.told(b"19")
            assert b"finding" not in public.text
            assert (await here.client.get(f"/api/v1{match}")).json()["findings"] == []
            here.services.recorder.clock = lambda: now() + timedelta(minutes=10, seconds=1)
            await public.told(b"finding")
            assert [each["code"] for each in (await here.client.get(f"/api/v1{match}")).json()["findings"]] == ["OOB"]

    anyio.run(follow)
