"""Decisions about what is said of a record: disputes and their end, figures and irregularities that somebody noted,
rulings."""

import msgspec

from domain import codec
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match import stated
from domain.match.bounds import score_bounds
from domain.match.starting import deal_named, last_deal, private_note
from domain.match.state import Deal, Match, OpenDispute, deal_at, is_complete, played, side_of


def disputed(match: Match, command: c.DisputeResult, actor: Actor) -> New:
    """A result is said to be wrong; it stands, provisionally."""
    if command.deal is not None:
        deal = deal_named(match, command.deal)
        if not is_complete(match, deal):
            raise Refusal("misfit", f"deal {deal.number} is still on: undo or correct what is wrong")
    elif not any(is_complete(match, deal) for deal in match.deals):
        raise Refusal("misfit", "no deal of this match has a result that could be disputed")
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


def ruled(match: Match, command: c.Rule) -> list[New]:
    """A ruling on a deal that is over, who accepted it, and the disputes over the deal that it settles."""
    deal = deal_named(match, command.deal)
    _check_scores(match, command)
    if command.at is not None and deal_at(match, command.at) is not deal:
        raise Refusal("misfit", f"entry {command.at} is not of deal {deal.number}")
    if command.at is not None and command.at > match.version:
        raise Refusal("misfit", f"there is no entry {command.at} in this match")
    if played(match, deal) is None and command.scores is None:
        raise Refusal("misfit", f"deal {deal.number} has no result yet: give the scores")
    if any(not 0 <= side < len(match.setup.sides) for side in command.accepted):
        raise Refusal("malformed", f"`accepted` names sides from 0 to {len(match.setup.sides) - 1}")
    ruling = e.RulingMade(deal.number, command.code, command.at, command.scores)
    accepted = [New(e.RulingAccepted(deal.number, side)) for side in command.accepted]
    return [New(ruling, command.private or private_note(command.note)), *accepted, *_settles(match, deal)]


def _settles(match: Match, deal: Deal) -> list[New]:
    return [New(e.DisputeSettled(each.version, "ruled")) for each in match.disputes if each.deal == deal.number]


def _check_scores(match: Match, command: c.Rule) -> None:
    """Raises Refusal for scores that are not one a side, or that no deal of the game gives."""
    if command.scores is None:
        return
    setup = match.setup
    if len(command.scores) != len(setup.sides):
        raise Refusal("malformed", f"`scores` has one figure a side: {len(setup.sides)}")
    low, high = score_bounds(setup.game.key, setup.options)
    if any(not low <= score <= high for score in command.scores):
        raise Refusal("malformed", f"a deal of {setup.game.title} gives a side {low} to {high}")
