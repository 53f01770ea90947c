"""Guessing codes: at most thirty wrong ones a minute are looked at, five from one address; scanning goes on."""

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from service.run.pool import make_pool
from service.store.guesses import Guesses, TypingWaits
from tests.conftest import with_pool
from tests.kit.service.asking import House, at, later, sign_in
from tests.kit.service.club_evenings import Evening
from tests.kit.service.doors import Guesser, Phone, door_of

WRONG = "ZZZZZZ"


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.fixture(autouse=True)
def fresh(client, database):
    """Wrong codes of other tests do not count, before or behind."""

    def forget():
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("delete from door_tries")
        guesses = client.app.state.services.tables.guesses
        guesses._closed, guesses._closed_to = None, {}

    forget()
    yield
    forget()


def tries(database):
    with psycopg.connect(database.url) as connection:
        return connection.execute("select count(*) from door_tries").fetchone()[0]


def test_five_wrong_codes_from_one_address_and_the_right_one_waits_too(client, house, database):
    door, phone = door_of(house, house.match()), Phone(client)
    for _ in range(5):
        assert phone.type(WRONG).status_code == 404
    for code in (WRONG, door["code"]):
        answer = phone.type(code)
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert f"Typing waits for {answer.headers['retry-after']} seconds" in answer.text
    assert tries(database) == 5
    assert phone.post("/t", {"secret": door["secret"]}).status_code == 200


def test_right_and_impossible_codes_do_not_count_as_guesses(client, house, database):
    door, phone = door_of(house, house.match()), Phone(client)
    for _ in range(7):
        assert phone.type(door["code"]).status_code == 200
        assert phone.type("what?").status_code == 404
    assert tries(database) == 0


def test_a_minute_later_typing_goes_on(client, house):
    door, phone = door_of(house, house.match()), Phone(client)
    for _ in range(5):
        phone.type(WRONG)
    recorder = client.app.state.services.recorder
    clock = recorder.clock
    recorder.clock = lambda: clock() + timedelta(seconds=61)
    try:
        assert phone.type(door["code"]).status_code == 200
    finally:
        recorder.clock = clock


def test_a_clock_set_back_does_not_prolong_the_wait_for_codes(client, house, database):
    door, phone = door_of(house, house.match()), Phone(client)
    with later(client, hours=2):
        for _ in range(5):
            assert phone.type(WRONG).status_code == 404
        assert phone.type(WRONG).status_code == 429
    assert phone.type(door["code"]).status_code == 200
    client.app.state.services.tables.guesses._closed_to.clear()  # as in another process
    assert phone.type(door["code"]).status_code == 200
    page = client.get(f"/clubs/{house.id}/doors", headers=sign_in(client, database)).text
    assert "guessing codes" not in page


def test_of_ten_thousand_codes_thirty_are_checked_and_scans_do_not_wait(client, house, database, monkeypatch):
    match = house.match()
    door, tables = door_of(house, match), client.app.state.services.tables
    mark, begun, check = b"%32d", datetime.now(UTC), tables.guesses._check_rows

    async def patient(connection, *given):
        await connection.execute(
            "set local lock_timeout = 0"
        )  # a busy machine may let the phone in after its 2 seconds
        await check(connection, *given)

    monkeypatch.setattr(tables.guesses, "_check_rows", patient)

    async def guess(number):
        address = b"%032d" % (number % 2000)
        try:
            await tables.guesses.typed(mark % number, address, begun + timedelta(seconds=number * 0.0059))
        except TypingWaits:
            return 0
        return 1

    async def flood(start):
        return sum(await asyncio.gather(*(guess(number) for number in range(start, start + 2500))))

    with psycopg.connect(database.url) as holding:
        holding.execute("set local idle_in_transaction_session_timeout = 0")
        holding.execute("lock table door_tries in access exclusive mode")  # so no typed code is answered yet
        waiting = client.blocking_portal.start_task_soon(flood, 0)
        phone = Phone(client)
        phone.come_in(door, "Annie")
        assert phone.get(f"/matches/{match.rpartition('/')[2]}").status_code == 200
        assert not waiting.done()
    looked = waiting.result() + sum(client.blocking_portal.call(flood, start) for start in (2500, 5000, 7500))
    assert looked == tries(database) == 30


@pytest.mark.extended
def test_a_flood_of_code_requests_does_not_delay_a_scan(client, house, database):
    cup = Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=4)
    cup.act({"do": "pair_round"}, {"do": "start_round", "minutes": 30})
    table = house.get(f"{cup.path}/doors", "director").json()["items"][1]
    path, phone = f"/matches/{table['match']}", Phone(client)
    with at(client, datetime.now(UTC)), Guesser(client, 400) as guesser:
        assert guesser.shut.wait(60)
        before = guesser.sent
        assert "Table 2, round 1, <bdi>" in phone.scan(table)
        assert phone.tap(r"P\d n\d+") == path
        assert phone.get(path).status_code == 200
        assert guesser.sent > before, "they went on typing meanwhile"
        assert phone.type(table["code"]).status_code == 429, "a right code waits as well"
        guesser.stop()
        assert guesser.sent >= 400
        assert guesser.answers == {404: 30, 429: guesser.sent - 30}
    assert tries(database) == 30


def test_two_processes_count_together(database):
    async def both(pool):
        async with make_pool(database.url, 2) as other:
            guessers, at, looked = [Guesses(pool), Guesses(other)], datetime.now(UTC), 0
            for number in range(100):
                try:
                    await guessers[number % 2].typed(b"%032d" % number, b"%032d" % number, at)
                    looked += 1
                except TypingWaits:
                    pass
            return looked

    assert with_pool(database, both) == 30


def test_the_director_sees_that_somebody_guesses(client, house, database):
    owner = sign_in(client, database)
    page = client.get(f"/clubs/{house.id}/doors", headers=owner).text
    assert "guessing codes" not in page
    tables = client.app.state.services.tables

    async def some():
        for number in range(9):
            await tables.guesses.typed(b"%032d" % number, b"%032d" % number, tables.now())

    client.blocking_portal.call(some)
    page = client.get(f"/clubs/{house.id}/doors", headers=owner).text
    assert "Somebody is guessing codes: 9 wrong ones in the last minute" in page
