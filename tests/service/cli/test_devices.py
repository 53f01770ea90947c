"""A device is an id in the log; what it calls itself stands beside it, for directors, and can be erased."""

import json
import os
import re

import psycopg
import pytest

from domain.club.devices import Devices
from domain.log.decider import New
from domain.match.events import UNKNOWN, DealStarted
from service.cli import intake, past_clerk
from service.store import appending
from service.store import devices as rows
from service.store.ids import new_id, now
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.service.asking import FORM, House, sign_in
from tests.kit.service.club_evenings import Evening

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
PHONE = {"X-Lurch-Device": "Zed's iPhone"}


@pytest.fixture
def open_house(client, database):
    """A club that everybody may read."""
    with House(client, database, public=True) as found:
        yield found


def events(house, path, role="director"):
    return [json.loads(line) for line in house.get(f"{path}/events", role).text.splitlines()]


def in_the_log(house):
    return {row[0] for row in house.log.execute("select device from events where club_id = %s", [house.id])}


def test_what_a_device_calls_itself_is_never_in_the_log(house):
    path = house.match()
    answer = house.post(f"{path}/deals", {}, **PHONE)
    (event,) = answer.json()["events"]
    assert ID.fullmatch(event["device"])
    everything = house.log.execute(
        "select count(*) from events e left join private p using (club_id, stream_id, version) "
        "where club_id = %s and concat(e.*::text, p.data) like %s",
        [house.id, "%Zed%"],
    )
    assert everything.fetchone() == (0,)
    assert events(house, path)[-1]["device_name"] == "Zed's iPhone"
    assert all("device_name" not in each for each in events(house, path, "scorer"))
    assert events(house, path, "scorer")[-1]["device"] == event["device"]


def test_a_device_keeps_its_id_and_another_token_or_name_has_another(house):
    path, second = house.match(), house.token("scorer")

    def device(token="scorer", **headers):
        return house.post(
            f"{path}/void-deal" if events(house, path)[-1]["type"] == "DealStarted" else f"{path}/deals",
            {},
            token,
            **headers,
        ).json()["events"][0]["device"]

    first = device(**PHONE)
    assert device(**PHONE) == first
    others = [device(second, **PHONE), device(**{"X-Lurch-Device": "desk"}), device()]
    assert len({first, *others}) == 4
    assert all(ID.fullmatch(each) for each in others)


def test_browsers_and_programs_have_ids_too(house, client, database):
    owner = sign_in(client, database)
    path = house.match()
    at = path.removeprefix("/api/v1")
    for _ in range(2):
        written = client.post(f"{at}/deals", data={"version": ""}, headers={**FORM, **owner}, follow_redirects=False)
        assert written.status_code in (303, 409), written.text
    evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    assert events(house, match)[0]["device_name"] == "steward"
    browser = events(house, path)[1]
    assert ID.fullmatch(browser["device"])
    known = Devices(with_pool(database, lambda pool: rows.key_of(pool, house.id)))
    assert all(device is None or known.issued(device) for device in in_the_log(house))


def test_an_import_names_its_program_beside_the_log(database, house):
    text = '[Game "parity"] [Rules "parity/1"] [A "Ida"] [B "Per"]\n[Deal "1"] [Dealer "A"] [Detail "summary"]\n'
    name = f"Imports {os.urandom(4).hex()}"
    text += '[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"] R A 19 B 0\n'
    told = []
    with_pool(database, lambda pool: intake.import_ctn(pool, name, True, text, told.append))
    found = with_pool(database, lambda pool: past_clerk.replay(pool, told[0].match, 1))
    assert ID.fullmatch(found.event.device)
    assert found.event.device_name == "lurch"


def test_an_erased_device_has_no_name_and_its_token_begins_anew(house, database):
    path = house.match()
    before = house.post(f"{path}/deals", {}, **PHONE).json()["events"][0]["device"]
    assert with_pool(database, lambda pool: rows.erase(pool, before))
    left = house.log.execute("select name, holder from devices where id = %s", [before]).fetchone()
    assert left == (None, None)
    assert "device_name" not in events(house, path)[-1]
    house.client.app.state.services.forget()  # as the notice has it done, which is not waited for here
    after = house.post(f"{path}/void-deal", {}, **PHONE).json()["events"][0]["device"]
    assert after != before
    assert "device_name" not in events(house, path)[-2]
    assert not with_pool(database, lambda pool: rows.erase(pool, house.id))


def test_a_refused_write_leaves_no_device(house):
    path = house.match()
    house.refused("POST", f"{path}/undo", {}, 409, "misfit", headers={"X-Lurch-Device": "a passer-by"})
    assert house.log.execute("select count(*) from devices where name = 'a passer-by'").fetchone() == (0,)


def old_event(house, path, text, event=None, private=None):
    """An event as older programs wrote them, with words for a device."""
    stream = path.rpartition("/")[2]

    async def append(pool):
        loaded = await Streams(pool).load(stream)
        new = New(event or DealStarted(1, 0, "plays", UNKNOWN), private)
        by = By(None, "scorer", device=text)
        behind = appending.Behind(house.id, stream, loaded.head)
        await appending.append(pool, appending.batch_of(behind, [new], by, now(), new_id(), b""))

    with_pool(house.database, append)


@pytest.mark.parametrize(
    "text", ["Zed's iPhone", "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b", "00000000-0000-8000-8000-000000000000"]
)
def test_only_directors_read_the_device_texts_of_old_events(open_house, text):
    paths = [open_house.match(), open_house.match()]
    for path in paths:
        old_event(open_house, path, text)
    for role in (None, "spectator", "scorer"):
        seen = [events(open_house, path, role)[-1] for path in paths]
        assert seen[0]["device"] == seen[1]["device"] != text
        assert ID.fullmatch(seen[0]["device"])
        assert "hash" not in seen[0], "a hash would confirm a guess"
        assert text not in open_house.get(f"{open_house.path}/events", role).text
    told = events(open_house, paths[0])[-1]
    assert (told["device"], told["device_name"]) == (text, text)
    assert len(told["hash"]) == 64


def test_the_same_words_have_another_id_in_another_club(client, database, open_house):
    with House(client, database, public=True) as other:
        found = []
        for house in (open_house, other):
            path = house.match()
            old_event(house, path, "Zed's iPhone")
            found.append(events(house, path, None)[-1]["device"])
    assert len(set(found)) == 2


def test_ids_are_made_and_known_by_the_key_of_the_club_alone():
    ours, theirs = Devices(bytes(32)), Devices(bytes([1]) * 32)
    given = ours.new_id(os.urandom(8))
    assert ours.issued(given)
    assert ours.public_id(given) == given
    assert not theirs.issued(given)
    assert not ours.issued(given.upper())
    assert not ours.issued(given[:-1] + ("0" if given[-1] != "0" else "1"))
    assert ours.public_id(None) is None
    assert ours.name_of(given) is None
    assert Devices(bytes(32), {given: "desk"}).name_of(given) == "desk"
    assert ours.holder("a", "b") != ours.holder("ab", "") != theirs.holder("ab", "")


def test_the_log_of_a_tournament_names_devices_to_its_director(house, client, database):
    owner = sign_in(client, database)
    evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=2)
    body = {"actions": [{"do": "pair_round"}]}
    assert house.post(f"{evening.path}/actions", body, "director", **{"X-Lurch-Device": "hall desk"}).status_code == 201
    page = client.get(f"{evening.path.removeprefix('/api/v1')}/log", headers={**owner, "Accept": "text/html"})
    assert "hall desk" in page.text


def test_no_login_but_the_owners_can_delete_a_device(database, house):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        house.log.execute("delete from devices")
