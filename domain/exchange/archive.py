"""A tournament as one document: its own events, those of its matches, the names of its players, and a digest of all."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, TypeAlias

import msgspec

from domain import codec
from domain.club.state import same_name
from domain.exchange.faults import FaultyError, TextFault
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject

VERSION: Final = 1
_ID: Final = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\s\S])"
_PLACE: Final = re.compile(r"byte (\d+)")
Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=_ID)]
PlayerName: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class ArchivedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One event with its time, actor and role; `private` are the words beside it, for directors."""

    version: int
    type: str
    schema: int = 1
    recorded_at: str
    actor: str | None = None
    role: str
    data: msgspec.Raw
    private: JsonObject | None = None


class ArchivedStream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament or a match: its id where it was recorded, and its events from the first."""

    id: Id
    events: Annotated[tuple[ArchivedEvent, ...], msgspec.Meta(min_length=1)]


class TournamentArchive(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The document. `people` are names by id (null: a name that was removed); `digest` is the SHA-256, in hex, of the
    whole document with an empty digest, as canonical JSON."""

    lurch_tournament: int = VERSION
    club: str
    people: dict[Id, PlayerName | None]
    tournament: ArchivedStream
    matches: tuple[ArchivedStream, ...] = ()
    digest: str = ""


def with_digest(archive: TournamentArchive) -> TournamentArchive:
    """The archive with its digest."""
    return msgspec.structs.replace(archive, digest=digest_of(archive))


def digest_of(archive: TournamentArchive) -> str:
    """The digest of an archive's contents, with its members in a fixed order."""
    data: JsonObject = msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(archive, digest="")))
    return hashlib.sha256(codec.encode(data)).hexdigest()


def write_archive(archive: TournamentArchive) -> bytes:
    """The document as text: the outermost members and every event on lines of their own, for people who look."""
    return msgspec.json.format(codec.encode_plain(archive), indent=1) + b"\n"


def read_archive(data: bytes) -> TournamentArchive:
    """Read a document. Raises FaultyError for a text that is no archive or not whole, with line and column if there
    is a place to name."""
    try:
        data.decode()  # msgspec leaves events as they are
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        raise FaultyError([TextFault(*place, "this is not UTF-8")]) from None
    try:
        archive = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=TournamentArchive)
    except RecursionError:
        raise FaultyError([TextFault(0, 0, "it is nested too deeply")]) from None
    except msgspec.DecodeError as error:  # ValidationError is one of them
        raise FaultyError([_place(data, error)]) from None
    if archive.lurch_tournament != VERSION:
        told = f"it is an archive of version {archive.lurch_tournament}; this program reads {VERSION}"
        raise FaultyError([TextFault(0, 0, told)])
    if archive.digest != digest_of(archive):
        raise FaultyError(
            [TextFault(0, 0, "its digest does not fit what it holds: it was changed after it was written")]
        )
    return archive


def _place(data: bytes, error: Exception) -> TextFault:
    """The fault of a document that cannot be read: a byte as line and column, a member by its path."""
    told = str(error)
    found = _PLACE.search(told)
    if isinstance(error, msgspec.ValidationError) or found is None:
        detail, _, path = told.partition(" - at `$")
        where = path.rstrip("`").lstrip(".")
        return TextFault(0, 0, f"{where}: {detail}" if where else detail)
    before = data[: int(found[1])]
    return TextFault(before.count(b"\n") + 1, len(before) - before.rfind(b"\n"), told)


def match_ids(events: Iterable[tuple[str, Json]]) -> tuple[str, ...]:
    """The streams of all matches ever named in a tournament's events, (type, plain data) each, in order."""
    found: dict[str, None] = {}
    for kind, data in events:
        if kind == "RoundPaired":
            found.update(dict.fromkeys(each["match"] for each in data["pairings"]))
        elif kind == "PairingReplaced" and data["pairing"] is not None:
            found[data["pairing"]["match"]] = None
    return tuple(found)


def with_ids(value: Json, ids: Mapping[str, str]) -> Json:
    """Plain data with the known ids replaced, as whole texts and in marks like {id}."""
    if isinstance(value, str):
        return ids.get(value) or _marks(value, ids)
    if isinstance(value, list):
        return [with_ids(each, ids) for each in value]
    if isinstance(value, dict):
        return {ids.get(key, key): with_ids(each, ids) for key, each in value.items()}
    return value


def _marks(text: str, ids: Mapping[str, str]) -> str:
    if "{" not in text:
        return text
    return re.sub(r"\{([^{}]+)\}", lambda found: f"{{{ids.get(found[1], found[1])}}}", text)


def fresh_id(club: str, digest: str, old: str) -> str:
    """The id that replaces one of an archive in a club. It is always the same, so that an interrupted import can go on,
    and keeps the time of the old id, so that lists keep their order."""
    own = hashlib.sha256(f"{club}\0{digest}\0{old}".encode()).hexdigest()
    when = old.replace("-", "")[:12]
    return f"{when[:8]}-{when[8:]}-7{own[:3]}-{'89ab'[int(own[3], 16) % 4]}{own[4:7]}-{own[7:19]}"


def unique_names(people: Mapping[str, str | None]) -> dict[str, str]:
    """A name for each player, no two alike: a second Annie is Annie (2), a removed name No name (1)."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    counts: dict[str, int] = {}  # the last number behind each name: those before it are taken
    for player in sorted(people):
        plain = " ".join((people[player] or "").split()) or None
        stem = (plain or "No name")[:74]
        key, wanted = same_name(stem), plain or "No name (1)"
        while same_name(wanted) in taken:
            counts[key] = counts.get(key, 1) + 1
            wanted = f"{stem} ({counts[key]})"
        taken.add(same_name(wanted))
        found[player] = wanted
    return found


def archive_refusal(where: str, why: str) -> Refusal:
    """The refusal of an archive that is whole and contradicts itself or the rules."""
    return Refusal("malformed", f"the archive cannot be taken: {where}: {why}")
