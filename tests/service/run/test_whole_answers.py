"""A head of an answer goes with the first part of its body, and waits for it no longer than a turn of the loop."""

import asyncio

import pytest

from service.run.protocol import WholeAnswers

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
def test_a_head_and_what_follows_it_are_one_write(parts, sent):
    assert said(written(*parts)) == (sent, sent)


def test_a_head_that_nothing_follows_is_sent_by_the_end_of_the_turn():
    assert said(written(HEAD)) == ([], [HEAD])


def test_a_head_is_sent_before_the_connection_is_closed():
    def act(answers):
        answers.write(HEAD)
        answers.close()

    assert said(act) == ([HEAD, "closed"], [HEAD, "closed"])


def test_nothing_more_is_sent_on_a_connection_that_is_broken_off():
    def act(answers):
        answers.write(HEAD)
        answers.abort()

    assert said(act) == (["aborted"], ["aborted"])
