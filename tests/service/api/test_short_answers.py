"""`Prefer: return=minimal`: the short answer to a write says what the long one says of the same, and no more. That the
long one is what it was is shown in test_stored_answers.py."""

import pytest

from domain import codec
from service.store.ids import new_id
from tests.kit.games.strategies import FORM_IDS, FORMS, played_out
from tests.kit.service.asking import House

MINIMAL = {"Prefer": "return=minimal"}
EVERY = 7  # of the facts of a deal one in so many is asked of twice


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.mark.parametrize(
    "form",
    [pytest.param(form, marks=[pytest.mark.extended] if form[1] else []) for form in FORMS],
    ids=FORM_IDS,
)
def test_a_short_answer_agrees_with_the_long_one(house, form):
    game, options, dealer, deal, facts, _ = played_out(form, 3)
    sides = [[house.next_name() for _ in side] for side in game.sides(options)]
    path = house.match(form[0], options=form[1], sides=sides)
    house.done(f"{path}/deals", {"dealer": dealer, "deal": codec.plain(deal)})
    for place, fact in enumerate(facts):
        key = {"Idempotency-Key": new_id()}
        body = {"facts": [codec.plain(fact)]}
        answer = house.post(f"{path}/facts", body, **key, **MINIMAL)
        assert (answer.status_code, answer.headers["preference-applied"]) == (201, "return=minimal")
        assert len(answer.content) <= 1024
        if place % EVERY and place + 1 < len(facts):
            continue
        short, again = answer.json(), house.post(f"{path}/facts", body, **key)
        assert "preference-applied" not in again.headers
        long = again.json()
        assert set(short) == {"version", "position", "events", "to_act"}
        assert (short["version"], short["events"]) == (long["version"], long["events"])
        assert (short["position"], short["to_act"]) == (house.position(), long["table"]["to_act"])


def test_a_short_answer_where_nothing_was_recorded_has_no_position(house):
    path = house.match(target=100)
    entry = {"entry": {"parity": "odd", "tricks": [9, 6]}, "deal": 1}
    house.done(f"{path}/results", entry)
    answer = house.post(f"{path}/results", entry, **MINIMAL)
    assert (answer.status_code, answer.json()) == (200, {"version": 3, "position": None, "events": [], "to_act": None})


@pytest.mark.parametrize("prefer", ["return=representation", "respond-async", "return=minimalist", ""])
def test_other_preferences_are_passed_over(house, prefer):
    answer = house.post(f"{house.match()}/deals", {"dealer": 0}, Prefer=prefer)
    assert "match" in answer.json()


@pytest.mark.parametrize("prefer", ["respond-async, return=minimal", "Return = Minimal; x=1"])
def test_one_of_several_preferences_is_heard(house, prefer):
    answer = house.post(f"{house.match()}/deals", {"dealer": 0}, Prefer=prefer)
    assert "match" not in answer.json()
