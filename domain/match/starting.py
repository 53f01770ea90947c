"""The deal that is meant, and the beginning of the next one."""

import msgspec

from domain import codec
from domain.log.decider import New, Refusal
from domain.log.event import JsonObject
from domain.match import commands as c
from domain.match import events as e
from domain.match.opening import read_deal
from domain.match.settled import contradicts_earlier_deal
from domain.match.state import Deal, Match, next_dealer, open_deal, race_of


def private_note(note: str | None) -> JsonObject | None:
    """A note as the private part of an event."""
    return {"note": note} if note else None


def deal_on(match: Match) -> Deal:
    """The deal that is on. Raises Refusal when there is none."""
    deal = open_deal(match)
    if deal is None:
        raise Refusal("misfit", f"no deal is on{_finished_hint(match)}")
    return deal


def _finished_hint(match: Match) -> str:
    return ": the match is finished" if race_of(match).finished else ": start the next deal first"


def last_deal(match: Match) -> Deal:
    """The last deal. Raises Refusal when there is none."""
    if not match.deals:
        raise Refusal("misfit", "no deal has been started yet")
    return match.deals[-1]


def deal_named(match: Match, number: int | None) -> Deal:
    """The deal of that number, the last one where none is named. Raises Refusal."""
    if number is None:
        return last_deal(match)
    if not 1 <= number <= len(match.deals):
        raise Refusal("misfit", f"there is no deal {number}: this match has {len(match.deals)} so far")
    return match.deals[number - 1]


def start_deal(match: Match, command: c.StartDeal) -> New:
    """The next deal; not while one is on, not after the end (ALL.1, ALL.2). Raises Refusal."""
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
    other = contradicts_earlier_deal(match, deal, number)
    if other is not None and setup.recording == "strict":
        raise Refusal("rule-broken", other.detail, other.rule, other.code)
    private = command.private or private_note(command.note)
    return New(e.DealStarted(number, dealer, depth, raw), private)
