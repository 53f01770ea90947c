"""Remedies of each game after a breach, by which the innocent side never loses."""

import random
from pathlib import Path

import pytest

from domain import codec, english
from domain.cards.card import parse_card
from domain.game.remedy import Lacking, Remedied, Wrong
from domain.games import find
from domain.games.cross_purposes.two.state import cross_order
from domain.games.parity.scoring import score_tricks
from domain.games.ristikontra.scoring import score_deal
from domain.match.audit import remedies
from domain.match.audit.findings import deal_findings
from domain.match.state import by_side, played
from domain.notation.ctn_read import loads
from tests.kit.audit.illegal import one_wrong
from tests.kit.games.made_up_game import CardPeeked, HandShaken, among_the_games
from tests.kit.games.strategies import FORM_IDS, FORMS
from tests.kit.match.tables import Table, fact, options_of, score_of

ROOT = Path(__file__).parents[3]
REVOKE = (ROOT / "examples/notation.ctn").read_text(encoding="utf-8").split("! ruling")[0]


def table_of(made) -> Table:
    """A match of one deal as it was made, hands known."""
    seats = made.game.seats(made.options)
    sides = made.game.sides(made.options)
    names = tuple(tuple(f"p{seat}" for seat in side) for side in sides)
    options = {name: getattr(made.options, name) for name in made.options.__struct_fields__}
    table = Table(made.game.key, sides=names, options=options)
    assert len(names) <= seats
    table.start(dealer=made.dealer, deal=codec.plain(made.deal))
    table.record(*made.facts, it_happened=True)
    return table


def wrong_of(key, facts, tables, result, seat, *places, **options):
    return Wrong(options_of(key, **options), tuple(facts), tuple(tables), result, seat, places)


def test_the_planted_revoke_of_the_notation_gives_forty_to_fifty_six():
    match = loads(REVOKE)[0].state
    deal = match.deals[0]
    (found,) = (each for each in deal_findings(match, deal) if each.code == "REV")
    offered = remedies.offered(match, deal, "REV", found.version, "T1")
    assert offered.default == "tricks-pass"
    (under,) = (each for each in offered.effects if each.key == "tricks-pass")
    assert (played(match, deal).scores, under.scores) == ((48, 49), (40, 56))
    assert under.says.values["was"] == "6-7"
    assert under.says.values["now"] == "5-8"
    assert {"stands", "procedural", "equity", "assigned", "split", "void"} <= {each.key for each in offered.effects}


@pytest.mark.parametrize(
    ("taken", "scores"), [((9, 6), (0, 17)), ((0, 15), (0, 25)), ((15, 0), (0, 11)), ((4, 11), (0, 22))]
)
def test_parity_gives_the_offender_zero_and_the_opponent_one_more(taken, scores):
    found = find("parity").remedy("score-by-taken", wrong_of("parity", (), (), score_tricks("odd", taken), 0, 0))
    assert isinstance(found, Remedied)
    assert found.result.scores == scores


def test_no_trick_moves_in_parity():
    deal = score_tricks("odd", (9, 6))
    assert find("parity").remedy("tricks-pass", wrong_of("parity", (), (), deal, 0, 0)) is None


def revoked(first, second, seat, place, phase=2):
    """A two-hand deal of so many tricks by phase, with a revoke by a seat in a trick of a phase, from 0."""
    facts, tables = played_out(first, second)
    starts = [at for at, each in enumerate(tables[:-1]) if at_trick(each) == (phase, place)]
    return wrong_of(
        "cross_purposes", facts, tables, score_of("cross_purposes", {"phases": [first, second]}), seat, starts[0]
    )


def at_trick(table):
    view = find("cross_purposes").view(table, "all")
    return (view.phase, sum(view.tricks)) if view.trick == () and view.trumps and view.tops else None


def played_out(first, second):
    """A two-hand deal in which seat 0 takes so many tricks of each phase, first of all."""
    game = find("cross_purposes")
    table = game.start(game.options(), 1, None)
    facts, tables = [], [table]
    suits, ranks = "SHDC", "23456789TJQKA"
    pack = [suit + rank for suit in suits for rank in ranks]
    chance = random.Random(1)
    wins = [[0] * first[0] + [1] * first[1], [0] * second[0] + [1] * second[1]]
    calls = [[(0, "trump", "S"), (1, "top", "A")], [(1, "trump", "H"), (0, "top", "A")]]
    for phase in (0, 1):
        for seat, dim, value in calls[phase]:
            facts.append(fact(seat, "declare", dim, value))
        leader = phase
        for winner in wins[phase]:
            facts += trick(game, pack, chance, leader, winner, "SH"[phase])
            leader = winner
    for each in facts:
        table = game.evolve(table, each)
        tables.append(table)
    return facts, tables


def trick(game, pack, chance, leader, winner, trumps):
    """Two cards of the pack of which the winner's is the higher."""
    power = cross_order(trumps, "A").power
    while True:
        led, answer = chance.sample(pack, 2)
        beats = power[parse_card(led)][parse_card(answer)] > power[parse_card(led)][parse_card(led)]
        if (1 - leader if beats else leader) == winner:
            pack.remove(led)
            pack.remove(answer)
            return [fact(leader, "play", led), fact(1 - leader, "play", answer)]


@pytest.mark.parametrize(
    ("seat", "place", "phases"),
    [
        (1, 3, ((7, 6), (7, 6))),  # seat 0 won trick 4: one trick of the phase passes
        (0, 3, ((7, 6), (4, 9))),  # the offender won it: two pass
        (0, 5, ((7, 6), (5, 8))),  # his last trick: no more than he won from there on
        (0, 9, ((7, 6), (6, 7))),  # he won nothing more
    ],
)
def test_cp_7_one_trick_passes_or_two_if_the_offender_won(seat, place, phases):
    wrong = revoked((7, 6), (6, 7), seat, place)
    found = find("cross_purposes").remedy("tricks-pass", wrong)
    assert found.result.phases == phases
    assert found.result.scores == score_of("cross_purposes", {"phases": phases}).scores


def test_several_revokes_of_a_player_get_the_opponents_best_remedy():
    one, other = revoked((7, 6), (6, 7), 0, 3), revoked((7, 6), (6, 7), 0, 5)
    both = Wrong(one.options, one.facts, one.tables, one.result, 0, (*one.places, *other.places))
    game = find("cross_purposes")
    margins = [
        each.result.scores[1] - each.result.scores[0] for each in (game.remedy("tricks-pass", w) for w in (one, other))
    ]
    found = game.remedy("tricks-pass", both).result.scores
    assert found[1] - found[0] == max(margins)


def test_a_record_that_stops_before_the_end_of_the_trick_says_so():
    wrong = revoked((7, 6), (6, 7), 0, 3)
    cut = Wrong(wrong.options, wrong.facts[:-20], wrong.tables[: wrong.places[0] + 1], wrong.result, 0, wrong.places)
    assert isinstance(find("cross_purposes").remedy("tricks-pass", cut), Lacking)


# --- every game, on deals that were broken on purpose ---


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
@pytest.mark.parametrize("seed", range(2))
def test_floor_no_remedy_leaves_the_innocent_side_worse_off(form, seed):
    made = one_wrong(form, seed)
    if made is None or made.game.to_act(made.states[-1]) is not None:
        return
    table = table_of(made)
    match, deal = table.match, table.match.deals[0]
    result = played(match, deal)
    if result is None or result.void:
        return
    before = by_side(match.setup, result.scores)
    for found in deal_findings(match, deal):
        if found.code is None:
            continue
        offence = remedies.offence_at(match, deal, found.code, found.version)
        offered = remedies.offered(match, deal, found.code, found.version, "T2")
        for each in offered.effects:
            if each.scores is None:
                continue
            mine = {side for side in range(len(before)) if side != offence.side}
            if len(before) == 2:
                assert not remedies.worse(before, each.scores, frozenset(mine)), (form, seed, found, each)
            assert min(each.scores[side] - before[side] for side in range(len(before))) <= 0
            low, high = (-(10**6), 10**6)
            assert all(low < score < high for score in each.scores)


def test_a_made_up_game_brings_its_own_remedy_and_words():
    with among_the_games():
        table = Table("high_card", sides=(("p0",), ("p1",)))
        cards = [("SA", "HA"), ("DA", "CA")]
        table.start(dealer=0, deal={"hands": [list(hand) for hand in cards]})
        peeks = [CardPeeked(1, parse_card("SA")), CardPeeked(1, parse_card("HA"))]
        table.record(*peeks, HandShaken(1), it_happened=True)
        table.record(*(fact(seat, "play", card) for seat, card in ((1, "CA"), (0, "HA"), (0, "SA"), (1, "DA"))))
        match, deal = table.match, table.match.deals[0]
        (at,) = (each.version for each in deal_findings(match, deal) if each.code == "PEK")
        offered = remedies.offered(match, deal, "PEK", at, "T2")
        (under,) = (each for each in offered.effects if each.key == "unseen")
        result = played(match, deal).scores
        moved = min(1, result[1])
        assert under.scores in ((result[0] + moved, result[1] - moved), None)
        assert "seat 0" in english.sentence("high_card", under.says)


@pytest.mark.parametrize(
    ("queens", "cleaned", "scores"),
    [
        ((True, True), (True, True), (0, 1)),
        ((False, True), (True, True), (1, 0)),
        ((True, True), (True, False), (0, 0)),
    ],
)
def test_rk_g11_a_side_with_a_last_king_has_not_cleaned(queens, cleaned, scores):
    options = options_of("ristikontra", cleaning=True)
    result = score_deal(options, (70, 50), (7, 6), queens, cleaned)
    wrong = Wrong(options, (), (), result, 2, (0,))
    assert find("ristikontra").remedy("not-cleaned", wrong).result.scores == scores


def test_gs_7_the_second_breach_of_a_side_is_scored_as_stuck():
    seeds = (one_wrong(("get_stuck", {}), seed, "DGN") for seed in range(30))
    made = next(each for each in seeds if each is not None and each.game.to_act(each.states[-1]) is None)
    result, seat = made.game.score(made.states[-1]), made.facts[made.place].seat
    wrong = Wrong(made.options, tuple(made.facts), tuple(made.states), result, seat, (made.place,))
    found = made.game.remedy("scored-as-stuck", wrong)
    assert found.result.stuck == seat
    left = made.game.view(made.states[made.place], "all")
    assert found.result.numerals == left.numerals


def test_cg_8_the_offenders_trick_passes_with_its_card_points():
    seeds = (one_wrong(("cross_game", {}), seed, "REV") for seed in range(60))
    found = 0
    for made in seeds:
        if made is None or made.game.to_act(made.states[-1]) is not None:
            continue
        result, seat = made.game.score(made.states[-1]), made.facts[made.place].seat
        wrong = Wrong(made.options, tuple(made.facts), tuple(made.states), result, seat, (made.place,))
        after = made.game.remedy("trick-with-points", wrong).result
        assert sum(after.card_points) == sum(result.card_points)
        assert after.card_points[seat] <= result.card_points[seat]
        found += after.tricks != result.tricks
    assert found


def test_ot_6_the_trick_counts_as_the_other_players():
    seeds = (one_wrong(("over_the_top", {}), seed, "OSU") for seed in range(30))
    moved = 0
    for made in seeds:
        if made is None or made.game.to_act(made.states[-1]) is not None:
            continue
        result, seat = made.game.score(made.states[-1]), made.facts[made.place].seat
        wrong = Wrong(made.options, tuple(made.facts), tuple(made.states), result, seat, (made.place,))
        after = made.game.remedy("counts-for-other", wrong).result
        trick = len(made.states[made.place].course.taken)
        assert after.taken[trick][0] == 1 - seat
        assert sum(after.scores) == sum(result.scores)
        moved += after.scores != result.scores
    assert moved
