"""Malformed bodies: each is refused with the right problem, never with a 500, and nothing is recorded."""

import json

import pytest

from service.http.kinds import KINDS
from tests.kit.service.asking import a_problem, is_text
from tests.kit.service.sound_bodies import operations

DEEP = b"[" * 30_000
NESTED = b'{"a":' * 900 + b"1" + b"}" * 900
BIG = (2**31, 2**63, 10**20, -(2**63) - 1)
TURN = {"facts": [{"seat": 1, "do": "trump", "suit": "H"}]}
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


@pytest.fixture(scope="module")
def match(house):
    """Parity at the first call of a deal: seat 1 names trumps."""
    path = house.match()
    house.done(f"{path}/deals", {"dealer": 0})
    return path


def test_every_problem_has_a_page(client):
    for slug, kind in KINDS.items():
        page = client.get(f"/problems/{slug}")
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert str(kind.status) in page.text


BODIES = {
    "not finished": b'{"facts": [',
    "no body": b"",
    "an array": b"[]",
    "null": b"null",
    "a string": b'"facts"',
    "a number": b"12",
    "no JSON": b"{",
    "two documents": b"{}{}",
    "byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"facts": []}'.encode("utf-16"),
    "deep brackets": DEEP,
    "deep in a known member": b'{"facts":' + DEEP,
    "NUL itself": b'{"\x00": 1}',
    "not a number": b'{"facts": NaN}',
    "raw invalid UTF-8": b'{"facts": "\xff"}',
    "overlong c0 80": b'{"facts": "\xc0\x80"}',
    "CESU surrogate": b'{"facts": "\xed\xa0\x80"}',
    "lone surrogate": b'{"facts": "\\ud800"}',
    "lone surrogate as a name": b'{"\\udfff": 1}',
    "five thousand digits": b'{"expected_version": ' + b"9" * 5000 + b"}",
    "an endless exponent": b'{"expected_version": 1e' + b"9" * 5000 + b"}",
    "a member of 60 kB": b'{"' + b"x" * 60_000 + b'": 1}',
    "six thousand members": json.dumps({str(n): 1 for n in range(6000)}).encode(),
    "separators as a name": b'{"\\r\\n\\u2028": 1}',
}


def test_one_route_refuses_every_malformed_body(house, match):
    for body in BODIES.values():
        house.refused("POST", f"{match}/facts", body, 400, "malformed")


@pytest.mark.parametrize(
    "what", [*BODIES][:1] + [pytest.param(what, marks=pytest.mark.extended) for what in [*BODIES][1:]]
)
def test_every_route_refuses_a_malformed_body(house, document, targets, what):
    before = house.position()
    for path, _ in operations(document, "post").values():
        if not is_text(document["paths"][path]["post"]):
            a_problem(house.post(targets.address(path), BODIES[what], "owner"), 400, "malformed")
    assert house.position() == before


def test_an_empty_body_is_told_what_is_missing(house, match):
    assert "body" in house.refused("POST", f"{match}/facts", b"", 400, "malformed")["detail"]


@pytest.mark.parametrize("member", ["entry", "deal", "now"])
def test_free_members_take_only_their_own_shape(house, member):
    where = {"entry": "results", "deal": "deals", "now": "corrections"}[member]
    path, more = house.match(), b""
    if member == "now":
        house.done(f"{path}/results", RESULT)
        more = b'"version": 3, "reason": "misread", '
    for kind in (DEEP + b"}", NESTED + b"}", b'"\\u0000"}', b"1}", b'"x"}', b'[["SA"]]}'):
        body = b"{" + more + b'"' + member.encode() + b'": ' + kind
        house.refused("POST", f"{path}/{where}", body, 400, "malformed")


FACTS = [
    {"seat": 4, "do": "play", "card": "SA"},
    {"seat": -1, "do": "play", "card": "SA"},
    {"seat": None, "do": "play", "card": "SA"},
    {"seat": "x", "do": "play", "card": "SA"},
    {"seat": 0.5, "do": "play", "card": "SA"},
    {"seat": 0, "do": "play", "card": "ZZ"},
    {"seat": 0, "do": "play", "card": 5},
    {"seat": 0, "do": "play", "card": None},
    {"seat": 0, "do": "play", "card": "S\r\nA"},
    {"seat": 0, "do": "play", "card": "\u0000"},
    {"seat": 0, "do": "play", "card": "A" * 50_000},
    {"seat": 0, "do": "play"},
    {"seat": 0, "do": "play", "card": "SA", "colour": "red"},
    {"seat": 0, "do": "dance"},
    {"seat": 0, "do": "x" * 50_000},
    {"seat": 0, "do": None},
    {"seat": 0},
    {"do": "play", "card": "SA"},
    [0, "play", "SA"],
    "play",
    None,
]


def test_a_fact_of_unknown_shape_is_named_by_its_place(house, match):
    for fact in FACTS:
        body = {"facts": [TURN["facts"][0], fact]}
        problem = house.refused("POST", f"{match}/facts", body, 400, "malformed")
        assert problem["errors"][0]["path"].startswith("facts[1]"), fact


def test_facts_are_a_list_of_one_to_a_thousand(house, match):
    for facts in ([], None, {}, "play", TURN["facts"] * 1001):
        house.refused("POST", f"{match}/facts", {"facts": facts}, 400, "malformed")


@pytest.mark.parametrize(
    ("where", "body", "member"),
    [
        ("facts", TURN, "expected_version"),
        ("results", RESULT, "dealer"),
        ("deals", {}, "dealer"),
        ("corrections", {"now": {}, "reason": "misread", "version": 1}, "version"),
        ("confirmations", {"deal": 1, "side": 0}, "deal"),
        ("confirmations", {"deal": 1, "side": 0}, "side"),
    ],
)
def test_a_number_out_of_bounds_names_its_member(house, match, where, body, member):
    for value in (*BIG, 1e300, 0.5, -1, "x", [], {}, True):
        problem = house.refused("POST", f"{match}/{where}", {**body, member: value}, 400, "malformed")
        assert problem["errors"][0]["path"].startswith(member)


@pytest.mark.parametrize("member", ["target", "win_by", "cap", "deals", "best_of"])
def test_a_race_out_of_bounds_is_refused(house, member):
    for value in (*BIG, 0, -1, 1e300, "x", []):
        body = {"game": "parity", "sides": [["Annie"], ["Benny"]], member: value}
        house.refused("POST", f"{house.path}/matches", body, 400, "malformed")


IMPOSSIBLE = [
    ({"game": "bridge"}, 422, "unknown-option"),
    ({"game": "b" * 41}, 400, "malformed"),
    ({"options": {"colour": 1}}, 422, "unknown-option"),
    ({"options": {"x" * 50_000: 1}}, 422, "unknown-option"),
    ({"options": {"open_hands": "\u0000"}}, 422, "unknown-option"),
    ({"options": {"open_hands": 2**63}}, 422, "unknown-option"),
    ({"options": {"open_hands": [1]}}, 400, "malformed"),
    ({"options": {"open_hands": 1.5}}, 400, "malformed"),
    ({"lurch": {"lines": ["1/0"], "win_points": [1, 2]}}, 422, "unknown-option"),
    ({"lurch": {"lines": ["1/1\n"], "win_points": [1, 2]}}, 400, "malformed"),
    ({"lurch": {"lines": [2**63], "win_points": [1, 2]}}, 400, "malformed"),
    ({"lurch": {"lines": [1], "win_points": [2**63, 2]}}, 400, "malformed"),
    ({"lurch": {"lines": [1] * 7, "win_points": [1] * 8}}, 400, "malformed"),
    ({"best_of": 2}, 422, "unknown-option"),
    ({"target": None, "deals": None}, 422, "unknown-option"),
    ({"sides": []}, 400, "malformed"),
    ({"sides": [["A"], []]}, 400, "malformed"),
    ({"sides": [["A"], ["B"], ["C"]]}, 400, "malformed"),
    ({"sides": [["A"], [{"id": "x" * 5000}]]}, 400, "malformed"),
    ({"sides": [["A"], [{"id": "\u0000"}]]}, 400, "malformed"),
    ({"sides": [["A"], [{"id": 2**63}]]}, 400, "malformed"),
    ({"sides": [["A"], [{"name": "B"}]]}, 400, "malformed"),
    ({"recording": "loosely"}, 400, "malformed"),
    ({"depth": "deep"}, 400, "malformed"),
]


def test_a_match_with_impossible_settings_is_not_opened(house):
    for more, status, slug in IMPOSSIBLE:
        body = {"game": "parity", "sides": [["Annie"], ["Benny"]], **more}
        house.refused("POST", f"{house.path}/matches", body, status, slug)


def test_a_person_on_two_seats_is_refused_and_not_registered(house):
    for sides in ([["Nova"], ["nova"]], [["Ｎｏｖａ"], ["Nova"]]):
        body = {"game": "parity", "sides": sides}
        house.refused("POST", f"{house.path}/matches", body, 400, "malformed")


ONE_LINE = {
    "NUL": "a\u0000b",
    "line feed": "a\nb",
    "a last line feed": "a\n",
    "CR LF": "a\r\nX-Admin: 1",
    "escape": "a\u001b[2J",
    "delete": "a\u007fb",
    "next line": "a\u0085b",
    "C1 control": "a\u009bb",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "nothing": "",
    "blanks": "   ",
    "an ideographic blank": "\u3000",
}


def test_names_and_reasons_are_one_line_and_not_blank(house, match):
    for text in ONE_LINE.values():
        sides = {"game": "parity", "sides": [[text], ["Benny"]]}
        house.refused("POST", f"{house.path}/matches", sides, 400, "malformed")
        house.refused("POST", f"{house.path}/players", {"name": text}, 400, "malformed", role="owner")
        house.refused("POST", f"{match}/undo", {"reason": text}, 400, "malformed")
        correction = {"version": 1, "now": {}, "reason": text}
        house.refused("POST", f"{match}/corrections", correction, 400, "malformed")


def test_names_and_reasons_end_somewhere(house, match):
    house.refused("POST", f"{house.path}/players", {"name": "x" * 81}, 400, "malformed", role="owner")
    house.refused("POST", f"{match}/undo", {"reason": "x" * 501}, 400, "malformed")
    assert house.post(f"{house.path}/players", {"name": "\U0001f600" * 80}, "owner").status_code == 201


@pytest.mark.parametrize(("size", "status"), [(65_536, 400), (65_537, 413), (1_000_000, 413)])
def test_a_body_over_the_limit_is_too_large_with_any_framing(house, match, size, status):
    slug = {400: "malformed", 413: "too-large"}[status]
    house.refused("POST", f"{match}/facts", b" " * size, status, slug)

    def pieces():
        yield b" " * (size - 1)
        yield b" "

    before = house.position()
    sent = {**house.bearer(), "Content-Type": "application/json"}
    a_problem(house.client.post(f"{match}/facts", content=pieces(), headers=sent), status, slug)
    assert house.position() == before


@pytest.mark.parametrize("body", [b"[" * 100_000, json.dumps(dict.fromkeys(map(str, range(100_000)))).encode()])
def test_a_hundred_thousand_brackets_or_members_are_too_large(house, match, body):
    house.refused("POST", f"{match}/facts", body, 413, "too-large")


def test_the_body_is_read_as_json_whatever_its_content_type(house, match):
    form = "application/x-www-form-urlencoded"
    for kind in ("text/plain", "application/xml", "multipart/form-data", form, "", "\u00ff;"):
        sent = {"Content-Type": kind.encode("latin-1")}
        house.refused("POST", f"{match}/facts", b"facts=1", 400, "malformed", headers=sent)
        house.refused("POST", f"{match}/facts", b"--x\r\n\r\n--x--", 400, "malformed", headers=sent)


def test_of_two_members_of_one_name_the_last_is_read(house):
    path = house.match()
    body = b'{"dealer": 1, "dealer": 0}'
    assert house.done(f"{path}/deals", body)["match"]["deals"][0]["dealer"] == 0


def test_numbers_may_stand_as_text_and_as_whole_floats(house):
    path = house.match()
    assert house.done(f"{path}/deals", {"expected_version": "1", "dealer": 1.0})["version"] == 2
