"""Streams that were recorded in another copy of a club, as they travel: every byte of their chain, checked whole."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from domain import registry
from domain.exchange.archive import Id
from domain.exchange.rebuild import BROKEN, kinds_of, wrong_match, wrong_standings
from domain.exchange.words_beside import wrong_words
from domain.log.actor import RANKS
from domain.log.decider import New, Refusal
from domain.log.event import GENESIS, AnyEvent, JsonObject, Public, chain_hash, instant, leaf_hash, public_bytes
from domain.match.capacity import check_length
from domain.match.evolve import fold as fold_match
from domain.match.sight import salted
from domain.match.state import Match, NoMatch, State
from domain.tournament.evolve import fold as fold_tournament
from domain.tournament.state import Tournament

MOST: Final = 20_000  # events that are taken together: they go as one statement
_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # in JSON: the database reads some of it, and would fail there
FIRSTS: Final = {"MatchOpened": False, "TournamentAnnounced": True}  # by the first event: is it a tournament
Folded: TypeAlias = State | Tournament
Hex: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){1,64}(?![\s\S])")]
Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
Salt: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}(?![\s\S])")]
Source: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f-]{8,36}(?![\s\S])")]
ShortText: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
PushState: TypeAlias = Literal["new", "there", "longer", "forked"]


class PushedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One event with all that its hash is made of (docs/chain.md), its own hash, the salt and text of its private part,
    and the fingerprint by which a repeat of its command is known. Bytes are hex."""

    version: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    type: Annotated[str, msgspec.Meta(max_length=60)]
    schema: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    data: str
    actor: ShortText | None
    role: str
    seat: Annotated[int, msgspec.Meta(ge=0, le=100)] | None
    device: ShortText | None
    device_clock: str | None
    recorded_at: str
    command_id: ShortText
    cause: ShortText | None
    fingerprint: Hex
    hash: Digest
    salt: Salt | None = None
    private: str | None = None


class PushedStream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match or a tournament from its first event to its last."""

    stream: Id
    events: Annotated[tuple[PushedEvent, ...], msgspec.Meta(min_length=1)]


class PushedUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The streams that are taken together or not at all: a tournament with its matches, or one match."""

    source: Source
    club: Id
    streams: Annotated[tuple[PushedStream, ...], msgspec.Meta(min_length=1)]


class CheckedEvent(msgspec.Struct, frozen=True):
    """An event that fits its chain, with what its row holds beside it: its place in its command, the hash before it and
    its times."""

    event: PushedEvent
    place: int
    previous: bytes
    at: datetime
    clock: datetime | None


class CheckedStream(msgspec.Struct, frozen=True):
    """A pushed stream that was proven: the events behind what is known here, and what they fold to."""

    stream: str
    events: tuple[CheckedEvent, ...]
    state: Folded


def read_unit(data: bytes) -> PushedUnit:
    """A unit as it travels. Raises Refusal for what is none."""
    try:
        unit = msgspec.json.decode(data, type=PushedUnit)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # ValidationError is one of them
        raise Refusal("malformed", f"this is no push: {str(error)[:200]}") from None
    ids = [each.stream for each in unit.streams]
    if len(set(ids)) < len(ids) or unit.club in ids:
        raise Refusal("malformed", "a stream stands there twice, or is that of the club itself, which is never pushed")
    if sum(len(each.events) for each in unit.streams) > MOST:
        raise Refusal("too-large", f"more than {MOST:,} events belong together here, which is what is taken at once")
    return unit


def common(pushed: PushedStream, known: Sequence[bytes]) -> int:
    """The last version up to which a stream is the one that is known here by its hashes: 0 for none."""
    same = 0
    for event, digest in zip(pushed.events, known, strict=False):
        if bytes.fromhex(event.hash) != digest:
            break
        same += 1
    return same


def compared(pushed: PushedStream, known: Sequence[bytes]) -> PushState:
    """The relation of a pushed stream to the one that is known here."""
    if not known:
        return "new"
    if common(pushed, known) < min(len(pushed.events), len(known)):
        return "forked"
    return "there" if len(pushed.events) <= len(known) else "longer"


def is_tournament(stream: PushedStream) -> bool:
    """Tells a tournament from a match, by its first event. Raises Refusal for what is neither."""
    found = FIRSTS.get(stream.events[0].type)
    if found is None:
        raise _refusal(stream, 1, "it begins neither a match nor a tournament")
    return found


def checked(club: str, stream: PushedStream, after: int, state: Folded | None, now: datetime) -> CheckedStream:
    """The events behind a version of a stream, all of them proven: each fits its chain and its kind, and follows from
    what was before it, which is `state`; None for a stream that is new. Raises Refusal at the first that does not."""
    tournament = is_tournament(stream)
    if not tournament:
        check_length(len(stream.events))
    folding = _Folding(stream, tournament, state)
    found, previous = [], bytes.fromhex(stream.events[after - 1].hash) if after else GENESIS
    before = _instant(stream, stream.events[after - 1], "recorded_at") if after else None
    if [each.version for each in stream.events] != list(range(1, len(stream.events) + 1)):
        raise _refusal(stream, 1, "versions are missing, or stand in another order")
    for each, place in list(zip(stream.events, _places(stream.events), strict=True))[after:]:
        at = _instant(stream, each, "recorded_at")
        assert at is not None
        clock = _instant(stream, each, "device_clock")
        if before is not None and at < before:
            raise _refusal(stream, each.version, "its time is before that of the event before it")
        if at > now:
            raise _refusal(
                stream, each.version, f"its time, {each.recorded_at}, is yet to come: push once it has passed"
            )
        if bytes.fromhex(each.hash) != chain_hash(previous, _leaf(club, stream.stream, each)):
            raise _refusal(
                stream, each.version, "its hash is not that of what it says: it was changed, or words are gone"
            )
        folding.take(each)
        found.append(CheckedEvent(each, place, previous, at, clock))
        previous, before = bytes.fromhex(each.hash), at
    folding.check_end()
    return CheckedStream(stream.stream, tuple(found), folding.state)


def _places(events: Sequence[PushedEvent]) -> Iterator[int]:
    """The place of each event among those of its command, which stand together."""
    place, command = 0, ""
    for each in events:
        place = place + 1 if each.command_id == command else 0
        command = each.command_id
        yield place


def _leaf(club: str, stream: str, each: PushedEvent) -> bytes:
    """The hash of an event alone."""
    head = club, stream, each.version, each.type, each.schema, each.data
    signer = each.actor, each.role, each.seat, each.device, each.device_clock
    public = public_bytes(Public(*head, *signer, each.recorded_at, each.command_id, each.cause))
    salt = None if each.salt is None else bytes.fromhex(each.salt)
    return leaf_hash(public, salt, None if each.private is None else each.private.encode())


class _Folding:
    """A stream as it grows by events that nobody here decided."""

    def __init__(self, stream: PushedStream, tournament: bool, state: Folded | None) -> None:
        self.stream, self.tournament = stream, tournament
        self.state: Folded = (Tournament() if tournament else NoMatch()) if state is None else state

    def take(self, each: PushedEvent) -> None:
        """One more. Raises Refusal where it does not follow."""
        if each.type not in kinds_of(self.tournament):
            raise _refusal(self.stream, each.version, f"{each.type[:40]} is no event of it that this Lurch knows")
        if _NUL.search(each.data):
            raise _refusal(self.stream, each.version, "it holds a letter that cannot be stored")
        if each.role not in RANKS:
            raise _refusal(self.stream, each.version, "there is no such role")
        try:
            event = registry.read_event(each.type, each.schema, each.data)
            new = New(event, self._private(each))
            if not isinstance(self.state, Tournament) and salted(new, self.state).secret and each.salt is None:
                raise _refusal(self.stream, each.version, "it hides something and has no salt")
            self.state = self._after(each.version, event)
        except Refusal as refusal:
            if refusal.slug == "malformed":
                raise
            raise _refusal(self.stream, each.version, f"it does not follow ({refusal.detail})") from None
        except BROKEN as error:
            raise _refusal(self.stream, each.version, f"it does not follow ({error})") from None

    def _after(self, version: int, event: AnyEvent) -> Folded:
        if isinstance(self.state, Tournament):
            return fold_tournament(self.state, [(version, event)])
        return fold_match(self.state, [(version, event)])

    def _private(self, each: PushedEvent) -> JsonObject | None:
        if (each.salt is None) != (each.private is None) or "\x00" in (each.private or ""):
            raise _refusal(self.stream, each.version, "its private part has no salt, or the other way round")
        if each.private is None:
            return None
        words: JsonObject | None = msgspec.json.decode(each.private)
        if not isinstance(words, dict) and each.private != "null":
            raise _refusal(self.stream, each.version, "its private part has no members")
        wrong = wrong_words(words or {})
        if wrong:
            raise _refusal(self.stream, each.version, f"its private part holds no words in {wrong[:40]!r}")
        return words

    def check_end(self) -> None:
        """Raises Refusal for what no page could show."""
        if isinstance(self.state, Tournament):
            wrong = wrong_standings(self.state) if self.state.stages else "it announces nothing"
        else:
            wrong = wrong_match(self.state) if isinstance(self.state, Match) else "it opens nothing"
        if wrong:
            raise _refusal(self.stream, len(self.stream.events), wrong)


def _instant(stream: PushedStream, each: PushedEvent, name: Literal["recorded_at", "device_clock"]) -> datetime | None:
    """A time that is written as the chain writes it. Raises Refusal."""
    text = each.recorded_at if name == "recorded_at" else each.device_clock
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _refusal(stream, each.version, f"its {name} is no time") from None
    if not 1970 <= moment.year < 9999:  # the ends of the calendar cannot be read back in every time zone
        raise _refusal(stream, each.version, f"its {name} is no time of an evening")
    if instant(moment) != text:
        raise _refusal(stream, each.version, f"its {name} is not written as the chain writes it")
    return moment


def _refusal(stream: PushedStream, version: int, why: str) -> Refusal:
    """The refusal of a stream that is not what it says."""
    return Refusal("malformed", f"{stream.stream} cannot be taken: version {version}: {why[:300]}")
