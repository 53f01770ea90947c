"""The judgement of a fact: the rules that it breaks, and the duty that it had."""

import msgspec


class Breach(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason against a fact: ledger number, irregularity code, one sentence.

    A `misfit` is the wrong kind of fact for the situation and is refused in every mode.
    """

    rule: str
    code: str | None
    detail: str
    misfit: bool = False


def misfit(detail: str) -> tuple[Breach, ...]:
    """The one answer for a fact of the wrong kind."""
    return (Breach("misfit", None, detail, misfit=True),)


class Duty(msgspec.Struct, frozen=True):
    """The duty of a seat to the trick, in order of precedence: (cards that satisfy, rule, code). `segment`
    numbers the stretch in which no card is drawn, so that a later card proves what was held. `passing`
    says in the same way which cards forbid a pass."""

    segment: int
    masks: tuple[tuple[int, str, str], ...]
    passing: tuple[tuple[int, str, str], ...] = ()


class Late(msgspec.Struct, frozen=True):
    """A breach that only what came later shows: the places on which it rests, the offence first, and whose it is, if
    not of the seat that acted there."""

    rests_on: tuple[int, ...]
    breach: Breach
    seat: int | None = None
