"""Seeded matches for the figures: deals played out at random by the rules, as facts and as events."""

from typing import Any

import msgspec

from domain import codec
from domain.cards.card import cards_in
from domain.cards.facts import Fact
from domain.chance import shuffled, words
from domain.games import find
from domain.log.actor import SERVICE
from domain.log.decider import New
from domain.match import commands as c
from domain.match.audit.finding import Course
from domain.match.decide import decide
from domain.match.evolve import fold, initial
from domain.match.settled import contradicts_earlier_deal
from domain.match.state import Match, State, next_dealer, race_of
from domain.notation.dealing import random_play

SEED = 1
NAMES = ("ann", "ben", "cat", "dan")


class PlayedDeal(msgspec.Struct, frozen=True):
    """A complete deal: who dealt, the cards, every fact in order."""

    dealer: int
    deal: Any
    facts: tuple[Fact, ...]


def played_deal(key: str, number: int, dealer: int | None = None) -> PlayedDeal:
    """Deal `number` of the seed, played out with the game's default options; the numbers take turns at dealing, unless
    one says who does."""
    game = find(key)
    options = game.options()
    stream = words(f"lurch bench/{key}/{SEED}/{number}".encode())
    dealer = number % game.seats(options) if dealer is None else dealer
    deal = game.deal_out(options, shuffled(tuple(cards_in(game.pack(options))), stream))
    return PlayedDeal(dealer, deal, tuple(random_play(game, game.start(options, dealer, deal), stream)))


def fits(course: Course) -> bool:
    """Tells whether every entry of a deal fits, hands unknown."""
    table = course.game.start(course.options, course.dealer, None)
    for fact in course.facts:
        if any(each.misfit for each in course.game.breaches(table, fact)):
            return False
        table = course.game.evolve(table, fact)
    return True


def needs_cards(course: Course) -> bool:
    """Tells whether a complete deal cannot be recorded with hands unknown."""
    table = course.game.start(course.options, course.dealer, None)
    for fact in course.facts:
        table = course.game.evolve(table, fact)
    return course.game.score(table) is None or not fits(course)


def facts_body(facts: tuple[Fact, ...]) -> bytes:
    """The body of a request that records these facts."""
    return codec.encode_plain({"facts": facts})


def match_news(key: str, number: int, deals: int = 1) -> list[New]:
    """The events of a match of one deal, or of so many if it lasts as long, through the same decisions as at the
    table. Hands are unknown, unless the entries of the game need them."""
    state: State = initial()
    news: list[New] = []
    state = _recorded(state, c.OpenMatch(game=key, options={}, race={}, sides=sides_of(key)), news)
    for each in range(deals):
        assert isinstance(state, Match)
        if race_of(state).finished:
            break
        played = played_deal(key, number * deals + each, next_dealer(state))
        setup = state.setup
        known = needs_cards(Course(setup.game, setup.options, played.dealer, None, played.facts))
        if known and contradicts_earlier_deal(state, played.deal, len(state.deals) + 1) is not None:
            break
        cards = codec.plain(played.deal) if known else None
        state = _recorded(state, c.StartDeal(dealer=played.dealer, deal=cards), news)
        state = _recorded(state, c.RecordFacts(facts=played.facts), news)
    assert isinstance(state, Match)
    return news


def sides_of(key: str) -> tuple[tuple[str, ...], ...]:
    """Somebody for each seat of a game, by side."""
    game = find(key)
    return tuple(tuple(NAMES[seat] for seat in seats) for seats in game.sides(game.options()))


def _recorded(state: State, command: c.MatchCommand, news: list[New]) -> State:
    fresh = decide(state, command, SERVICE)
    numbered = [(state.version + place, new.event) for place, new in enumerate(fresh, start=1)]
    news.extend(fresh)
    return fold(state, numbered)
