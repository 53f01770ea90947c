"""The decider: how a command becomes events, or is refused."""

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

import msgspec

from domain.log.actor import Actor, Reach
from domain.log.event import AnyEvent, Json, JsonObject

WAIVED: Final = ("forbidden", "recused", "window-closed")  # a further right may reach where one does not
State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


class Refusal(Exception):
    """The refusal of a command, with the reason. `slug` is the kind of problem (`/problems/<slug>`), `rule` the
    ledger number, `code` the irregularity code, `version` the version of the stream that was judged."""

    def __init__(self, slug: str, detail: str, rule: str | None = None, code: str | None = None, **extra: Json) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail
        self.rule = rule
        self.code = code
        self.extra = extra


class New(msgspec.Struct, frozen=True):
    """An event that a command decided: the public Struct, and what of it is private.

    `secret` events hold something that not every seat has seen, so their hash is salted. `signs`: the event's `head` is
    the event before it in the chain, which is known when it is appended.
    """

    event: AnyEvent
    private: JsonObject | None = None
    secret: bool = False
    signs: bool = False


def forbidden(actor: Actor) -> Refusal:
    """The refusal for a role that does not reach."""
    return Refusal("forbidden", f"the role `{actor.role}` may not do this here")


def lost_race(current: int) -> Refusal:
    """The refusal of an `expected_version` that is not the current one."""
    return Refusal(
        "lost-race",
        f"somebody else was faster, and it stands at version {current} now: look at it, then send yours again",
        current_version=current,
    )


def all_of_the_club(state: object, stream: str) -> tuple[Reach, ...]:
    """The reach of a stream that is for no match and no tournament."""
    return (Reach(),)


class Decider(msgspec.Struct, Generic[State, Command, Event], frozen=True):
    """One kind of stream: the type of its first event, the state before it, how a command becomes events, and how
    events become the state. `whole` where the fold reads private words too: each event comes with them then. Streams of
    a `closed` kind stand in the club's closed log. `reach` tells what a stream that has begun is about, from its state
    and its id; `word` is what one stream is called."""

    first: str
    initial: State
    decide: Callable[[State, Command, Actor], list[New]]
    fold: Callable[[State, Iterable[tuple[int, Event]]], State]
    whole: bool = False
    closed: bool = False
    reach: Callable[[State, str], tuple[Reach, ...]] = all_of_the_club
    word: str = "stream"


def decided(
    decide: Callable[[State, Command, Actor], list[New]], state: State, command: Command, actor: Actor
) -> tuple[list[New], Actor]:
    """The events of a command, and the actor with the one right that allowed it: the least that does. Raises Refusal,
    of the highest right where none allows it."""
    refused = Refusal("forbidden", "you may not do this here: ask the director or the secretary of the club")
    for each in actor.each():
        try:
            return decide(state, command, each), each
        except Refusal as refusal:
            if refusal.slug not in WAIVED:
                raise
            refused = refusal if refused.slug != "recused" else refused
    raise refused
