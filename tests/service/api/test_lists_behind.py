"""Lists don't wait for a busy projector: they show what it has projected and how far they are behind the log."""

import asyncio
from contextlib import contextmanager

import psycopg
import pytest

from service.desk import errands as errands_module
from service.desk import lists
from service.desk.errands import Errands
from service.projector import Projector
from tests.conftest import with_pool
from tests.kit.service.asking import House

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


@pytest.fixture
def house(client, database):
    """A public club of its own for every test: others append to theirs."""
    with House(client, database, public=True) as found:
        yield found


@contextmanager
def held(house):
    """Lock the checkpoints of the club's read models, as a busy projector does, and let lists time out at once."""
    with pytest.MonkeyPatch.context() as patch, psycopg.connect(house.database.url) as other:
        patch.setattr(lists, "PATIENCE", 0.01)
        other.execute("select position from checkpoints where club_id = %s for update", [house.id])
        yield
        other.rollback()


@pytest.fixture
def stopped_clock(monkeypatch):
    """Stop the clock of errands at zero."""
    monkeypatch.setattr(errands_module, "monotonic", lambda: 0.0)


def listed(house, what="/matches"):
    answer = house.get(f"{house.path}{what}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def settled(house):
    """Bring every list up to date and return the position; the service itself may hold a list for a moment."""
    while any(listed(house, what)["behind"] for what in ("/matches", "/tournaments", "/ratings")):
        pass
    return house.position()


def test_a_list_is_as_of_the_log_position_of_its_request(house):
    house.done(f"{house.match()}/results", RESULT)
    at = settled(house)
    for what in ("/matches", "/players", "/tournaments"):
        found = listed(house, what)
        assert (found["position"], found["behind"]) == (at, 0)


def test_a_stale_list_shows_its_rows_and_how_far_it_is_behind(house):
    match = house.match()
    at = settled(house)
    with held(house):
        house.done(f"{match}/results", RESULT)
        found = listed(house)
        assert (found["position"], found["behind"]) == (at, house.position() - at)
        assert [row["deals"] for row in found["items"]] == [0]
        assert listed(house, "/players")["behind"] == found["behind"]
        ratings = listed(house, "/ratings")
        assert (ratings["position"], ratings["behind"], ratings["rows"]) == (at, found["behind"], [])
    settled(house)
    assert [row["deals"] for row in listed(house)["items"]] == [1]


def test_pages_say_that_their_list_is_behind(house):
    match = house.match(sides=[["Aino"], ["Bror"]])
    settled(house)
    words = "This list is being brought up to date"
    pages = ["/", f"/clubs/{house.id}", f"/clubs/{house.id}/tournaments", f"/clubs/{house.id}/ratings"]
    with held(house):
        house.done(f"{match}/results", RESULT)
        for page in pages:
            answer = house.client.get(page, headers={"Accept": "text/html"})
            assert answer.status_code == 200
            assert words in answer.text, page
        table = house.client.get(f"/matches/{match.rpartition('/')[2]}", headers={"Accept": "text/html"})
        assert words not in table.text
        assert len(house.get(match).json()["deals"]) == 1, "the table itself waits for nobody"
    settled(house)
    shown = house.client.get(f"/clubs/{house.id}", headers={"Accept": "text/html"}).text
    assert "Aino" in shown
    assert words not in shown


def test_a_read_model_that_was_never_projected_is_empty_and_behind(house):
    house.match()
    settled(house)
    for _ in range(50):  # the service may project again before the lock is taken
        with psycopg.connect(house.database.url) as other:
            other.execute("update checkpoints set position = 0 where club_id = %s", [house.id])
            other.execute("delete from views where club_id = %s", [house.id])
        with held(house):
            found = listed(house)
        if found["behind"]:
            break
    assert (found["items"], found["position"], found["behind"]) == ([], 0, house.position())
    settled(house)
    assert len(listed(house)["items"]) == 1


@pytest.mark.usefixtures("stopped_clock")
def test_an_errand_continues_after_a_time_out_and_the_next_one_follows():
    async def inside():
        errands, go_on, begun = Errands(), asyncio.Event(), []

        async def work():
            begun.append(len(begun))
            await go_on.wait()

        await errands.wait("x", work, 0.01)
        assert (begun, len(errands.running())) == ([0], 1), "it goes on without who began it"
        second = asyncio.create_task(errands.wait("x", work, 30))
        third = asyncio.create_task(errands.wait("x", work, 30))
        await asyncio.sleep(0)
        assert begun == [0], "of one name there is one at a time"
        go_on.set()
        await asyncio.gather(second, third)
        assert begun == [0, 1], "who joins one that is under way waits for one that sees what he has done, once for all"
        assert not errands.running()

    asyncio.run(inside())


@pytest.mark.usefixtures("stopped_clock")
def test_a_failed_errand_is_started_again_by_the_next_caller():
    async def inside():
        errands, tries = Errands(), []

        async def work():
            tries.append(None)
            raise RuntimeError("away")

        await errands.wait("x", work, 30)
        await errands.wait("x", work, 30)
        assert len(tries) == 2

    asyncio.run(inside())


def test_a_mended_name_is_in_the_list_whoever_folds_it_and_when(house):
    player = house.done(f"{house.path}/players", {"name": "Bennny", "visitor": True}, "owner")["id"]
    settled(house)
    house.done(f"{house.path}/players/{player}/name", {"name": "Benny"}, "owner")
    with_pool(house.database, lambda pool: Projector(pool).catch_up(house.id))
    house.done(f"{house.path}/players/{player}/membership", {"visitor": False}, "owner")
    wanted = [{"id": player, "name": "Benny", "visitor": False, "counts_for": None}]
    assert listed(house, "/players")["items"] == wanted
    with_pool(house.database, lambda pool: Projector(pool).rebuild(house.id))
    assert listed(house, "/players")["items"] == wanted
