"""Legal deals in which every possible claim and announcement is made, so that nothing lapses."""

import random
from typing import Any

from domain.match.audit.finding import Course
from tests.kit.audit.illegal import Form, spoken, with_draws
from tests.kit.games.strategies import setup
from tests.kit.match.tables import is_draw, random_deal

LOUD = ("claim", "announce")


def legal_deal(form: Form, seed: int, known: bool = True, draws: bool = False) -> Course:
    """Return the record of a legal deal, cards known or physical, with every draw or none."""
    game, options = setup(form)
    chance = random.Random(f"legal {form} {seed}")
    dealer = chance.randrange(game.seats(options))
    deal = random_deal(game.key, options, chance.randrange(2**32))
    states, facts = [game.start(options, dealer, deal)], []
    while game.to_act(states[-1]) is not None:
        facts.append(attentive(game, states[-1], chance))
        states.append(game.evolve(states[-1], facts[-1]))
    if known:
        return Course(game, options, dealer, deal, tuple(facts))
    told = spoken(game, facts, states)
    if draws:
        told = with_draws(game, options, dealer, told, states)
    return Course(game, options, dealer, None, tuple(told))


def attentive(game: Any, state: Any, chance: random.Random) -> Any:
    """Return a legal fact, preferring the largest claim or announcement."""
    legal = game.legal(state)
    loud = [each for each in legal if tag(each) in LOUD]
    if loud:
        return max(loud, key=lambda each: getattr(each, "claim", 0))
    return chance.choice([each for each in legal if not is_draw(each)])


def tag(fact: Any) -> str:
    return str(type(fact).__struct_config__.tag)
