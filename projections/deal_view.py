"""The view of one deal of a match, and of the rulings on it: what everybody may know, whoever looks."""

from typing import Any

import msgspec

from domain import codec
from domain.log.actor import Strength
from domain.match.agreement import agreed_by
from domain.match.claims import scores_of
from domain.match.ruling_events import Found
from domain.match.said import Claim
from domain.match.sight import hands_open
from domain.match.signatures import signature_of
from domain.match.state import (
    Deal,
    Match,
    by_side,
    disputed,
    is_complete,
    played,
    procedural_points,
    ruled_scores,
    standing_rulings,
)


class ClaimView(msgspec.Struct, frozen=True):
    """A claim of a side about a deal with hidden hands: `what` (result, pause, void), the scores by side of a
    result, and the sides that say so; when all do, it is so."""

    version: int
    side: int
    what: str
    scores: tuple[int, ...] | None
    agreed: tuple[int, ...]


class SignatureView(msgspec.Struct, frozen=True):
    """The signature of a side: whose it is (null: of whoever keeps the score), and how strong (null: of before
    strengths were written down)."""

    side: int
    person: str | None
    strength: Strength | None


class DealView(msgspec.Struct, frozen=True):
    """One deal: scores by seat as its facts or entry give, by side as they are in force. `confirmed` are the sides that
    agree to it as it stands, a ruling that they accepted included, `signatures` how they signed; `open` says that
    everybody may see its hands, `own_table` that somebody who belongs to the table directed it, as the other side had
    agreed, `procedural` are points by side that a ruling takes off beside the score."""

    number: int
    dealer: int
    version: int
    scores: tuple[int, ...] | None
    in_force: tuple[int, ...] | None
    complete: bool
    void: bool
    depth: str
    paused: bool
    status: str
    confirmed: tuple[int, ...]
    result: Any
    entry_version: int | None
    claims: tuple[ClaimView, ...] = ()
    disputed: bool = False
    open: bool = False
    signatures: tuple[SignatureView, ...] = ()
    own_table: bool = False
    procedural: tuple[int, ...] | None = None


class RulingView(msgspec.Struct, frozen=True):
    """A ruling: the deal, the irregularity's code, where it was, the scores by side if it adjusts them; its remedy, its
    procedural points by side, the findings that it rests on as they were then, the ruling that it supersedes, its
    instance (2: on appeal), its ledger number, and whether it is in force."""

    deal: int
    version: int
    code: str
    at: int | None
    scores: tuple[int, ...] | None
    accepted: tuple[int, ...] = ()
    remedy: str | None = None
    procedural: tuple[int, ...] | None = None
    findings: tuple[Found, ...] = ()
    supersedes: int | None = None
    instance: int = 1
    rule: str | None = None
    in_force: bool = True


def rulings_of(match: Match) -> tuple[RulingView, ...]:
    """Every ruling, deal by deal."""
    return tuple(
        RulingView(
            deal.number,
            ruling.version,
            ruling.code,
            ruling.at,
            ruling.scores,
            ruling.accepted,
            ruling.remedy,
            ruling.procedural,
            ruling.findings,
            ruling.supersedes,
            ruling.instance,
            ruling.rule,
            ruling in standing_rulings(deal),
        )
        for deal in match.deals
        for ruling in deal.rulings
    )


def status_of(match: Match, deal: Deal) -> str:
    """Draft, reported, confirmed, ruled or void."""
    if deal.void:
        return "void"
    if ruled_scores(deal) is not None or (deal.rulings and deal.rulings[-1].remedy is not None):
        return "accepted" if len(agreed_by(deal)) == len(match.setup.sides) else "ruled"
    if not is_complete(match, deal):
        return "draft"
    return "confirmed" if agreed_by(deal) else "reported"


def deal_view(match: Match, deal: Deal) -> DealView:
    """One deal of the match view."""
    result = played(match, deal)
    void = deal.void or (result is not None and result.void)
    scores = None if result is None or deal.void else result.scores
    force = ruled_scores(deal)
    if force is None and scores is not None and not void:
        force = by_side(match.setup, scores)
    return DealView(
        number=deal.number,
        dealer=deal.dealer,
        version=deal.version,
        scores=scores,
        in_force=force,
        complete=is_complete(match, deal),
        void=void,
        depth=deal.depth,
        paused=deal.paused,
        status=status_of(match, deal),
        confirmed=agreed_by(deal),
        result=None if result is None else codec.plain(result),
        entry_version=deal.entry[0] if deal.entry else None,
        claims=tuple(_claim_view(match, claim) for claim in deal.claims),
        disputed=disputed(match, deal) is not None,
        open=hands_open(match, deal),
        signatures=_signatures(deal),
        own_table=deal.own_table,
        procedural=procedural_points(deal),
    )


def _signatures(deal: Deal) -> tuple[SignatureView, ...]:
    found = ((side, signature_of(deal, side)) for side in deal.confirmed)
    return tuple(SignatureView(side, each.person, each.strength) for side, each in found if each is not None)


def _claim_view(match: Match, claim: Claim) -> ClaimView:
    return ClaimView(claim.version, claim.side, claim.what, scores_of(match, claim), claim.agreed)
