"""The clerk who pushes: what of a club here is not on its server yet, and its way there, stream by stream."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec

from domain import codec
from domain.club.names import readable_name
from domain.exchange.pushed import PushedUnit
from domain.log.decider import Refusal
from domain.log.event import Json
from domain.match.state import Match
from domain.tournament.state import Tournament
from service.cli.push_door import DoorRefusal, ServerDoor, shown
from service.desk.pushing import PushPlan
from service.desk.showing import names_of
from service.store import pushing
from service.store.loaded import AnyLoaded, LoadedClub
from service.store.log import last_position
from service.store.log_sql import CLOSED
from service.store.pool import Pool
from service.store.streams import Streams

Item = TypeVar("Item")
PAGE: Final = 500  # heads and people of one request
Outcome: TypeAlias = Literal["new", "longer", "forked", "refused", "waits", "there", "person", "stays"]


class PushLine(msgspec.Struct, frozen=True):
    """The outcome for a stream, for a person, or for what is never pushed; `good` unless somebody has to look at it."""

    outcome: Outcome
    text: str
    stream: str | None = None
    good: bool = True


class Changed(msgspec.Struct, frozen=True):
    """A stream that is not on the server as it is here: its head here, and the version that stands there."""

    outcome: Outcome
    loaded: AnyLoaded
    version: int
    hash: str
    there: int

    @property
    def unit(self) -> str:
        """The stream with which it is taken together: its tournament, or itself."""
        state = self.loaded.state
        return (state.setup.tournament if isinstance(state, Match) else None) or self.loaded.stream


class PushedSum(msgspec.Struct, frozen=True):
    """The sum of a push: how many streams went, and how many could not."""

    good: int
    bad: int

    def text(self, dry: bool) -> str:
        """The last line."""
        if not self.good and not self.bad:
            return "nothing is new here: the server has all of it"
        went = f"{_count(self.good, 'stream', 'streams')} {'would be taken' if dry else 'taken'}"
        return f"{went}, {self.bad} not" if self.bad else went


Told: TypeAlias = Callable[[PushLine], None]


class PushClerk:
    """Pushes one club to the club of the same id at a server. `told` hears what becomes of each stream, `step` that one
    more part is done; `dry` sends nothing that is recorded."""

    def __init__(
        self, pool: Pool, door: ServerDoor, club: LoadedClub, told: Told, step: Callable[[], None], dry: bool
    ) -> None:
        self.pool, self.door, self.club, self.told, self.step, self.dry = pool, door, club, told, step, dry
        self.streams = Streams(pool)
        self.path = f"/api/v1/clubs/{club.club}/pushes"

    async def push(self) -> PushedSum:
        """Push what is new. Raises DoorRefusal where the server takes nothing at all, and Unable."""
        changed = await self._changed()
        units: dict[str, list[Changed]] = {}
        for each in changed:
            units.setdefault(each.unit, []).append(each)
        sound = [each for unit in units.values() if not _parts(unit) for each in unit]
        await self._people(sound)
        closed = await last_position(self.pool, self.club.club, CLOSED)
        if closed:
            self.told(PushLine("stays", "cases stay here: they are never pushed"))
        if self.dry:
            for each in changed:
                self._say(each, _parts(units[each.unit]))
            return PushedSum(len(sound), len(changed) - len(sound))
        await self._announce(sound)
        bad = sum([await self._send(unit) for _, unit in sorted(units.items())])
        return PushedSum(len(changed) - bad, bad)

    async def _changed(self) -> list[Changed]:
        """Every stream that is not on the server as it is here."""
        found, there = [], 0
        for page in in_pages(await pushing.own_heads(self.pool, self.club.club)):
            heads = [{"stream": stream, "version": version, "hash": digest} for stream, version, digest in page]
            plan = (await planned(self.door, self.path, {"heads": heads})).streams
            if [each.stream for each in plan] != [stream for stream, _, _ in page]:
                raise self.door.strange()
            own = await pushing.heads_here(
                self.pool, self.club.club, [(each.stream, each.version or 1) for each in plan]
            )
            for (stream, version, digest), each, mine in zip(page, plan, own, strict=True):
                outcome: Outcome = each.state
                if outcome == "longer" and mine.there != each.hash:
                    outcome = "forked"
                if outcome == "there":
                    there += 1
                    continue
                loaded = await self.streams.load(stream)
                if loaded is None:
                    raise Refusal("malformed", f"{stream} is of a kind that this Lurch does not know")
                found.append(Changed(outcome, loaded, version, digest, each.version))
        if there:
            self.told(PushLine("there", f"{_count(there, 'stream is', 'streams are')} there already"))
        return found

    async def _people(self, changed: Sequence[Changed]) -> None:
        """Tell which people come, and whose names are borne there already."""
        for page in in_pages(self._coming(changed)):
            for each in (await planned(self.door, self.path, {"people": page})).people:
                if each.known:
                    continue
                name = shown(each.name or each.id)
                alike = ", ".join(shown(other.id) for other in each.alike)
                same = (
                    f"; is it the one who is called so there ({alike})? A secretary can merge the two" if alike else ""
                )
                self.told(PushLine("person", f"{name} is new there, as a visitor{same}"))

    def _coming(self, changed: Sequence[Changed]) -> list[dict[str, str | None]]:
        names = names_of(self.club)
        ids = sorted({player for each in changed for player in _players(each.loaded)})
        return [{"id": each, "name": readable_name(names.get(each) or "")} for each in ids]

    async def _announce(self, changed: Sequence[Changed]) -> None:
        """Say in the club which streams come, with their people."""
        source = await self.streams.era() or self.club.club
        for page in in_pages(sorted(changed, key=lambda each: each.loaded.stream)):
            heads = [{"stream": each.loaded.stream, "version": each.version, "hash": each.hash} for each in page]
            people = in_pages(self._coming(page)) or [[]]
            for some in people:
                await self.door.post(self.path, {"source": source, "heads": heads, "people": some})

    async def _send(self, unit: Sequence[Changed]) -> int:
        """Send what belongs together; how many streams of it were not taken."""
        whole = [
            await pushing.stream_to_push(self.pool, self.club.club, each.loaded.stream, each.version) for each in unit
        ]
        source = await self.streams.era() or self.club.club
        body = codec.encode_plain(PushedUnit(source, self.club.club, tuple(whole)))
        try:
            await self.door.post(f"{self.path}/streams", body)
        except DoorRefusal as refusal:
            if refusal.slug in ("unauthorised", "forbidden", "not-found", "unavailable"):
                raise
            outcome: Outcome = "forked" if refusal.slug == "forked" else "refused"
            for each in unit:
                text = f"{outcome:8}{self._named(each)}: {refusal.detail}"
                self.told(PushLine(outcome, text, each.loaded.stream, False))
            return len(unit)
        finally:
            self.step()
        for each in unit:
            self._say(each, False)
        return 0

    def _say(self, each: Changed, parts: bool) -> None:
        """Tell what becomes of a stream, or would."""
        outcome: Outcome = "waits" if parts and each.outcome != "forked" else each.outcome
        events = _count(each.version - each.there, "event", "events")
        words = {
            "new": f"{events}",
            "longer": f"{events} behind version {each.there}",
            "forked": f"something else was recorded there behind an earlier version than {each.version}",
            "waits": "another stream that belongs to it is a fork",
        }
        text = f"{outcome:8}{self._named(each)}: {words[outcome]}"
        self.told(PushLine(outcome, text, each.loaded.stream, outcome in ("new", "longer")))

    def _named(self, each: Changed) -> str:
        """A stream by its kind, its id, and who plays, or what it is called."""
        return f"{each.loaded.kind.word} {each.loaded.stream} ({title_of(each.loaded, self.club)})"


def title_of(loaded: AnyLoaded, club: LoadedClub) -> str:
    """The name of a tournament, or the people of a match."""
    if isinstance(loaded.state, Tournament):
        return loaded.state.name
    names = names_of(club)
    return " – ".join(", ".join(names.get(player) or "?" for player in side) for side in loaded.match.setup.sides)


def _players(loaded: AnyLoaded) -> set[str]:
    """Everybody who plays in a stream, with those of before a substitution or a wrong name."""
    state = loaded.state
    if isinstance(state, Tournament):
        return {one for each in state.entries.values() for own in (each.players, *each.before) for one in own}
    return {player for side in loaded.match.setup.sides for player in side}


def _parts(unit: Iterable[Changed]) -> bool:
    """Tells what cannot be taken, since one stream of it is a fork."""
    return any(each.outcome == "forked" for each in unit)


def in_pages(items: Sequence[Item]) -> list[list[Item]]:
    """Pages of what one request may hold."""
    return [list(items[at : at + PAGE]) for at in range(0, len(items), PAGE)]


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


async def planned(door: ServerDoor, path: str, asked: dict[str, Json]) -> PushPlan:
    """The server's plan at the address of a club's pushes. Raises DoorRefusal for whoever may not push there, and for a
    server that knows nothing of pushes; Unable."""
    try:
        return await door.asked(f"{path}/plan", asked, PushPlan)
    except DoorRefusal as refusal:
        if refusal.slug != "not-found":
            raise
        raise DoorRefusal(
            "unavailable", "it knows nothing of pushes, as an older Lurch does: bring the server up to date first"
        ) from None
