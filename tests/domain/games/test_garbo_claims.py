"""Garbo with claims by hand: what is claimed in time counts, what is not lapses."""

import random

import pytest

from domain.cards.facts import Passed
from domain.games import find
from domain.match import commands as c
from domain.match.evolve import fold
from domain.match.state import NoMatch, played
from domain.notation import history
from domain.notation.match_history import events_of, lines_of
from tests.kit.games.garbo_squares import NO_MATCH, full, on_table
from tests.kit.games.strategies import for_seeds, played_out
from tests.kit.match.tables import Table, after, begin, codes, fact, happened, is_misfit, random_deal

KEY = "garbo"
GAME = find(KEY)
MANUAL = {"claims": "manual"}


def points(state) -> tuple[int, ...]:
    return GAME.view(state, None).points


def matched():
    """Seat 0 has just given seat 1 nine points."""
    state = on_table("S9 .. / .. ..", **MANUAL)
    state = happened(KEY, state, (1, "place", "H8", [0, 1]))
    return after(KEY, state, (0, "place", "H9", [0, 2]))


def test_ga_g6_nothing_counts_before_it_is_claimed():
    assert points(matched()) == (0, 0)
    assert points(after(KEY, matched(), (1, "claim", 11))) == (0, 11)


def test_ga_g6_a_claim_lapses_with_the_claimants_next_card():
    state = after(KEY, matched(), (1, "place", "SK", [1, 0]))
    assert codes(KEY, state, 1, "claim", 11) == [("GA.4", "LTC")]
    assert happened(KEY, state, (1, "claim", 11)) == state
    assert state.lapsed == (0, 11)


def test_ga_4_matches_may_be_claimed_one_by_one():
    state = after(KEY, matched(), (1, "claim", 9), (1, "claim", 2))
    assert points(state) == (0, 11)
    assert codes(KEY, state, 1, "claim", 1) == [("GA.4", "OVC")]


def test_ga_4_an_excessive_claim_is_reduced_to_the_true_value():
    assert codes(KEY, matched(), 1, "claim", 12) == [("GA.4", "OVC")]
    state = happened(KEY, matched(), (1, "claim", 12))
    assert points(state) == (0, 11)
    assert codes(KEY, begin(KEY, 0, **MANUAL), 1, "claim", 1) == [("GA.4", "OVC")]


def test_ga_4_a_claim_by_the_one_who_gave_is_none():
    assert codes(KEY, matched(), 0, "claim", 5) == [("GA.4", "LTC")]


def test_ga_4_two_cards_out_of_turn_can_both_be_claimed():
    state = happened(KEY, matched(), (0, "place", "H7", [0, 3]))
    assert GAME.script.announced_points(matched(), state) == 2
    assert codes(KEY, state, 1, "claim", 13) == []


def test_ga_6_a_claim_for_the_sixteenth_card_may_change_who_leads():
    state = full(NO_MATCH.replace("DA", "SQ"), **MANUAL)
    assert (state.due, GAME.to_act(state)) == ((1, 0), 1)
    claimed = after(KEY, state, (0, "claim", 1))
    assert (GAME.to_act(claimed), GAME.script.section_sums(claimed)) == (0, ((1, 0),))
    late = after(KEY, state, (1, "cover", "DQ", [0, 3]), (0, "claim", 1))
    assert GAME.script.section_sums(late) == ((0, 0),)
    assert points(late) == (1, 0)


def without_last(seed: int):
    """Known hands, all cards but the last, nothing claimed."""
    game, options, dealer, deal, facts, _ = played_out((KEY, {}), seed)
    state = game.start(type(options)(claims="manual"), dealer, deal)
    chance = random.Random(seed)
    for _ in facts[:-1]:
        cards = [each for each in game.legal(state) if hasattr(each, "cell")]
        state = game.evolve(state, chance.choice(cards))
    return state


def endings():
    """Tables after all the cards, some of which end with something to claim, some with nothing."""
    for seed in range(40):
        state = without_last(seed)
        last = next(each for each in GAME.legal(state) if hasattr(each, "cell"))
        yield GAME.evolve(state, last)


def test_ga_g6_what_the_last_card_gave_is_claimed_or_passed():
    open_ones = [state for state in endings() if GAME.to_act(state) is not None]
    assert open_ones
    for state in open_ones:
        seat = GAME.to_act(state)
        due = state.play.due[seat]
        assert GAME.score(state) is None
        if not due:
            continue
        claimed = GAME.score(after(KEY, state, (seat, "claim", due), (seat, "pass")))
        passed = GAME.score(after(KEY, state, (seat, "pass")))
        earlier = state.play.lapsed[seat]
        part = after(KEY, state, (seat, "claim", 1))
        assert claimed.scores[seat] == passed.scores[seat] + due
        assert passed.lapsed[seat] == earlier + due
        assert due == 1 or GAME.score(after(KEY, part, (seat, "pass"))).scores[seat] == passed.scores[seat] + 1
        assert codes(KEY, state, 1 - seat, "pass") == [("GA.g6", "OOB")]
        assert codes(KEY, state, 1 - seat, "claim", 1) == [("GA.4", "LTC")]
        assert codes(KEY, state, seat, "claim", due + 1) == [("GA.4", "OVC")]
        assert is_misfit(KEY, state, seat, "cover", "SQ", [0, 0])
        assert is_misfit(KEY, state, seat, "draw")


def test_ga_g6_a_pass_is_required_even_with_nothing_to_claim():
    # Otherwise the end of the deal would reveal whether points could be claimed.
    due = [state.play.due[GAME.to_act(state)] for state in endings()]
    assert 0 in due
    assert max(due) > 0
    for state in endings():
        seat = GAME.to_act(state)
        views = [GAME.view(each, viewer) for each in claims_of(state, seat) for viewer in (None, 0, 1, "all")]
        assert {(view.to_act, view.legal) for view in views if view.legal} == {(seat, (Passed(seat),))}
        assert GAME.score(after(KEY, state, (seat, "pass"))) is not None


def claims_of(state, seat):
    """The table after its last card, and after everything due was claimed."""
    due = state.play.due[seat]
    return [state, after(KEY, state, (seat, "claim", due))] if due else [state]


def test_ga_g6_a_history_may_leave_the_last_pass_out():
    complete = set()
    for seed in range(12):
        game, _, dealer, deal, facts, _ = played_out((KEY, {}), seed)
        line = history.write(game, MANUAL, dealer, deal, facts)
        _, answer = history.score_line(1, line)
        if "error" in answer:  # without a claim another seat leads the second level
            continue
        complete.add(answer["complete"])
        assert tuple(answer["scores"]) == (0, 0), "nobody has claimed anything"
        _, early = history.score_line(1, history.write(game, MANUAL, dealer, deal, facts[:-1]))
        assert not early["complete"]
        sides = (("a",), ("b",))
        state = fold(NoMatch(), [(n, new.event) for n, new in enumerate(events_of(history.read(line), sides), start=1)])
        assert played(state, state.deals[0]).scores == tuple(answer["scores"])
        assert lines_of(state) == [line]
    assert complete == {True}


def test_ga_g6_a_pass_is_only_for_the_last_claim():
    assert is_misfit(KEY, matched(), 1, "pass")
    assert is_misfit(KEY, begin(KEY, 0), 1, "pass")


@for_seeds(5)
@pytest.mark.parametrize("given", [{}, {"draw_schedule": "web", "suit_scope": "line"}])
def test_ga_g6_every_match_claimed_scores_as_automatic_claims_do(seed, given):
    game, options, dealer, deal, facts, states = played_out((KEY, given), seed)
    manual = type(options)(**given, **MANUAL)
    state = game.start(manual, dealer, deal)
    for each, before, now in zip(facts, states, states[1:], strict=False):
        state = after(KEY, state, each)
        gives = game.script.announced_points(before, now)
        if gives:
            state = after(KEY, state, (1 - each.seat, "claim", gives))
    state = after(KEY, state, (game.to_act(state), "pass"))
    result, told = game.score(state), game.score(states[-1])
    assert (result.scores, result.levels, result.lapsed) == (told.scores, told.levels, ())


def test_ga_g6_the_table_does_not_tell_what_could_be_claimed():
    for viewer in (None, 0, 1, "all"):
        view = GAME.view(matched(), viewer)
        assert view.points == (0, 0)
        assert not any(type(each).__name__ == "ClaimMade" for each in view.legal or ())
    quiet = on_table("S9 .. / .. ..", **MANUAL)
    quiet = happened(KEY, quiet, (1, "place", "H8", [0, 1]), (0, "place", "HT", [0, 2]))
    assert GAME.view(quiet, 1).points == GAME.view(matched(), 1).points


def test_ga_g6_in_a_match_too_much_is_recorded_and_strictly_refused():
    for recording in ("record", "strict"):
        table = Table(KEY, recording=recording, options=MANUAL)
        table.start(dealer=0, deal=None)
        table.record((1, "place", "S9", [0, 0]), (0, "place", "S8", [0, 1]))
        if recording == "strict":
            refusal = table.refused(c.RecordFacts(facts=(fact(1, "claim", 2),)))
            assert (refusal.slug, refusal.rule, refusal.code) == ("rule-broken", "GA.4", "OVC")
        else:
            table.record((1, "claim", 2))
            assert points(table.match.deals[0].table) == (0, 1)


def test_ga_g6_what_lapsed_stands_in_the_result_of_a_complete_deal():
    options = GAME.options(claims="manual")
    state = GAME.start(options, 0, random_deal(KEY, options, 9))
    while GAME.to_act(state) is not None:
        legal = [each for each in GAME.legal(state) if type(each).__name__ != "ClaimMade"]
        state = GAME.evolve(state, legal[0])
    result = GAME.score(state)
    assert result.scores == (0, 0)
    assert min(result.lapsed) > 0
