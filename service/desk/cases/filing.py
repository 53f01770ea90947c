"""The file of a case: the view with the words that one kind of viewer may read, sealed together with whom it is for."""

import hashlib
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain import codec
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject, instant
from service.desk.as_of import instant as read_instant
from service.desk.cases.access import CaseViewer, SeenCase
from service.desk.cases.showing import CaseAnswer, answer_for
from service.store.finding import ENDLESS
from service.store.streams import Streams

FORM: Final = 2  # of the file; in the first one a side was told positions of the closed log


async def case_file(streams: Streams, seen: SeenCase, at: datetime) -> bytes:
    """The file of a case for its viewer at a moment."""
    answer = await answer_for(streams, seen, at)
    return sealed(_told(seen.viewer, at, answer))


def _told(viewer: CaseViewer, at: datetime, answer: CaseAnswer) -> JsonObject:
    """The content of a file: all but its seal."""
    return {
        "lurch": "case",
        "form": FORM,
        "audience": {"kind": viewer.kind, "side": viewer.side, **({"shut": viewer.shut} if viewer.shut else {})},
        "at": instant(at),
        "open": answer.open,
        "closed": answer.closed,
        "view": msgspec.json.decode(answer.view),
        "words": answer.words,
        "match_words": answer.match_words,
        "names": answer.names,
    }


def sealed(told: JsonObject) -> bytes:
    """A file with its seal: the SHA-256 of everything else in canonical form, the audience included."""
    return codec.encode({**told, "seal": hashlib.sha256(codec.encode(told)).hexdigest()}) + b"\n"


def is_case_file(text: str) -> bool:
    """Tells the file of a case from any other text."""
    return text.lstrip().startswith("{") and '"lurch":"case"' in text[:20_000_000]


class Compared(msgspec.Struct, frozen=True):
    """The outcome of comparing a file with the log: whether it says the same, and in words."""

    good: bool
    text: str


async def compared(streams: Streams, text: str) -> Compared:
    """The file of a case, compared with the logs as they stood when it was made. Words that were erased since, and
    names, are not compared."""
    try:
        told: JsonObject = msgspec.json.decode(text, type=JsonObject)
        seal = told.pop("seal")
        if seal != hashlib.sha256(codec.encode(told)).hexdigest():
            return Compared(False, "its seal is not that of what it says: it was changed")
        audience, view = told["audience"], told["view"]
        shut = tuple((str(match), seat) for match, seat in audience.get("shut", ()))
        seen = await seen_as(streams, str(UUID(view["case"])), CaseViewer(audience["kind"], audience["side"], shut))
        upto, at = (_position(told["open"]), _position(told["closed"])), read_instant(told["at"])
        answer = await answer_for(streams, seen, at, upto, by_position=told["form"] < FORM)
    except Refusal as refusal:
        return Compared(False, refusal.detail)
    except (msgspec.MsgspecError, RecursionError, AttributeError, LookupError, TypeError, ValueError):
        return Compared(False, "it cannot be read as the file of a case")
    if msgspec.json.decode(answer.view) != view:
        return Compared(False, "the log says something else")
    counted = "position" if audience["kind"] == "director" or told["form"] < FORM else "version"
    upto_words = f"position {told['open']}, and in the closed log up to {counted} {told['closed']}"
    return Compared(True, f"as it stands in the log up to {upto_words}")


def _position(told: Json) -> int:
    """A position that a log may have: anybody can seal a file. Raises ValueError."""
    if not isinstance(told, int) or not 0 <= told < ENDLESS:
        raise ValueError
    return told


async def seen_as(streams: Streams, case: str, viewer: CaseViewer) -> SeenCase:
    """A case as a kind of viewer sees it, for whoever keeps the machine. Raises Refusal."""
    loaded = await streams.case(case)
    club = None if loaded is None else await streams.club(loaded.club)
    if loaded is None or club is None:
        raise Refusal("not-found", f"there is no case {case}")
    if viewer.side is not None and not 0 <= viewer.side < len(loaded.state.sides):
        raise Refusal("malformed", f"the sides of this case are 0 to {len(loaded.state.sides) - 1}")
    return SeenCase(loaded, club, viewer)
