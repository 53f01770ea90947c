"""Lists wait for nobody: what cannot be folded in a moment is shown as it stands, with how far it is behind."""

import asyncio
from contextlib import contextmanager
from time import monotonic

import psycopg
import pytest

from service.desk import lists
from service.desk.errands import Errands
from service.projector import Projector
from tests.conftest import with_pool
from tests.kit.service.asking import House

AS_SERVED = 0.3
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


@pytest.fixture
def house(client, database):
    """A public club of its own for every test: others append to theirs."""
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture(autouse=True)
def as_served(monkeypatch):
    """As short of patience as the service is."""
    monkeypatch.setattr(lists, "PATIENCE", AS_SERVED)


@contextmanager
def held(house):
    """Somebody else holds the checkpoints of the club's kept views, as a projector in the middle of a page does."""
    with psycopg.connect(house.database.url) as other:
        other.execute("select position from checkpoints where club_id = %s for update", [house.id])
        yield
        other.rollback()


def listed(house, what="/matches"):
    answer = house.get(f"{house.path}{what}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def settled(house):
    """Bring everything up to date: whoever follows the log may hold it for a moment."""
    while listed(house)["behind"] or listed(house, "/tournaments")["behind"]:
        pass
    return house.position()


def test_a_list_is_of_the_position_that_the_log_had_when_it_was_asked_for(house):
    house.done(f"{house.match()}/results", RESULT)
    at = settled(house)
    for what in ("/matches", "/players", "/tournaments"):
        found = listed(house, what)
        assert (found["position"], found["behind"]) == (at, 0)


def test_a_list_that_cannot_be_brought_up_to_date_shows_what_there_is_and_how_far_behind(house):
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


def test_a_view_that_never_was_brought_up_to_date_is_shown_empty_meanwhile(house):
    house.match()
    settled(house)
    with psycopg.connect(house.database.url) as other:
        other.execute("update checkpoints set position = 0 where club_id = %s", [house.id])
        other.execute("delete from views where club_id = %s", [house.id])
    with held(house):
        found = listed(house)
        assert (found["items"], found["position"], found["behind"]) == ([], 0, house.position())
    settled(house)
    assert len(listed(house)["items"]) == 1


def test_who_waits_for_an_errand_leaves_it_to_go_on_and_the_next_one_begins_another_behind_it():
    async def inside():
        errands, go_on, begun = Errands(), asyncio.Event(), []

        async def work():
            begun.append(len(begun))
            await go_on.wait()

        await errands.wait("x", work, monotonic() + 0.01)
        assert (begun, len(errands.running())) == ([0], 1), "it goes on without who began it"
        second = asyncio.create_task(errands.wait("x", work, monotonic() + 30))
        third = asyncio.create_task(errands.wait("x", work, monotonic() + 30))
        await asyncio.sleep(0)
        assert begun == [0], "of one name there is one at a time"
        go_on.set()
        await asyncio.gather(second, third)
        assert begun == [0, 1], "who joins one that is under way waits for one that sees what he has done, once for all"
        assert not errands.running()

    asyncio.run(inside())


def test_an_errand_that_fails_is_over_and_is_begun_again_by_the_next():
    async def inside():
        errands, tries = Errands(), []

        async def work():
            tries.append(None)
            raise RuntimeError("away")

        await errands.wait("x", work, monotonic() + 30)
        await errands.wait("x", work, monotonic() + 30)
        assert len(tries) == 2

    asyncio.run(inside())


def test_a_mended_name_is_in_the_list_whoever_folds_it_and_when(house):
    """A person's row goes on from what was saved: another process may have folded what came before."""
    player = house.done(f"{house.path}/players", {"name": "Bennny", "visitor": True}, "owner")["id"]
    settled(house)
    house.done(f"{house.path}/players/{player}/name", {"name": "Benny"}, "owner")
    with_pool(house.database, lambda pool: Projector(pool).catch_up(house.id))
    house.done(f"{house.path}/players/{player}/membership", {"visitor": False}, "owner")
    wanted = [{"id": player, "name": "Benny", "visitor": False, "counts_for": None}]
    assert listed(house, "/players")["items"] == wanted
    with_pool(house.database, lambda pool: Projector(pool).rebuild(house.id))
    assert listed(house, "/players")["items"] == wanted
