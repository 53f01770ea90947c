"""Words in the closed log are a person's own as any others: erased with the person, taken along by the person, and
shown to nobody whom they do not concern."""

import psycopg
import pytest

from domain.log.actor import Reach
from service.desk import erasing
from service.desk.foreseeing import CLOSED_WORDS
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase, foreseen, registered, rows_with, signed_in, wrong
from tests.kit.talks import TALK, Say, talk, talks

PRIVATE = "select version, data from private where stream_id = %s order by 1"


@pytest.fixture(autouse=True)
def made_up_kind():
    with talks():
        yield


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


def words(house, *told, match=None):
    """A talk about a match, with words by side or by person; its stream."""

    async def act(pool):
        recorder = Recorder(Streams(pool))
        stream = await talk(recorder, house.id, about=Reach(match))
        for side, person, text in told:
            await recorder.on_stream(stream, TALK, Say(text, side), own_request(By(person, "player")))
        return stream

    return with_pool(house.database, act)


@pytest.fixture
def scene(house):
    """Wanda and Xaver at a table, and a talk in which each spoke for the own side."""
    house.wanda, house.xaver = registered(house, "Wanda Birch"), registered(house, "Xaver")
    house.match_id = house.match(sides=[[{"id": house.wanda}], [{"id": house.xaver}]]).rpartition("/")[2]
    told = [(0, house.wanda, "I followed suit"), (1, house.xaver, "Wanda Birch revoked")]
    house.talk = words(house, *told, (None, house.wanda, "beside the table"), match=house.match_id)
    return house


def test_an_erasure_removes_the_words_of_the_person_from_the_closed_log(scene):
    assert foreseen(scene, scene.wanda)["own"]["said"] == 2
    erase(scene, scene.wanda, whole=False)
    left = scene.log.execute(PRIVATE, [scene.talk]).fetchall()
    assert [version for version, _ in left] == [3]
    for text in ("I followed suit", "beside the table"):
        assert [row for row in rows_with(scene.database, text) if scene.id in row[1]] == []
    assert wrong(scene) == []
    shown = scene.get(f"{scene.path}/events", "director").text
    assert scene.talk not in shown, "an erasure tells nobody where somebody spoke"


def test_a_name_in_the_words_of_others_is_removed(scene):
    (text,) = foreseen(scene, scene.wanda)["texts"]
    assert (text["stream"], text["kind"], text["version"]) == (scene.talk, "talk", 3)
    assert text["words"] == text["left"] == CLOSED_WORDS
    erase(scene, scene.wanda, text["id"], whole=False)
    assert [row for row in rows_with(scene.database, "Wanda Birch") if scene.id in row[1]] == []

    async def act(pool):
        (row,) = [each for each in await erasing.rows.left_of(pool, scene.id) if each.stream == scene.talk]
        return row.closed, row.private

    assert with_pool(scene.database, act) == (True, {"words": "(name removed) revoked"})
    assert wrong(scene) == []


def test_rows_of_the_closed_log_are_deleted_by_an_erasure_only(scene):
    for url in (scene.database.url, scene.database.owner_url):
        with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("delete from private where stream_id = %s and version = 3", [scene.talk])


def test_an_erasure_interrupted_by_a_crash_is_finished_at_the_start(scene, monkeypatch):
    async def crash(*_):
        raise RuntimeError("the service ends here")

    with monkeypatch.context() as patch:
        patch.setattr(erasing.rows, "finish", crash)

        async def act(pool):
            await erasing.erase(
                Recorder(Streams(pool)), scene.id, scene.wanda, "asked", (), own_request(By(None, "owner"))
            )

        with pytest.raises(RuntimeError):
            with_pool(scene.database, act)
    assert ("unfinished", "talk", 2, 2) in wrong(scene)
    with_pool(scene.database, lambda pool: erasing.rows.finish(pool, scene.id, erasing.FORMS))
    assert wrong(scene) == []
    assert [version for version, _ in scene.log.execute(PRIVATE, [scene.talk]).fetchall()] == [3]


def test_an_export_has_own_words_for_the_person_only(scene):
    path = f"{scene.path}/players/{scene.wanda}/export"
    page = f"/clubs/{scene.id}/members/{scene.wanda}/export"
    own = scene.client.get(page, headers=signed_in(scene, scene.wanda))
    scene.client.cookies.clear()
    assert own.status_code == 200, own.text
    assert [each["words"] for each in own.json()["statements"]] == ["I followed suit", "beside the table"]
    for role in ("owner", "secretary"):
        answer = scene.get(path, role)
        assert answer.status_code == 200
        assert answer.json()["statements"] == []
        assert scene.talk not in answer.text


def test_words_for_a_side_belong_to_its_people(scene):
    other = words(scene, (0, None, "spoken for Wanda's side"), match=scene.match_id)
    nobody = words(scene, (0, None, "about no match"))
    assert foreseen(scene, scene.wanda)["own"]["said"] == 3
    erase(scene, scene.wanda)
    assert scene.log.execute(PRIVATE, [other]).fetchall() == []
    assert len(scene.log.execute(PRIVATE, [nobody]).fetchall()) == 1
