"""How far spectators are behind a live match."""

from itertools import groupby

import pytest

from domain import codec
from domain.game.protocol import ALL
from domain.log.actor import Actor
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.sight import shown_upto
from domain.match.state import NoMatch, is_complete
from tests.kit.games.strategies import played_out

NOBODY = Actor("spectator")


def evening(form, delay, deals=2, tournament=None):
    """Return the events of a match of some deals, played card by card."""
    found = []
    for number in range(1, deals + 1):
        game, options, dealer, deal, facts, _ = played_out(form, number)
        if not found:
            raw = codec.encode(dict(form[1]))
            race = game.race_for(options)
            sides = tuple(tuple(f"p{seat}" for seat in side) for side in game.sides(options))
            found.append(
                e.MatchOpened(game.key, 1, raw, race, sides, "record", "plays", tournament, None, None, "quiet", delay)
            )
        found.append(e.DealStarted(number, dealer, "full", codec.encode(deal)))
        found += facts
    return [*enumerate(found, start=1)]


def states(events):
    """Return the match after each event."""
    state, found = NoMatch(), []
    for pair in events:
        state = fold(state, [pair])
        found.append(state)
    return found


@pytest.mark.parametrize("form", [("parity", {}), ("cross_purposes", {}), ("over_the_top", {}), ("ristikontra", {})])
def test_a_delay_of_one_trick_hides_the_current_trick(form):
    after = states(evening(form, "trick"))
    told = [shown_upto(each, NOBODY) for each in after]
    assert told == sorted(told), "what was told is never taken back"
    for now, upto in zip(after, told, strict=True):
        then = after[upto - 1]
        table = then.deals[-1].table if then.deals else None
        assert table is None or is_complete(then, then.deals[-1]) or not now.setup.game.view(table, ALL).trick
    assert len(set(told)) > 10, "it goes on trick by trick"
    assert told[-1] == len(after)


@pytest.mark.parametrize("form", [("garbo", {}), ("get_stuck", {})])
def test_without_tricks_the_delay_hides_each_players_last_move(form):
    after = states(evening(form, "trick", deals=1))
    for now in after:
        upto = shown_upto(now, NOBODY)
        if now.deals and not is_complete(now, now.deals[-1]):
            untold = [fact.seat for version, fact in now.deals[-1].facts if version > upto]
            turns = [seat for seat, _ in groupby(untold)]
            assert upto == 1 or turns == [1 - turns[-1], turns[-1]]
    assert len({shown_upto(each, NOBODY) for each in after}) > 5


def test_a_delay_of_one_deal_hides_the_current_deal():
    after = states(evening(("parity", {}), "deal"))
    ends = [each.version for each in after if each.deals and is_complete(each, each.deals[-1])]
    assert {shown_upto(each, NOBODY) for each in after} == {1, *ends}


def test_a_delay_of_one_round_hides_a_match_until_its_round_ends():
    after = states(evening(("parity", {}), "round", tournament="cup"))
    assert {shown_upto(each, NOBODY) for each in after} == {1}
    assert shown_upto(after[-1], NOBODY, waits=False) == len(after)


def test_who_plays_keeps_the_score_or_directs_is_told_at_once():
    after = states(evening(("parity", {}), "deal"))
    for actor in (Actor("scorer"), Actor("director"), Actor("owner"), Actor("player", person="p0")):
        assert all(shown_upto(each, actor) == each.version for each in after)
    assert shown_upto(after[5], Actor("player", person="somebody")) == 1


def test_runs_of_events_rest_where_single_ones_do():
    events = evening(("parity", {}), "trick")
    assert fold(NoMatch(), events) == states(events)[-1]


def test_a_withdrawn_card_stays_hidden_until_the_trick_is_over():
    events = evening(("parity", {}), "trick", deals=1)
    after = states(events)
    led = next(
        at for at, each in enumerate(after) if each.deals and each.setup.game.view(each.deals[-1].table, ALL).trick
    )
    undone = fold(after[led], [(led + 2, e.FactUndone(led + 1))])
    assert shown_upto(undone, NOBODY) == shown_upto(after[led], NOBODY) <= led
