"""Addresses, methods and headers that break a plain application; what is recorded from a header is one line."""

import json

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.kit.service.asking import House, a_problem

UNKNOWN = "01a1fea4-0000-7000-8000-000000000000"


@pytest.fixture(scope="module")
def match(house):
    path = house.match()
    house.done(f"{path}/deals", {"dealer": 0})
    return path


@pytest.fixture(scope="module")
def places(house, match):
    return {"match": match, "club": house.path, "page": match.removeprefix("/api/v1")}


HUGE = ["2147483648", "9223372036854775808", "100000000000000000000", "-1", "1e999", "9" * 400]
NO_NUMBER = ["", "x", "1_0", "+5", "%207", "%D9%A3", "%EF%BC%95", "0x10", "1.5", "%00", "%FF", "null", "[]", "1%0A2"]


@pytest.mark.parametrize("value", [*NO_NUMBER, *HUGE, "0", "201"])
@pytest.mark.parametrize("where", ["/api/v1/clubs", "{club}/matches", "{club}/players"])
def test_a_limit_is_1_to_200(house, places, where, value):
    address = f"{where.format(**places)}?limit={value}"
    problem = house.refused("GET", address, None, 400, "malformed")
    assert problem["errors"][0]["path"] == "limit"


@pytest.mark.parametrize("value", [*NO_NUMBER, "9223372036854775808", "100000000000000000000", "-1", "1e999"])
@pytest.mark.parametrize("where", ["{match}/events", "{club}/events"])
def test_after_is_a_place_in_the_log(house, places, where, value):
    house.refused("GET", f"{where.format(**places)}?after={value}", None, 400, "malformed")


@pytest.mark.parametrize("value", ["2147483647", "2147483648", "4294967296", "9007199254740992"])
@pytest.mark.parametrize("where", ["{match}/events", "{club}/events"])
def test_behind_the_end_there_is_nothing(house, places, where, value):
    answer = house.get(f"{where.format(**places)}?after={value}")
    assert (answer.status_code, answer.text) == (200, "")


@pytest.mark.parametrize("value", [*NO_NUMBER[1:], "9" * 80, "9" * 400, "%27", "a%00b", "~"])
@pytest.mark.parametrize("where", ["/api/v1/clubs", "{club}/matches", "{club}/players"])
def test_a_cursor_is_what_an_earlier_page_said(house, places, where, value):
    house.refused("GET", f"{where.format(**places)}?cursor={value}", None, 400, "malformed")


INSTANTS = [
    "10000-01-01T00:00:00Z",
    "99999-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "2026-11-20T19:30:00",
    "2026-11-20",
    "2026-13-01T00:00:00Z",
    "2026-11-20T25:00:00Z",
    "2026-11-20T19:30:00%2B99:99",
    "9999-12-31T23:59:59-12:00",
    "0001-01-01T00:00:00%2B14:00",
    "infinity",
    "-infinity",
    "now",
    "today",
    "epoch",
]


@pytest.mark.parametrize(
    "value", [*INSTANTS, "", "-1", "+5", "1.5", "1e2", "%D9%A3", "9" * 11, "9" * 400, "%00", "%FF"]
)
@pytest.mark.parametrize(
    "where",
    [
        "{match}",
        "{match}/projections/tricks",
        "{match}/projections/timeline",
        "{club}/matches",
        "{club}/ratings",
        "{club}/seasons",
    ],
)
def test_as_of_is_a_version_or_a_time_with_an_offset(house, places, where, value):
    house.refused("GET", f"{where.format(**places)}?as_of={value}", None, 400, "malformed")


def test_before_its_first_event_there_is_no_match(house, match):
    for value in ("0", "0001-01-01T00:00:00Z", "1999-12-31T23:59:59.999999%2B01:00"):
        house.refused("GET", f"{match}?as_of={value}", None, 404, "not-found")
    for value in ("2", "2147483647", "2147483648", "9999-12-31T23:59:59Z"):
        assert house.get(f"{match}?as_of={value}").json()["version"] == 2


@pytest.mark.parametrize("value", ["", "x", "-1", "1e2", "%D9%A3", "9" * 10, "%00", "%FF", "1%0A"])
def test_a_replay_opens_at_a_version(client, database, value):
    with House(client, database, public=True) as house:
        page = house.match().removeprefix("/api/v1")
    a_problem(client.get(f"{page}/replay?at={value}"), 400, "malformed")


def test_of_repeated_parameters_the_last_counts(house, match):
    assert house.get(f"{match}?as_of=1&as_of=2").json()["version"] == 2
    assert house.get(f"{house.path}/matches?limit=9&limit=1&limit=2").status_code == 200
    house.refused("GET", f"{house.path}/matches?limit=1&limit=x", None, 400, "malformed")


BAD_PATHS = [
    "/nothing",
    "/%00",
    "/%FF%FE",
    "/%C0%80",
    "/%ED%A0%80",
    "/%0D%0AX-Admin:%201",
    "/games/%00",
    "/games/%C0%80",
    f"/games/{'x' * 5000}",
    "/problems/%00",
    "/docs/%00",
    "/docs/nothing",
    "/docs/openapi.yml",
    "/static/%00",
    "/static/app.css%00.png",
    "/static/%FF",
    "/static/nothing.css",
    "/static/vendor",
    "/static/vendor/",
    "/static/%2e%2e/render.py",
    "/static/..%2f..%2f..%2fpyproject.toml",
    "/static/vendor/%2e%2e%2f%2e%2e/render.py",
    "/static//etc/passwd",
    f"/static/{'x' * 300}",
    f"/static/{'x/' * 3000}",
    "/api/v1/matches/%00",
    "/api/v1/matches/17",
    f"/api/v1/matches/{UNKNOWN}%00",
    f"/api/v1/matches/{UNKNOWN}%0A",
    f"/api/v1/matches/{UNKNOWN}",
    f"/api/v1/matches/{UNKNOWN}/events",
    f"/api/v1/clubs/{UNKNOWN}",
    f"/api/v1/clubs/{UNKNOWN}/events",
    "/api/v1/clubs/'%20or%20true--",
    f"/matches/{UNKNOWN}",
    f"/matches/{UNKNOWN}/live",
    f"/matches/{UNKNOWN}/replay",
    f"/clubs/{UNKNOWN}",
    "/clubs/%00/new",
]


@pytest.mark.parametrize("number", range(len(BAD_PATHS)))
def test_what_is_not_there_is_not_found(house, number):
    problem = house.refused("GET", BAD_PATHS[number], None, 404, "not-found")
    assert "/service/" not in problem["detail"], "a path of this machine"


@pytest.mark.parametrize("name", ["%00", "nothing", "x" * 5000, "..%2f..", "tricks%00"])
def test_an_unknown_projection_is_not_found(house, match, name):
    house.refused("GET", f"{match}/projections/{name}", None, 404, "not-found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "X" * 300])
@pytest.mark.parametrize(
    "where", ["{match}", "{match}/facts", "/api/v1/games", "{page}", "/", "/static/app.css", "/docs"]
)
def test_another_method_is_not_allowed(house, places, where, method):
    problem = house.refused(method, where.format(**places), None, 405, "method-not-allowed")
    assert problem["title"] == "This address does not take that method"


def test_a_405_lists_what_is_allowed(house, match):
    assert "POST" in house.ask("GET", f"{match}/facts").headers["allow"]
    assert "GET" in house.ask("DELETE", match).headers["allow"]


@pytest.mark.parametrize("where", ["{match}", "/api/v1/games", "{page}", "/", "/health/live", "/docs/openapi.json"])
def test_head_and_options_do_nothing(house, places, where):
    head = house.ask("HEAD", where.format(**places))
    assert (head.status_code, head.content) == (405, b"")
    options = house.ask("OPTIONS", where.format(**places))
    assert (options.status_code, options.content) == (204, b"")


@pytest.mark.parametrize(
    "key", [b"", b"x" * 129, b"a\r\nb", b"a\x00b", b"a\tb", b"\xc3\xa9", b"\xe2\x80\xa8", b"a\x7f"]
)
def test_a_key_is_1_to_128_printable_characters(house, match, key):
    house.refused("POST", f"{match}/pause", {}, 400, "malformed", headers={"Idempotency-Key": key})


def recorded(house, **headers):
    """What stands in the log of a write with these headers, as a director reads it."""
    path = house.match()
    answer = house.post(f"{path}/deals", {}, **headers)
    assert answer.status_code == 201, answer.text
    (event,) = answer.json()["events"]
    (line,) = house.get(f"{path}/events?after=1", "director").text.splitlines()
    assert json.loads(line)["device_clock"] == event["device_clock"]
    assert json.loads(line)["device"] == event["device"]
    return json.loads(line)


@pytest.mark.parametrize(
    ("device", "kept"),
    [
        (b"desk tablet", "desk tablet"),
        (b"desk\r\nX-Admin: 1", "deskX-Admin: 1"),
        (b"a\x00b\x1b[2Jc\x7fd", "ab[2Jcd"),
        (b"\r\n", None),
        (b"", None),
        (b"x" * 5000, "x" * 80),
    ],
)
def test_what_a_device_calls_itself_is_kept_as_one_short_line(house, device, kept):
    assert recorded(house, **{"X-Lurch-Device": device}).get("device_name") == kept


@pytest.mark.parametrize(
    ("clock", "kept"),
    [
        ("2026-11-20T20:30:00+01:00", "2026-11-20T19:30:00.000000Z"),
        ("2026-11-20T19:30:00", None),
        ("infinity", None),
        ("10000-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59-12:00", None),
        ("9999-12-31T23:59:59.999999Z", None),
        ("0001-01-01T00:00:00Z", None),
        ("0999-01-01T00:00:00Z", None),
        ("x" * 5000, None),
    ],
)
def test_a_clock_that_cannot_be_meant_is_as_good_as_none(house, clock, kept):
    assert recorded(house, **{"X-Lurch-Device-Clock": clock})["device_clock"] == kept


@pytest.mark.parametrize("last", ["", "x", "-1", "1.5", "9" * 17, "1\r\n2", "\u00b2"])
def test_last_event_id_is_a_number_that_was_given(house, match, last):
    for where in (match, house.path):
        sent = {"Last-Event-ID": last.encode("latin-1")}
        house.refused("GET", f"{where}/events", None, 400, "malformed", headers=sent)
        assert house.ask("GET", f"{where}/events", headers={"Last-Event-ID": "9" * 16}).text == ""


@pytest.mark.parametrize(
    "value",
    [b"Basic dTpw", b"Bearer", b"Bearer ", b"Bearer \xff", b"Bearer a b", b"lurch_x", b"", b"Bearer " + b"x" * 9000],
)
def test_a_token_that_is_none_is_unauthorised_everywhere(house, match, value):
    for method, where, body in (("GET", match, None), ("GET", "/api/v1/me", None), ("POST", f"{match}/undo", {})):
        house.refused(method, where, body, 401, "unauthorised", role=None, headers={"Authorization": value})


@pytest.mark.parametrize("accept", ["application/xml", "*/*;q=0", "\u00ff", "text/event-stream;;;", "x" * 5000])
def test_whatever_is_accepted_json_is_answered(house, match, accept):
    answer = house.ask("GET", match, headers={"Accept": accept.encode("latin-1")})
    assert answer.json()["version"] == 2


@pytest.fixture(scope="module")
def named(database):
    """A service that answers to names of its own only."""
    settings = Settings(allowed_hosts="club.example, *.cards.example, ::1, localhost, [fd00::1], lurch.example:8000")
    with TestClient(create_app(database, settings)) as client:
        yield client


@pytest.mark.parametrize(
    "host",
    [
        *("club.example", "CLUB.example:8000", "club.example:", "a.cards.example", "[::1]:8000", "localhost:1"),
        *("[fd00::1]", "[fd00::1]:8000", "lurch.example", "lurch.example:8000"),
    ],
)
def test_to_its_own_names_a_service_answers_whatever_the_port(named, host):
    assert named.get("/health/live", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "*",
        "1",
        ":",
        "evil.example",
        "club.example.evil",
        "evil.example:club.example",
        "cards.example",
        "localhost:1:1",
    ],
)
def test_to_another_name_it_does_not_answer(named, host):
    for path in ("/health/live", "/", "/api/v1/games", "/static/app.css"):
        sent = {"Host": host, "X-Forwarded-Host": "club.example"}
        a_problem(named.get(path, headers=sent), 400, "malformed")
