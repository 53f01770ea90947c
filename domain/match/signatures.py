"""Signatures: who signs a result for a side, and how strongly. Two acts of one device are one actor, whatever names
were tapped: what it signs under a second name is the scorer's word, unless that person's PIN was typed."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from domain.log.actor import Actor, Strength
from domain.log.decider import Refusal
from domain.log.strength import RANK, reaches, stronger
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import figures_of
from domain.match.command import OwnActs
from domain.match.said import Signature
from domain.match.state import Deal, Match, race_of, race_scores, side_of

ASKED: Final[dict[Strength, str]] = {
    "own device": "on their own phone",
    "pin": "on their own phone, or with a PIN",
    "table": "on another phone than the one that entered the result, or with a PIN",
}


class Signing(NamedTuple):
    """The person who would sign (None: the scorer), and the strength of it."""

    person: str | None
    strength: Strength


def signing(match: Match, deal: Deal, side: int, actor: Actor, own: OwnActs | None) -> Signing:
    """The signature that an actor gives for a side. Raises Refusal (changed) where more was recorded than is known of
    the device."""
    by_program = actor.strength in ("token", "file")
    if side_of(match, actor) != side:
        return Signing(None, actor.strength if by_program else "scorer")
    if by_program or actor.strength == "pin":
        return Signing(actor.person, actor.strength)
    if own is not None and _under_another_name(deal, side, actor, own):
        return Signing(None, "scorer")
    return Signing(actor.person, actor.strength)


def _under_another_name(deal: Deal, side: int, actor: Actor, own: OwnActs) -> bool:
    """Tells whether this device has entered the result, or signed for another side, for somebody else: under the name
    that was tapped then, or the one that a signature has since; or has said in the tournament how the match ended."""
    acts = frozenset(_acts(deal, side))
    if acts and max(acts) > own.upto:
        raise Refusal("changed", f"deal {deal.number} has changed: look at it, then confirm again")
    if any(who not in actor.people for who in own.spoke):
        return True
    names = {each.version: each.person for each in deal.signatures.values() if each.person is not None}
    return any(version in acts and not {who, names.get(version, who)} <= {*actor.people} for version, who in own.acts)


def _acts(deal: Deal, side: int) -> Iterator[int]:
    """The versions that say what a deal's result is, and that other sides signed it."""
    if deal.entry is not None:
        yield deal.entry[0]
    yield from (version for version, _ in deal.facts)
    yield from (claim.version for claim in deal.claims)
    yield from (each.version for other, each in deal.signatures.items() if other != side and other in deal.confirmed)


def check_strong_enough(match: Match, signed: Signing, asks: Strength | None) -> None:
    """Raises Refusal where a match of the club's own asks for more; a tournament counts what it takes by itself."""
    if match.setup.tournament is None and not reaches(signed.strength, asks):
        assert asks is not None
        how = ASKED.get(asks, "by the side itself")
        raise Refusal("forbidden", f"this club asks each side to confirm {how}: ask that player to do so")


def adds(deal: Deal, side: int, signed: Signing) -> bool:
    """Tells whether a signature says more than the one that stands: it is the first of its side, or stronger."""
    if side not in deal.confirmed:
        return True
    stands = deal.signatures.get(side)
    return stronger(signed.strength, None if stands is None else stands.strength)


def signature_of(deal: Deal, side: int) -> Signature | None:
    """The signature of a side under a deal as it stands; one of before strengths were written down has neither."""
    return deal.signatures.get(side, Signature(0)) if side in deal.confirmed else None


def signature_under(match: Match, side: int) -> Signature | None:
    """The signature of a side under how a match ended: that of its totals, else the weakest of those under its deals;
    None where one is missing, or where the director ruled on every deal."""
    counting = [deal for deal in match.deals if race_scores(match, deal) is not None]
    if not counting or not race_of(match).finished:
        return None
    last = counting[-1]
    found = [signature_of(last, side)] if last.signed.get(side, ()) == figures_of(match) else []
    each = [signature_of(deal, side) for deal in counting if not deal.rulings]
    if each and all(each):
        found.append(min((one for one in each if one is not None), key=lambda one: RANK[one.strength]))
    known = [one for one in found if one is not None]
    return max(known, key=lambda one: RANK[one.strength], default=None)


def righted(match: Match, command: c.RightNames, actor: Actor) -> e.NamesRighted:
    """The signatures that were given under a wrong name, under the right one. Raises Refusal."""
    seats = {player: side for side, players in enumerate(match.setup.sides) for player in players}
    if not actor.by_code or command.was not in actor.people or command.now not in seats:
        raise Refusal("forbidden", "only a name that was tapped behind this table's code can be put right here")
    last = max((each.version for deal in match.deals for each in deal.signatures.values()), default=0)
    if last > min(command.own.upto, command.other.upto):
        raise Refusal("changed", "somebody has confirmed meanwhile: look at it, then put the names right again")
    moves = {command.was: (command.now, command.own), command.now: (command.was, command.other)}
    moved = []
    for deal in match.deals:
        for side, each in sorted(deal.signatures.items()):
            now, by = moves.get(each.person or "", (None, command.own))
            tapped = each.strength == "table" and side in deal.confirmed
            if now is not None and tapped and any(version == each.version for version, _ in by.acts):
                moved.append(e.Moved(each.version, seats[now], now))
    if not moved:
        raise Refusal("misfit", "nothing was signed under that name")
    return e.NamesRighted(tuple(moved))


def moved(deal: Deal, event: e.NamesRighted) -> Deal:
    """A deal with signatures under the names that they belong to; a stronger one of that side stays."""
    moves = {each.version: each for each in event.moved}
    taken = {side: each for side, each in deal.signatures.items() if each.version in moves and side in deal.confirmed}
    if not taken:
        return deal
    signatures = {side: each for side, each in deal.signatures.items() if side not in taken}
    signed = {side: scores for side, scores in deal.signed.items() if side not in taken}
    for side, each in taken.items():
        now = moves[each.version]
        stands = signatures.get(now.side)
        if now.side in signed and stands is not None and stronger(stands.strength, each.strength):
            continue
        signatures[now.side] = Signature(each.version, now.person, each.strength)
        signed[now.side] = deal.signed.get(side)
    return msgspec.structs.replace(deal, confirmed=tuple(sorted(signed)), signed=signed, signatures=signatures)
