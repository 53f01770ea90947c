"""A stream kind for tests in the closed log: a talk about matches or a tournament, with private words.

`python -m tests.kit.talks URL CLUB NAME` opens talks and adds words until it is killed, and prints a line for each
acknowledged append.
"""

import asyncio
import itertools
import sys
from contextlib import contextmanager

import msgspec
import pytest

from domain import registry
from domain.club import private_parts
from domain.log.actor import DIRECTORS, Reach
from domain.log.decider import Decider, New, Refusal, forbidden
from domain.log.event import ClosedEvent
from service.cli import clerk
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.pool import make_pool
from service.store import kinds
from service.store.ids import new_id
from service.store.streams import Streams

CLUB = Reach()  # about neither a match nor a tournament


class TalkOpened(ClosedEvent, frozen=True):
    """A talk began: about a match, with its tournament where it has one."""

    match: str | None = None
    tournament: str | None = None


class TalkJoined(ClosedEvent, frozen=True):
    """The talk is about a further match, too."""

    match: str


class WordsSaid(ClosedEvent, frozen=True):
    """Private words were said for a side."""

    side: int | None = None


class Open(msgspec.Struct, frozen=True):
    """Opens a talk."""

    match: str | None = None
    tournament: str | None = None


class Join(msgspec.Struct, frozen=True):
    """Adds a match."""

    match: str


class Say(msgspec.Struct, frozen=True):
    """Says something, one or more times."""

    words: str
    side: int | None = None
    times: int = 1


class Talk(msgspec.Struct, frozen=True):
    """State of a talk: what it is about, and how many times something was said."""

    about: tuple[Reach, ...] = ()
    said: int = 0


def decide(state, command, actor):
    """Let directors and players talk; a talk begins once."""
    if actor.role not in {*DIRECTORS, "player"}:
        raise forbidden(actor)
    match command:
        case Open() if not state.about:
            return [New(TalkOpened(command.match, command.tournament))]
        case Join():
            return [New(TalkJoined(command.match))]
        case Say():
            return [New(WordsSaid(command.side), {"words": command.words}) for _ in range(command.times)]
    raise Refusal("misfit", "the talk has begun")


def fold(state, events):
    for _, event in events:
        match event:
            case TalkOpened():
                state = Talk((Reach(event.match, event.tournament),))
            case TalkJoined():
                state = Talk((*state.about, Reach(event.match)), state.said)
            case WordsSaid():
                state = Talk(state.about, state.said + 1)
    return state


TALK = Decider("TalkOpened", Talk(), decide, fold, closed=True, reach=lambda state, stream: state.about, word="talk")


@contextmanager
def talks():
    """Register the stream kind within the block."""
    with pytest.MonkeyPatch.context() as patch:
        for event, whose in ((TalkOpened, "nobody"), (TalkJoined, "nobody"), (WordsSaid, "side")):
            patch.setitem(registry.event_types(), event.__name__, event)
            patch.setitem(private_parts.WHOSE, event.__name__, whose)
        patch.setitem(kinds.KINDS, TALK.first, TALK)
        yield TALK


async def talk(recorder, club, *said, about=CLUB):
    """Open a talk, say these words by one command each, and return the stream."""
    stream = new_id()
    await recorder.begin(club, stream, TALK, Open(about.match, about.tournament), own_request(clerk.CLERK))
    for words in said:
        await recorder.on_stream(stream, TALK, Say(words), own_request(clerk.CLERK))
    return stream


async def go_on(url, club, name):
    """Open talks and say things in them until killed."""
    async with make_pool(url, 2) as pool:
        recorder = Recorder(Streams(pool))
        for number in itertools.count():
            stream = await talk(recorder, club)
            sys.stdout.write(f"{stream} 1 1\n")
            for _ in range(10):
                done = await recorder.on_stream(
                    stream, TALK, Say(f"{name} {number}", times=3), own_request(clerk.CLERK)
                )
                sys.stdout.write(f"{stream} {done.first} {done.last}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    with talks():
        asyncio.run(go_on(*sys.argv[1:]))
