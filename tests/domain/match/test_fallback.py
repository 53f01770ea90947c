"""Falling back to results in mid-deal keeps what was recorded, in every game."""

import pytest

from domain import codec
from domain.cards.seats import NAMES
from domain.match import commands as c
from domain.match.state import played
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps, rewritten
from domain.notation.write_course import NumberedEvent
from tests.kit.games.strategies import FORM_IDS, FORMS, played_out
from tests.kit.match.tables import Table
from tests.kit.tournament.entries import some_entry


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
@pytest.mark.parametrize("known", [True, False], ids=["full", "plays"])
def test_all_4_after_a_pause_only_a_result_is_accepted(form, known):
    game, options, dealer, deal, facts, _ = played_out(form, 13, known)
    letters = NAMES[game.seats(options)]
    names = [[letters[seat] for seat in side] for side in game.sides(options)]
    table = Table(game.key, names, options=form[1])
    table.start(dealer=dealer, deal=deal, depth="full" if known else "plays")
    done = facts[: len(facts) // 2]
    table.record(*done)
    table.do(c.PauseRecording())
    assert table.refused(c.RecordFacts(facts=(facts[len(done)],))).slug == "misfit"
    entry = some_entry(game, options)
    table.enter(entry)
    (at,) = table.match.deals
    wanted = game.sheet.score(options, codec.convert(entry, game.sheet.entry(options)))
    assert [fact for _, fact in at.facts] == done
    assert played(table.match, at).scores == wanted.scores
    once = dumps([NumberedEvent(version, event) for version, event in table.log], names)
    (script,) = loads(once)
    assert (script.problems, script.differences) == ([], [])
    (again,) = script.state.deals
    assert [fact for _, fact in again.facts] == done
    assert again.paused
    assert played(script.state, again).scores == wanted.scores
    assert rewritten(script) == once


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
def test_all_4_a_deal_of_results_only_goes_round_through_notation(form):
    game, options, *_ = played_out(form, 13, True)
    letters = NAMES[game.seats(options)]
    names = [[letters[seat] for seat in side] for side in game.sides(options)]
    table = Table(game.key, names, options=form[1])
    table.enter(some_entry(game, options))
    once = dumps([NumberedEvent(version, event) for version, event in table.log], names)
    (script,) = loads(once)
    assert (script.problems, script.differences) == ([], [])
    (at,), (again,) = table.match.deals, script.state.deals
    assert again.depth == "summary"
    assert played(script.state, again) == played(table.match, at)
    assert rewritten(script) == once
