"""The fold: a match's events, in order, into its state. It never judges.

Runs of facts are folded in one go; an undo or a correction folds its deal again from the facts in force.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.games import find
from domain.match import events as e
from domain.match.agreement import agreed_at, all_confirmed
from domain.match.claims import agreed_to, claimed, seconded
from domain.match.delay import rested
from domain.match.mended import mended, stored_entry
from domain.match.mends import accepted, affirmed, answered, later, ruling_of
from domain.match.running import advanced
from domain.match.said import Claim, Consent, OpenDispute, Signature, Stated
from domain.match.signatures import moved
from domain.match.state import Deal, Match, NoMatch, Reopened, State, is_complete, opened, race_of

OPINIONS: Final = (
    e.ResultConfirmed,
    e.RulingAccepted,
    e.ResultDisputed,
    e.DisputeSettled,
    e.ScoreStated,
    e.IrregularityNoted,
    e.HandsOpened,
    e.NamesRighted,
    e.OwnTableAgreed,
    e.OwnTableDirected,
    e.CorrectionProposed,
    e.CorrectionAnswered,
    e.EntriesAffirmed,
    e.AffirmationWithdrawn,
    e.MatchSealed,
)
MOVING: Final = (  # what may put a match back on that was over
    e.FactUndone,
    e.FactWithdrawn,
    e.EntryCorrected,
    e.FactInserted,
    e.DealVoided,
    e.DealRestored,
    e.RulingMade,
)


def fold(state: State, recorded: Iterable[tuple[int, e.MatchEvent]]) -> State:
    """The state after these (version, event) pairs."""
    run: list[tuple[int, Fact]] = []
    for version, event in recorded:
        if isinstance(event, Fact):
            run.append((version, event))
            if isinstance(state, Match) and state.setup.delay != "none":  # it may rest behind each of them
                state, run = with_facts(state, run), []
            continue
        if run:
            state, run = with_facts(state, run), []
        state = evolve(state, version, event)
    return with_facts(state, run) if run else state


def evolve(state: State, version: int, event: e.Event) -> State:
    """The state after one event that is not a fact of the game."""
    if isinstance(event, e.MatchOpened):
        return _opened(version, event)
    assert isinstance(state, Match), "a match stream begins with MatchOpened"
    match event:
        case e.DealStarted():
            after = _started(state, version, event)
        case e.FactUndone() | e.FactWithdrawn() | e.EntryCorrected() | e.FactInserted():
            after = mended(state, version, event)
        case e.CorrectionProposed() | e.CorrectionAnswered():
            after = answered(state, version, event)
        case e.EntriesAffirmed() | e.AffirmationWithdrawn():
            after = affirmed(state, version, event)
        case e.ResultDisputed() | e.DisputeSettled():
            after = _disputed(state, version, event)
        case e.OwnTableAgreed() | e.OwnTableDirected():
            after = _own_table(state, version, event)
        case e.NamesRighted():
            after = msgspec.structs.replace(state, deals=tuple(moved(deal, event) for deal in state.deals))
        case e.MatchVoided():
            after = msgspec.structs.replace(state, void=True)
        case e.MatchSealed():
            after = msgspec.structs.replace(state, sealed=version)
        case _:
            after = _noted(state, version, event)
    changed = state.changed if _opinion(state, event) else version
    reopened = _reopened(state, after, version) if isinstance(event, MOVING) else state.reopened
    return rested(state, msgspec.structs.replace(after, version=version, changed=changed, reopened=reopened))


def _reopened(before: Match, after: Match, version: int) -> tuple[Reopened, ...]:
    """The moments at which a match was put back on, after an event that moves scores."""
    if not race_of(before).finished or race_of(after).finished:
        return before.reopened
    return (*before.reopened, Reopened(version, len(before.deals), agreed_at(before) is not None))


def _disputed(match: Match, version: int, event: e.ResultDisputed | e.DisputeSettled) -> Match:
    """The match after a dispute began, or is over."""
    if isinstance(event, e.ResultDisputed):
        begun = OpenDispute(version, event.deal, event.side)
        return msgspec.structs.replace(match, disputes=(*match.disputes, begun))
    left = tuple(each for each in match.disputes if each.version != event.version)
    return msgspec.structs.replace(match, disputes=left, settled=(*match.settled, (event.version, version)))


def _own_table(match: Match, version: int, event: e.OwnTableAgreed | e.OwnTableDirected) -> Match:
    """The match after a side agreed that somebody who belongs to it directs, or after that somebody did: the consents
    are used, and what they were for is marked. What a file says that somebody agreed to allows nobody anything here."""
    if isinstance(event, e.OwnTableAgreed):
        if event.strength == "file":
            return match
        given = Consent(version, event.deal, event.side, event.ruler)
        return msgspec.structs.replace(match, consents=(*match.consents, given))
    left = tuple(each for each in match.consents if each.version not in event.consents)
    deals = tuple(
        msgspec.structs.replace(deal, own_table=True) if deal.number == event.deal else deal for deal in match.deals
    )
    whole = match.own_table or event.deal is None
    return msgspec.structs.replace(match, consents=left, deals=deals, own_table=whole)


def _opinion(match: Match, event: e.Event) -> bool:
    """Tells whether an event is an opinion on the record and leaves it as it is; a confirmation that settles the other
    side's claim is more."""
    if isinstance(event, e.ResultConfirmed) and any(deal.claims for deal in match.deals if deal.number == event.deal):
        return False
    return isinstance(event, OPINIONS)


def _opened(version: int, event: e.MatchOpened) -> Match:
    game = find(event.game)
    options = codec.decode(event.options, game.options)
    return Match(version=version, setup=opened(event, game, options), deals=(), superseded={})


def _started(match: Match, version: int, event: e.DealStarted) -> Match:
    game, options = match.setup.game, match.setup.options
    cards = None if not event.known else codec.decode(event.deal, game.deal)
    table = game.start(options, event.dealer, cards)
    deal = Deal(number=event.number, version=version, dealer=event.dealer, depth=event.depth, cards=cards, table=table)
    before = (*match.deals[:-1], *(msgspec.structs.replace(last, opened=True) for last in match.deals[-1:]))
    return msgspec.structs.replace(match, deals=(*before, deal))


def with_facts(state: State, run: list[tuple[int, Fact]]) -> State:
    """The match after a run of facts of its last deal."""
    assert isinstance(state, Match), "a match stream begins with MatchOpened"
    version = run[-1][0]
    if not state.deals:
        return msgspec.structs.replace(state, version=version, changed=version)
    deal = advanced(state, state.deals[-1], run)
    deal = msgspec.structs.replace(deal, first=deal.first or run[0][0], last=version)
    after = msgspec.structs.replace(state, version=version, changed=version, deals=(*state.deals[:-1], deal))
    return rested(state, after)


def _noted(match: Match, version: int, event: e.Event) -> Match:
    """Events that add something to one deal."""
    number = event.deal  # type: ignore[attr-defined]  # every event left here names its deal
    deals = tuple(
        _for_good(match, _with_note(match, deal, version, event)) if deal.number == number else deal
        for deal in match.deals
    )
    return msgspec.structs.replace(match, deals=deals)


def _for_good(match: Match, deal: Deal) -> Deal:
    """A deal that every side has agreed to is over for good, and its hands are everybody's."""
    if deal.opened or not all_confirmed(match, deal):
        return deal
    return msgspec.structs.replace(deal, opened=True)


def _with_note(match: Match, deal: Deal, version: int, event: e.Event) -> Deal:
    change = msgspec.structs.replace
    match event:
        case e.ResultEntered() | e.DealVoided() | e.RecordingPaused():
            claim = _claim_of(match, version, event)
            if isinstance(event, e.ResultEntered):
                deal = change(deal, first=deal.first or version, last=version)
            if isinstance(event, e.DealVoided) and event.side is None:
                deal = change(deal, mended_in=later(deal.mended_in, event.window))
            return agreed_to(deal, claim) if event.side is None else claimed(match, deal, claim)
        case e.ResultConfirmed() if deal.claims and not is_complete(match, deal):
            return seconded(match, deal, event.side, Signature(version, event.person, event.strength))
        case e.ResultConfirmed():
            confirmed = tuple(sorted({*deal.confirmed, event.side}))
            by = {**deal.signatures, event.side: Signature(version, event.person, event.strength)}
            signed = {**deal.signed, event.side: event.scores}
            vouched = {event.side: version, **deal.vouched}
            return change(deal, confirmed=confirmed, signed=signed, signatures=by, vouched=vouched)
        case e.RulingAccepted() if deal.rulings:
            return change(deal, rulings=accepted(deal.rulings, event))
        case e.RulingMade():
            ruling = ruling_of(version, event)
            return change(deal, rulings=(*deal.rulings, ruling), confirmed=(), signed={}, signatures={}, claims=())
        case e.HandsOpened():
            return change(deal, opened=True)
        case e.DealRestored():
            confirmed, signed = deal.before
            return change(deal, void=False, confirmed=confirmed, signed=signed, before=((), {}))
        case e.ScoreStated():
            return change(deal, stated=(*deal.stated, Stated(version, event.what, event.stated)))
        case _:
            return deal


def _claim_of(match: Match, version: int, event: e.ResultEntered | e.DealVoided | e.RecordingPaused) -> Claim:
    """The claim that an event makes about a deal; its side is -1 where it names none."""
    side = -1 if event.side is None else event.side
    if isinstance(event, e.ResultEntered):
        return Claim(version, side, "result", stored_entry(match, event.entry), (side,))
    return Claim(version, side, "void" if isinstance(event, e.DealVoided) else "pause", None, (side,))


def initial() -> State:
    """The state of a stream without events."""
    return NoMatch()
