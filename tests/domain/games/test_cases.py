"""The cases that other implementations made: complete deals, and deals with one broken rule."""

import json
from collections import Counter
from pathlib import Path

import pytest

from domain import codec
from domain.games import all_games
from domain.match.audit.findings import first_breach

DATA = Path(__file__).resolve().parents[2] / "data"


def cases(name: str) -> list:
    lines = [json.loads(line) for line in (DATA / name).read_text().splitlines()]
    lines = [line for line in lines if line["history"]["game"] in all_games()]
    seen: Counter = Counter()
    made = []
    for line in lines:
        seen[line["rules"]] += 1
        made.append(pytest.param(line, id=f"{line['rules']}-{seen[line['rules']]}"))
    return made


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


@pytest.mark.parametrize("case", cases("deals.jsonl"))
def test_a_complete_deal_scores_what_the_case_says(case):
    game, options, start, facts = table_and_facts(case["history"])
    last, place, reasons = first_breach(game, start, facts)
    assert (place, reasons) == (len(facts), ())
    expected = case["expect"]
    result = game.score(last)
    assert (result is not None) == expected["complete"]
    assert by_side(game, options, result.scores, len(expected["scores"])) == expected["scores"]
    assert result.void == expected.get("void", False)


@pytest.mark.parametrize("case", cases("breaches.jsonl"))
def test_a_broken_rule_is_met_at_the_action_the_case_says(case):
    game, _, start, facts = table_and_facts(case["history"])
    _, place, reasons = first_breach(game, start, facts)
    assert reasons
    assert place == case["expect"]["error"]["action"]


def test_there_are_cases_of_every_game_we_have():
    told = {line.values[0]["history"]["game"] for line in cases("deals.jsonl")}
    assert told == set(all_games())
