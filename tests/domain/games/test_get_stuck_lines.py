"""Get Stuck against a plain second telling of its rules: every legal line to a depth, and whole deals."""

import random

import msgspec
import pytest
from hypothesis import given

from domain import codec
from domain.game.sheet import EntryError
from domain.match import commands as c
from domain.match.audit.findings import findings
from tests.kit.games.squares import GAME, KEY, Plain, copied
from tests.kit.games.strategies import SEEDS, of_form, played_out, quick
from tests.kit.match.tables import Table, begin, fact, happened, random_deal, score_of

FORM = (KEY, {})
# legal lines of 1, 2, 3 … moves, by the seed of the layout; both tellings count them again
PERFT_START = {1: [5, 29, 160, 793], 2: [7, 32, 155, 744], 3: [7, 37, 177, 855], 4: [6, 36, 190, 959]}
PERFT_MIDDLE = {
    1: [3, 11, 33, 90, 249],
    2: [5, 19, 48, 124, 269],
    3: [8, 20, 50, 147, 395],
    4: [2, 11, 37, 110, 308],
    5: [3, 9, 23, 61, 173],
    6: [3, 12, 33, 97, 300],
}


def lines(state, depth: int) -> int:
    """How many legal lines of this length there are; one that ends before counts for nothing."""
    legal = GAME.legal(state)
    if depth == 1:
        return len(legal)
    return sum(lines(GAME.evolve(state, each), depth - 1) for each in legal)


def plain_lines(table: Plain, depth: int) -> int:
    """The same count, by the plain telling."""
    cells = table.moves()
    if depth == 1:
        return len(cells)
    count = 0
    for cell in cells:
        after = copied(table)
        after.move(cell)
        count += plain_lines(after, depth - 1)
    return count


def table_late(seed: int, moves: int):
    """A random deal some moves on: dead cards lie about."""
    deal, chance = random_deal(KEY, GAME.options(), seed), random.Random(seed)
    state, plain = begin(KEY, seed % 2, deal), Plain(deal, seed % 2)
    for _ in range(moves):
        cell = chance.choice(plain.moves() or [None])
        if cell is None:
            break
        state = happened(KEY, state, (plain.turn, "move", list(cell)))
        plain.move(cell)
    return state, plain


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_perft_from_the_deal(seed):
    state, plain = table_late(seed, 0)
    counts = [lines(state, depth) for depth in (1, 2, 3, 4)]
    assert counts == [plain_lines(plain, depth) for depth in (1, 2, 3, 4)]
    assert counts == PERFT_START[seed]


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6])
def test_perft_from_the_middle_where_dead_cards_bar_the_way(seed):
    state, plain = table_late(seed, 14)
    counts = [lines(state, depth) for depth in (1, 2, 3, 4, 5)]
    assert counts == [plain_lines(plain, depth) for depth in (1, 2, 3, 4, 5)]
    assert counts == PERFT_MIDDLE[seed]


@given(SEEDS)
@quick(60)
def test_moves_and_scores_of_whole_deals_match_the_naive_implementation(seed):
    game, _, dealer, deal, facts, states = played_out(FORM, seed)
    plain = Plain(deal, dealer)
    for each, state in zip(facts, states, strict=False):
        assert [move.cell for move in game.legal(state)] == plain.moves()
        assert each.seat == plain.turn
        plain.move(each.cell)
    assert plain.moves() == []
    assert game.score(states[-1]).scores == plain.scores()


@given(SEEDS)
@quick(60)
def test_gs_i1_forty_eight_cards_are_conserved(seed):
    game, _, _, deal, _, states = played_out(FORM, seed)
    for state in states:
        table = game.view(state, None)
        up = [str(card) for row in table.grid for card in row if card is not None]
        assert sorted([*up, *map(str, table.seen)]) == sorted(set(deal.grid) - {"--"})
        assert len(up) + len(table.down) + 1 == 49


@given(SEEDS)
@quick(60)
def test_gs_i2_as_many_cards_lie_face_down_as_moves_were_made(seed):
    game, _, _, _, _, states = played_out(FORM, seed)
    for made, state in enumerate(states):
        table = game.view(state, None)
        assert (len(table.down), len(table.seen)) == (made, made)


@given(SEEDS)
@quick(60)
def test_gs_i3_the_first_player_has_as_many_moves_or_one_more(seed):
    _, _, dealer, _, facts, _ = played_out(FORM, seed)
    made = [0, 0]
    for each in facts:
        made[each.seat] += 1
        assert 0 <= made[1 - dealer] - made[dealer] <= 1
    assert len(facts) <= 48


def test_gs_i3_an_entry_whose_cards_say_otherwise_is_refused():
    for stuck, given_cards in ((0, [["A"], ["A", 2]]), (1, [["A", 2, 3], ["A"]]), (0, [["A", 2, 3], ["A"]])):
        with pytest.raises(EntryError) as error:
            score_of(KEY, {"stuck": stuck, "cards": given_cards})
        assert error.value.rule == "GS.i3"


@given(SEEDS)
@quick(60)
def test_gs_i4_each_colour_has_ninety_points_and_six_courts(seed):
    game, _, _, _, _, states = played_out(FORM, seed)
    first = game.view(states[0], None)
    assert (first.numerals, first.courts) == ((90, 90), (6, 6))
    result = game.score(states[-1])
    winner, loser = result.scores[1 - result.stuck], result.scores[result.stuck]
    assert 0 <= winner <= 150
    assert -60 <= loser <= 90
    for seat, sign in ((result.stuck, -10), (1 - result.stuck, 10)):
        assert result.scores[seat] == result.numerals[seat] + sign * result.courts[seat]


@pytest.mark.parametrize(
    "entry",
    [
        {"stuck": 0, "cards": [["A", "A", "A"], [2, 2, "2"]]},
        {"stuck": 0, "totals": [10, 151]},
        {"stuck": 0, "totals": [10, -1]},
        {"stuck": 0, "totals": [91, 10]},
        {"stuck": 1, "totals": [10, -61]},
    ],
)
def test_gs_i4_an_entry_that_no_colour_can_score_is_refused(entry):
    with pytest.raises(EntryError) as error:
        score_of(KEY, entry)
    assert error.value.rule == "GS.i4"


@pytest.mark.parametrize(
    "entry",
    [
        {"stuck": 0},
        {"stuck": 0, "totals": [1, 1], "cards": [["A"], ["A"]]},
        {"stuck": 2, "totals": [1, 1]},
        {"totals": [1, 1]},
        {"stuck": 0, "cards": [["T"], [2]]},
        {"stuck": 0, "cards": [[1], [2]]},
        {"stuck": 0, "cards": [[2]]},
        {"stuck": 0, "totals": [1, 1], "void": True},
    ],
)
def test_all_4_what_is_no_result_of_this_game_is_refused(entry):
    with pytest.raises((EntryError, msgspec.ValidationError)):
        score_of(KEY, entry)


@given(SEEDS)
@quick(40)
def test_all_4_get_stuck_entered_scores_what_the_full_play_scored(seed):
    game, _, dealer, deal, facts, states = played_out(FORM, seed)
    result, plain = game.score(states[-1]), Plain(deal, dealer)
    for each in facts:
        plain.move(each.cell)
    left = [[int(rank) if rank.isdigit() else rank for rank in plain.left(seat)] for seat in (0, 1)]
    by_cards = score_of(KEY, {"stuck": result.stuck, "cards": left})
    assert by_cards == result
    by_totals = score_of(KEY, {"stuck": result.stuck, "totals": list(result.scores)})
    assert (by_totals.scores, by_totals.stuck) == (result.scores, result.stuck)


@given(of_form(FORM))
@quick(40)
def test_moves_that_name_their_cards_score_the_same_without_the_layout(which):
    game, options, dealer, deal, facts, states = played_out(*which)
    blind = game.start(options, dealer, None)
    for each, state in zip(facts, states, strict=False):
        card = game.view(state, None).grid[each.cell[0]][each.cell[1]]
        named = type(each)(each.seat, each.cell, card)
        assert game.breaches(blind, named) == ()
        assert named in game.legal(blind)
        blind = game.evolve(blind, named)
    if game.to_act(blind) is not None:
        stuck = fact(game.to_act(blind), "pass")
        assert game.breaches(blind, stuck) == ()
        blind = game.evolve(blind, stuck)
    assert game.score(blind) == game.score(states[-1])
    assert game.view(blind, None).colours == deal.colours


@pytest.mark.parametrize(
    ("stuck", "totals", "fits"),
    [
        (0, [30, 150], True),  # nobody could move at all (GS.g2)
        (0, [90, 150], False),
        (0, [-60, 0], False),
        (0, [33, 88], True),
        (1, [150, 60], False),
    ],
)
def test_gs_i3_entered_totals_must_come_from_possible_move_counts(stuck, totals, fits):
    entry = codec.convert({"stuck": stuck, "totals": totals}, GAME.sheet.entry(GAME.options()))
    if fits:
        assert GAME.sheet.score(GAME.options(), entry).scores == tuple(totals)
        return
    with pytest.raises(EntryError) as error:
        GAME.sheet.score(GAME.options(), entry)
    assert error.value.rule == "GS.i3"


@pytest.mark.parametrize("recording", ["record", "strict"])
def test_gs_2_who_plays_red_plays_it_all_session_long(recording):
    table = Table(KEY, recording=recording)
    layouts = [random_deal(KEY, GAME.options(), seed).grid for seed in (1, 2)]
    one, other = (GAME.deal(layouts[0]), GAME.deal(layouts[1], ("black", "red")))
    table.start(dealer=0, deal=one)
    table.do(c.PauseRecording())
    table.enter({"stuck": 0, "totals": [30, 150]})
    if recording == "strict":
        refusal = table.refused(c.StartDeal(deal=other))
        assert (refusal.slug, refusal.rule) == ("rule-broken", "GS.2")
        table.start(deal=GAME.deal(layouts[1]))
        return
    table.start(deal=other)
    (found,) = findings(table.match)
    assert (found.deal, found.rule, found.version) == (2, "GS.2", table.match.deals[1].version)
    assert found.detail == "deal 1 settled it for the match: seat 0 plays red, not seat 1 plays red"
