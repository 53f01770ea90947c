"""Sight: one answer to what a viewer sees of a match, for salts, hashes, views, events, streams, refusals and pages.

*Hidden* is what the log holds and a seat may not see: a dealt hand or stock, and what a fact of another seat `hides`.
*Told* are the deals whose findings a viewer may know, by the signal policy of the match; until then nothing differs for
that viewer, whatever the audit would find. *Shown* is all up to a version: an onlooker is behind the table by the delay
of the match.
"""

from typing import Final, Literal, TypeAlias, TypeVar

import msgspec

from domain import codec
from domain.cards.facts import Fact, RestAnswered
from domain.game.protocol import ALL, AnyTable, Viewer
from domain.log.actor import Actor
from domain.log.decider import New
from domain.match import events as e
from domain.match.state import Deal, Match, State, deal_at, is_complete, side_of
from domain.match.windows import Moment, window

Shown = TypeVar("Shown", bound=e.Event | Fact)
Audience: TypeAlias = Literal["director", "table", "public"]
AT_THE_TABLE: Final = ("T0", "T1")
RECTIFIED: Final = (*AT_THE_TABLE, "T2")


class Sight(msgspec.Struct, frozen=True):
    """The sight of a match that somebody has: the viewer of its hands, the numbers of the deals that lie open to
    everybody, and of those whose findings are told."""

    viewer: Viewer
    opened: frozenset[int]
    told: frozenset[int]


def sight_of(match: Match, actor: Actor, moment: Moment | None = None) -> Sight:
    """The sight that an actor has of a match at a moment; without one no time has passed."""
    told = frozenset(deal.number for deal in match.deals if may_be_known(match, deal, actor, moment))
    return Sight(viewer_of(match, actor), opened_deals(match), told)


def shown_upto(match: Match, actor: Actor, waits: bool = True) -> int:
    """The version up to which an actor may see a match. Whoever plays, keeps the score or directs sees all of it, and
    so does everybody once nothing `waits`; an onlooker sees it as it was when it last rested. Whatever is shown of a
    match is made from what it was then: its view, events, head, times, and what follows from it elsewhere."""
    return min(match.rested, match.version) if waits and is_behind(match, actor) else match.version


def is_behind(match: Match, actor: Actor) -> bool:
    """Tells an onlooker of a match whose onlookers may be behind the table."""
    return match.setup.delay != "none" and audience_of(match, actor) == "public"


def may_be_known(match: Match, deal: Deal, actor: Actor, moment: Moment | None = None) -> bool:
    """Tells whether an actor may know what is found in a deal: the policy of the match tells it by now, and it tells
    nothing of a hand that this actor may not see."""
    return told_to(match, deal, audience_of(match, actor), viewer_of(match, actor), moment)


def told_to(match: Match, deal: Deal, audience: Audience, viewer: Viewer, moment: Moment | None = None) -> bool:
    """The same for an audience, with the eyes of a viewer."""
    if not is_told(match, deal, audience, moment):
        return False
    return viewer == ALL or hands_open(match, deal) or not holds_hidden(match, deal)


def is_told(match: Match, deal: Deal, audience: Audience, moment: Moment | None) -> bool:
    """Tells whether the signal policy lets an audience know the findings of a deal. What has been ruled on is known."""
    signals, over = match.setup.signals, is_complete(match, deal)
    if audience == "director":
        return over or signals != "quiet" or (moment is not None and deal.number in moment.heard)
    if not over:
        return signals == "loud" and audience == "table"
    if deal.rulings:
        return True
    if signals == "silent":
        return window(match, deal, moment) not in RECTIFIED
    return audience == "table" or window(match, deal, moment) not in AT_THE_TABLE


def audience_of(match: Match, actor: Actor) -> Audience:
    """The audience that an actor belongs to: directors, unless they play here or are close to somebody who does; the
    table, which is whoever plays or keeps the score; and everybody else."""
    held = tuple(actor.each())
    if any(each.directs and not sides_near(match, each) for each in held):
        return "director"
    here = any(each.records or side_of(match, each) is not None for each in held)
    return "table" if here else "public"


def sides_near(match: Match, actor: Actor) -> tuple[int, ...]:
    """The sides that an actor plays for, or is close to."""
    near = {*actor.people, *actor.close}
    return tuple(side for side, players in enumerate(match.setup.sides) if near & set(players))


def viewer_of(match: Match, actor: Actor) -> Viewer:
    """The viewer that an actor is: a player of the match is its seat, whatever the role; a scorer or director sees
    every hand. Who came by a table's code sees what everybody sees, and so does a program of a player."""
    held = [each for each in actor.each() if not each.by_code and not is_players_program(match, each)]
    for each in held:
        seat = seat_of(match, each)
        if seat is not None:
            return seat
    return ALL if any(each.records for each in held) else None


def is_players_program(match: Match, actor: Actor) -> bool:
    """Tells a program whose maker plays in a match, or is close to somebody who does, beside whom it acts for."""
    seated = {player for side in match.setup.sides for player in side}
    return actor.strength == "token" and not seated.isdisjoint({*actor.close} - {*actor.people})


def seat_of(match: Match, actor: Actor) -> int | None:
    """The seat at which whoever acts sits in a match."""
    for side, players in enumerate(match.setup.sides):
        for place, player in enumerate(players):
            if player in actor.people:
                return match.setup.seats[side][place]
    return None


def holds_hidden(match: Match, deal: Deal) -> bool:
    """Tells whether the log holds cards of a deal that a seat may not see."""
    if deal.drawn:
        return True
    if deal.cards is None:
        return False
    setup = match.setup
    start = setup.game.view(setup.game.start(setup.options, deal.dealer, deal.cards), None)
    return start.stock > 0 or any(hand is None for hand in start.hands)


def played_out(match: Match, deal: Deal) -> bool:
    """Tells whether a deal ended by its own last card: nobody holds one, and no rest was given unplayed."""
    game = match.setup.game
    if any(isinstance(fact, RestAnswered) and fact.yes for _, fact in deal.facts):
        return False
    return game.score(deal.table) is not None and not any(game.view(deal.table, ALL).hands)


def hands_open(match: Match, deal: Deal) -> bool:
    """Tells whether everybody may see all of a deal: it is over, and where that would tell what was hidden it ended by
    its own last card or can no longer be put back on."""
    if not is_complete(match, deal):
        return False
    return deal.opened or not holds_hidden(match, deal) or played_out(match, deal)


def opened_deals(match: Match) -> frozenset[int]:
    """The numbers of the deals that everybody may see all of."""
    return frozenset(deal.number for deal in match.deals if hands_open(match, deal))


def open_at(match: Match, version: int) -> bool:
    """Tells whether everybody may see all of the deal that was on at a version."""
    deal = deal_at(match, version)
    return deal is not None and hands_open(match, deal)


def hidden_at(match: Match, version: int) -> bool:
    """Tells whether words beside an event may tell of a hand that somebody may not see yet: the deal that was on at a
    version is not open."""
    deal = deal_at(match, version)
    return deal is not None and holds_hidden(match, deal) and not hands_open(match, deal)


def table_seen(match: Match, deal: Deal, viewer: Viewer) -> AnyTable:
    """The table of a deal as if nobody had recorded what a viewer has not seen: draws of others name no card."""
    if viewer == ALL or all(seen(fact, viewer) is fact for _, fact in deal.facts):
        return deal.table
    game = match.setup.game
    table: AnyTable = game.start(match.setup.options, deal.dealer, deal.cards)
    for _, fact in deal.facts:
        if type(fact) not in game.remarks:
            table = game.evolve(table, seen(fact, viewer))
    return table


def seen(event: Shown, viewer: Viewer, match: Match | None = None, version: int = 0) -> Shown:
    """An event as a viewer may know it, with null for what is hidden; the event itself where nothing is. Everything is
    open at a `version` of the `match` whose deal everybody may see all of."""
    if viewer == ALL or not _hidden(event, viewer, match) or (match is not None and open_at(match, version)):
        return event
    null = None if isinstance(event, Fact) else e.UNKNOWN
    return msgspec.structs.replace(event, **dict.fromkeys(event.hides, null))


def _hidden(event: e.Event | Fact, viewer: Viewer, match: Match | None) -> bool:
    """Tells whether an event is of a kind that hides something from a viewer."""
    match event:
        case Fact():
            return bool(event.hides) and event.seat != viewer
        case e.DealStarted():
            return event.known
        case e.EntryCorrected() | e.FactInserted() | e.CorrectionProposed():
            facts = (_brought(event), _replaced(event, match))
            return any(fact is not None and _hidden(fact, viewer, match) for fact in facts)
        case _:
            return bool(event.hides)


def _brought(event: e.EntryCorrected | e.FactInserted | e.CorrectionProposed) -> Fact | None:
    """The fact that a mend brings; None where it brings a result, or nothing."""
    try:
        return codec.fact_decoder().decode(event.fact if isinstance(event, e.FactInserted) else event.now)
    except msgspec.ValidationError:
        return None


def _replaced(event: e.EntryCorrected | e.FactInserted | e.CorrectionProposed, match: Match | None) -> Fact | None:
    """The fact that a mend replaces, while it is in force."""
    deals = () if match is None or isinstance(event, e.FactInserted) else match.deals
    if isinstance(event, e.FactInserted) or (isinstance(event, e.CorrectionProposed) and event.do == "insert"):
        return None
    return next((fact for deal in deals for at, fact in deal.facts if at == event.version), None)


def salted(new: New, before: State) -> New:
    """A decided event with a salt where it hides something, whatever it holds; `before` is the match until then."""
    event = new.event
    whole = seen(event, None, before if isinstance(before, Match) else None) is event
    return new if whole else msgspec.structs.replace(new, secret=True)
