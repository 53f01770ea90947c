"""Reading a legal history in one go gives the same as deciding each action."""

import json
from pathlib import Path

import pytest

from domain.games import all_games
from domain.log.decider import Refusal
from domain.match import recording
from domain.notation import history, match_history
from domain.notation.dealing import random_deal
from domain.notation.history import MalformedError
from domain.notation.match_history import events_of, places_of

DATA = Path(__file__).parents[2] / "data"


def outcome(line):
    """Return the events of a line, or its error."""
    try:
        read = history.read(line)
        return events_of(read, tuple(tuple(f"{seat}" for seat in side) for side in places_of(read)))
    except MalformedError as error:
        return (error.detail, error.column)
    except Refusal as refusal:
        return (refusal.slug, refusal.detail, refusal.rule, refusal.code, refusal.extra)


def deals_of(key):
    """Yield random deals of a game: whole, cut short, with an action doubled or left out."""
    game = all_games()[key]
    for number in range(1, 5):
        whole = json.loads(random_deal(game, game.options(), {}, 11, number))
        actions = whole["actions"]
        yield json.dumps(whole)
        for place in range(0, len(actions), 10):
            yield json.dumps({**whole, "actions": actions[:place]})
            yield json.dumps({**whole, "actions": [*actions[: place + 1], *actions[place:]]})
            yield json.dumps({**whole, "actions": [*actions[:place], *actions[place + 1 :]]})
        claim = [[0, "rest"], [1, "agree", True]]
        yield json.dumps({**whole, "actions": [*actions[: len(actions) // 2], *claim, *actions[len(actions) // 2 :]]})


def kept():
    """Yield the kept deals and breaches."""
    for name in ("deals.jsonl", "breaches.jsonl"):
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            yield json.dumps(json.loads(line)["history"])


def is_told_apart(lines, monkeypatch):
    """Check that both ways give the same; return how many lines were read in one go, and of how many."""
    plainly = []

    def noted(*given):
        found = recording.plain_play(*given)
        plainly.append(found is not None)
        return found

    fast, slow = [], []
    with monkeypatch.context() as patched:
        patched.setattr(match_history, "plain_play", noted)
        fast = list(map(outcome, lines))
    with monkeypatch.context() as patched:
        patched.setattr(match_history, "plain_play", lambda *_: None)
        slow = list(map(outcome, lines))
    assert fast == slow
    return sum(plainly), len(plainly)


@pytest.mark.parametrize("key", list(all_games()))
def test_random_deals_whole_cut_and_broken(key, monkeypatch):
    plainly, all_of_them = is_told_apart(list(deals_of(key)), monkeypatch)
    assert 4 <= plainly < all_of_them


def test_the_deals_and_breaches_that_are_kept(monkeypatch):
    plainly, all_of_them = is_told_apart(list(kept()), monkeypatch)
    assert 200 < plainly < all_of_them
