"""Request deadline: answer 503 when the database does not respond in time, and ignore a late answer."""

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
def no_pause(monkeypatch):
    """Ask for the database in the next turn of the loop."""
    monkeypatch.setattr(patience, "ASK_AFTER", 0)


def asked(app, asker):
    """Return the statuses and bodies that are sent for a request to an application."""
    sent, asker.answered = [], asyncio.Event()

    async def act():
        await asyncio.wait_for(answered_in_time(asker, HANDLERS[psycopg.Error])(app)(scope, receive, send), 60)
        assert asyncio.current_task().cancelling() == 0

    async def send(message):
        sent.append(message.get("status", message.get("body")))
        if not message.get("more_body") and "body" in message:
            asker.answered.set()

    async def receive():
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": "/api/v1/games", "headers": [], "query_string": b""}
    asyncio.run(act())
    return sent


async def say(send, text):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": text})


def test_a_quick_answer_does_not_ask_for_the_database():
    async def app(scope, receive, send):
        await say(send, b"there")

    asker = Asker(serving=False)
    assert asked(app, asker) == [200, b"there"]
    assert asker.asked == 0


def test_a_slow_request_is_waited_for_while_the_database_serves():
    async def app(scope, receive, send):
        while asker.asked <= 2:
            await asyncio.sleep(0)
        await say(send, b"late")

    asker = Asker(serving=True)
    assert asked(app, asker) == [200, b"late"]
    assert asker.asked > 2


@pytest.mark.parametrize("ending", ["says something", "fails", "ends"])  # the last suppresses its cancellation
def test_a_request_given_up_is_refused_and_its_late_answer_ignored(ending):
    told, asker = [], Asker(serving=False)

    async def app(scope, receive, send):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asker.answered.wait()  # psycopg, too, takes its time to cancel a statement
            told.append(ending)
            if ending == "fails":
                raise RuntimeError(ending) from None
            if ending == "says something":
                await say(send, b"too late")

    status, body = asked(app, asker)
    assert status == 503
    assert b"/problems/unavailable" in body
    assert told == [ending]


def test_a_failed_probe_is_repeated():
    class Failing(Asker):
        async def serves(self):
            self.asked += 1
            if self.asked == 1:
                raise RuntimeError("can't start new thread")
            return False

    async def app(scope, receive, send):
        await asyncio.Event().wait()

    assert asked(app, Failing(serving=False))[0] == 503


def test_an_answer_that_has_begun_is_completed():
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(10):  # turns in which the database would be asked for
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"whole"})

    assert asked(app, Asker(serving=False)) == [200, b"whole"]


def test_a_cancelled_request_stays_cancelled():
    async def app(scope, receive, send):
        asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)
        await asyncio.Event().wait()

    with pytest.raises(asyncio.CancelledError):
        asked(app, Asker(serving=True))


def test_an_error_of_the_application_is_raised():
    async def app(scope, receive, send):
        raise KeyError("seat")

    with pytest.raises(KeyError):
        asked(app, Asker(serving=False))
