"""Hands that stay closed: claims of sides, a void deal brought back, hands opened, disputes and their end."""

from domain import codec
from domain.games import find
from domain.notation import history
from domain.notation.dealing import random_deal
from tests.recorded.tables import Table

CLOSED = {"open_hands": False}


def play(stage):
    """A match of hidden hands that two players record, and one of physical cards that is disputed."""
    house = stage.house()
    hidden(stage, house)
    disputed(house)


def dealt(table, number):
    """A deal whose cards are known, and what is played in it."""
    game = find("parity")
    read = history.read(random_deal(game, game.options(**CLOSED), CLOSED, 5, number))
    table.deal(dealer=read.dealer if number == 1 else None, deal=codec.plain(read.deal))
    return read.facts


def hidden(stage, house):
    """Each side claims results, a void and a pause; what both say is so, and a director decides the rest."""
    table = Table(house, "parity", [["Annie"], ["Benny"]], options=CLOSED, deals=6)
    people = [each["players"][0] for each in table.view["sides"]]
    ann, ben = (house.token("scorer", player=each) for each in people)
    for each in people:
        stage.sits(house, table.id, each)
    entry = {"parity": "odd", "tricks": [9, 6]}

    table.facts(dealt(table, 1)[:6])
    table.done("results", {"entry": entry, "deal": 1}, ann)
    table.done("results", {"entry": entry, "deal": 1}, ben)
    table.facts(dealt(table, 2)[:4])
    table.done("void-deal", {"reason": "a card lay open"}, ann)
    table.done("void-deal", {}, ben)
    table.facts(dealt(table, 3)[:4])
    table.done("pause", {}, ann)
    table.done("results", {"entry": entry, "deal": 3}, "director")
    table.done("open-hands", {"deal": 3, "reason": "both ask"}, "director")
    table.facts(dealt(table, 4)[:3])
    table.done("void-deal", {"reason": "misdealt"}, "director")
    table.facts(dealt(table, 5)[:2])
    table.done("results", {"entry": entry, "deal": 5}, ann)


def disputed(house):
    """A deal and the match are disputed; a dispute is taken back, one upheld, one settled by a correction."""
    table = Table(house, "parity", [["Cleo"], ["Dag"]], target=20)
    table.entered([9, 6])
    table.done("void-deal", {"reason": "a card was missing"})
    table.done("restore-deal", {"reason": "it lay under the table"})
    table.done("disputes", {"deal": 1, "side": 1, "reason": "we counted seven"})
    table.done("settlements", {"how": "withdrawn"})
    table.done("disputes", {"deal": 1, "reason": "a pile was two tricks"})
    table.done("settlements", {"how": "corrected", "reason": "it was"}, "director")
    table.entered([11, 4])
    table.done("confirmations", {"deal": 2, "side": 0})
    table.done("disputes", {"side": 1, "reason": "the first deal was ours"}, table.player(1))
    table.done("settlements", {"how": "upheld"}, "director")
    table.done("confirmations", {"deal": 2, "side": 1}, table.player(1))
