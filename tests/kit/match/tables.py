"""Shorthand for tests: cards, filled-up hands, recorded facts and a match at a table."""

import random
from typing import Any

import msgspec

from domain import codec
from domain.cards.card import cards_in, parse_card
from domain.game.script import DealCards
from domain.games import find
from domain.log.actor import SERVICE, Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.evolve import fold, initial
from domain.match.state import Match, race_of


def cards(text: str) -> tuple:
    return tuple(parse_card(word) for word in text.split())


def options_of(key: str, **given: Any):
    return codec.convert(given, find(key).options)


def fact(*action: Any):
    return codec.from_list(list(action))


def plays(*pairs: tuple[int, str]) -> list:
    return [fact(seat, "play", card) for seat, card in pairs]


def filled(pack: int, sizes: tuple[int, ...], *wanted: str, seed: int = 1) -> list[tuple]:
    """Split a pack into parts of the given sizes, each starting with its wanted cards."""
    parts = [list(cards(text)) for text in wanted]
    parts += [[] for _ in range(len(sizes) - len(parts))]
    taken = {card for part in parts for card in part}
    rest = [card for card in cards_in(pack) if card not in taken]
    random.Random(seed).shuffle(rest)
    for part, size in zip(parts, sizes, strict=True):
        while len(part) < size:
            part.append(rest.pop())
    assert not rest
    return [tuple(part) for part in parts]


def deal_for(key: str, *wanted: str, seed: int = 1, **given: Any):
    """Return a deal whose hands, then stock, start with the wanted cards."""
    game, options = find(key), options_of(key, **given)
    dealt = game.script.cards_of(random_deal(key, options, seed))
    hands, stock = dealt.hands, dealt.stock
    sizes = (*map(len, hands), *([len(stock)] if stock else ()))
    parts = filled(game.pack(options), sizes, *wanted, seed=seed)
    return game.script.deal_of(options, DealCards(tuple(parts[: len(hands)]), parts[-1] if stock else ()))


def random_deal(key: str, options: Any, seed: int):
    game = find(key)
    pack = list(cards_in(game.pack(options)))
    random.Random(seed).shuffle(pack)
    return game.deal_out(options, tuple(pack))


def begin(key: str, dealer: int = 0, deal: Any = None, **given: Any):
    return find(key).start(options_of(key, **given), dealer, deal)


def after(key: str, state: Any, *actions: Any):
    """Return the table after these facts, all of which must be legal."""
    game = find(key)
    for action in actions:
        each = fact(*action) if isinstance(action, tuple) else action
        assert game.breaches(state, each) == (), (action, game.breaches(state, each))
        state = game.evolve(state, each)
    return state


def happened(key: str, state: Any, *actions: Any):
    """Return the table after these facts, legal or not."""
    game = find(key)
    for action in actions:
        state = game.evolve(state, fact(*action) if isinstance(action, tuple) else action)
    return state


def codes(key: str, state: Any, *action: Any) -> list:
    """Return the rule number and code of each breach of a fact."""
    each = fact(*action) if len(action) > 1 else action[0]
    return [(breach.rule, breach.code) for breach in find(key).breaches(state, each)]


def is_misfit(key: str, state: Any, *action: Any) -> bool:
    return any(breach.misfit for breach in find(key).breaches(state, fact(*action)))


def is_draw(each: Any) -> bool:
    return type(each).__struct_config__.tag == "draw"


def told(game: Any, facts: list, states: list) -> list:
    """Return the facts of a known deal as a table with physical cards records them, naming cards turned up."""
    found = []
    for each, before, later in zip(facts, states, states[1:], strict=False):
        old, new = game.view(before, "all"), game.view(later, "all")
        fresh = {*new.seen, *sum(getattr(new, "shown", ()), ())} - {*old.seen, *sum(getattr(old, "shown", ()), ())}
        turned_up = not is_draw(each) and getattr(each, "card", 0) is None and fresh
        found.append(msgspec.structs.replace(each, card=fresh.pop()) if turned_up else each)
    return found


def random_legal(game: Any, state: Any, chance: random.Random, limit: int = 3000) -> list:
    """Play random legal facts to the end of the deal, with occasional unseen draws."""
    facts = []
    while game.to_act(state) is not None:
        legal = game.legal(state)
        assert legal, "nothing is legal and the deal is not over"
        # a drawn card that is named must be played some time, which play at random forgets; a card that falls
        # unnamed may leave a deal without a score
        legal = tuple(each for each in legal if (getattr(each, "card", each) is None) == is_draw(each)) or legal
        quiet = [each for each in legal if not is_draw(each)]
        each = chance.choice(quiet if chance.random() < 0.9 else legal)
        facts.append(each)
        state = game.evolve(state, each)
        assert len(facts) < limit, "the deal does not end"
    return facts


def score_of(key: str, entry: Any, **given: Any):
    game, options = find(key), options_of(key, **given)
    return game.sheet.score(options, codec.convert(entry, game.sheet.entry(options)))


class Table:
    """A match in memory: decides commands, keeps the log and checks that folding it gives the same state."""

    def __init__(self, game: str, sides: Any = (("ann",), ("ben",)), recording: str = "record", **race: Any):
        options, signals = race.pop("options", {}), race.pop("signals", None)
        self.state: Any = initial()
        self.log: list = []
        self.do(
            c.OpenMatch(
                game=game,
                options=options,
                race=race,
                sides=tuple(tuple(side) for side in sides),
                recording=recording,
                signals=signals,
            )
        )

    def do(self, command: Any, actor: Actor = SERVICE) -> int:
        news = decide(self.state, command, actor)
        numbered = [(self.state.version + place, new.event) for place, new in enumerate(news, start=1)]
        self.log += numbered
        self.state = fold(self.state, numbered)
        assert self.state == fold(initial(), self.log), "folding the log again gives another state"
        return self.state.version

    def refused(self, command: Any, actor: Actor = SERVICE) -> Refusal:
        before = self.state
        try:
            decide(self.state, command, actor)
        except Refusal as refusal:
            assert self.state == before
            return refusal
        raise AssertionError("the command was not refused")

    def start(self, **given: Any) -> int:
        return self.do(c.StartDeal(**given))

    def record(self, *actions: Any, **given: Any) -> int:
        facts = tuple(fact(*each) if isinstance(each, tuple) else each for each in actions)
        return self.do(c.RecordFacts(facts=facts, **given))

    def enter(self, entry: Any, **given: Any) -> int:
        return self.do(c.EnterResult(entry=entry, **given))

    @property
    def match(self) -> Match:
        return self.state

    @property
    def race(self):
        return race_of(self.state)

    @property
    def dealers(self) -> list[int]:
        return [deal.dealer for deal in self.state.deals]


def recording(*actions: Any, **given: Any):
    """Return the command that records these facts."""
    return c.RecordFacts(facts=tuple(fact(*each) if isinstance(each, tuple) else each for each in actions), **given)
