"""Best play against exhaustive search of small endings, game by game; bounds; what cannot be solved."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards.card import cards_in
from domain.cards.facts import CardPlayed
from domain.game.ending import Hands, Points, Search
from domain.game.protocol import ALL
from domain.games import all_games
from domain.log.decider import Refusal
from domain.solve import best, claim
from tests.kit.games.exhaustive import ending, keeping, margin_of, minimax, size
from tests.kit.games.strategies import SEEDS, of_form, played_out, quick
from tests.kit.match.tables import after, begin, random_deal

TWO_HAND = [
    ("cross_purposes", {}),
    ("cross_purposes", {"scoring": "winner_only"}),
    ("parity", {}),
    ("cross_game", {}),
    ("cross_game", {"announce": "declared"}),
]
FOUR_HAND = [
    ("cross_purposes", {"variant": "fixed"}),
    ("cross_purposes", {"variant": "alliance", "scoring": "winner_only"}),
    ("ristikontra", {}),
    ("ristikontra", {"cleaning": True}),
    ("ristikontra", {"tie_break_tricks": True, "no_fourth_lead": True}),
]


def agrees(game, options, state):
    """The solver's answer is exact and is that of exhaustive search, best facts, line and scores included."""
    found = best(game, options, state)

    def final(table):
        return margin_of(game, options, found.sides, table)

    worth = minimax(game, found.sides, state, final)
    assert (found.exact, found.margin) == (True, (worth, worth))
    assert found.best == keeping(game, found.sides, state, final)
    end = state
    for fact in found.line:
        assert fact in game.legal(end)
        end = game.evolve(end, fact)
    assert (game.to_act(end), final(end)) == (None, worth)
    assert found.scores == game.score(end).scores
    return found, end


@given(of_form(*TWO_HAND))
@quick(120)
def test_small_endings_of_two_hands_agree_with_exhaustive_search(drawn):
    form, seed = drawn
    game, options, state = ending(form, seed, 10)
    if game.to_act(state) is None:  # passed out
        return
    found, end = agrees(game, options, state)
    assert found.tricks == game.view(end, ALL).tricks


@given(of_form(*FOUR_HAND))
@quick(60)
def test_the_last_tricks_of_four_hands_agree_with_exhaustive_search(drawn):
    form, seed = drawn
    game, options, state = ending(form, seed, 11)
    found, end = agrees(game, options, state)
    assert found.tricks == game.view(end, ALL).tricks


@given(SEEDS)
@quick(60)
def test_the_last_moves_of_get_stuck_agree_with_exhaustive_search(seed):
    game, options, state = ending(("get_stuck", {}), seed, 9)
    if size(game, state, 20_000) >= 20_000:  # other moves go on for long
        return
    found, _ = agrees(game, options, state)
    assert found.tricks is None


@given(SEEDS)
@quick(12)
def test_a_spiced_stock_of_ristikontra_is_searched_in_its_known_order(seed):
    game, options, _, _, _, states = played_out(("ristikontra", {"spice": True}), seed)
    asked = [state for state in states if len(game.legal(state)) == 2 and game.to_act(state) is not None][-1]
    assert best(game, options, asked, work=500).margin[0] <= best(game, options, asked, work=500).margin[1]


# ------------------------------------------------------------------ phase 1 of Cross Purposes


def phase_one(seed, left):
    """Phase 1 with so many cards left, and its tricks when it is over."""
    game, options, _, _, _, states = played_out(("cross_purposes", {}), seed)
    state = next(each for each in states if getattr(each, "left", None) == left)
    return game, options, state


@pytest.mark.parametrize(
    "left", [1, 2, 3, 4, 5, *(pytest.param(left, marks=pytest.mark.extended) for left in (6, 7, 8))]
)
@given(seed=SEEDS)
@quick(4)
def test_phase_one_is_played_for_its_tricks(left, seed):
    game, options, state = phase_one(seed, left)

    def over(table):
        return bool(game.script.section_sums(table))

    def final(table):
        return game.script.section_sums(table)[0][0] - game.script.section_sums(table)[0][1]

    worth = minimax(game, ((0,), (1,)), state, final, over)
    found = best(game, options, state)
    assert found.tricks[0] - found.tricks[1] == worth
    assert found.exact
    assert found.margin == (13 * found.tricks[0] + 15 * second(game, state, found) - 182,) * 2


def second(game, state, found):
    """Seat 0's tricks of phase 2 on the line of best play."""
    for fact in found.line:
        state = game.evolve(state, fact)
    return state.tricks[0]


def test_a_trick_has_the_same_value_whatever_the_other_phase():
    score = all_games()["cross_purposes"]
    options = score.options()
    for one in range(14):
        for two in range(14):
            entry = msgspec.convert({"phases": [[one], [two]]}, score.sheet.entry(options))
            mine, theirs = score.sheet.score(options, entry).scores
            assert mine - theirs == 13 * one + 15 * two - 182


@pytest.mark.parametrize("key", ["cross_purposes", "parity"])
def test_the_calls_are_solved_with_the_play_that_follows(key):
    game = all_games()[key]
    options = game.options()
    state = game.start(options, 0, random_deal(key, options, 5))
    found = best(game, options, state)
    worths = {fact: best(game, options, game.evolve(state, fact)).margin[0] for fact in game.legal(state)}
    assert found.exact
    assert found.margin[0] == min(worths.values())  # seat 1 calls first and plays for the lower margin
    assert found.best == tuple(fact for fact, worth in worths.items() if worth == found.margin[0])


def test_margins_before_and_after_a_revoke_are_both_solved():
    # A director restores the margin before the revoke less the one after it.
    form, seen = ("parity", {}), 0
    for seed in range(30):
        game, options, _, _, _, states = played_out(form, seed)
        for state in states:
            if getattr(state, "left", 0) != 15 or not state.cards:
                continue
            held = [CardPlayed(state.turn, card) for card in cards_in(state.hands[state.turn])]
            wrong = [fact for fact in held if game.breaches(state, fact)]
            before = best(game, options, state).margin[0]
            for fact in wrong:
                later = best(game, options, game.evolve(state, fact))
                assert later.exact
                seen += later.margin[0] != before
    assert seen


# ------------------------------------------------------------------ bounds


@given(of_form(*TWO_HAND, *FOUR_HAND, ("get_stuck", {})), st.integers(min_value=0, max_value=60))
@quick(120)
def test_with_little_work_the_bounds_hold_the_exact_margin(drawn, work):
    form, seed = drawn
    game, options, state = ending(form, seed, 11)
    exact = best(game, options, state, work=30_000)
    if game.to_act(state) is None or not exact.exact:
        return
    bound = best(game, options, state, work=work)
    assert bound.margin[0] <= exact.margin[0] <= bound.margin[1]
    assert bound.exact == (bound.margin[0] == bound.margin[1])
    if not bound.exact:
        assert (bound.best, bound.line, bound.scores, bound.tricks) == ((), (), None, None)


def test_a_deal_too_large_is_a_bound_and_says_so():
    game = all_games()["ristikontra"]
    options = game.options()
    state = game.start(options, 0, random_deal("ristikontra", options, 1))
    ticks = []
    found = best(game, options, state, work=5000, tick=lambda: ticks.append(1))
    assert (found.exact, found.margin) == (False, (-2, 2))
    assert ticks


@given(of_form(*FOUR_HAND, ("get_stuck", {}), ("cross_game", {})))
@quick(40)
def test_a_game_reaches_no_further_than_it_says(drawn):
    form, seed = drawn
    game, options, _, _, _, states = played_out(form, seed)
    final = game.score(states[-1])
    for state in states[:-1]:
        told = game.ending(state) if not getattr(state, "calls", None) and hasattr(state, "turn") else None
        if isinstance(told, Search) and not final.void:
            low, high = told.reach
            assert low <= margin_of(game, options, told.sides, states[-1]) <= high


# ------------------------------------------------------------------ claims


@given(of_form(*TWO_HAND, FOUR_HAND[0], FOUR_HAND[2]))
@quick(40)
def test_a_claim_holds_exactly_up_to_what_can_be_forced(drawn):
    form, seed = drawn
    game, options, state = ending(form, seed, 7)
    if game.to_act(state) is None:
        return
    told = game.ending(state)
    sides = told.sides if isinstance(told, Search) else ((0,), (1,))
    now = game.view(state, ALL).tricks

    def final(table):
        gained = [was - is_now for was, is_now in zip(game.view(table, ALL).tricks, now, strict=True)]
        return sum(gained[seat] for seat in sides[0])

    forced = minimax(game, sides, state, final)
    left = claim(game, options, state, 0, 0).left
    first, other = sides[0][0], sides[1][0]
    for tricks in range(left + 2):
        assert claim(game, options, state, first, tricks).holds == (tricks <= forced)
        assert claim(game, options, state, other, tricks).holds == (tricks <= left - forced)


def test_a_claim_that_is_not_settled_is_not_answered():
    game = all_games()["ristikontra"]
    options = game.options()
    state = game.start(options, 0, random_deal("ristikontra", options, 1))
    assert claim(game, options, state, 0, 7, work=100).holds is None


# ------------------------------------------------------------------ what cannot be solved


@pytest.mark.parametrize("key", list(all_games()))
def test_unknown_hands_are_refused(key):
    game = all_games()[key]
    options = game.options()
    state = game.start(options, 0, None)
    with pytest.raises(Refusal, match="recorded"):
        best(game, options, state)
    for _ in range(6):
        state = game.evolve(state, game.legal(state)[0])
        if game.to_act(state) is not None:
            with pytest.raises(Refusal, match="recorded"):
                best(game, options, state)


def test_hands_of_two_sizes_are_refused():
    game = all_games()["parity"]
    options = game.options()
    deal = random_deal("parity", options, 3)
    state = after("parity", game.start(options, 0, deal), (1, "trump", "H"), (0, "parity", "odd"))
    for card in deal.hands[1][:2]:
        state = game.evolve(state, game.legal(state)[0].__class__(1, card))
    with pytest.raises(Refusal, match="one size"):
        best(game, options, state)


def test_four_hands_are_solved_after_the_bidding():
    game = all_games()["cross_purposes"]
    state = begin(
        "cross_purposes", deal=random_deal("cross_purposes", game.options(variant="fixed"), 1), variant="fixed"
    )
    with pytest.raises(Refusal, match="not settled"):
        best(game, game.options(variant="fixed"), state)


def test_a_complete_deal_has_its_score_and_nothing_to_claim():
    game, options, _, _, _, states = played_out(("parity", {}), 4)
    found = best(game, options, states[-1])
    assert (found.exact, found.to_act, found.best, found.line) == (True, None, (), ())
    assert found.scores == game.score(states[-1]).scores
    with pytest.raises(Refusal, match="complete"):
        claim(game, options, states[-1], 0, 1)


def test_a_game_that_tells_nothing_is_searched_by_its_protocol():
    game, options, _, _, _, states = played_out(("over_the_top", {}), 2)
    assert game.ending(states[-6]) is None
    agrees(game, options, states[-6])


def test_each_kind_of_ending_is_told():
    for form, kind in ((TWO_HAND[0], Hands), (TWO_HAND[3], Points), (FOUR_HAND[2], Search)):
        game, _, _, _, _, states = played_out(form, 8)
        assert isinstance(game.ending(states[-4]), kind)
