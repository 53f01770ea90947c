"""The claim of the rest, game by game: agreed to, the tricks go as claimed, and the score is that of the play."""

import random

import pytest
from hypothesis import given

from domain.cards.facts import RestAnswered, RestClaimed
from domain.game.rest import REST
from domain.games import all_games, find
from tests.kit.games.rests import after, claimed, faced, stretches, takes_all
from tests.kit.games.strategies import SEEDS, option_sets, played_out, quick
from tests.kit.match.tables import cards, codes, fact, plays

TRICKS = ("cross_game", "cross_purposes", "parity", "ristikontra")
FORMS = [(key, given_) for key in TRICKS for given_ in option_sets(find(key))]
TWO = [form for form in FORMS if form[0] == "parity" or (form[0] == "cross_purposes" and "variant" not in form[1])]


def ids(form):
    return "-".join([form[0], *map(str, form[1].values())])


def announced(facts):
    return any(type(each).__name__ == "AnnouncementMade" for each in facts)


def test_only_games_with_tricks_allow_a_claim_of_the_rest():
    with_rest = {key for key, game in all_games().items() if set(REST) <= set(game.facts)}
    assert with_rest == {*TRICKS, "over_the_top"}
    for key in ("garbo", "get_stuck"):
        game = find(key)
        state = game.start(game.options(), 0, None)
        assert game.rest(state) is None
        assert game.breaches(state, RestClaimed(0))[0].misfit


@pytest.mark.parametrize("form", FORMS, ids=ids)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_the_rest_given_to_who_takes_it_scores_as_the_play(form, known):
    @quick(3)
    @given(SEEDS)
    def check(seed):
        game, _, _, _, facts, states = played_out(form, seed, known)
        tried = 0
        for stretch in stretches(game, states):
            seat = takes_all(stretch)
            state = states[stretch.place]
            if seat is None or announced(facts[stretch.place : stretch.end]):
                continue
            said = claimed(game, state, RestClaimed(seat, random.Random(seed).choice([None, sum(stretch.won)])))
            assert all(not game.breaches(at, each) for each, at in walked(game, state, said))
            end = after(game, state, said)
            if game.rest(end) is not None:
                assert form[0] in ("cross_game", "ristikontra"), "tricks alone score: the rest is always given"
                continue
            tried += 1
            assert game.score(after(game, end, facts[stretch.end :])) == game.score(states[-1])
        assert tried, "in the last trick somebody takes the rest"

    check()


def walked(game, state, said):
    for each in said:
        yield each, state
        state = game.evolve(state, each)


@pytest.mark.parametrize("form", TWO, ids=ids)
@given(seed=SEEDS)
@quick(4)
def test_between_two_players_any_share_of_the_rest_may_be_claimed(form, seed):
    game, _, _, _, facts, states = played_out(form, seed)
    for stretch in random.Random(seed).sample(stretches(game, states), 5):
        state = states[stretch.place]
        said = claimed(game, state, RestClaimed(1, stretch.won[1]))
        end = after(game, state, [*said, *facts[stretch.end :]])
        assert game.score(end) == game.score(states[-1])


@pytest.mark.parametrize("form", FORMS, ids=ids)
def test_a_no_contests_and_a_card_makes_the_claim_lapse(form):
    game, _, _, _, facts, states = played_out(form, 3)
    place = stretches(game, states)[-2].place
    state = states[place]
    claim = RestClaimed(game.to_act(state))
    asked = game.rest(state).asked(claim.seat)
    on = game.evolve(state, claim)
    assert game.rest(on).claim.seat == claim.seat
    assert (game.to_act(on), game.legal(on)) == (game.to_act(state), game.legal(state)), "the turn goes on as it was"
    (breach,) = game.breaches(on, RestAnswered(asked[0], False))
    assert (breach.rule, breach.code) == ("ALL.5", "CLM")
    contested = game.evolve(on, RestAnswered(asked[0], False))
    assert game.score(contested) is None
    played = game.evolve(contested, facts[place])
    assert played == game.evolve(state, facts[place]), "play goes on as if nothing had been said"
    if game.rest(played):
        assert game.breaches(played, RestAnswered(asked[0], True))[0].misfit


def test_cp10_an_ally_is_not_asked_and_cp12_neither_is_a_partner():
    for variant in ("fixed", "alliance"):
        game, _, _, _, _, states = played_out(("cross_purposes", {"variant": variant}), 1)
        state = states[-9]
        pair = state.base.allies
        rest = game.rest(state)
        assert set(rest.asked(pair[0])) == {0, 1, 2, 3} - set(pair) == set(rest.asked(pair[1]))
        claim = game.evolve(state, RestClaimed(pair[0]))
        assert game.breaches(claim, RestAnswered(pair[1], True))[0].misfit
        one = game.evolve(claim, RestAnswered(rest.asked(pair[0])[0], True))
        assert game.score(one) is None, "the other of the side has not answered"
        assert game.score(game.evolve(one, RestAnswered(rest.asked(pair[0])[1], True))) is not None


def test_four_players_claim_all_of_the_rest():
    game, _, _, _, _, states = played_out(("cross_purposes", {"variant": "fixed"}), 1)
    state = states[-13]
    assert "all" in game.breaches(state, RestClaimed(0, 1))[0].detail
    assert not game.breaches(state, RestClaimed(0, 3))
    assert game.breaches(state, RestClaimed(0, 4))[0].misfit


def test_a_faced_card_that_cannot_be_there_is_a_breach():
    game, _, _, _, facts, states = played_out(("parity", {}), 2)
    state = states[-7]
    seat = game.to_act(state)
    own, other = game.rest(state).hands[seat], game.rest(state).hands[1 - seat]
    assert not game.breaches(state, RestClaimed(seat, None, faced(game, state, seat)))

    def found(*shown):
        hands = (*((),) * seat, shown)
        return [(each.code, each.misfit) for each in game.breaches(state, RestClaimed(seat, None, hands))]

    held = faced(game, state, seat)[seat][0]
    assert found(faced(game, state, 1 - seat)[1 - seat][0]) == [("NIH", False)]
    assert found(facts[2].card) == [("DUP", False)]
    assert found(held, held) == [("DUP", False)]
    assert found(*cards("C3")) == [("NIH", False)], "no card of this pack"
    assert own & other == 0


def test_cg7_claiming_the_rest_counts_the_leaders_pairs():
    for seed in range(40):
        game, _, _, _, _, states = played_out(("cross_game", {}), seed)
        ends = [state for state in states if game.rest(state) and state.left <= 16 and not state.cards]
        for state in ends:
            seat = state.turn
            mine = state.hands[seat]
            suits = [s for s in range(4) if mine >> (13 * s + 10) & 1 and mine >> (13 * s + 11) & 1]
            suits = [s for s in suits if s not in {suit for _, suit in state.shown}]
            if not suits:
                continue
            end = after(game, state, claimed(game, state, RestClaimed(seat)))
            bonus = sum(40 if s == state.order.trump else 20 for s in suits)
            was = sum(40 if s == state.order.trump else 20 for who, s in state.shown if who == seat)
            assert game.score(end).announcements[seat] == was + bonus
            return
    pytest.fail("no such table")


def test_ot6_an_agreed_claim_gives_no_score():
    game, _, _, _, _, states = played_out(("over_the_top", {}), 5)
    state = states[-3]
    on = game.evolve(state, RestClaimed(0))
    agreed = game.evolve(on, RestAnswered(1, True))
    assert game.rest(agreed).claim.yes == 0b10
    assert game.score(agreed) is None
    assert game.legal(agreed) == game.legal(state)


def test_rk12_a_claim_leaves_the_deal_open_while_cleaning_is_uncertain():
    open_, settled = 0, 0
    for seed in range(60):
        game, _, _, _, _, states = played_out(("ristikontra", {"cleaning": True}), seed)
        for state in states[:-1]:
            if game.rest(state) is None or state.taken.done < 7:
                continue
            end = after(game, state, claimed(game, state, RestClaimed(0)))
            owes = state.taken.queens[0] and not state.taken.cleaned[0]
            left = [each for each in range(52) if not state.taken.gone >> each & 1]
            kings, queens = any(each % 13 == 11 for each in left), any(each % 13 == 10 for each in left)
            undecided = owes and kings and queens
            assert (game.rest(end) is not None) == undecided
            open_, settled = open_ + undecided, settled + (owes and kings and not queens)
            if owes and kings and not queens:
                assert game.score(end).cleaned[0]
    assert open_
    assert settled


def test_a_claim_while_there_is_a_stock_is_recorded_and_ends_nothing():
    for key in ("cross_game", "ristikontra"):
        game, _, _, _, _, states = played_out((key, {}), 1)
        state = next(each for each in states if game.rest(each))
        assert game.breaches(state, RestClaimed(0)) == ()
        assert game.score(after(game, state, claimed(game, state, RestClaimed(0)))) is None


def test_a_claim_before_the_play_is_a_misfit():
    for key in TRICKS:
        game = find(key)
        state = game.start(game.options(), 0, None)
        if game.rest(state) is None:
            assert game.breaches(state, RestClaimed(0))[0].misfit
            assert game.evolve(state, RestClaimed(0)) is state


def test_faced_cards_of_phase_1_are_gone_in_phase_2():
    # Faced hands are evidence like played cards.
    game, _, _, _, facts, states = played_out(("cross_purposes", {}), 1, known=False)
    state = states[20]
    card = next(each.card for each in facts[20:28] if each.seat == 0)
    other = next(each.card for each in facts[20:28] if each.seat == 1)
    end = after(game, state, claimed(game, state, RestClaimed(0, None, ((card,),))))
    end = after(game, end, facts[28:30])
    assert codes("cross_purposes", end, game.to_act(end), "play", str(card))[0][1] == "DUP"
    assert codes("cross_purposes", end, game.to_act(end), "play", str(other)) == []
    assert fact(0, "rest", None, [[str(card)]]).shown == ((0, card),)
    assert plays((0, "SA"))[0].shown == ((0, cards("SA")[0]),)
