"""A head of an answer goes with the first part of its body, and waits for it no longer than a turn of the loop."""

import asyncio
import socket
import struct

import pytest
import uvicorn
from uvicorn.server import ServerState

from service.run.protocol import PatientProtocol, WholeAnswers

uvloop = pytest.importorskip("uvloop", reason="not on Windows")
BROKEN_OFF = struct.pack("ii", 1, 0)  # linger: the connection is reset at its end
HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"


class Wire(asyncio.Transport):
    """Notes each write, and how it ended."""

    def __init__(self):
        super().__init__()
        self.said = []

    def write(self, data):
        self.said.append(bytes(data))

    def close(self):
        self.said.append("closed")

    def abort(self):
        self.said.append("aborted")


def said(act):
    """What went over the wire within the turn of an act, and all of it."""

    async def inside():
        wire = Wire()
        act(WholeAnswers(wire))
        at_once = list(wire.said)
        await asyncio.sleep(0)
        return at_once, wire.said

    return asyncio.run(inside())


def written(*parts):
    return lambda answers: [answers.write(each) for each in parts]


@pytest.mark.parametrize(
    ("parts", "sent"),
    [
        ((HEAD, b"hello"), [HEAD + b"hello"]),
        ((HEAD, b"he", b"llo"), [HEAD + b"he", b"llo"]),
        ((HEAD, b"hello", HEAD, b"again"), [HEAD + b"hello", HEAD + b"again"]),
        ((b"hello",), [b"hello"]),
    ],
)
def test_a_head_and_the_first_part_of_its_body_are_one_write(parts, sent):
    assert said(written(*parts)) == (sent, sent)


def test_a_long_body_is_not_copied_to_its_head():
    body = b"." * 100_000
    assert said(written(HEAD, body))[1] == [HEAD, body]


def test_a_head_that_nothing_follows_is_sent_in_the_next_turn():
    assert said(written(HEAD)) == ([], [HEAD])


def test_a_head_is_sent_before_the_connection_is_closed():
    def act(answers):
        answers.write(HEAD)
        answers.close()

    assert said(act) == ([HEAD, "closed"], [HEAD, "closed"])


def test_nothing_more_is_sent_on_an_aborted_connection():
    def act(answers):
        answers.write(HEAD)
        answers.abort()

    assert said(act) == (["aborted"], ["aborted"])


def test_a_head_for_a_connection_just_reset_is_no_error():
    async def inside():
        loop, errors, gate, beside = asyncio.get_running_loop(), [], asyncio.Event(), socket.socketpair()
        asked, over = asyncio.Event(), asyncio.Event()
        loop.set_exception_handler(lambda _, context: errors.append(context))

        async def app(scope, receive, send):
            await receive()
            asked.set()
            try:
                await gate.wait()
                await send({"type": "http.response.start", "status": 200, "headers": []})
                assert (await receive())["type"] == "http.disconnect"
                gate.clear()
            finally:
                over.set()

        config = uvicorn.Config(app, http=PatientProtocol, ws="none", lifespan="off", log_config=None, access_log=False)
        config.load()
        server = await loop.create_server(lambda: PatientProtocol(config, ServerState(), {}), "127.0.0.1", 0)
        loop.add_reader(beside[0], lambda: (beside[0].recv(1), gate.set()))
        async with server:
            phone = socket.create_connection(server.sockets[0].getsockname())
            phone.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            await asyncio.wait_for(asked.wait(), 60)
            beside[1].send(b"x")
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, BROKEN_OFF)
            phone.close()
            await asyncio.wait_for(over.wait(), 60)
            for _ in range(10):  # turns in which an error would be reported
                await asyncio.sleep(0)
        loop.remove_reader(beside[0])
        for each in beside:
            each.close()
        return errors, gate.is_set()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for _ in range(5):
            assert runner.run(inside()) == ([], False)
