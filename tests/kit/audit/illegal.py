"""Illegal deals: random legal play with one breach, continued legally."""

import random
from functools import cache
from typing import Any, NamedTuple

from domain.cards.card import CARDS
from domain.cards.facts import CardDrawn
from domain.cards.seats import eldest
from domain.game.judgement import Breach
from domain.games import find
from domain.match.audit.finding import Course
from tests.kit.games.strategies import candidates, setup
from tests.kit.match.tables import deal_for, is_draw, random_deal, told

Form = tuple[str, dict[str, Any]]


class Made(NamedTuple):
    """A played deal with cards known, the place of its one breach and the rules that it breaks."""

    game: Any
    options: Any
    dealer: int
    deal: Any
    facts: list[Any]
    states: list[Any]
    place: int
    breaches: tuple[Breach, ...]

    def course(self, known: bool = True, draws: bool = False, after: int | None = None) -> Course:
        """Return the record: cards typed or physical, every draw or none, and only `after` facts behind the breach if
        given."""
        end = len(self.facts) if after is None else min(len(self.facts), self.place + 1 + after)
        facts, states = self.facts[:end], self.states[: end + 1]
        if not known:
            facts = spoken(self.game, facts, states)
        if draws:
            facts = with_draws(self.game, self.options, self.dealer, facts, states)
        return Course(self.game, self.options, self.dealer, self.deal if known else None, tuple(facts))

    def at(self, course: Course) -> int:
        """Return the place of the breach in a course of this deal, which may have draws before it."""
        acts = [place for place, fact in enumerate(course.facts) if not is_draw(fact)]
        return acts[self.place]


def spoken(game: Any, facts: list[Any], states: list[Any]) -> list[Any]:
    """Return the facts of a known deal as a table with physical cards records them."""
    return told(game, facts, states)


def with_draws(game: Any, options: Any, dealer: int, told: list[Any], states: list[Any]) -> list[Any]:
    """Insert every draw after the card it followed; `states` are the tables with cards known."""
    state, found = game.start(options, dealer, None), []
    for place, fact in enumerate(told):
        found.append(fact)
        state = game.evolve(state, fact)
        due = game.due_draws(state)
        if not due:
            continue
        fresh = {seat: came(game, states, place + 1, seat) or came(game, states, place, seat) for seat in set(due)}
        for seat in due:
            bit = fresh[seat] & -fresh[seat]
            if not bit:
                continue
            fresh[seat] ^= bit
            found.append(CardDrawn(seat, CARDS[bit.bit_length() - 1]))
            state = game.evolve(state, found[-1])
    return found


def came(game: Any, states: list[Any], place: int, seat: int) -> int:
    """Return the cards that a hand gained with the fact before a place. A seat that may spice draws before it
    decides."""
    return game.holding(states[place], seat) & ~game.holding(states[place - 1], seat) if place else 0


def step(game: Any, state: Any, chance: random.Random, liked: str = "") -> Any:
    """Return a legal fact other than a draw, claims first, or None if the seat has nothing to play."""
    claims = [each for each in game.legal(state) if type(each).__struct_config__.tag == "claim"]
    if claims:
        return max(claims, key=lambda each: each.claim)
    quiet = [each for each in game.legal(state) if not is_draw(each)]
    wanted = [each for each in quiet if liked and liked in str(getattr(each, "card", None) or "")]
    return chance.choice(wanted or quiet) if quiet else None


def play_on(game: Any, facts: list[Any], states: list[Any], chance: random.Random, liked: str = "") -> None:
    """Play legal facts until the deal is over, preferring cards of the rank `liked`."""
    count = 0
    while game.to_act(states[-1]) is not None:
        fact = step(game, states[-1], chance, liked)
        if fact is None:
            return
        facts.append(fact)
        states.append(game.evolve(states[-1], facts[-1]))
        count += 1
        assert count < 3000, "the deal does not end"


@cache
def _sayable(key: str, options: Any) -> list[Any]:
    """Every fact of a game that its seats can do with cards of its pack."""
    game = find(key)
    pack, seats = game.pack(options), game.seats(options)
    found = [fact for kind in game.facts for fact in candidates(kind) if fact.seat < seats]
    return [fact for fact in found if getattr(fact, "card", None) is None or pack >> fact.card & 1]


def wrong_facts(
    game: Any, options: Any, state: Any, chance: random.Random, physical: bool = True, most: int = 600
) -> list[tuple[Any, tuple[Breach, ...]]]:
    """Return up to `most` facts that break a rule; if `physical`, none that plays a card twice or from elsewhere."""
    every = _sayable(game.key, options)
    found = []
    for fact in chance.sample(every, min(most, len(every))):
        reasons = game.breaches(state, fact)
        if not reasons or any(reason.misfit for reason in reasons):
            continue
        if physical and any(reason.code in ("DUP", "NIH") for reason in reasons):
            continue
        found.append((fact, reasons))
    return found


def helped(form: Form, code: str | None, dealer: int, seed: int) -> tuple[Any, str]:
    """Return a deal in which a rare code can happen, and the rank to play first."""
    key, given = form
    _, options = setup(form)
    if code == "RK4":
        hands = ["S7 H7 C7 D7" if seat == eldest(dealer, 4) else "" for seat in range(4)]
        return deal_for(key, *hands, seed=seed, **given), "7"
    if code == "LKG":
        return deal_for(key, "SK", "HK", "DK", "CK", seed=seed, **given), "K"
    return random_deal(key, options, seed), ""


def one_wrong(form: Form, seed: int, code: str | None = None, physical: bool = True, known: bool = True) -> Made | None:
    """Return a whole deal with one breach, of `code` if given, or None if no place allows it."""
    game, options = setup(form)
    chance = random.Random(f"{form} {seed} {code}")
    dealer = chance.randrange(game.seats(options))
    deal, liked = helped(form, code, dealer, chance.randrange(2**32))
    facts: list[Any] = []
    states = [game.start(options, dealer, deal if known else None)]
    play_on(game, facts, states, chance, liked)
    deal = deal if known else None
    spots = list(range(len(facts)))
    chance.shuffle(spots)
    for place in spots:
        choices = wrong_facts(game, options, states[place], chance, physical)
        choices = [each for each in choices if code is None or any(one.code == code for one in each[1])]
        if not choices:
            continue
        by_code: dict[Any, list[Any]] = {}
        for each in choices:
            by_code.setdefault(each[1][0].code, []).append(each)
        fact, reasons = chance.choice(by_code[chance.choice(sorted(by_code, key=str))])
        facts, states = [*facts[:place], fact], [*states[: place + 1], game.evolve(states[place], fact)]
        play_on(game, facts, states, chance)
        return Made(game, options, dealer, deal, facts, states, place, reasons)
    return None
