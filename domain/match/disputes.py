"""Decisions about what is said of a record: disputes and their end, figures and irregularities that somebody noted."""

import msgspec

from domain import codec
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match import stated
from domain.match.changing import SEALED
from domain.match.said import OpenDispute
from domain.match.starting import deal_named, last_deal, private_note
from domain.match.state import Match, deal_at, is_complete, side_of
from domain.match.windows import window


def disputed(match: Match, command: c.DisputeResult, actor: Actor) -> New:
    """A result is said to be wrong; it stands, provisionally."""
    if command.deal is not None:
        deal = deal_named(match, command.deal)
        if not is_complete(match, deal):
            raise Refusal("misfit", f"deal {deal.number} is still on: undo or correct what is wrong")
        concerned = [deal]
    else:
        concerned = [each for each in match.deals if is_complete(match, each)]
        if not concerned:
            raise Refusal("misfit", "no deal of this match has a result that could be disputed")
    if all(window(match, each, command.moment) == "sealed" for each in concerned):
        raise Refusal("window-closed", SEALED)
    own = side_of(match, actor)
    side = own if command.side is None else command.side
    if side is not None and not 0 <= side < len(match.setup.sides):
        raise Refusal("malformed", f"`side` is 0 to {len(match.setup.sides) - 1}")
    if own not in (None, side):
        raise Refusal("forbidden", "you can dispute for your own side only")
    if any((each.deal, each.side) == (command.deal, side) for each in match.disputes):
        raise Refusal("misfit", "this is disputed already: the director settles it")
    return New(e.ResultDisputed(command.deal, side), private_note(command.note))


def settled(match: Match, command: c.SettleDispute, actor: Actor) -> New:
    """A dispute is over: by the director, or because whoever began it takes it back."""
    found = next((each for each in match.disputes if command.version in (None, each.version)), None)
    if found is None:
        raise Refusal("misfit", "no such dispute is open")
    if not actor.directs and not _own(match, found, actor):
        raise Refusal("forbidden", "the other side disputes this: they take it back, or the director settles it")
    return New(e.DisputeSettled(found.version, command.how), private_note(command.note))


def _own(match: Match, dispute: OpenDispute, actor: Actor) -> bool:
    """Tells whether an actor may take a dispute back: a player of the side that began it. A scorer cannot, or the
    dispute would bind nobody."""
    side = side_of(match, actor)
    return side is not None and side == dispute.side


def score_stated(match: Match, command: c.StateScore) -> New:
    """Written-down figures stand beside the facts, and words beside those."""
    if command.what not in (*match.setup.game.script.sections(match.setup.options), *stated.WHATS):
        raise Refusal("malformed", "`what` is a stretch of the deal, or R, ! and >")
    if command.stated is not None and not stated.are_figures(command.stated):
        raise Refusal("malformed", "what is stated are figures, cards and results; words stand in a comment")
    private = {**({"line": command.line} if command.line else {}), **(private_note(command.note) or {})}
    raw = msgspec.Raw(codec.encode(command.stated))
    return New(e.ScoreStated(last_deal(match).number, command.what, raw), private or None)


def irregularity(match: Match, command: c.NoteIrregularity) -> New:
    """An irregularity that was called at an event of a deal."""
    deal = deal_at(match, command.at) if 1 <= command.at <= match.version else None
    if deal is None:
        raise Refusal("misfit", f"no deal was on at entry {command.at}")
    return New(e.IrregularityNoted(deal.number, command.code, command.at), private_note(command.note))
