"""Decisions that mend a record: a slip taken back, an entry replaced, inserted or taken out, a card that the table took
back."""

import re
from typing import Final, NamedTuple

import msgspec

from domain import codec
from domain.cards.facts import Fact, RestAnswered
from domain.game.protocol import ALL, AnyTable
from domain.games import fact_union
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.log.event import Json
from domain.match import commands as c
from domain.match import events as e
from domain.match.audit.catalogue import catalogue
from domain.match.changing import check_changes
from domain.match.event import Agreed, Window
from domain.match.evolve import fold
from domain.match.mending_commands import Correct, ProposeCorrection, WithdrawFact
from domain.match.mending_events import Mend
from domain.match.recording import all_reasons
from domain.match.results import read_entry
from domain.match.rights import check_neutral, check_stays_over, check_tries, claiming_side
from domain.match.running import refolded
from domain.match.sight import seen, viewer_of
from domain.match.starting import last_deal, private_note
from domain.match.state import Deal, Match, is_complete

CODE: Final = re.compile(r"[A-Z][A-Z0-9]{1,7}", re.ASCII)


class Mending(NamedTuple):
    """A mend of a deal as it would be carried out: what is done, at which version, and what stands there then (None:
    nothing)."""

    deal: Deal
    do: Mend
    version: int
    now: msgspec.Raw | None

    def event(self, window: Window | None, consents: tuple[Agreed, ...] = (), case: str | None = None) -> e.MatchEvent:
        """The event that carries it out."""
        if self.do == "insert":
            assert self.now is not None
            return e.FactInserted(self.deal.number, self.version, self.now, window, consents, case)
        return e.EntryCorrected(self.version, e.UNKNOWN if self.now is None else self.now, window, consents, case)


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
    window = check_changes(match, deal, actor, command.moment)
    check_stays_over(match, deal)
    note = private_note(command.note)
    if command.withdrawn and any(version == last for version, _ in deal.facts):
        return New(e.FactWithdrawn(deal.number, last, None, window), note)
    return New(e.FactUndone(last), note)


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


def corrected(match: Match, command: Correct, actor: Actor) -> New:
    """A transcription error: the named entry is put right, and what follows is derived anew."""
    window = check_changes(match, deal_meant(match, command), actor, command.moment)
    mending = mending_of(match, command, actor)
    if mending.deal.entry is not None and mending.deal.entry[0] == command.version:
        check_neutral(match, mending.deal, actor)
    event = mending.event(window, case=command.case)
    check_what_follows(match, mending.deal, event, command.accepts, actor, actor.directs)
    return New(event, private_note(command.note))


def withdrawn(match: Match, command: WithdrawFact, actor: Actor) -> New:
    """The table took a fact back, at any place of a deal."""
    if command.code is not None and CODE.fullmatch(command.code) is None:
        raise Refusal("malformed", "`code` is the code of an irregularity, like REV")
    if command.code is not None and command.code not in catalogue(match.setup.game):
        raise Refusal("malformed", f"{match.setup.game.title} knows no irregularity `{command.code}`")
    deal = deal_with(match, command.version)
    was = _fact_at(deal, command.version)
    if was is None:
        raise Refusal("misfit", f"entry {command.version} is a result: only a fact is taken back at the table")
    window = check_changes(match, deal, actor, command.moment)
    check_tries(match, deal, (was,), actor)
    event = e.FactWithdrawn(deal.number, command.version, command.code, window, command.case)
    check_what_follows(match, deal, event, command.accepts, actor, actor.directs)
    return New(event, private_note(command.note))


def deal_meant(match: Match, command: Correct | ProposeCorrection) -> Deal:
    """The deal that a command would put right. Raises Refusal."""
    if not command.note:
        raise Refusal("malformed", "a correction needs its `reason`")
    return deal_with(match, command.version, inserting=command.do == "insert")


def mending_of(match: Match, command: Correct | ProposeCorrection, actor: Actor) -> Mending:
    """Reads what a command would put right, as far as its entries allow it. Raises Refusal."""
    deal = deal_meant(match, command)
    do: Mend = command.do or ("remove" if command.now is None else "replace")
    if (do == "remove") != (command.now is None):
        raise Refusal("malformed", "`now` is what stands there then: null takes an entry out, and nothing else does")
    if do != "insert" and deal.entry is not None and deal.entry[0] == command.version:
        if do == "remove":
            raise Refusal("misfit", "a result is put right by another one: say which")
        return Mending(deal, do, command.version, msgspec.Raw(codec.encode(read_entry(match, command.now))))
    was = None if do == "insert" else _fact_at(deal, command.version)
    now = None if do == "remove" else _read_fact(match, command.now)
    check_tries(match, deal, tuple(fact for fact in (was, now) if fact is not None), actor)
    if now is not None:
        _judge(match, deal, command.version, do, now, actor)
    return Mending(deal, do, command.version, None if now is None else msgspec.Raw(codec.encode(now)))


def deal_with(match: Match, version: int, inserting: bool = False) -> Deal:
    """The deal in which an entry stands; `inserting`: behind which there may stand one more. Raises Refusal."""
    later = match.superseded.get(version)
    if later is not None:
        gone = "correct that one" if _stands(match, later) else "it does not stand any more"
        raise Refusal("misfit", f"entry {version} was replaced by entry {later}: {gone}")
    for deal in match.deals:
        here = any(version == each for each, _ in deal.facts)
        if here or (inserting and version == deal.version):
            return deal
        if not inserting and deal.entry is not None and deal.entry[0] == version:
            return deal
    kind = "no fact of this match, and no deal begins there" if inserting else "neither a fact nor a result of it"
    raise Refusal("misfit", f"entry {version} is not in force in this match: {kind}")


def _stands(match: Match, version: int) -> bool:
    return any(version == each for deal in match.deals for each, _ in deal.facts) or any(
        deal.entry is not None and deal.entry[0] == version for deal in match.deals
    )


def _fact_at(deal: Deal, version: int) -> Fact | None:
    return next((fact for each, fact in deal.facts if each == version), None)


def _judge(match: Match, deal: Deal, version: int, do: Mend, now: Fact, actor: Actor) -> None:
    """Raises Refusal for a fact that cannot be meant at that place, or breaks a rule where that is refused."""
    if type(now) in match.setup.game.remarks:
        return
    reasons = match.setup.game.breaches(table_before(match, deal, version, do, actor), now)
    if any(reason.misfit for reason in reasons):
        raise Refusal("misfit", reasons[0].detail)
    if reasons and match.setup.recording == "strict" and not isinstance(now, RestAnswered):
        raise Refusal("rule-broken", all_reasons(reasons), reasons[0].rule, reasons[0].code)


def check_what_follows(
    match: Match, deal: Deal, event: e.MatchEvent, accepts: int, actor: Actor, directs: bool
) -> None:
    """Raises Refusal where later facts would not fit any more, unless somebody `directs` who has seen how many; where a
    deal would go back on whose hands are open; and where one would that is followed by another, unless so."""
    after = fold(match, [(match.version + 1, event)])
    assert isinstance(after, Match)
    then = after.deals[deal.number - 1]
    if is_complete(match, deal) and not is_complete(after, then):
        check_stays_over(match, deal)
        if deal.number < len(match.deals) and not directs:
            raise Refusal("misfit", f"deal {deal.number} would not be over any more: ask the director to correct it")
    lost = misfits_after(match, deal, after, actor)
    if len(lost) == (accepts if directs else 0):
        return
    said = "one later entry" if len(lost) == 1 else f"{len(lost)} later entries"
    if not directs:
        raise Refusal("misfit", f"{said} would no longer fit: ask the director to correct it", misfits=lost)
    raise Refusal(
        "confirm-needed", f"{said} would no longer fit. Correct it all the same?", misfits=lost, accepts=len(lost)
    )


def misfits_after(match: Match, deal: Deal, after: Match, actor: Actor | None = None) -> list[int]:
    """The versions of a deal's facts that fit now and would not afterwards, as far as an actor has seen them."""
    viewer = ALL if actor is None else viewer_of(match, actor)

    def misfits(state: Match, own: Deal) -> set[int]:
        if viewer == ALL:
            return set(own.misfits)
        return set(refolded(state, own, [(version, seen(fact, viewer)) for version, fact in own.facts]).misfits)

    return sorted(misfits(after, after.deals[deal.number - 1]) - misfits(match, deal))


def _read_fact(match: Match, given: Json) -> Fact:
    """A fact of the match's game. Raises Refusal."""
    try:
        now: Fact = codec.convert(given, fact_union())
    except msgspec.ValidationError as error:
        raise Refusal("malformed", f"now: {error}") from None
    if type(now) not in (*match.setup.game.facts, *match.setup.game.remarks):
        raise Refusal("misfit", f"{match.setup.game.title} has no such fact")
    return now


def table_before(match: Match, deal: Deal, at: int, do: Mend, actor: Actor) -> AnyTable:
    """The table before a fact that is replaced, or behind one, as an actor sees it."""
    viewer = viewer_of(match, actor)
    game = match.setup.game
    table: AnyTable = game.start(match.setup.options, deal.dealer, deal.cards)
    for version, fact in deal.facts if do != "insert" or at != deal.version else ():
        if do != "insert" and version == at:
            break
        if type(fact) not in game.remarks:
            table = game.evolve(table, seen(fact, viewer))
        if version == at:
            break
    return table
