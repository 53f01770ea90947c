"""Decisions: which events a command on a match leads to, or why it is refused.

The table's mistakes are facts and are recorded (`record` mode); what cannot be meant is refused.
"""

from typing import Any, assert_never

import msgspec

from domain import codec
from domain.actor import Actor
from domain.decider import New, Refusal
from domain.facts import Fact
from domain.game import Breach, EntryError
from domain.games import fact_union
from domain.match import commands as c
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.opening import open_match, read_deal
from domain.match.settled import unsettled
from domain.match.state import (
    Deal,
    Match,
    NoMatch,
    State,
    is_complete,
    next_dealer,
    open_deal,
    played,
    race_of,
)


def decide(state: State, command: c.MatchCommand, actor: Actor) -> list[New]:
    """The events of a command of `actor`. Raises Refusal."""
    if isinstance(command, c.OpenMatch):
        return open_match(state, command)
    state = _going(state)
    if isinstance(command, c.VoidMatch):
        return [New(e.MatchVoided(), _words(command.note))]
    match command:
        case c.StartDeal():
            return [_start_deal(state, command)]
        case c.RecordFacts():
            return _record(state, command)
        case c.PauseRecording():
            return [New(e.RecordingPaused(_on(state).number))]
        case c.EnterResult():
            return _enter(state, command)
        case c.UndoLast():
            return [_undo(state, command)]
        case c.VoidDeal():
            return [_void(state, command)]
        case c.Correct():
            return [_correct(state, command)]
        case c.ConfirmResult():
            return [_confirm(state, command)]
        case c.StateScore():
            return [_state_score(state, command)]
        case c.NoteIrregularity():
            return [_note_irregularity(state, command)]
        case c.Rule():
            return _rule(state, command)
        case _ as unknown:
            assert_never(unknown)


def _going(state: State) -> Match:
    """A match that can be recorded. Raises Refusal."""
    if isinstance(state, NoMatch):
        raise Refusal("not-found", "there is no such match")
    if state.void:
        raise Refusal("misfit", "this match is void: its pairing was taken back")
    return state


def _words(note: str | None) -> dict[str, Any] | None:
    return {"note": note} if note else None


def _on(match: Match) -> Deal:
    """The deal that is on. Raises Refusal when there is none."""
    deal = open_deal(match)
    if deal is None:
        raise Refusal("misfit", f"no deal is on{_finished_hint(match)}")
    return deal


def _remarked(match: Match) -> Deal:
    """The deal that a remark is about: the one that is on, or the last while nobody has agreed to its score
    (the total of its last card is called when the deal is over)."""
    last = match.deals[-1] if match.deals else None
    if last is None or last.void or last.entry is not None or last.confirmed or last.rulings:
        return _on(match)
    return last


def _finished_hint(match: Match) -> str:
    return ": the match is finished" if race_of(match).finished else ": start the next deal first"


def _last(match: Match) -> Deal:
    if not match.deals:
        raise Refusal("misfit", "no deal has been started yet")
    return match.deals[-1]


def _start_deal(match: Match, command: c.StartDeal) -> New:
    """The next deal; not while one is on, not after the end (ALL.1, ALL.2)."""
    if open_deal(match) is not None:
        number = match.deals[-1].number
        raise Refusal("misfit", f"deal {number} is still on: finish it, enter its result or void it")
    if race_of(match).finished:
        raise Refusal("misfit", "the match is finished")
    setup = match.setup
    seats = setup.game.seats(setup.options)
    if command.dealer is not None and not 0 <= command.dealer < seats:
        raise Refusal("malformed", f"`dealer` is a seat from 0 to {seats - 1}")
    following = next_dealer(match)
    dealer = command.dealer if command.dealer is not None else following
    if dealer is None:
        dealer = command.lot % seats
    deal = read_deal(setup.game, setup.options, command.deal)
    depth = command.depth or ("full" if deal is not None else "plays" if setup.depth == "full" else setup.depth)
    if depth == "full" and deal is None:
        raise Refusal("malformed", "`depth` full needs the cards: give the `deal`")
    raw = e.UNKNOWN if deal is None else msgspec.Raw(codec.encode(deal))
    number = len(match.deals) + 1
    other = unsettled(match, deal, number)
    if other is not None and setup.recording == "strict":
        raise Refusal("rule-broken", other.detail, other.rule, other.code)
    private = command.private or _words(command.note)
    return New(e.DealStarted(number, dealer, depth, raw), private, secret=deal is not None)


def _record(match: Match, command: c.RecordFacts) -> list[New]:
    """Facts in order, all or none: a misfit is refused in both modes, a breach in strict mode."""
    if not command.facts:
        raise Refusal("malformed", "`facts` is empty: name at least one fact")
    news: list[New] = []
    at: State = match
    for place, fact in enumerate(command.facts):
        assert isinstance(at, Match)
        try:
            deal = _on(at) if type(fact) not in match.setup.game.remarks else _remarked(at)
        except Refusal as refusal:
            raise Refusal(refusal.slug, refusal.detail, fact=place) from None
        _judge(at, deal, fact, place, command.it_happened)
        news.append(_fact(fact, (command.notes or {}).get(place)))
        at = fold(at, [(match.version + len(news), fact)])
    return news


def _fact(fact: Fact, note: str | None) -> New:
    """A drawn card has been seen by one seat only: its event is salted."""
    secret = type(fact).__struct_config__.tag == "draw"
    return New(fact, _words(note), secret)


def _judge(match: Match, deal: Deal, fact: Fact, place: int, it_happened: bool) -> None:
    game = match.setup.game
    if deal.paused or deal.depth == "summary":
        raise Refusal("misfit", "this deal is result-only: enter its result", fact=place)
    if type(fact) in game.remarks:
        return
    reasons: tuple[Breach, ...] = game.breaches(deal.table, fact)
    if not reasons:
        return
    first = reasons[0]
    if any(reason.misfit for reason in reasons):
        raise Refusal("misfit", first.detail, fact=place)
    if match.setup.recording == "strict":
        raise Refusal("rule-broken", _all(reasons), first.rule, first.code, fact=place)
    doubtful = next((reason for reason in reasons if reason.code == "DUP"), None)
    if doubtful is not None and not it_happened:
        raise Refusal(
            "confirm-needed",
            f"{doubtful.detail}: a typing slip, or did it happen? "
            'If it did, send the same again with "it_happened": true',
            doubtful.rule,
            doubtful.code,
            fact=place,
        )


def _all(reasons: tuple[Breach, ...]) -> str:
    return "; ".join(reason.detail for reason in reasons)


def _enter(match: Match, command: c.EnterResult) -> list[New]:
    """A result without cards, for the deal that is on or one that is started for it (ALL.4)."""
    news: list[New] = []
    at: State = match
    if open_deal(match) is None:
        start = c.StartDeal(dealer=command.dealer, lot=command.lot, depth="summary")
        news.append(_start_deal(match, start))
        at = fold(match, [(match.version + 1, news[0].event)])
    assert isinstance(at, Match)
    entry = read_entry(at, command.entry)
    number = at.deals[-1].number
    raw = msgspec.Raw(codec.encode(entry))
    news.append(New(e.ResultEntered(number, raw), _words(command.note)))
    return news


def read_entry(match: Match, entry: Any) -> Any:
    """An entry in the game's own shape and within its invariants. Raises Refusal."""
    game, options = match.setup.game, match.setup.options
    try:
        read = codec.convert(entry, game.entry(options))
        game.score_entry(options, read)
    except msgspec.ValidationError as error:
        raise Refusal("malformed", f"entry: {error}") from None
    except EntryError as error:
        raise Refusal("malformed", error.detail, error.rule) from None
    return read


def _undo(match: Match, command: c.UndoLast) -> New:
    """The last fact or result, until the next deal has begun."""
    deal = _last(match)
    if deal.void:
        raise Refusal("misfit", "the deal is void: start it again")
    last = deal.entry[0] if deal.entry is not None else deal.facts[-1][0] if deal.facts else None
    if last is None:
        if deal.number > 1:
            raise Refusal("window-closed", "the next deal has begun: correct the earlier entry instead")
        raise Refusal("misfit", "there is nothing to undo")
    return New(e.FactUndone(last, command.withdrawn), _words(command.note))


def _void(match: Match, command: c.VoidDeal) -> New:
    """The last deal does not count; whoever dealt it deals again (ALL.5)."""
    deal = _last(match)
    if deal.void:
        raise Refusal("misfit", f"deal {deal.number} is void already")
    return New(e.DealVoided(deal.number), _words(command.note))


def _correct(match: Match, command: c.Correct) -> New:
    """A transcription error: the named fact or result is replaced, and what follows is derived anew."""
    if not command.note:
        raise Refusal("malformed", "a correction needs its `reason`")
    later = match.superseded.get(command.version)
    if later is not None:
        raise Refusal("misfit", f"version {command.version} was superseded by {later}: correct that one")
    for deal in match.deals:
        if deal.entry is not None and deal.entry[0] == command.version:
            _window(match, deal, command)
            entry = read_entry(match, command.now)
            raw = msgspec.Raw(codec.encode(entry))
            return New(e.EntryCorrected(command.version, raw), _words(command.note))
        was = next((fact for version, fact in deal.facts if version == command.version), None)
        if was is not None:
            _window(match, deal, command)
            return _corrected_fact(match, deal, was, command)
    raise Refusal("misfit", f"version {command.version} is neither a fact nor a result of this match")


def _window(match: Match, deal: Deal, command: c.Correct) -> None:
    """Whoever records may correct until the next deal has begun; later it is for the director."""
    if deal is not match.deals[-1] and not command.late:
        raise Refusal("window-closed", "the next deal has begun: the director can correct this")


def _corrected_fact(match: Match, deal: Deal, was: Fact, command: c.Correct) -> New:
    try:
        now: Fact = codec.convert(command.now, fact_union())
    except msgspec.ValidationError as error:
        raise Refusal("malformed", f"now: {error}") from None
    if type(now) not in (*match.setup.game.facts, *match.setup.game.remarks):
        raise Refusal("misfit", f"{match.setup.game.title} has no such fact")
    table = match.setup.game.start(match.setup.options, deal.dealer, deal.cards)
    for version, fact in deal.facts:
        if version == command.version:
            break
        if type(fact) not in match.setup.game.remarks:
            table = match.setup.game.evolve(table, fact)
    reasons = () if type(now) in match.setup.game.remarks else match.setup.game.breaches(table, now)
    if any(reason.misfit for reason in reasons):
        raise Refusal("misfit", reasons[0].detail)
    if reasons and match.setup.recording == "strict":
        raise Refusal("rule-broken", _all(reasons), reasons[0].rule, reasons[0].code)
    secret = any(type(fact).__struct_config__.tag == "draw" for fact in (was, now))
    raw = msgspec.Raw(codec.encode(now))
    return New(e.EntryCorrected(command.version, raw), _words(command.note), secret)


def _deal(match: Match, number: int | None) -> Deal:
    if number is None:
        return _last(match)
    if not 1 <= number <= len(match.deals):
        raise Refusal("misfit", f"there is no deal {number}; there are {len(match.deals)}")
    return match.deals[number - 1]


def _confirm(match: Match, command: c.ConfirmResult) -> New:
    """A side agrees to a result that is there."""
    deal = _deal(match, command.deal)
    if not 0 <= command.side < len(match.setup.sides):
        raise Refusal("malformed", f"`side` is 0 to {len(match.setup.sides) - 1}")
    if not is_complete(match, deal):
        raise Refusal("misfit", f"deal {deal.number} has no result yet")
    if command.side in deal.confirmed:
        raise Refusal("misfit", "this side has confirmed already")
    return New(e.ResultConfirmed(deal.number, command.side), _words(command.note))


def _state_score(match: Match, command: c.StateScore) -> New:
    """Written-down figures stand beside the facts."""
    deal = _last(match)
    raw = msgspec.Raw(codec.encode(command.stated))
    return New(e.ScoreStated(deal.number, command.what, raw), _words(command.note))


def _note_irregularity(match: Match, command: c.NoteIrregularity) -> New:
    if not 1 <= command.at <= match.version:
        raise Refusal("misfit", f"there is no version {command.at}")
    return New(e.IrregularityNoted(_last(match).number, command.code, command.at), _words(command.note))


def _rule(match: Match, command: c.Rule) -> list[New]:
    """A ruling on a deal that is over, and who accepted it."""
    deal = _deal(match, command.deal)
    if command.scores is not None and len(command.scores) != len(match.setup.sides):
        raise Refusal("malformed", f"`scores` has one figure a side: {len(match.setup.sides)}")
    if played(match, deal) is None and command.scores is None:
        raise Refusal("misfit", f"deal {deal.number} has no result yet: give the scores")
    ruling = e.RulingMade(deal.number, command.code, command.at, command.scores)
    private = command.private or _words(command.note)
    accepted = [New(e.RulingAccepted(deal.number, side)) for side in command.accepted]
    return [New(ruling, private), *accepted]
