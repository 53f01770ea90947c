"""Offers of a table to its viewer: what `decide` would take from the same hand, and nothing else."""

from collections.abc import Iterator
from typing import Final

import msgspec

from domain import codec
from domain.log.actor import Actor, Strength
from domain.log.decider import New, Refusal, decided
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import all_confirmed, match_confirmed
from domain.match.changing import check_changes, only_director
from domain.match.claims import claim_to_second
from domain.match.decide import decide
from domain.match.mending_commands import Correct
from domain.match.recusal import recused
from domain.match.results import to_sign
from domain.match.sight import hands_open
from domain.match.state import Deal, Match, disputed, is_complete, open_deal, race_of, race_scores, side_of
from domain.match.windows import Moment
from service.desk.access import actor_at
from service.store.callers import Caller
from service.store.loaded import LoadedMatch

WHY: Final = "?"  # what is only tried has a reason where a form will ask for it


class Signature(msgspec.Struct, frozen=True):
    """A confirmation to be had: of a deal, by a side, with these figures; `whole` where they are those of the match,
    `own` where the side itself gives it, not whoever keeps the score."""

    deal: int
    side: int
    scores: tuple[int, ...] | None
    whole: bool
    own: bool = True


class Consent(msgspec.Struct, frozen=True):
    """A consent to be had: a side agrees that somebody who belongs to the table directs, on a deal or (None) of the
    match."""

    side: int
    ruler: str
    deal: int | None


class Offers(msgspec.Struct, frozen=True):
    """The acts that may be done next. `undo` is the version that would be taken back; `seconds` are the sides that can
    agree to a claim, by its version; `correct` and `open` are numbers of deals, `dispute` too, with None for the match;
    `settle` and `withdraw` are versions of disputes; `closed` says who can change what is closed to this caller. `pins`
    are the confirmations that a PIN typed here would give, `consents` and `consents_by_pin` likewise; `recused` says
    why a director is offered nothing more, `names` who else this may be, of whom a name was tapped (`called`); `enter`:
    a player may say what the result of a deal is."""

    undo: int | None = None
    pause: bool = False
    void: bool = False
    abandon: bool = False
    restore: bool = False
    sign: tuple[Signature, ...] = ()
    seconds: dict[int, tuple[int, ...]] = {}
    correct: tuple[int, ...] = ()
    dispute: tuple[int | None, ...] = ()
    settle: tuple[int, ...] = ()
    withdraw: tuple[int, ...] = ()
    open: tuple[int, ...] = ()
    closed: str = ""
    pins: tuple[Signature, ...] = ()
    consents: tuple[Consent, ...] = ()
    consents_by_pin: tuple[Consent, ...] = ()
    recused: str = ""
    called: str | None = None
    names: tuple[str, ...] = ()
    enter: bool = False


NOTHING: Final = Offers()


def offers_of(
    caller: Caller,
    loaded: LoadedMatch,
    asks: Strength | None = None,
    directors: tuple[str, ...] = (),
    moment: Moment | None = None,
) -> Offers:
    """Finds what this caller may do at this table now, where signatures are asked to be so strong; `directors` are the
    people who direct in the club, or in the tournament."""
    match, actor = loaded.match, actor_at(caller, loaded)
    called, names = _names(match, actor)
    if not match.deals or not any(each.records or side_of(match, each) is not None for each in actor.each()):
        abandon = Hand(match, actor, asks, moment).takes(c.AbandonMatch())
        return Offers(called=called, names=names, enter=_enters(match, actor), abandon=abandon)
    hand = Hand(match, actor, asks, moment)
    last, disputes = match.deals[-1], [each.version for each in match.disputes]
    undo = hand.taken(c.UndoLast())
    over = not is_complete(match, last) or disputed(match, last) is not None
    recusal = _recusal(match, actor, moment)
    consents = _consents(match, actor, directors, moment)
    return Offers(
        undo=undo.event.version if undo is not None and isinstance(undo.event, e.FactUndone) else None,
        pause=not last.paused and last.depth != "summary" and hand.takes(c.PauseRecording()),
        void=over and hand.takes(c.VoidDeal()),
        abandon=hand.takes(c.AbandonMatch()),
        restore=hand.takes(c.RestoreDeal()),
        sign=_signatures(hand),
        seconds=_seconds(hand, last),
        correct=tuple(deal.number for deal in match.deals if actor.records and _correctable(hand, deal)),
        dispute=tuple(number for number in _disputable(match) if _may_dispute(hand, number)),
        settle=tuple(each for each in disputes if hand.takes(c.SettleDispute(how="upheld", version=each))),
        withdraw=tuple(each for each in disputes if hand.takes(c.SettleDispute(how="withdrawn", version=each))),
        open=tuple(deal.number for deal in match.deals if _opens(hand, deal)),
        closed=_who_can(match, last, actor, moment),
        pins=_by_pin(hand),
        consents=tuple(each for each in consents if hand.takes(_agreeing(each))),
        consents_by_pin=tuple(each for each in consents if hand.by_pin(each.side).takes(_agreeing(each))),
        recused=recusal,
        called=called,
        names=names,
        enter=_enters(match, actor),
    )


class Hand(msgspec.Struct, frozen=True):
    """A hand at a table: whose it is, and how strong a signature has to be."""

    match: Match
    actor: Actor
    asks: Strength | None
    moment: Moment | None = None

    def taken(self, command: c.MatchCommand) -> New | None:
        """The last event that a command would lead to; none where it would be refused."""
        asked = msgspec.structs.replace(command, asks=self.asks, moment=self.moment)
        try:
            return next(reversed(decided(decide, self.match, asked, self.actor)[0]), None)
        except Refusal:
            return None

    def takes(self, command: c.MatchCommand) -> bool:
        """Tells whether a command would be taken."""
        return self.taken(command) is not None

    def by_pin(self, side: int) -> "Hand":
        """The same hand once somebody of a side has typed a PIN."""
        person = self.match.setup.sides[side][0]
        return msgspec.structs.replace(self, actor=Actor("player", person=person, id=person, strength="pin"))


def _names(match: Match, actor: Actor) -> tuple[str | None, tuple[str, ...]]:
    """The name that was tapped behind this table's code, and those that may have been meant."""
    tapped = next((each.person for each in actor.rights if each.by_code and each.person is not None), None)
    seated = [player for side in match.setup.sides for player in side]
    return (tapped, tuple(each for each in seated if each != tapped)) if tapped in seated else (None, ())


def _enters(match: Match, actor: Actor) -> bool:
    """Tells whether a player of this table may enter the result of the deal that is on, or of the next one."""
    plays = any(side_of(match, each) is not None for each in actor.each())
    return plays and not match.void and (open_deal(match) is not None or not race_of(match).finished)


def _signatures(hand: Hand) -> tuple[Signature, ...]:
    """The confirmations of the last result, by the sides that have not given theirs: with the deal that ended the match
    they sign its totals."""
    return tuple(
        Signature(deal, side, scores, over, new.event.person is not None)
        for deal, side, scores, over in _to_confirm(hand.match)
        if (new := hand.taken(c.ConfirmResult(deal=deal, side=side, scores=scores))) is not None
        and isinstance(new.event, e.ResultConfirmed)
    )


def _by_pin(hand: Hand) -> tuple[Signature, ...]:
    """The confirmations that a PIN would give on this device."""
    return tuple(
        Signature(deal, side, scores, over)
        for deal, side, scores, over in _to_confirm(hand.match)
        if side not in {each for own in hand.actor.each() if (each := side_of(hand.match, own)) is not None}
        and hand.by_pin(side).takes(c.ConfirmResult(deal=deal, side=side, scores=scores))
    )


def _to_confirm(match: Match) -> Iterator[tuple[int, int, tuple[int, ...] | None, bool]]:
    """The deal whose result would be confirmed, with each side and the figures; whether they are those of the match."""
    over, deal = race_of(match).finished, match.deals[-1]
    if over:
        deal = next(each for each in reversed(match.deals) if race_scores(match, each) is not None)
    if not deal.void and is_complete(match, deal):
        yield from ((deal.number, side, to_sign(match, deal), over) for side in range(len(match.setup.sides)))


def _recusal(match: Match, actor: Actor, moment: Moment | None) -> str:
    """The reason for which a director does not direct here, where something is there to direct."""
    refusals = (recused(match, each) for each in actor.each())
    refusal = next((each for each in refusals if each is not None), None)
    if refusal is None or match.void or not _waits(match, moment):
        return ""
    return f"{refusal.detail[0].upper()}{refusal.detail[1:]}."


def _waits(match: Match, moment: Moment | None) -> bool:
    """Tells whether only a director can go on with something here: a dispute, a result that its sides have signed."""
    held = (all_confirmed(match, deal) or only_director(match, deal, moment) is not None for deal in match.deals)
    return bool(match.disputes) or match_confirmed(match) or any(held)


def _consents(match: Match, actor: Actor, directors: tuple[str, ...], moment: Moment | None) -> tuple[Consent, ...]:
    """The consents that are worth asking for: to a director who sits here, on the deal that waits, or of the match."""
    near = {*directors, *(each.person for each in actor.each() if each.directs and each.person is not None)}
    rulers = [player for side in match.setup.sides for player in side if player in near]
    if match.void or not rulers or not _waits(match, moment):
        return ()
    about = {each.deal for each in match.disputes} or {len(match.deals)}
    sides = range(len(match.setup.sides))
    return tuple(
        Consent(side, ruler, deal)
        for deal in sorted(about, key=str)
        for ruler in rulers
        for side in sides
        if ruler not in match.setup.sides[side]
    )


def _agreeing(consent: Consent) -> c.AgreeOwnTable:
    return c.AgreeOwnTable(ruler=consent.ruler, deal=consent.deal)


def _seconds(hand: Hand, deal: Deal) -> dict[int, tuple[int, ...]]:
    """The sides that can agree to a claim, by its version."""
    found: dict[int, tuple[int, ...]] = {}
    for side in range(len(hand.match.setup.sides)) if deal.claims and not is_complete(hand.match, deal) else ():
        claim = claim_to_second(deal, side)
        if claim is not None and hand.takes(c.ConfirmResult(deal=deal.number, side=side)):
            found[claim.version] = (*found.get(claim.version, ()), side)
    return found


def _correctable(hand: Hand, deal: Deal) -> bool:
    """Tells whether the entered result of a deal may be corrected."""
    if deal.entry is None or deal.void or hand.match.void:
        return False
    version, entry = deal.entry
    return hand.takes(Correct(version=version, now=codec.plain(entry), note=WHY))


def _disputable(match: Match) -> tuple[int | None, ...]:
    """The deals that are over, the last one first, and the match."""
    return (*(deal.number for deal in reversed(match.deals) if is_complete(match, deal)), None)


def _may_dispute(hand: Hand, number: int | None) -> bool:
    sides = (None, *range(len(hand.match.setup.sides)))
    return any(hand.takes(c.DisputeResult(deal=number, side=side, note=WHY)) for side in sides)


def _opens(hand: Hand, deal: Deal) -> bool:
    """Tells whether a deal is over, not everybody may see its hands, and this hand may open them."""
    match = hand.match
    closed = not match.void and is_complete(match, deal) and not hands_open(match, deal)
    return closed and hand.takes(c.OpenHands(deal=deal.number, note=WHY))


def _who_can(match: Match, deal: Deal, actor: Actor, moment: Moment | None) -> str:
    """Tells who can change the last deal, where the scorer no longer can."""
    if not actor.records or match.void:
        return ""
    try:
        check_changes(match, deal, actor, moment)
    except Refusal as refusal:
        return f"{refusal.detail[0].upper()}{refusal.detail[1:]}."
    return ""
