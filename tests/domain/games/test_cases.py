"""The cases that other implementations made: complete deals, and deals with one broken rule."""

import json
from functools import cache
from pathlib import Path

import pytest

from domain import codec
from domain.games import all_games
from domain.match.audit.findings import first_breach
from tests.kit.games.strategies import naming

DATA = Path(__file__).resolve().parents[2] / "data"


every_game = pytest.mark.parametrize("key", list(all_games()))


@cache
def read(name: str) -> list:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def cases(name: str, key: str) -> list:
    """The cases of a game, numbered by line."""
    found = [(number, case) for number, case in enumerate(read(name), 1) if case["history"]["game"] == key]
    assert found
    return found


def table_and_facts(history: dict):
    game = all_games()[history["game"]]
    options = codec.convert(history.get("options", {}), game.options)
    deal = codec.convert(history["deal"], game.deal)
    assert game.check_deal(options, deal) is None
    facts = [codec.from_list(action) for action in history["actions"]]
    return game, options, game.start(options, history["dealer"], deal), facts


def by_side(game, options, scores: tuple[int, ...], wanted: int) -> list[int]:
    """Scores by seat, or by side where the case counts sides."""
    if len(scores) == wanted:
        return list(scores)
    return [scores[side[0]] for side in game.sides(options)]


@every_game
def test_a_complete_deal_scores_what_the_case_says(key):
    for number, case in cases("deals.jsonl", key):
        with naming((number, case["rules"])):
            game, options, start, facts = table_and_facts(case["history"])
            last, place, reasons = first_breach(game, start, facts)
            assert (place, reasons) == (len(facts), ())
            expected = case["expect"]
            result = game.score(last)
            assert (result is not None) == expected["complete"]
            assert by_side(game, options, result.scores, len(expected["scores"])) == expected["scores"]
            assert result.void == expected.get("void", False)


@every_game
def test_a_broken_rule_is_found_at_the_action_of_the_case(key):
    for number, case in cases("breaches.jsonl", key):
        with naming((number, case["rules"])):
            game, _, start, facts = table_and_facts(case["history"])
            _, place, reasons = first_breach(game, start, facts)
            assert reasons
            assert place == case["expect"]["error"]["action"]
