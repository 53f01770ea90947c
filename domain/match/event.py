"""The base of a match's events, and what several of them share."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import msgspec

from domain.log.actor import Strength

UNKNOWN: Final = msgspec.Raw(b"null")
Version: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Window: TypeAlias = Literal["T0", "T1", "T2", "T3", "sealed"]  # how far a deal's result has come
Signals: TypeAlias = Literal["loud", "quiet", "silent"]  # when who is told of a finding
Delay: TypeAlias = Literal["none", "trick", "deal", "round"]  # how far onlookers are behind the table


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """An event of a match. `hides` names the members that not every seat has seen."""

    hides: ClassVar[tuple[str, ...]] = ()


class ChainHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The event before a signature: its version and hash (hex), so that what was signed can be told for ever."""

    version: Version
    hash: str


class Agreed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A consent: of which side (null: the secretary's), who gave it, and how strongly."""

    side: int | None
    person: str | None
    strength: Strength
