"""Malformed addresses, methods and headers: each is refused, and what is recorded from a header is one line."""

import json

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.kit.service.asking import House, a_problem
from tests.kit.service.sound_bodies import operations

UNKNOWN = "01a1fea4-0000-7000-8000-000000000000"


@pytest.fixture(scope="module")
def match(house):
    path = house.match()
    house.done(f"{path}/deals", {"dealer": 0})
    return path


HUGE = ["2147483648", "9223372036854775808", "100000000000000000000", "-1", "1e999", "9" * 400]
NO_NUMBER = ["", "x", "1_0", "+5", "%207", "%D9%A3", "%EF%BC%95", "0x10", "1.5", "%00", "%FF", "null", "[]", "1%0A2"]


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


BAD_VALUES = {  # the first of each is tried on every route that takes the parameter
    "limit": ["201", "0", *NO_NUMBER, *HUGE],
    "after": ["x", *NO_NUMBER, "9223372036854775808", "100000000000000000000", "-1", "1e999"],
    "cursor": ["~", *NO_NUMBER[1:], "9" * 80, "9" * 400, "%27", "a%00b"],
    "as_of": [
        "2026-13-01T00:00:00Z",
        *INSTANTS,
        "",
        "-1",
        "+5",
        "1.5",
        "1e2",
        "%D9%A3",
        "9" * 11,
        "9" * 400,
        "%00",
        "%FF",
    ],
}


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.extended)], ids=["first", "all"])
@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_bad_query_parameter_is_refused(house, document, targets, name, everywhere):
    paths = [path for path, named in operations(document, "get").values() if name in named]
    first, *others = BAD_VALUES[name]
    chosen = [(path, value) for path in paths[1:] for value in others] if everywhere else []
    if not everywhere:
        chosen = [(paths[0], value) for value in others] + [(path, first) for path in paths]
    for path, value in chosen:
        problem = house.refused("GET", f"{targets.address(path)}?{name}={value}", None, 400, "malformed", "owner")
        assert name != "limit" or problem["errors"][0]["path"] == name, (path, value)


def test_after_the_end_of_a_log_there_are_no_events(house, match):
    for value in ("2147483647", "2147483648", "4294967296", "9007199254740992"):
        for where in (match, house.path):
            answer = house.get(f"{where}/events?after={value}")
            assert (answer.status_code, answer.text) == (200, "")


def test_before_its_first_event_there_is_no_match(house, match):
    for value in ("0", "0001-01-01T00:00:00Z", "1999-12-31T23:59:59.999999%2B01:00"):
        house.refused("GET", f"{match}?as_of={value}", None, 404, "not-found")
    for value in ("2", "2147483647", "2147483648", "9999-12-31T23:59:59Z"):
        assert house.get(f"{match}?as_of={value}").json()["version"] == 2


def test_a_replay_opens_at_a_version(client, database):
    with House(client, database, public=True) as house:
        page = house.match().removeprefix("/api/v1")
    for value in ("", "x", "-1", "1e2", "%D9%A3", "9" * 10, "%00", "%FF", "1%0A"):
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


def test_an_address_that_does_not_exist_is_not_found(house, match):
    names = ("%00", "nothing", "x" * 5000, "..%2f..", "tricks%00")
    for path in (*BAD_PATHS, *(f"{match}/projections/{name}" for name in names)):
        problem = house.refused("GET", path, None, 404, "not-found")
        assert "/service/" not in problem["detail"], "a path of this machine"


def test_another_method_is_not_allowed(house, match):
    pages = (match.removeprefix("/api/v1"), "/", "/static/app.css", "/docs")
    for where in (match, f"{match}/facts", "/api/v1/games", *pages):
        for method in ("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "X" * 300):
            problem = house.refused(method, where, None, 405, "method-not-allowed")
            assert problem["title"] == "This address does not take that method"


def test_a_405_lists_what_is_allowed(house, match):
    assert "POST" in house.ask("GET", f"{match}/facts").headers["allow"]
    assert "GET" in house.ask("DELETE", match).headers["allow"]


def test_head_and_options_do_nothing(house, match):
    page = match.removeprefix("/api/v1")
    for where in (match, "/api/v1/games", page, "/", "/health/live", "/docs/openapi.json"):
        head = house.ask("HEAD", where)
        assert (head.status_code, head.content) == (405, b"")
        options = house.ask("OPTIONS", where)
        assert (options.status_code, options.content) == (204, b"")


def test_a_key_is_1_to_128_printable_characters(house, match):
    for key in (b"", b"x" * 129, b"a\r\nb", b"a\x00b", b"a\tb", b"\xc3\xa9", b"\xe2\x80\xa8", b"a\x7f"):
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


def test_last_event_id_is_a_number_that_was_given(house, match):
    for where in (match, house.path):
        for last in ("", "x", "-1", "1.5", "9" * 17, "1\r\n2", "\u00b2"):
            sent = {"Last-Event-ID": last.encode("latin-1")}
            house.refused("GET", f"{where}/events", None, 400, "malformed", headers=sent)
        assert house.ask("GET", f"{where}/events", headers={"Last-Event-ID": "9" * 16}).text == ""


def test_a_malformed_token_is_unauthorised_everywhere(house, match):
    bearer = [b"Bearer", b"Bearer ", b"Bearer \xff", b"Bearer a b", b"Bearer " + b"x" * 9000]
    for value in (b"Basic dTpw", b"lurch_x", b"", *bearer):
        for method, where, body in (("GET", match, None), ("GET", "/api/v1/me", None), ("POST", f"{match}/undo", {})):
            sent = {"Authorization": value}
            house.refused(method, where, body, 401, "unauthorised", role=None, headers=sent)


def test_json_is_answered_whatever_is_accepted(house, match):
    for accept in ("application/xml", "*/*;q=0", "\u00ff", "text/event-stream;;;", "x" * 5000):
        answer = house.ask("GET", match, headers={"Accept": accept.encode("latin-1")})
        assert answer.json()["version"] == 2


@pytest.fixture(scope="module")
def named(database):
    """A service that answers to names of its own only."""
    settings = Settings(allowed_hosts="club.example, *.cards.example, ::1, localhost, [fd00::1], lurch.example:8000")
    with TestClient(create_app(database, settings)) as client:
        yield client


def test_a_service_answers_to_its_own_names_on_any_port(named):
    cards = ("club.example", "CLUB.example:8000", "club.example:", "a.cards.example", "lurch.example")
    for host in (*cards, "[::1]:8000", "localhost:1", "[fd00::1]", "[fd00::1]:8000", "lurch.example:8000"):
        assert named.get("/health/live", headers={"Host": host}).status_code == 200, host


def test_a_service_does_not_answer_to_other_names(named):
    evil = ("evil.example", "club.example.evil", "evil.example:club.example", "cards.example")
    for host in ("", "*", "1", ":", *evil, "localhost:1:1"):
        for path in ("/health/live", "/", "/api/v1/games", "/static/app.css"):
            sent = {"Host": host, "X-Forwarded-Host": "club.example"}
            a_problem(named.get(path, headers=sent), 400, "malformed")
