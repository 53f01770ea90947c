"""A request that waits while the database does not serve is refused once, and what it says later is heard by nobody."""

import asyncio

import psycopg
import pytest

from service.http import patience
from service.http.patience import answered_in_time
from service.web.errors import HANDLERS


class Asker:
    """A database that serves or not, as is said."""

    def __init__(self, serving):
        self.serving, self.asked = serving, 0

    async def serves(self):
        self.asked += 1
        return self.serving


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(patience, "ASK_AFTER", 0.02)


def asked(app, asker):
    """The statuses and bodies that are sent for a request to an application, whose task is left as it was."""
    sent = []

    async def act():
        await answered_in_time(asker, HANDLERS[psycopg.Error])(app)(scope, receive, send)
        assert asyncio.current_task().cancelling() == 0

    async def send(message):
        sent.append(message.get("status", message.get("body")))

    async def receive():
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": "/api/v1/games", "headers": [], "query_string": b""}
    asyncio.run(act())
    return sent


async def say(send, text):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": text})


def test_who_answers_soon_asks_nobody():
    async def app(scope, receive, send):
        await say(send, b"there")

    asker = Asker(serving=False)
    assert asked(app, asker) == [200, b"there"]
    assert asker.asked == 0


def test_who_is_slow_while_the_database_serves_is_waited_for():
    async def app(scope, receive, send):
        while asker.asked <= 2:
            await asyncio.sleep(0.01)
        await say(send, b"late")

    asker = Asker(serving=True)
    assert asked(app, asker) == [200, b"late"]
    assert asker.asked > 2


@pytest.mark.parametrize("ending", ["says something", "fails", "ends"])  # the last swallows that it was broken off
def test_who_is_given_up_is_refused_at_once_and_not_heard_any_more(ending):
    told = []

    async def app(scope, receive, send):
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            await asyncio.sleep(0.2)  # as psycopg, which waits for the end of what it cancels
            told.append(ending)
            if ending == "fails":
                raise RuntimeError(ending) from None
            if ending == "says something":
                await say(send, b"too late")

    status, body = asked(app, Asker(serving=False))
    assert status == 503
    assert b"/problems/unavailable" in body
    assert told == [ending]


def test_who_cannot_be_asked_about_is_asked_about_again():
    class Failing(Asker):
        async def serves(self):
            self.asked += 1
            if self.asked == 1:
                raise RuntimeError("can't start new thread")
            return False

    async def app(scope, receive, send):
        await asyncio.sleep(5)

    assert asked(app, Failing(serving=False))[0] == 503


def test_an_answer_that_has_begun_is_not_touched():
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.2)
        await send({"type": "http.response.body", "body": b"whole"})

    assert asked(app, Asker(serving=False)) == [200, b"whole"]


def test_what_is_broken_off_by_somebody_else_stays_broken_off():
    async def app(scope, receive, send):
        asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)
        await asyncio.sleep(5)

    with pytest.raises(asyncio.CancelledError):
        asked(app, Asker(serving=True))


def test_a_fault_is_a_fault():
    async def app(scope, receive, send):
        raise KeyError("seat")

    with pytest.raises(KeyError):
        asked(app, Asker(serving=False))
