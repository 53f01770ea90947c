"""Decisions about a deal's result: entered, paused for, declared void and brought back, signed, shown to everybody."""

import msgspec

from domain import codec
from domain.game.protocol import AnyEntry
from domain.game.sheet import EntryError
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, lost_race
from domain.log.event import Json
from domain.log.strength import reaches
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import figures_of
from domain.match.changing import check_changes
from domain.match.claims import claim_to_second, scores_of
from domain.match.evolve import fold
from domain.match.rights import check_neutral, check_stays_over, claiming_side
from domain.match.sight import hands_open, holds_hidden
from domain.match.signatures import Signing, adds, check_strong_enough, signing
from domain.match.starting import deal_named, deal_on, last_deal, private_note, start_deal
from domain.match.state import Deal, Match, by_side, is_complete, open_deal, race_of, race_scores, side_of, side_scores


def entered(match: Match, command: c.EnterResult, actor: Actor) -> list[New]:
    """A result without cards, for the deal that is on or one that is started for it (ALL.4). What a player enters, the
    own side has confirmed; where hands are hidden, it is no more than what that side says."""
    number = _meant(match, command)
    on = open_deal(match)
    if number <= len(match.deals) and (on is None or on.number != number):
        return _entered_again(match, match.deals[number - 1], command, actor)
    if command.expected not in (None, match.version):
        raise lost_race(match.version)
    news: list[New] = []
    at = match
    if on is None:
        start = c.StartDeal(dealer=command.dealer, lot=command.lot, depth="summary")
        news.append(start_deal(match, start))
        at = _after(match, news)
    entry = read_entry(at, command.entry)
    claiming = claiming_side(at, at.deals[-1], actor)
    news.append(New(e.ResultEntered(number, msgspec.Raw(codec.encode(entry)), claiming), private_note(command.note)))
    if claiming is None:
        after = _after(match, news)
        news += _signed_too(after, number, _with_this(command, match.version, after.version), actor)
    return news


def _after(match: Match, news: list[New]) -> Match:
    after = fold(match, [(match.version + place, new.event) for place, new in enumerate(news, start=1)])
    assert isinstance(after, Match)
    return after


def _meant(match: Match, command: c.EnterResult) -> int:
    """The number of the deal that a result is for. Raises Refusal for one that there cannot be now."""
    on, count = open_deal(match), len(match.deals)
    following = count if on is not None else count + 1
    number = following if command.deal is None else command.deal
    if number > following:
        why = f"deal {following} comes first"
        raise Refusal("misfit", f"there is no deal {number} yet: {why}")
    return number


def _entered_again(match: Match, deal: Deal, command: c.EnterResult, actor: Actor) -> list[New]:
    """A result for a deal that is over: the same one says nothing new, but that a side agrees to it. Raises Refusal for
    another one, with both."""
    if deal.void:
        raise Refusal("misfit", f"deal {deal.number} was declared void: bring it back first, or enter the next one")
    entry = read_entry(match, command.entry)
    given = match.setup.game.sheet.score(match.setup.options, entry)
    yours = None if given.void else by_side(match.setup, given.scores)
    stands = side_scores(match, deal)
    if yours != stands or (deal.entry is not None and not deal.rulings and deal.entry[1] != entry):
        raise Refusal(
            "already-entered",
            f"deal {deal.number} has a result: {_figures(stands)}; yours is {_figures(yours)}. "
            "If the first one is wrong, correct it with a reason, or dispute it",
            recorded=stands,
            yours=yours,
        )
    return _signed_too(match, deal.number, command, actor)


def _figures(scores: tuple[int, ...] | None) -> str:
    return "passed out" if scores is None else "–".join(map(str, scores))


def _signed_too(match: Match, number: int, command: c.EnterResult, actor: Actor) -> list[New]:
    """The confirmation of the side whose player said what the result is; a deal that does not count needs none, and one
    that would be too weak is none."""
    deal, side = match.deals[number - 1], side_of(match, actor)
    scores = to_sign(match, deal)
    if side is None or scores is None:
        return []
    signed = signing(match, deal, side, actor, command.own)
    weak = match.setup.tournament is None and not reaches(signed.strength, command.asks)
    if weak or not adds(deal, side, signed):
        return []
    return [New(e.ResultConfirmed(number, side, scores, None, *signed), signs=True)]


def _with_this(command: c.EnterResult, before: int, after: int) -> c.EnterResult:
    """The command with the acts of its device known as far as its own events: nobody comes between those."""
    if command.own is None or command.own.upto < before:
        return command
    return msgspec.structs.replace(command, own=msgspec.structs.replace(command.own, upto=after))


def read_entry(match: Match, entry: Json) -> AnyEntry:
    """An entry in the game's own shape and within its invariants. Raises Refusal."""
    game, options = match.setup.game, match.setup.options
    try:
        read: AnyEntry = codec.convert(entry, game.sheet.entry(options))
        game.sheet.score(options, read)
    except msgspec.ValidationError as error:
        raise Refusal("malformed", f"entry: {error}") from None
    except EntryError as error:
        raise Refusal("malformed", error.detail, error.rule) from None
    return read


def paused(match: Match, command: c.PauseRecording, actor: Actor) -> New:
    """From here the result only."""
    deal = deal_on(match)
    return New(e.RecordingPaused(deal.number, claiming_side(match, deal, actor)), private_note(command.note))


def voided(match: Match, command: c.VoidDeal, actor: Actor) -> New:
    """The last deal does not count; whoever dealt it deals again (ALL.5)."""
    deal = last_deal(match)
    if deal.void:
        raise Refusal("misfit", f"deal {deal.number} is void already")
    found = check_changes(match, deal, actor, command.moment)
    if is_complete(match, deal):
        check_neutral(match, deal, actor)
        return New(e.DealVoided(deal.number, window=found), private_note(command.note))
    return New(e.DealVoided(deal.number, claiming_side(match, deal, actor), window=found), private_note(command.note))


def restored(match: Match, command: c.RestoreDeal, actor: Actor) -> New:
    """The last deal counts after all, as it stood when it was declared void."""
    deal = last_deal(match)
    if not deal.void:
        raise Refusal("misfit", f"deal {deal.number} is not void")
    check_changes(match, deal, actor, command.moment)
    check_neutral(match, deal, actor)
    check_stays_over(match, deal)
    return New(e.DealRestored(deal.number), private_note(command.note))


def abandoned(match: Match, command: c.AbandonMatch, actor: Actor) -> New:
    """A match that was opened by mistake will not be played. Raises Refusal for one that belongs to a tournament, or is
    over, and where something was recorded for who directs nobody."""
    if match.setup.tournament is not None:
        raise Refusal("forbidden", "this match belongs to a tournament: its director takes the pairing back")
    if race_of(match).finished:
        raise Refusal("misfit", "this match is over, and counts: correct its deals instead")
    if any(deal.facts or deal.entry for deal in match.deals) and not actor.directs:
        raise Refusal("forbidden", "something was recorded in this match: ask a director to abandon it")
    return New(e.MatchVoided(), private_note(command.note))


def hands_opened(match: Match, command: c.OpenHands) -> New:
    """The hands of a deal that is over are everybody's to see, and it stays over."""
    deal = deal_named(match, command.deal)
    if not command.note:
        raise Refusal("malformed", "say why the hands are opened: `reason`")
    if not is_complete(match, deal):
        raise Refusal("misfit", f"deal {deal.number} is still on: enter its result or declare it void first")
    if hands_open(match, deal):
        raise Refusal("misfit", f"everybody may see the hands of deal {deal.number} already")
    return New(e.HandsOpened(deal.number), private_note(command.note))


def confirmed(match: Match, command: c.ConfirmResult, actor: Actor) -> New:
    """A side agrees to a result that is there, or to what the other side says of a deal whose hands are hidden."""
    deal = deal_named(match, command.deal)
    if not 0 <= command.side < len(match.setup.sides):
        raise Refusal("malformed", f"`side` is 0 to {len(match.setup.sides) - 1}")
    own = side_of(match, actor)
    if own not in (None, command.side) and (actor.role == "player" or holds_hidden(match, deal)):
        raise Refusal("forbidden", "you can confirm for your own side only")
    signed = signing(match, deal, command.side, actor, command.own)
    check_strong_enough(match, signed, command.asks)
    scores = _seconded(match, deal, command) if deal.claims and not is_complete(match, deal) else None
    if scores is None:
        scores = _agreed(match, deal, command, signed)
    event = e.ResultConfirmed(deal.number, command.side, scores or None, None, *signed)
    return New(event, private_note(command.note), signs=True)


def silence_counted(match: Match, command: c.CountSilence) -> New:
    """A side has not answered for as long as its tournament waits: that is a yes."""
    deal = deal_named(match, command.deal)
    signed = [each.version for side, each in deal.signatures.items() if side in deal.confirmed]
    if command.since not in signed or command.side in deal.confirmed or not race_of(match).finished:
        raise Refusal("changed", f"deal {deal.number} has changed: nobody is silent about it")
    if match.disputes:
        raise Refusal("misfit", "the result is disputed: the director decides")
    if not 1 <= command.after <= command.waited:
        raise Refusal("misfit", f"a side has {command.after} minutes to answer, and only {command.waited} have passed")
    event = e.ResultConfirmed(deal.number, command.side, to_sign(match, deal), None, None, "timeout")
    return New(event, private_note(command.note), signs=True)


def _seconded(match: Match, deal: Deal, command: c.ConfirmResult) -> tuple[int, ...]:
    """The scores that the other side claims; none for a claim that is no result. Raises Refusal."""
    claim = claim_to_second(deal, command.side)
    if claim is None:
        raise Refusal("misfit", "this side has said so already: now the other side confirms")
    if command.claim not in (None, claim.version):
        raise Refusal("changed", f"another side says something else of deal {deal.number} by now: look at it again")
    scores = scores_of(match, claim)
    _check_unchanged(deal, command.scores, scores)
    return scores or ()


def _agreed(match: Match, deal: Deal, command: c.ConfirmResult, signed: Signing) -> tuple[int, ...]:
    if not is_complete(match, deal):
        raise Refusal("misfit", f"deal {deal.number} has no result yet")
    stands = to_sign(match, deal)
    named = command.scores
    if named is not None and named == side_scores(match, deal) and match.setup.race.best_of == 1:
        stands = named
    _check_unchanged(deal, named, stands)
    if not adds(deal, command.side, signed) and deal.signed.get(command.side) in (None, stands):
        raise Refusal("misfit", "this side has confirmed already")
    return stands or ()


def _check_unchanged(deal: Deal, named: tuple[int, ...] | None, stands: tuple[int, ...] | None) -> None:
    """Raises Refusal where something else stands than was to be signed."""
    if named is not None and named != stands:
        raise Refusal(
            "changed",
            f"deal {deal.number} stands at {_figures(stands)} now, not at {_figures(named)}: look at it, then confirm "
            "again",
            recorded=stands,
            yours=named,
        )


def to_sign(match: Match, deal: Deal) -> tuple[int, ...] | None:
    """The figures that a confirmation signs: a deal's scores by side, and with the last deal that counts in a match
    that is over the totals of the match; None where the deal does not count."""
    scores = side_scores(match, deal)
    if scores is None or not race_of(match).finished:
        return scores
    counting = [each.number for each in match.deals if race_scores(match, each) is not None]
    return figures_of(match) if deal.number == counting[-1] else scores
