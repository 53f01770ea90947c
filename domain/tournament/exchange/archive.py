"""A tournament as one document: its own events, those of its matches, the names of its players, and a digest of all."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from domain import codec
from domain.club.state import same_name
from domain.decider import Refusal
from domain.tournament.exchange.faults import Fault, FaultyError

VERSION: Final = 1
_ID: Final = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\s\S])"
_PLACE: Final = re.compile(r"byte (\d+)")
Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=_ID)]
Called: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One event: what it was, when it was recorded, by whom and as what; `private` words beside it,
    for directors."""

    version: int
    type: str
    schema: int = 1
    recorded_at: str
    actor: str | None = None
    role: str
    data: msgspec.Raw
    private: dict[str, Any] | None = None


class Stream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament or a match: its id where it was recorded, and its events from the first."""

    id: Id
    events: Annotated[tuple[Member, ...], msgspec.Meta(min_length=1)]


class Archive(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The document. `people` are names by id (null: a name that was removed); `digest` is the SHA-256, in hex, of the
    whole document with an empty digest, as canonical JSON."""

    lurch_tournament: int = VERSION
    club: str
    people: dict[Id, Called | None]
    tournament: Stream
    matches: tuple[Stream, ...] = ()
    digest: str = ""


def sealed(archive: Archive) -> Archive:
    """The archive with its digest."""
    return msgspec.structs.replace(archive, digest=digest_of(archive))


def digest_of(archive: Archive) -> str:
    """What the digest of these contents is: members in a fixed order, whatever order they came in."""
    data: Any = msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(archive, digest="")))
    return hashlib.sha256(codec.encode(data)).hexdigest()


def write_archive(archive: Archive) -> bytes:
    """The document as text: the outermost members and every event on lines of their own, for people who look."""
    return msgspec.json.format(codec.encode_plain(archive), indent=1) + b"\n"


def read_archive(data: bytes) -> Archive:
    """The document that a text is. Raises FaultyError for one that is none or not whole, with line and column where
    there is a place to name."""
    try:
        archive = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=Archive)
    except RecursionError:
        raise FaultyError([Fault(0, 0, "it is nested too deeply")]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:  # ValidationError is one of them
        raise FaultyError([_place(data, error)]) from None
    if archive.lurch_tournament != VERSION:
        told = f"it is an archive of version {archive.lurch_tournament}; this program reads {VERSION}"
        raise FaultyError([Fault(0, 0, told)])
    if archive.digest != digest_of(archive):
        raise FaultyError([Fault(0, 0, "its digest does not fit what it holds: it was changed after it was written")])
    return archive


def _place(data: bytes, error: Exception) -> Fault:
    """Where it cannot be read: a byte as line and column, a member by its path."""
    told = str(error)
    found = _PLACE.search(told)
    if isinstance(error, msgspec.ValidationError) or found is None:
        detail, _, path = told.partition(" - at `$")
        where = path.rstrip("`").lstrip(".")
        return Fault(0, 0, f"{where}: {detail}" if where else detail)
    before = data[: int(found[1])]
    return Fault(before.count(b"\n") + 1, len(before) - before.rfind(b"\n"), told)


def match_ids(events: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    """The streams of all matches that a tournament's events, (type, plain data) each, ever named, in their order."""
    found: dict[str, None] = {}
    for kind, data in events:
        if kind == "RoundPaired":
            found.update(dict.fromkeys(each["match"] for each in data["pairings"]))
        elif kind == "PairingReplaced" and data["pairing"] is not None:
            found[data["pairing"]["match"]] = None
    return tuple(found)


def renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """Plain data with other ids in the place of those that are known, as whole texts and in marks like {id}."""
    if isinstance(value, str):
        return ids.get(value) or _marks(value, ids)
    if isinstance(value, list):
        return [renamed(each, ids) for each in value]
    if isinstance(value, dict):
        return {ids.get(key, key): renamed(each, ids) for key, each in value.items()}
    return value


def _marks(text: str, ids: Mapping[str, str]) -> str:
    if "{" not in text:
        return text
    return re.sub(r"\{([^{}]+)\}", lambda found: f"{{{ids.get(found[1], found[1])}}}", text)


def fresh_id(club: str, digest: str, old: str) -> str:
    """The id that something of an archive has in a club: always the same one, so that an import that was broken off
    goes on, with the time of the old one, so that it stands in lists where it belongs."""
    own = hashlib.sha256(f"{club}\0{digest}\0{old}".encode()).hexdigest()
    when = old.replace("-", "")[:12]
    return f"{when[:8]}-{when[8:]}-7{own[:3]}-{'89ab'[int(own[3], 16) % 4]}{own[4:7]}-{own[7:19]}"


def unique_names(people: Mapping[str, str | None]) -> dict[str, str]:
    """A name for everybody, no two alike: a second Annie is Annie (2), who has no name any more is No name (1)."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for player in sorted(people):
        plain = " ".join((people[player] or "").split()) or None
        wanted, count = plain or "No name (1)", 1
        while same_name(wanted) in taken:
            count += 1
            wanted = f"{(plain or 'No name')[:74]} ({count})"
        taken.add(same_name(wanted))
        found[player] = wanted
    return found


def refused(where: str, why: str) -> Refusal:
    """An archive that is whole and says what cannot be."""
    return Refusal("malformed", f"the archive cannot be taken: {where}: {why}")
