"""The bodies of rulings."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

import msgspec

from service.desk.bodies import Body, Number, PersonId, Pin, Reason, Side, Write

Code: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9]{1,3}(?![\s\S])")]
Entry: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)]
BySide: TypeAlias = Annotated[list[Points], msgspec.Meta(max_length=4)]
Key: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z-]{0,39}(?![\s\S])")]
Rule: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{2,3}\.[a-z]{0,2}[0-9]{1,3}(?![\s\S])")]
Held: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class FindingBody(Body, frozen=True, kw_only=True):
    """A finding on which a ruling rests: its code, and the entry where it happened."""

    code: Code
    at: Entry


class RulingBody(Write, frozen=True, kw_only=True):
    """A ruling on a `deal`, the last one where none is named. The scores by side follow from the `remedy`, or they are
    named (`assigned`, `equity`, `split`); without both the score stands. `procedural` points by side count beside them.
    `supersedes` is the ruling in force, where there is one. Scores that no deal gives are taken with `exceptional` and
    the reason. `held` is what is held to have happened, `rule` the ledger number, of which the finding's is taken where
    none is named. `case` is the one it is made in: where none is named, the one open case about the deal. A decision on
    an appeal is of `instance` 2."""

    code: Code
    deal: Number | None = None
    at: Entry | None = None
    remedy: Key | None = None
    scores: BySide | None = None
    procedural: BySide | None = None
    findings: Annotated[list[FindingBody], msgspec.Meta(max_length=50)] = []
    supersedes: Entry | None = None
    case: UUID | None = None
    instance: Literal[1, 2] = 1
    rule: Rule | None = None
    exceptional: bool = False
    held: Held | None = None
    reason: Reason | None = None


class AcceptanceBody(Write, frozen=True, kw_only=True):
    """A side accepts the ruling in force on a deal, that at version `ruling` where it is named. On a device of somebody
    else with the `pin` of a player of that side: `person`, where it has two."""

    deal: Number
    side: Side
    ruling: Entry | None = None
    pin: Pin | None = None
    person: PersonId | None = None
