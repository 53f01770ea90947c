"""Valid requests, changed at random: every operation of the OpenAPI document answers, never with a 500, and
what was recorded can be read back."""

import copy
import json
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.service.asking import a_problem, is_text
from tests.kit.service.sound_bodies import BODIES, operations

NASTY = [
    *(None, True, False),
    *(0, -1, 3, 99, 2**31, 2**53, 2**63, 10**20, -(10**20), 0.5, 1e300, float("nan"), float("inf")),
    *("", " ", "0", "-1", "SA", "AS", "XR", "S", "odd"),
    *("\x00", "\r\n", "\ud800", "\u202e", "\u2028", "\U0001f600"),
    *("a" * 600, "1/0", "9" * 400, "constructor", "__proto__", "$ref"),
    *([], {}, [[]], [[[[]]]], {"a": {}}, [None], ["SA"], {"do": "play"}, {"id": "x"}, ["__import__('os')"], {"$": 1}),
]
VALUES = st.sampled_from(NASTY) | st.integers() | st.text(max_size=12) | st.floats()


def places(value, at=()):
    """Every place in a body: keys and numbers on the way there."""
    yield at
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from places(each, (*at, key))


def valued(body, place):
    """What stands at a place."""
    for key in place:
        body = body[key]
    return body


def changed(body, place, what, value):
    """The body with one change at a place."""
    if not place:
        return value if what == "replace" else [body] if what == "wrap" else body
    holder = valued(body, place[:-1])
    last = place[-1]
    match what:
        case "replace":
            holder[last] = value
        case "remove":
            del holder[last]
        case "wrap":
            holder[last] = [holder[last]]
        case "double" if isinstance(holder, list):
            holder.insert(last, copy.deepcopy(holder[last]))
        case "more" if isinstance(holder[last], dict):
            holder[last][str(value)[:20]] = value
        case _:
            holder[last] = {"x": holder[last]}
    return body


@st.composite
def requests(draw):
    """An operation and a body that was valid once."""
    operation = draw(st.sampled_from(sorted(BODIES)))
    body = copy.deepcopy(draw(st.sampled_from(BODIES[operation])))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.sampled_from(list(places(body))))
        what = draw(st.sampled_from(["replace", "replace", "remove", "wrap", "double", "more", "nest"]))
        body = changed(body, place, what, copy.deepcopy(draw(VALUES)))
    return operation, body


def quick(examples):
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=examples, database=None, derandomize=True, suppress_health_check=checks)


def fine(house, answer, match):
    """Answered; refused as a problem or recorded; and the match can be read as ever."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        a_problem(answer)
        return
    for what in ("", "/events", "/projections/timeline"):
        assert house.get(f"/api/v1/matches/{match}{what}", "owner").status_code == 200
    assert house.get(f"{house.path}/matches", "owner").status_code == 200


def test_every_write_of_the_document_is_tried(document):
    plain = {
        name for name, (path, _) in operations(document, "post").items() if not is_text(document["paths"][path]["post"])
    }
    assert plain == set(BODIES)


NUMBERS = [
    (operation, number, place)
    for operation, bodies in BODIES.items()
    for number, body in enumerate(bodies)
    for place in places(body)
    if type(valued(body, place)) is int
]


@pytest.mark.parametrize(
    "value", [2**63, *(pytest.param(value, marks=pytest.mark.extended) for value in (2**31, 10**20, -(2**63) - 1))]
)
def test_no_number_anywhere_in_a_body_is_without_bounds(house, document, targets, value):
    before = house.position()
    for operation, number, place in NUMBERS:
        path, _ = operations(document, "post")[operation]
        body = changed(copy.deepcopy(BODIES[operation][number]), place, "replace", value)
        for table in range(4):
            a_problem(house.post(targets.address(path, table), body, "owner"))
    assert len(NUMBERS) > 30
    assert house.position() == before


@pytest.mark.extended
@quick(160)
@given(request=requests(), table=st.integers(0, 3))
def test_a_changed_body_is_refused_or_recorded_and_read_back(house, document, targets, request, table):
    operation, body = request
    path, _ = operations(document, "post")[operation]
    answer = house.post(targets.address(path, table), json.dumps(body).encode(), "owner")
    fine(house, answer, targets.matches[table])


@pytest.mark.extended
@quick(60)
@given(
    request=requests(), table=st.integers(0, 3), at=st.floats(0, 1), cut=st.integers(0, 3), put=st.binary(max_size=3)
)
def test_changed_bytes_are_refused_or_recorded_and_read_back(house, document, targets, request, table, at, cut, put):
    operation, body = request
    path, _ = operations(document, "post")[operation]
    text = json.dumps(body, ensure_ascii=True).encode()
    place = int(at * len(text))
    answer = house.post(targets.address(path, table), text[:place] + put + text[place + cut :], "owner")
    fine(house, answer, targets.matches[table])


QUERY = st.sampled_from(
    ["", "0", "1", "-1", "201", "1e2", "2026-11-20T19:30:00Z", "\x00", "\ud7ff", "9" * 30, "~", "%"]
)


@pytest.mark.extended
@quick(80)
@given(data=st.data())
def test_a_read_with_any_parameters_is_answered(house, document, targets, data):
    read = operations(document, "get")
    path, named = read[data.draw(st.sampled_from(sorted(read)))]
    names = st.sampled_from(named or ["x"])
    pairs = data.draw(st.lists(st.tuples(names, QUERY | st.text(max_size=8)), max_size=3))
    match = data.draw(st.integers(0, 3))
    name = data.draw(st.sampled_from(["tricks", "lurch", "timeline", "nothing"]))
    asked = urlencode(pairs, errors="surrogatepass")
    answer = house.get(f"{targets.address(path, match, name)}?{asked}", data.draw(st.sampled_from(["owner", None])))
    assert answer.status_code in (200, 400, 404, 409, 422), answer.text
    if answer.status_code != 200:
        a_problem(answer)
