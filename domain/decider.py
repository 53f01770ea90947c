"""The decider: how a command becomes events, or is refused."""

from typing import Any, Protocol, TypeVar

import msgspec

Command = TypeVar("Command", contravariant=True)
State = TypeVar("State")
Event = TypeVar("Event")


class Refusal(Exception):
    """What may not be recorded, and why. `slug` is the kind of problem (`/problems/<slug>`), `rule` the
    ledger number, `code` the irregularity code, `version` the version of the stream that was judged."""

    def __init__(self, slug: str, detail: str, rule: str | None = None, code: str | None = None, **extra: Any) -> None:
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

    event: Any
    private: dict[str, Any] | None = None
    secret: bool = False
    signs: bool = False


def lost_race(current: int) -> Refusal:
    """What a client is told whose `expected_version` is not the current one."""
    return Refusal(
        "lost-race",
        f"somebody else was faster, and it stands at version {current} now: look at it, then send yours again",
        current_version=current,
    )


class Decider(Protocol[Command, State]):
    """`initial`, `decide`, `evolve`, and nothing else."""

    def initial(self) -> State:
        """The state of a stream without events."""
        ...

    def decide(self, state: State, command: Command) -> list[New]:
        """The events that the command leads to. Raises Refusal."""
        ...

    def fold(self, state: State, recorded: Any) -> State:
        """The state after recorded events."""
        ...
