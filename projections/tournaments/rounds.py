"""Rounds as they are shown: pairings with names, byes, and what is said of each."""

from collections.abc import Mapping

import msgspec

from domain.log.actor import Strength
from domain.log.message import Explanation, explained
from domain.pairing.placeholders import fill
from domain.tournament.doubts import NONE, Doubt, doubt_in
from domain.tournament.fixtures import size_for
from domain.tournament.signatures import is_final
from domain.tournament.state import Stage, Tournament
from projections.tournaments.bracket import round_name


class PairingSide(msgspec.Struct, frozen=True):
    """A side of a pairing: its entries, what they are called, whether they deal first."""

    entries: tuple[str, ...]
    name: str
    deals_first: bool


class OutcomeClaimView(msgspec.Struct, frozen=True):
    """The outcome of a match that one side alone has reported."""

    side: int
    winner: int | None
    score: tuple[int, int] | None
    games: tuple[tuple[int, int], ...] | None


class OutcomeSignatureView(msgspec.Struct, frozen=True):
    """The word of a side on how its match ended, by itself or (no person) by whoever keeps the score, and its
    strength."""

    side: int
    person: str | None
    strength: Strength | None


class ContestView(msgspec.Struct, frozen=True):
    """A contested result: what the record of a match says, at a version, against the one that stands, the ruling that
    moved it, and the reason."""

    version: int
    winner: int | None
    score: tuple[int, int] | None
    because: str
    ruling: int | None = None


class PairingView(msgspec.Struct, frozen=True):
    """A match that was paired, and what has come of it. `signatures` are those of the sides under it, and it is `final`
    once they are as strong as the tournament asks. `doubt`: its result is contested, under appeal, or disputed, that is
    not yet final."""

    fixture: str
    table: int
    feature: bool
    match: str
    sides: tuple[PairingSide, PairingSide]
    status: str
    winner: int | None
    how: str | None
    score: tuple[int, int] | None
    worth: tuple[int, int] | None
    disputed: bool
    why: str
    version: int | None
    games: tuple[tuple[int, int], ...] | None = None
    claims: tuple[OutcomeClaimView, ...] = ()
    contested: ContestView | None = None
    signatures: tuple[OutcomeSignatureView, ...] = ()
    final: bool = True
    doubt: Doubt | None = None


class ByeView(msgspec.Struct, frozen=True):
    """An entry without an opponent in a round, and the reason."""

    entry: str
    name: str
    kind: str
    why: str


class RoundView(msgspec.Struct, frozen=True):
    """A round: its place in the stage, its pairings by table, byes; `clock` is the version that set the clock. Of a
    bracket `title` is what people call it; `to_pair` are the matches of it that are still to be paired."""

    stage: int
    round: int
    number: int
    status: str
    provisional: tuple[str, ...]
    own: bool
    minutes: int | None
    clock: int
    pairings: tuple[PairingView, ...]
    byes: tuple[ByeView, ...]
    title: str = ""
    to_pair: tuple[str, ...] = ()


def round_view(
    state: Tournament, number: int, place: int, names: Mapping[str, str], beside: Mapping[str, Doubt] = NONE
) -> RoundView:
    """One round, by its place in the stage from 0; `beside` are the doubts that do not stand in the tournament."""
    stage = state.stages[number]
    here = stage.rounds[place]
    pairings = sorted(
        (pairing_view(state, stage, name, names, beside) for name in here.names if name in stage.pairings),
        key=lambda each: each.table,
    )
    open_ones = [each for each in pairings if each.status == "open"]
    to_pair = stage.unpaired_in(place) if stage.side_by_side else ()
    if here.locked:
        status = "locked"
    elif not open_ones and not to_pair:
        status = "decided"
    else:
        status = "on" if here.clock or len(open_ones) < len(pairings) else "paired"
    byes = tuple(
        ByeView(bye.entry, names[bye.entry], bye.kind, explanation_text(bye.why, stage, names)) for bye in here.byes
    )
    title = round_name(here.part, here.number, size_for(len(stage.order))) if stage.format.bracket else ""
    return RoundView(
        number,
        place + 1,
        here.number,
        status,
        here.pending,
        here.own,
        here.minutes,
        here.clock,
        tuple(pairings),
        byes,
        title,
        to_pair,
    )


def pairing_view(
    state: Tournament, stage: Stage, name: str, names: Mapping[str, str], beside: Mapping[str, Doubt] = NONE
) -> PairingView:
    """One pairing."""
    each, outcome = stage.pairings[name], stage.decided.get(name)
    sides = [
        PairingSide(entries, " & ".join(names[entry] for entry in entries), place == each.first)
        for place, entries in enumerate(each.sides)
    ]
    disputed = name in stage.disputed
    return PairingView(
        fixture=name,
        table=each.table,
        feature=name in stage.featured,
        match=each.match,
        sides=(sides[0], sides[1]),
        status="disputed" if disputed else "open" if outcome is None else "decided",
        winner=outcome.winner if outcome else None,
        how=outcome.how if outcome else None,
        score=outcome.score if outcome else None,
        worth=outcome.worth if outcome else None,
        disputed=disputed,
        why=explanation_text(each.why, stage, names),
        version=outcome.version if outcome else None,
        games=outcome.games if outcome else None,
        claims=tuple(
            OutcomeClaimView(side, claim.winner, claim.score, claim.games)
            for side, claim in sorted(stage.claims.get(name, {}).items())
        ),
        contested=_contest_view(stage, name),
        signatures=tuple(
            OutcomeSignatureView(side, each.person, each.strength)
            for side, each in sorted((stage.signed if outcome else stage.claims).get(name, {}).items())
        ),
        final=outcome is None or is_final(state, stage, name),
        doubt=doubt_in(stage, name, beside),
    )


def _contest_view(stage: Stage, name: str) -> ContestView | None:
    against = stage.contested.get(name)
    if against is None:
        return None
    return ContestView(against.version, against.winner, against.score, against.because, against.ruling)


def explanation_text(explanation: Explanation | str, stage: Stage, names: Mapping[str, str]) -> str:
    """An explanation in the words of the stage's format, with the names of entries."""
    if isinstance(explanation, str):  # it was stored in words, with entries in braces
        return fill(explanation, lambda entry: names.get(entry, entry))
    return explained(explanation, stage.format.english, lambda entry: names.get(str(entry), str(entry)))
