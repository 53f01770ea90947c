"""What every game owes its protocol; a test module calls these for each game and each option."""

import random
from typing import Any

from domain.cards import cards_in
from domain.game import ALL, Game
from tests.domain.strategies import junk, universe
from tests.domain.tables import random_deal, random_legal


def unanswered(game: Any) -> list[str]:
    """The members of the protocol that a game does not have."""
    wanted = {name for name in (*vars(Game), *Game.__annotations__) if not name.startswith("_")}
    return sorted(name for name in wanted if not hasattr(game, name))


def the_pack_is_dealt_exactly_once(game: Any, options: Any, seed: int) -> None:
    deal = random_deal(game.key, options, seed)
    assert game.check_deal(options, deal) is None
    spread = game.to_spread(deal)
    gaps = sum(row.count(None) for row in spread.rows)  # a gap stands for the joker of the pack
    assert len(set(spread.cards)) == len(spread.cards) == game.pack(options).bit_count() - gaps
    assert set(spread.cards) <= set(cards_in(game.pack(options)))
    assert game.from_spread(options, spread) == deal


def something_is_legal_until_the_end(game: Any, options: Any, states: list) -> None:
    seats = game.seats(options)
    for state in states[:-1]:
        assert game.legal(state)
        assert game.to_act(state) in range(seats)
        assert game.score(state) is None
        assert game.legal(state) == game.legal(state)
    assert game.to_act(states[-1]) is None
    assert game.legal(states[-1]) == ()
    assert len(game.score(states[-1]).scores) in (seats, len(game.sides(options)))


def every_prefix_replays(game: Any, options: Any, dealer: int, deal: Any, facts: list, states: list) -> None:
    state = game.start(options, dealer, deal)
    for fact, expected in zip(facts, states, strict=False):
        assert state == expected
        state = game.evolve(state, fact)
    assert state == states[-1]


def breaches_are_empty_exactly_for_legal_facts(game: Any, states: list) -> None:
    every = universe(game)
    for state in states:
        legal = set(game.legal(state))
        assert legal <= set(every)
        for fact in every:
            if type(fact) in game.remarks:
                continue
            reasons = game.breaches(state, fact)
            assert (reasons == ()) == (fact in legal), (fact, reasons)
            assert all(reason.rule and reason.detail for reason in reasons)


def evolve_never_raises(game: Any, options: Any, dealer: int, deal: Any, seed: int, games: Any) -> list:
    """Any facts at all, in any order: no exception, and a misfit leaves the very same table."""
    chance = random.Random(seed)
    state = game.start(options, dealer, deal)
    pool, anything = universe(game), junk(games, chance, 30)
    states = [state]
    for step in range(140):
        if game.to_act(state) is None:
            break
        legal = game.legal(state)
        alike = [fact for fact in pool if legal and type(fact) is type(legal[-1])]
        fact = chance.choice(chance.choice((legal, alike, alike, pool, anything)) or pool)
        reasons = game.breaches(state, fact)
        after = game.evolve(state, fact)
        if any(reason.misfit for reason in reasons) or type(fact) in game.remarks:
            assert after == state
        state = after
        states.append(state)
        if step % 3:
            continue
        for look in (game.score, game.duty, game.sums, game.legal, game.to_act):
            look(state)
        for viewer in (None, ALL, *range(game.seats(options))):
            game.view(state, viewer)
    return states


def a_finished_deal_takes_nothing_more(game: Any, last: Any) -> None:
    for fact in universe(game)[::7]:
        if type(fact) in game.remarks:
            continue
        assert any(reason.misfit for reason in game.breaches(last, fact))
        assert game.evolve(last, fact) == last


def whole_check(game: Any, options: Any, games: Any, seed: int = 1) -> None:
    """All of the above for one game and one set of options, with known and with unknown hands."""
    the_pack_is_dealt_exactly_once(game, options, seed)
    for deal in (random_deal(game.key, options, seed), None):
        start = game.start(options, 0, deal)
        facts = random_legal(game, start, random.Random(seed))
        states = [start]
        for fact in facts:
            states.append(game.evolve(states[-1], fact))
        something_is_legal_until_the_end(game, options, states)
        every_prefix_replays(game, options, 0, deal, facts, states)
        breaches_are_empty_exactly_for_legal_facts(game, states[::3])
        evolve_never_raises(game, options, 0, deal, seed, games)
        a_finished_deal_takes_nothing_more(game, states[-1])
