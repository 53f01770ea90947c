"""What a table offers whoever looks at it: what `decide` would take from the same hand, and nothing else."""

from typing import Final

import msgspec

from domain.log.actor import Actor
from domain.log.decider import New, Refusal, decided
from domain.match import commands as c
from domain.match import events as e
from domain.match.claims import claim_to_second
from domain.match.decide import decide
from domain.match.mending import check_in_time
from domain.match.results import to_sign
from domain.match.rights import check_changeable, check_neutral
from domain.match.sight import hands_open
from domain.match.state import Deal, Match, disputed, is_complete, race_of, race_scores, side_of
from service.desk.access import actor_at
from service.store.callers import Caller
from service.store.streams import LoadedMatch

WHY: Final = "?"  # what is only tried has a reason where a form will ask for it


class Signature(msgspec.Struct, frozen=True):
    """A confirmation to be had: of a deal, by a side, with these figures; `whole` where they are those of the match."""

    deal: int
    side: int
    scores: tuple[int, ...] | None
    whole: bool


class Offers(msgspec.Struct, frozen=True):
    """What may be done next. `undo` is the version that would be taken back; `seconds` are the sides that can agree to
    a claim, by its version; `correct` and `open` are numbers of deals, `dispute` too, with None for the match; `settle`
    and `withdraw` are versions of disputes; `closed` says who can change what is closed to this caller."""

    undo: int | None = None
    pause: bool = False
    void: bool = False
    restore: bool = False
    sign: tuple[Signature, ...] = ()
    seconds: dict[int, tuple[int, ...]] = {}
    correct: tuple[int, ...] = ()
    dispute: tuple[int | None, ...] = ()
    settle: tuple[int, ...] = ()
    withdraw: tuple[int, ...] = ()
    open: tuple[int, ...] = ()
    closed: str = ""


NOTHING: Final = Offers()


def offers_of(caller: Caller, loaded: LoadedMatch) -> Offers:
    """What this caller may do at this table now."""
    match, actor = loaded.match, actor_at(caller, loaded)
    if not match.deals or not any(each.records or side_of(match, each) is not None for each in actor.each()):
        return NOTHING
    last, disputes = match.deals[-1], [each.version for each in match.disputes]
    undo = _taken(match, c.UndoLast(), actor)
    return Offers(
        undo=undo.event.version if undo is not None and isinstance(undo.event, e.FactUndone) else None,
        pause=not last.paused and last.depth != "summary" and _takes(match, c.PauseRecording(), actor),
        void=(not is_complete(match, last) or disputed(match, last) is not None) and _takes(match, c.VoidDeal(), actor),
        restore=_takes(match, c.RestoreDeal(), actor),
        sign=_signatures(match, actor),
        seconds=_seconds(match, last, actor),
        correct=tuple(deal.number for deal in match.deals if actor.records and _correctable(match, deal, actor)),
        dispute=tuple(number for number in _disputable(match) if _may_dispute(match, number, actor)),
        settle=tuple(each for each in disputes if _takes(match, c.SettleDispute(how="upheld", version=each), actor)),
        withdraw=tuple(
            each for each in disputes if _takes(match, c.SettleDispute(how="withdrawn", version=each), actor)
        ),
        open=tuple(deal.number for deal in match.deals if actor.directs and _closed(match, deal)),
        closed=_who_can(match, last, actor),
    )


def _taken(match: Match, command: c.MatchCommand, actor: Actor) -> New | None:
    """The first event that a command would lead to; none where it would be refused."""
    try:
        return next(iter(decided(decide, match, command, actor)[0]), None)
    except Refusal:
        return None


def _takes(match: Match, command: c.MatchCommand, actor: Actor) -> bool:
    return _taken(match, command, actor) is not None


def _signatures(match: Match, actor: Actor) -> tuple[Signature, ...]:
    """The confirmations of the last result, by the sides that have not given theirs: with the deal that ended the match
    they sign its totals."""
    over, deal = race_of(match).finished, match.deals[-1]
    if over:
        deal = next(each for each in reversed(match.deals) if race_scores(match, each) is not None)
    if deal.void or not is_complete(match, deal):
        return ()
    scores, sides = to_sign(match, deal), range(len(match.setup.sides))
    wanted = ((side, c.ConfirmResult(deal=deal.number, side=side, scores=scores)) for side in sides)
    return tuple(
        Signature(deal.number, side, scores, over) for side, command in wanted if _takes(match, command, actor)
    )


def _seconds(match: Match, deal: Deal, actor: Actor) -> dict[int, tuple[int, ...]]:
    """Which sides can agree to which claim, by its version."""
    found: dict[int, tuple[int, ...]] = {}
    for side in range(len(match.setup.sides)) if deal.claims and not is_complete(match, deal) else ():
        claim = claim_to_second(deal, side)
        if claim is not None and _takes(match, c.ConfirmResult(deal=deal.number, side=side), actor):
            found[claim.version] = (*found.get(claim.version, ()), side)
    return found


def _correctable(match: Match, deal: Deal, actor: Actor) -> bool:
    """Whether the entered result of a deal may be corrected."""
    if deal.entry is None or deal.void or match.void:
        return False
    try:
        check_in_time(match, deal, actor)
        check_neutral(match, deal, actor)
    except Refusal:
        return False
    return True


def _disputable(match: Match) -> tuple[int | None, ...]:
    """The deals that are over, the last one first, and the match."""
    return (*(deal.number for deal in reversed(match.deals) if is_complete(match, deal)), None)


def _may_dispute(match: Match, number: int | None, actor: Actor) -> bool:
    sides = (None, *range(len(match.setup.sides)))
    return any(_takes(match, c.DisputeResult(deal=number, side=side, note=WHY), actor) for side in sides)


def _closed(match: Match, deal: Deal) -> bool:
    """Whether a deal is over and not everybody may see its hands."""
    return not match.void and is_complete(match, deal) and not hands_open(match, deal)


def _who_can(match: Match, deal: Deal, actor: Actor) -> str:
    """Who can change the last deal, where whoever keeps the score no longer can."""
    if not actor.records or match.void:
        return ""
    try:
        check_changeable(match, deal, actor)
    except Refusal as refusal:
        return f"{refusal.detail[0].upper()}{refusal.detail[1:]}."
    return ""
