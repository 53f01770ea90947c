"""Random complete deals with legal random play, from a key: the same key, the same deal, anywhere."""

from collections.abc import Iterator

from domain.cards.card import cards_in
from domain.cards.facts import Fact
from domain.chance import below, shuffled, words
from domain.game.protocol import AnyGame, AnyOptions, AnyTable
from domain.log.event import JsonObject
from domain.notation import history


def random_deal(game: AnyGame, options: AnyOptions, given: JsonObject, seed: int, number: int) -> str:
    """Deal `number` of a seed as a history line."""
    stream = words(f"lurch deal/{game.key}/{seed}/{number}".encode())
    dealer = (number - 1) % game.seats(options)
    deal = game.deal_out(options, shuffled(tuple(cards_in(game.pack(options))), stream))
    facts = random_play(game, game.start(options, dealer, deal), stream)
    return history.write(game, given, dealer, deal, facts)


def random_play(game: AnyGame, table: AnyTable, stream: Iterator[int]) -> list[Fact]:
    """Legal facts at random until the deal is complete."""
    facts = []
    while choices := game.legal(table):
        fact = choices[below(stream, len(choices))]
        facts.append(fact)
        table = game.evolve(table, fact)
    return facts
