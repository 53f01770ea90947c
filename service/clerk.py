"""The clerk: what the command line does on the database, through the same commands as everybody."""

import hashlib
from typing import Any

import msgspec
from psycopg_pool import AsyncConnectionPool

from domain import registry
from domain.decider import New, Refusal
from domain.event import GENESIS, chain_hash, leaf_hash
from domain.match.events import MatchOpened
from domain.match.state import Match
from domain.notation.ctn_read import Script, loads
from domain.notation.ctn_write import Noted, dumps
from service.api.access import names_of
from service.projector import Projector
from service.recording import Recorder, own_request
from service.store import log
from service.store.log import By, public_of
from service.streams import Streams

CLERK = By(actor=None, role="owner", device="lurch")


class Told(msgspec.Struct, frozen=True):
    """A line for the person at the terminal."""

    text: str
    good: bool = True


async def club_named(pool: AsyncConnectionPool[Any], name: str | None, public: bool = False) -> str:
    """The club of that name, founded if there is none; without a name the only one. Raises Refusal."""
    streams = Streams(pool)
    found = [club for club in await streams.clubs() if name is None or club.state.name == name]
    if len(found) == 1:
        return found[0].club
    if found:
        raise Refusal("malformed", "there are several clubs: say which with --club")
    return await Recorder(streams).found_club(name or "My club", public, CLERK)


async def import_text(pool: AsyncConnectionPool[Any], club_name: str, public: bool, text: str) -> list[Told]:
    """Record every match of a CTN text; one that was imported before is left as it is."""
    club = await club_named(pool, club_name, public)
    recorder = Recorder(Streams(pool))
    told: list[Told] = []
    for place, script in enumerate(loads(text), start=1):
        told += [Told(f"line {p.line}, column {p.column}: {p.token}: {p.detail}", False) for p in script.problems]
        if isinstance(script.state, Match) and script.tags is not None:
            told.append(Told(await _import_match(recorder, club, script, place)))
    return told


async def _import_match(recorder: Recorder, club: str, script: Script, place: int) -> str:
    assert script.tags is not None
    content = b"\0".join(registry.write_event(new.event) + msgspec.json.encode(new.private) for new in script.events)
    request = own_request(CLERK, f"import-{place}-{hashlib.sha256(content).hexdigest()}")
    sides = await recorder.players(club, script.tags.names, request)
    first = script.events[0]
    assert isinstance(first.event, MatchOpened)
    opened = msgspec.structs.replace(first.event, sides=sides)
    news: list[New] = [msgspec.structs.replace(first, event=opened), *script.events[1:]]
    done = await recorder.import_match(club, news, request)
    return f"{done.loaded.stream}  {' - '.join(' & '.join(side) for side in script.tags.names)}"


async def export_match(pool: AsyncConnectionPool[Any], match: str) -> str:
    """A match as canonical CTN. Raises Refusal for one that there is not."""
    streams = Streams(pool)
    loaded = await streams.match(match)
    if loaded is None:
        raise Refusal("not-found", "there is no such match")
    club = await streams.club(loaded.club)
    assert club is not None
    names = names_of(club)
    stored = await log.read_stream(pool, loaded.club, match)
    events = [Noted(each.event.version, each.event.data, each.event.private) for each in stored]
    by_side = [[names.get(player) or "(name removed)" for player in side] for side in loaded.match.setup.sides]
    return dumps(events, by_side)


async def verify(pool: AsyncConnectionPool[Any]) -> tuple[int, str]:
    """The number of events, and the first that does not fit ("" when all do)."""
    count = 0
    for club, position in await log.clubs(pool):
        heads: dict[str, tuple[int, bytes]] = {}
        at = 0
        async for each in log.tail(pool, club, 0):
            event = each.event
            at += 1
            if event.position != at:
                return count, f"club {club}: position {at} is missing"
            version, previous = heads.get(event.stream, (0, GENESIS))
            private = each.private.encode() if each.private is not None else None
            digest = chain_hash(previous, leaf_hash(public_of(event), each.salt, private))
            if event.version != version + 1 or each.prev_hash != previous or each.hash != digest:
                return count, f"club {club}: match {event.stream}, version {event.version} does not fit its chain"
            heads[event.stream] = (event.version, each.hash)
            count += 1
        if at != position:
            return count, f"club {club}: the log ends at {at}, its head says {position}"
    return count, ""


async def rebuild(pool: AsyncConnectionPool[Any]) -> int:
    """Fold the kept views of every club again."""
    clubs = await log.clubs(pool)
    for club, _ in clubs:
        await Projector(pool).rebuild(club)
    return len(clubs)
