"""Free words of a record stand beside the log's public part; those of old events are shown to directors alone."""

import hashlib
import json
import os

import msgspec
import pytest

from domain import registry
from domain.match.events import MatchOpened, ScoreStated
from domain.match.stated import LINE, words_apart
from domain.notation.ctn_read import loads
from service.cli import clerk, intake, seals
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening
from tests.service.cli.test_devices import events, old_event

WORDS = "! Zed spilt coffee over trick seven"
SHEET = (
    """[Game "parity"] [Rules "parity/1"] [A "Ida {mark}"] [B "Per {mark}"]
[Deal "1"] [Dealer "A"] [Detail "summary"]
[Entry "{{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}}"]
R A 19 B 0
"""
    + f"{WORDS}\n"
)


def old_line(deal=1):
    """A line as schema 1 holds it."""
    return ScoreStated(deal, LINE, msgspec.Raw(msgspec.json.encode(WORDS)))


@pytest.fixture
def sheet():
    return SHEET.format(mark=os.urandom(4).hex())


@pytest.fixture
def imported(client, database, sheet):
    """A public club into which a sheet was imported; the club, and the path of its match."""
    with House(client, database, public=True) as house:
        told = []
        name = f"Words {os.urandom(4).hex()}"
        with_pool(database, lambda pool: intake.import_ctn(pool, name, True, sheet, told.append))
        house.id = with_pool(database, lambda pool: clerk.club_named(pool, name))
        house.path = f"/api/v1/clubs/{house.id}"
        for role in ("director", "scorer"):
            house.tokens[role] = house.token(role)
        yield house, f"/api/v1/matches/{told[0].match}"


def in_public(house):
    """What stands in the club's hashed and public part."""
    rows = house.log.execute("select row_to_json(e)::text from events e where club_id = %s", [house.id])
    return "".join(row[0] for row in rows)


def test_imported_words_are_private_and_readable_by_directors(imported):
    house, path = imported
    assert "coffee" not in in_public(house)
    assert [each["line"] for each in events(house, path) if "line" in each] == [WORDS]
    for role in (None, "scorer"):
        assert "coffee" not in house.get(f"{path}/events", role).text
        assert "coffee" not in house.get(f"{house.path}/events", role).text


def test_an_export_and_its_verification_have_the_words(database, imported):
    _, path = imported
    match = path.rpartition("/")[2]
    text = with_pool(database, lambda pool: seals.export_ctn(pool, match))
    assert WORDS in text.splitlines()
    told = with_pool(database, lambda pool: seals.verify_text(pool, text))
    assert [each.good for each in told] == [True]
    told = with_pool(database, lambda pool: seals.verify_text(pool, text.replace("coffee", "tea")))
    assert [each.good for each in told] == [False]


def test_words_that_an_old_event_holds_are_for_directors(client, database):
    with House(client, database, public=True) as house:
        path = house.match()
        house.done(f"{path}/deals", {})
        old_event(house, path, None, old_line())
        for role in (None, "scorer"):
            seen = events(house, path, role)[-1]
            assert (seen["data"]["stated"], seen["hidden"]) == (None, ["data.stated"])
            assert "hash" not in seen
            assert "coffee" not in house.get(f"{house.path}/events", role).text
        told = events(house, path)[-1]
        assert told["data"]["stated"] == WORDS
        assert len(told["hash"]) == 64
        page = client.get(f"{path.removeprefix('/api/v1')}/replay", headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert "coffee" not in page.text


def test_a_file_that_was_imported_before_is_known_by_its_lines(database, sheet):
    name = f"Old imports {os.urandom(4).hex()}"
    (script,) = loads(sheet)
    old = [
        msgspec.structs.replace(new, event=old_line(), private=None) if new.private == {"line": WORDS} else new
        for new in script.events
    ]
    assert old != script.events
    content = b"\0".join(registry.write_event(new.event) + msgspec.json.encode(new.private) for new in old)

    async def as_before(pool):
        club = await clerk.club_named(pool, name, True)
        recorder = Recorder(Streams(pool))
        request = own_request(By(None, "owner"), f"import-1-{hashlib.sha256(content).hexdigest()}")
        sides = await recorder.players(club, script.tags.names, request)
        first = msgspec.structs.replace(old[0].event, sides=sides)
        assert isinstance(first, MatchOpened)
        await recorder.import_match(club, [msgspec.structs.replace(old[0], event=first), *old[1:]], request)

    told = []
    with_pool(database, as_before)
    with_pool(database, lambda pool: intake.import_ctn(pool, name, True, sheet, told.append))
    assert ["imported before" in each.text for each in told] == [True]


def test_an_archive_has_the_words_for_directors_and_takes_them_apart(client, database):
    with House(client, database, public=True) as house, House(client, database, public=True) as other:
        stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
        evening = Evening(house, [stage], players=2)
        evening.act({"do": "pair_round"})
        path = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
        house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
        old_event(house, path, None, old_line())
        assert "coffee" not in house.get(f"{evening.path}/archive", None).text
        whole = house.get(f"{evening.path}/archive", "director")
        assert "coffee" in whole.text
        for document in (whole, house.get(f"{evening.path}/archive", None)):
            answer = other.ask("POST", f"{other.path}/tournaments/archive", document.content, "director")
            assert answer.status_code == 201, answer.text
        assert "coffee" not in in_public(other)
        assert other.log.execute(
            "select count(*) from private where data like '%%coffee%%' and club_id = %s", [other.id]
        ).fetchone() == (1,)


def test_an_archive_that_states_something_unheard_of_is_refused(client, database):
    with House(client, database) as house:
        stage = {"format": {"kind": "single"}, "game": "parity"}
        evening = Evening(house, [stage], players=2)
        evening.act({"do": "pair_round"})
        path = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
        house.done(f"{path}/deals", {})
        old_event(house, path, None, ScoreStated(1, "Zed cheats", msgspec.Raw(b'"A 1 B 2"')))
        document = house.get(f"{evening.path}/archive", "director")
        answer = house.ask("POST", f"{house.path}/tournaments/archive", document.content, "director")
        assert (answer.status_code, "no deal of this game has" in answer.text) == (400, True), answer.text


def test_what_is_apart_stays_apart():
    event, private = words_apart(old_line(), None)
    assert words_apart(event, private) == (event, private)
    assert json.loads(registry.write_event(event))["stated"] is None
