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
from domain.match.decide import decide
from domain.match.evolve import fold, initial
from domain.match.state import Match, State
from domain.notation.dealing import random_play

SEED = 1
SIDES = (("ann",), ("ben",))


class PlayedDeal(msgspec.Struct, frozen=True):
    """A complete deal: who dealt, the cards, every fact in order."""

    dealer: int
    deal: Any
    facts: tuple[Fact, ...]


def played_deal(key: str, number: int) -> PlayedDeal:
    """Deal `number` of the seed, played out with the game's default options."""
    game = find(key)
    options = game.options()
    stream = words(f"lurch bench/{key}/{SEED}/{number}".encode())
    dealer = number % game.seats(options)
    deal = game.deal_out(options, shuffled(tuple(cards_in(game.pack(options))), stream))
    return PlayedDeal(dealer, deal, tuple(random_play(game, game.start(options, dealer, deal), stream)))


def facts_body(facts: tuple[Fact, ...]) -> bytes:
    """The body of a request that records these facts."""
    return codec.encode_plain({"facts": facts})


def match_news(key: str, number: int) -> list[New]:
    """The events of a match of one deal, through the same decisions as at the table."""
    played = played_deal(key, number)
    state: State = initial()
    news: list[New] = []
    for command in (
        c.OpenMatch(game=key, options={}, race={}, sides=SIDES),
        c.StartDeal(dealer=played.dealer),
        c.RecordFacts(facts=played.facts),
    ):
        state = _recorded(state, command, news)
    assert isinstance(state, Match)
    return news


def _recorded(state: State, command: c.MatchCommand, news: list[New]) -> State:
    fresh = decide(state, command, SERVICE)
    numbered = [(state.version + place, new.event) for place, new in enumerate(fresh, start=1)]
    news.extend(fresh)
    return fold(state, numbered)
