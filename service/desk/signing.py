"""Signing: what a signature is judged by beside the record, and whose PIN was typed."""

import hashlib
from uuid import UUID

import msgspec

from domain.log.actor import Strength
from domain.log.decider import Refusal
from domain.log.strength import strictest
from domain.match import commands as c
from domain.match.command import OwnActs
from domain.tournament.signatures import words_on
from domain.tournament.state import Tournament
from projections.merged import sides_with
from service.desk.pins import with_pin
from service.desk.recording import Recorder
from service.desk.requests import Request
from service.desk.services import Services
from service.store.acts import acts_of
from service.store.callers import Caller
from service.store.loaded import LoadedMatch
from service.store.log import By, Device
from service.store.streams import Streams


async def asked_of(streams: Streams, loaded: LoadedMatch) -> Strength | None:
    """The least strength that is asked for at a match: by its tournament, else by the club."""
    if loaded.match.setup.tournament is None:
        club = await streams.club(loaded.club)
        return None if club is None else club.state.settings.confirms
    return await planned(streams, loaded.match.setup.tournament)


async def planned(streams: Streams, tournament: str) -> Strength | None:
    """The least strength that a tournament asks for: its plan never changes, so it is read once."""
    kept = streams.kept(tournament)
    state = kept.state if kept is not None else None
    if not isinstance(state, Tournament):
        found = await streams.tournament(tournament)
        state = None if found is None else found.tournament
    return None if state is None else strictest(state.plan.plays_on, state.plan.final)


async def own_acts(recorder: Recorder, loaded: LoadedMatch, by: By, deal: int | None) -> OwnActs:
    """The acts of a device in a deal of a match, from its beginning on; in the last one where none is named."""
    deals = loaded.match.deals
    named = [each for each in deals if each.number == deal] or deals[-1:]
    return await _acts(recorder, loaded, by, named[0].version - 1 if named else 0)


async def all_acts(recorder: Recorder, loaded: LoadedMatch, holder: str) -> OwnActs:
    """The acts of a browser's sign-in, by its id, in a whole match."""
    return await _acts(recorder, loaded, By(None, "player", on=Device(f"sign-in {holder}", None)), 0)


async def _acts(recorder: Recorder, loaded: LoadedMatch, by: By, after: int) -> OwnActs:
    device = await recorder.devices.known(loaded.club, by)
    if device is None:
        return OwnActs(loaded.head.version)
    pool = recorder.streams.pool
    found = await acts_of(pool, loaded.club, loaded.stream, device, after)
    cup = loaded.match.setup.tournament
    named = None if cup is None else await recorder.streams.tournament(cup)
    words = frozenset[int]() if named is None else words_on(named.tournament, loaded.stream)
    if named is None or not words:
        return OwnActs(loaded.head.version, found)
    said = await acts_of(pool, loaded.club, named.stream, device, min(words) - 1)
    return OwnActs(loaded.head.version, found, tuple(who for version, who in said if version in words))


async def by_pin(
    services: Services, caller: Caller, loaded: LoadedMatch, side: int, named: str | None, pin: str
) -> Caller:
    """The caller with what a player of a side signs by PIN on this device: the one that is named, else its only one.
    Raises Refusal where the PIN is not that person's."""
    club = await services.recorder.club(loaded.club)
    sides = sides_with(club.state.firsts(), loaded.match.setup.sides)  # a PIN is that of who counts by now
    players = sides[side] if 0 <= side < len(sides) else ()
    raw = loaded.match.setup.sides[side] if players else ()
    if named is None and len(players) == 1:
        return await with_pin(services, caller, loaded.club, players[0], pin)
    if named in players or named in raw:
        person = named if named in players else players[raw.index(named)]
        return await with_pin(services, caller, loaded.club, person, pin)
    raise Refusal("malformed", "`person` says whose PIN it is: a player of that side")


def without_pin(request: Request, match: UUID, command: c.MatchCommand) -> Request:
    """A request that a PIN came with, known again by its match and command: no mark of the PIN is kept with what it
    signed."""
    plain = msgspec.structs.replace(command, asks=None)
    parts = (str(match).encode(), type(command).__name__.encode(), msgspec.json.encode(plain))
    return msgspec.structs.replace(request, fingerprint=hashlib.sha256(b"\0".join(parts)).digest())
