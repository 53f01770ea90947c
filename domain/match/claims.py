"""Claims: a side speaks of a deal with hidden hands, and it is so when every side says it."""

import msgspec

from domain.match.said import Claim, Signature
from domain.match.state import Deal, Match, by_side


def claimed(match: Match, deal: Deal, claim: Claim) -> Deal:
    """The deal after one more claim; a side that claims again has changed its mind."""
    others = _without(deal, claim.side)
    same = next((each for each in others if (each.what, each.entry) == (claim.what, claim.entry)), None)
    joined = claim if same is None else _with(same, claim.side)
    rest = tuple(each for each in others if each is not same)
    return _settled(match, deal, (*rest, joined))


def seconded(match: Match, deal: Deal, side: int, by: Signature) -> Deal:
    """The deal after a side has agreed to what the others claimed last, with this signature."""
    meant = claim_to_second(deal, side)
    if meant is None:
        return deal
    rest = tuple(each for each in _without(deal, side) if each.version != meant.version)
    after = _settled(match, deal, (*rest, _with(meant, side)))
    return msgspec.structs.replace(after, signatures={**after.signatures, side: by})


def claim_to_second(deal: Deal, side: int) -> Claim | None:
    """The claim that a side agrees to when it confirms: the last one that it has not made or agreed to."""
    return next((each for each in reversed(deal.claims) if side not in each.agreed), None)


def agreed_to(deal: Deal, claim: Claim) -> Deal:
    """The deal when it is as was said, by everybody or by somebody whose word decides."""
    change = msgspec.structs.replace
    if claim.what == "pause":
        return change(deal, paused=True, claims=())
    if claim.what == "void":
        before = (deal.confirmed, deal.signed)
        return change(deal, void=True, claims=(), confirmed=(), signed={}, before=before)
    return change(deal, entry=(claim.version, claim.entry), confirmed=(), signed={}, signatures={}, claims=())


def scores_of(match: Match, claim: Claim) -> tuple[int, ...] | None:
    """The scores by side of a claimed result; None for a claim that is none."""
    if claim.what != "result":
        return None
    return by_side(match.setup, match.setup.game.sheet.score(match.setup.options, claim.entry).scores)


def _without(deal: Deal, side: int) -> tuple[Claim, ...]:
    """The claims that are left when a side says something else."""
    change = msgspec.structs.replace
    left = (change(each, agreed=tuple(own for own in each.agreed if own != side)) for each in deal.claims)
    return tuple(each for each in left if each.agreed)


def _with(claim: Claim, side: int) -> Claim:
    return msgspec.structs.replace(claim, agreed=tuple(sorted({*claim.agreed, side})))


def _settled(match: Match, deal: Deal, claims: tuple[Claim, ...]) -> Deal:
    """The deal with these claims; one that every side makes is so, and they have confirmed it."""
    last = claims[-1]
    if len(last.agreed) < len(match.setup.sides):
        return msgspec.structs.replace(deal, claims=claims)
    after = agreed_to(deal, last)
    if last.what == "pause":
        return after
    scores = scores_of(match, last)
    return msgspec.structs.replace(after, confirmed=last.agreed, signed=dict.fromkeys(last.agreed, scores))
