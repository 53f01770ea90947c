"""Hands rebuilt from the play: only true cards, and all of them in games without draws."""

import pytest

from domain.cards.card import CARDS, cards_in
from domain.cards.facts import CardDrawn, CardPlayed
from domain.match.evolve import fold, initial
from domain.match.mending_commands import Correct
from projections.rebuilt import in_order, rebuilt, rebuilt_at, rebuilt_in
from tests.kit.audit.legal import legal_deal
from tests.kit.games.strategies import FORM_IDS, FORMS
from tests.kit.match.tables import Table, is_draw

WITHOUT_STOCK = ("cross_purposes", "parity")


def walked(course):
    """Return the rebuilt hands before each fact and at the end."""
    game, table = course.game, course.game.start(course.options, course.dealer, course.cards)
    stocks = [game.view(table, None).stock]
    for fact in course.facts:
        table = table if type(fact) in game.remarks else game.evolve(table, fact)
        stocks.append(game.view(table, None).stock)
    return rebuilt(course.facts, stocks)


def true_hands(form, seed):
    """Return the hands before each act of the same deal with its cards known."""
    course = legal_deal(form, seed)
    game, state = course.game, course.game.start(course.options, course.dealer, course.cards)
    found = []
    for fact in course.facts:
        found.append([set(cards_in(game.holding(state, seat))) for seat in range(game.seats(course.options))])
        state = game.evolve(state, fact)
    return found


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
@pytest.mark.parametrize("draws", [False, True], ids=["unseen draws", "draws told"])
def test_no_seat_is_given_a_card_that_it_did_not_hold(form, draws):
    for seed in range(3):
        course, true = legal_deal(form, seed, known=False, draws=draws), true_hands(form, seed)
        acts = [place for place, fact in enumerate(course.facts) if not is_draw(fact)]
        held = walked(course)
        for act, place in enumerate(acts):
            for seat, cards in held[place].items():
                assert cards <= true[act][seat], (seed, place, seat)


@pytest.mark.parametrize("form", [each for each in FORMS if each[0] in WITHOUT_STOCK], ids=str)
def test_where_nobody_draws_every_hand_is_found(form):
    for seed in range(3):
        course, true = legal_deal(form, seed, known=False), true_hands(form, seed)
        assert [{seat: set(cards) for seat, cards in each.items() if cards} for each in walked(course)[:-1]] == [
            {seat: cards for seat, cards in enumerate(each) if cards} for each in true
        ]


def test_a_hand_is_unknown_where_a_draw_lies_between():
    played = [CardPlayed(0, CARDS[1]), CardPlayed(1, CARDS[2]), CardPlayed(0, CARDS[3]), CardPlayed(1, CARDS[4])]
    held = rebuilt(played, [2, 2, 0, 0, 0])
    assert held[0] == {0: {CARDS[1]}, 1: {CARDS[2]}}
    assert held[2] == {0: {CARDS[3]}, 1: {CARDS[4]}}


def test_a_draw_that_was_told_goes_out_of_the_hand_again():
    facts = [
        CardPlayed(0, CARDS[1]),
        CardPlayed(1, CARDS[2]),
        CardDrawn(0, CARDS[3]),
        CardDrawn(1, CARDS[9]),
        CardPlayed(0, CARDS[3]),
        CardPlayed(1, CARDS[4]),
    ]
    held = rebuilt(facts, [2, 2, 0, 0, 0, 0, 0])
    assert held[0] == {0: {CARDS[1]}, 1: {CARDS[2], CARDS[4]}}


def test_a_replay_rebuilds_hands_until_an_earlier_entry_is_replaced():
    course = legal_deal(("parity", {}), 5, known=False)
    table = Table("parity")
    table.start(dealer=course.dealer)
    table.record(*course.facts)
    deal = table.match.deals[-1]
    at = deal.facts[4][0]
    past = fold(initial(), [each for each in table.log if each[0] < at])
    shown = rebuilt_at(table.match, past, None)
    assert shown == in_order(rebuilt_in(table.match, deal, None)[4])
    assert sum(map(len, shown.values())) == 28
    first = next(version for version, fact in deal.facts if isinstance(fact, CardPlayed))
    table.do(Correct(version=first, now=None, do="remove", note="one too many"))
    assert rebuilt_at(table.match, past, None) == {}
