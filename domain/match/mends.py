"""The fold of what mends a record or says that it is right: proposals, affirmations, rulings, and who accepted them."""

from typing import Final

import msgspec

from domain.match.event import Agreed, Window
from domain.match.events import (
    AffirmationWithdrawn,
    CorrectionAnswered,
    CorrectionProposed,
    EntriesAffirmed,
    RulingAccepted,
    RulingMade,
)
from domain.match.said import Affirmed, Proposal, Ruling
from domain.match.state import Deal, Match

ORDER: Final[tuple[Window, ...]] = ("T0", "T1", "T2", "T3", "sealed")


def later(one: Window | None, other: Window | None) -> Window | None:
    """The later of two windows."""
    known = [each for each in (one, other) if each is not None]
    return max(known, key=ORDER.index, default=None)


def without(deal: Deal, old: int) -> Deal:
    """A deal whose affirmations of an entry that is superseded have fallen."""
    left = tuple(each for each in deal.affirmed if old not in each.versions)
    return deal if len(left) == len(deal.affirmed) else msgspec.structs.replace(deal, affirmed=left)


def affirmed(match: Match, version: int, event: EntriesAffirmed | AffirmationWithdrawn) -> Match:
    """The match after an affirmation, or one that was taken back."""
    if isinstance(event, EntriesAffirmed):
        new = Affirmed(version, event.versions, event.side, event.person, event.strength)
        deals = tuple(
            msgspec.structs.replace(deal, affirmed=(*deal.affirmed, new)) if deal.number == event.deal else deal
            for deal in match.deals
        )
        return msgspec.structs.replace(match, deals=deals)
    gone = event.affirmation
    deals = tuple(
        msgspec.structs.replace(deal, affirmed=tuple(each for each in deal.affirmed if each.version != gone))
        for deal in match.deals
    )
    return msgspec.structs.replace(match, deals=deals)


def answered(match: Match, version: int, event: CorrectionProposed | CorrectionAnswered) -> Match:
    """The match after a proposal, or an answer to one: a no ends it."""
    if isinstance(event, CorrectionProposed):
        return msgspec.structs.replace(match, proposals=(*match.proposals, Proposal(version, event)))
    left = []
    for each in match.proposals:
        if each.version != event.proposal:
            left.append(each)
        elif event.yes:
            agreed = Agreed(event.side, event.person, event.strength or "scorer")
            left.append(msgspec.structs.replace(each, agreed=(*each.agreed, agreed)))
    return msgspec.structs.replace(match, proposals=tuple(left))


def ruling_of(version: int, event: RulingMade) -> Ruling:
    """A ruling as the deal keeps it."""
    return Ruling(
        version,
        event.code,
        event.at,
        event.scores,
        case=event.case,
        findings=event.findings,
        remedy=event.remedy,
        procedural=event.procedural,
        supersedes=event.supersedes,
        instance=event.instance,
        rule=event.rule,
    )


def accepted(rulings: tuple[Ruling, ...], event: RulingAccepted) -> tuple[Ruling, ...]:
    """The rulings of a deal after a side accepted one of them, the last one where none is named."""
    which = rulings[-1].version if event.ruling is None else event.ruling
    return tuple(
        msgspec.structs.replace(each, accepted=tuple(sorted({*each.accepted, event.side})))
        if each.version == which
        else each
        for each in rulings
    )
