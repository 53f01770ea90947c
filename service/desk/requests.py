"""Requests: who asks for what on which stream, and what came of it."""

import hashlib
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from domain.club.devices import Devices
from domain.log.actor import SERVICE, Actor
from domain.log.decider import Refusal
from domain.log.event import Recorded
from domain.match.state import State as MatchState
from domain.tournament.state import Tournament
from service.store.ids import new_id
from service.store.loaded import Loaded
from service.store.log import By

State = TypeVar("State")


class KnownPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person known by id, for two people of one name."""

    id: str


class BusyError(Exception):
    """Ten races in a row were lost: try again in a moment."""


class Request(msgspec.Struct, frozen=True):
    """A request for a command: who records, who acts, the id of the command and whether its sender chose it, and the
    fingerprint of its content. With `ends` it is recorded only if the club's log ends at that position."""

    by: By
    actor: Actor
    command_id: str
    chosen: bool
    fingerprint: bytes
    expected: int | None = None
    ends: int | None = None


class Done(msgspec.Struct, Generic[State], frozen=True):
    """The stream after a command, and the versions that it appended."""

    loaded: Loaded[State]
    first: int
    last: int
    events: tuple[Recorded, ...] = ()


DoneMatch: TypeAlias = Done[MatchState]
AnyDone: TypeAlias = Done[Any]
DoneTournament: TypeAlias = Done[Tournament]


def own_request(by: By, command_id: str | None = None, actor: Actor = SERVICE) -> Request:
    """A request of the service itself (import, demo); a given id makes it idempotent."""
    chosen = command_id is not None
    name = command_id or new_id()
    return Request(by, actor, name, chosen, hashlib.sha256(name.encode()).digest())


def closed_request(devices: Devices, by: By, name: str) -> Request:
    """A request of the service itself into the closed log, idempotent by its name. The id of its command is made with a
    key of the club: or whoever sends guessed names as keys of his own would learn from `key-reused` what was done."""
    return own_request(by, devices.holder("closed", name).hex())


def signed(request: Request, acting: Actor) -> Request:
    """A request with the person, or the token, and the one role that allowed it: what stands in the log."""
    if not request.actor.rights:
        return request
    by = msgspec.structs.replace(request.by, actor=acting.id, role=acting.role)
    return msgspec.structs.replace(request, by=by)


def key_reused() -> Refusal:
    """The refusal for a client that used one key for two requests."""
    return Refusal("key-reused", "this Idempotency-Key was used for another request: make a new one")
