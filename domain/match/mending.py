"""Decisions that mend a record: a slip taken back, a fact or result corrected."""

import msgspec

from domain import codec
from domain.cards.facts import Fact, RestAnswered
from domain.game.protocol import AnyTable
from domain.games import fact_union
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.log.event import Json
from domain.match import commands as c
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.recording import all_reasons
from domain.match.results import read_entry
from domain.match.rights import check_changeable, check_neutral, check_own_hand, check_stays_over, claiming_side
from domain.match.sight import seen, viewer_of
from domain.match.starting import last_deal, private_note
from domain.match.state import Deal, Match, is_complete


def undone(match: Match, command: c.UndoLast, actor: Actor) -> New:
    """The last fact, claim or result, until the next deal has begun."""
    deal = last_deal(match)
    if deal.void:
        raise Refusal("misfit", f"deal {deal.number} was declared void: bring it back, or deal again")
    last = _last_said(match, deal, actor)
    if last is None:
        if deal.number > 1:
            raise Refusal("window-closed", "the next deal has begun: correct the earlier entry instead")
        raise Refusal("misfit", "there is nothing to undo")
    check_changeable(match, deal, actor)
    check_stays_over(match, deal)
    return New(e.FactUndone(last, command.withdrawn), private_note(command.note))


def _last_said(match: Match, deal: Deal, actor: Actor) -> int | None:
    """The version that an undo takes back. Raises Refusal where it is what the other side says."""
    if deal.claims:
        side = claiming_side(match, deal, actor)
        own = [claim.version for claim in deal.claims if side in (None, claim.side)]
        if not own:
            raise Refusal("forbidden", "the other side said so: agree to it, say something else, or ask the director")
        return own[-1]
    if deal.entry is not None:
        return deal.entry[0]
    return deal.facts[-1][0] if deal.facts else None


def corrected(match: Match, command: c.Correct, actor: Actor) -> New:
    """A transcription error: the named fact or result is replaced, and what follows is derived anew."""
    if not command.note:
        raise Refusal("malformed", "a correction needs its `reason`")
    later = match.superseded.get(command.version)
    if later is not None:
        raise Refusal("misfit", f"entry {command.version} was replaced by entry {later}: correct that one")
    for deal in match.deals:
        if deal.entry is not None and deal.entry[0] == command.version:
            check_in_time(match, deal, actor)
            check_neutral(match, deal, actor)
            raw = msgspec.Raw(codec.encode(read_entry(match, command.now)))
            return New(e.EntryCorrected(command.version, raw), private_note(command.note))
        was = next((fact for version, fact in deal.facts if version == command.version), None)
        if was is not None:
            check_in_time(match, deal, actor)
            new = _corrected_fact(match, deal, was, command, actor)
            after = fold(match, [(match.version + 1, new.event)])
            assert isinstance(after, Match)
            if not is_complete(after, after.deals[deal.number - 1]):
                check_stays_over(match, deal)
            return new
    raise Refusal("misfit", f"entry {command.version} is neither a fact nor a result of this match")


def check_in_time(match: Match, deal: Deal, actor: Actor) -> None:
    """Whoever records may correct until the next deal has begun; later it is for the director."""
    if deal is not match.deals[-1] and not actor.directs:
        raise Refusal("window-closed", "the next deal has begun: the director can correct this")
    check_changeable(match, deal, actor)


def _corrected_fact(match: Match, deal: Deal, was: Fact, command: c.Correct, actor: Actor) -> New:
    now = _read_fact(match, command.now)
    shown = (seat for seat, _ in (*was.shown, *now.shown))
    check_own_hand(match, deal, (was.seat, now.seat, *shown), actor)
    remarks = match.setup.game.remarks
    reasons = () if type(now) in remarks else match.setup.game.breaches(_before(match, deal, command, actor), now)
    if any(reason.misfit for reason in reasons):
        raise Refusal("misfit", reasons[0].detail)
    if reasons and match.setup.recording == "strict" and not isinstance(now, RestAnswered):
        raise Refusal("rule-broken", all_reasons(reasons), reasons[0].rule, reasons[0].code)
    return New(e.EntryCorrected(command.version, msgspec.Raw(codec.encode(now))), private_note(command.note))


def _read_fact(match: Match, given: Json) -> Fact:
    """A fact of the match's game. Raises Refusal."""
    try:
        now: Fact = codec.convert(given, fact_union())
    except msgspec.ValidationError as error:
        raise Refusal("malformed", f"now: {error}") from None
    if type(now) not in (*match.setup.game.facts, *match.setup.game.remarks):
        raise Refusal("misfit", f"{match.setup.game.title} has no such fact")
    return now


def _before(match: Match, deal: Deal, command: c.Correct, actor: Actor) -> AnyTable:
    """The table before the fact that is corrected, as whoever corrects it sees it."""
    viewer = viewer_of(match, actor)
    game = match.setup.game
    table: AnyTable = game.start(match.setup.options, deal.dealer, deal.cards)
    for version, fact in deal.facts:
        if version == command.version:
            break
        if type(fact) not in game.remarks:
            table = game.evolve(table, seen(fact, viewer))
    return table
