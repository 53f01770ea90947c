"""Times on pages are those of the club's clocks, with the instant for programs; the API stays in UTC."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log.event import instant
from service.desk.zones import is_zone, local, zone_called, zone_names
from service.web.times import local_text, minute, until, when
from tests.kit.service.asking import House
from tests.kit.service.scenes import World

HTML = {"Accept": "text/html"}
TIME = re.compile(r'<time datetime="(\S+?)"[^>]*>([^<]+)</time>')


@pytest.mark.parametrize(
    ("at", "zone", "said"),
    [
        ("2026-10-25T00:30:00Z", "Europe/Vienna", "2026-10-25 02:30:00 CEST"),
        ("2026-10-25T01:30:00Z", "Europe/Vienna", "2026-10-25 02:30:00 CET"),
        ("2026-03-29T00:59:59.999999Z", "Europe/Vienna", "2026-03-29 01:59:59 CET"),
        ("2026-03-29T01:00:00Z", "Europe/Vienna", "2026-03-29 03:00:00 CEST"),
        ("2026-12-31T23:30:00Z", "Asia/Kolkata", "2027-01-01 05:00:00 IST"),
        ("2026-04-04T15:15:00Z", "Australia/Lord_Howe", "2026-04-05 01:45:00 +1030"),  # half an hour goes back there
        ("2026-11-22T12:00:00+00:00", "UTC", "2026-11-22 12:00:00 UTC"),
        ("2026-11-22T12:00:00Z", "Nowhere/Now", "2026-11-22 12:00:00 UTC"),
    ],
)
def test_a_time_is_that_of_the_clocks_there(at, zone, said):
    assert local_text(at, zone) == said


def test_the_two_half_past_two_of_october_are_told_apart():
    first, second = (when(f"2026-10-25T0{hour}:30:00Z", "Europe/Vienna") for hour in (0, 1))
    assert first == '<time datetime="2026-10-25T00:30:00Z">2026-10-25 02:30:00 CEST</time>'
    assert second == '<time datetime="2026-10-25T01:30:00Z">2026-10-25 02:30:00 CET</time>'
    assert minute("2026-10-25T01:30:00Z", "Europe/Vienna").endswith(">2026-10-25 02:30 CET</time>")
    ends = until("2026-10-25T01:30:00Z", "Europe/Vienna")
    assert ends == ('<time datetime="2026-10-25T01:30:00Z" data-until="2026-10-25T01:30:00Z">until 02:30 CET</time>')


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001  # with a zone
    st.sampled_from(zone_names()),
)
def test_no_two_instants_of_a_day_read_the_same(moment, zone):
    there = local(moment, zone)
    assert there == moment
    for later in (timedelta(minutes=30), timedelta(hours=1), timedelta(hours=2)):
        assert local_text(instant(moment), zone) != local_text(instant(moment + later), zone)


def test_the_zones_are_those_of_the_database_that_comes_with_us():
    assert all(is_zone(name) for name in ("UTC", "Europe/Vienna", "America/Argentina/Ushuaia", "Pacific/Chatham"))
    assert not any(is_zone(name) for name in ("", "Factory", "europe/vienna", "../UTC", "/etc/localtime", "localtime"))
    assert all(zone_called(name).key == name for name in zone_names())


def test_pages_show_club_time_and_the_api_utc(client, database):
    with House(client, database, public=True) as house:
        match = house.match()
        house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
        body = {"version": 3, "now": {"parity": "odd", "tricks": [8, 7]}, "reason": "misread"}
        house.done(f"{match}/corrections", body)
        cup = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}
        entries = [{"do": "enter", "players": [name]} for name in ("Annie", "Benny")]
        made = house.done(f"{house.path}/tournaments", {**cup, "entries": entries}, "director")["tournament"]["id"]
        start = {"do": "start_round", "minutes": 45}
        house.done(f"/api/v1/tournaments/{made}/actions", {"actions": [{"do": "pair_round"}, start]}, "director")
        page = match.removeprefix("/api/v1")
        world = World.__new__(World)
        world.database = database
        director = {**HTML, **world.cookie("director", house.id)}
        for zone, letters in (("Asia/Tokyo", "JST"), ("Asia/Kolkata", "IST")):
            house.done(f"{house.path}/settings", {"zone": zone}, "secretary")
            paths = [f"{page}/replay", page, *(f"/tournaments/{made}{path}" for path in ("/log", "", "/director"))]
            for path in [*paths, f"/tournaments/{made}/show"]:
                answer = client.get(path, headers=director)
                assert answer.status_code == 200, path
                found = TIME.findall(answer.text)
                assert found, path
                for at, said in found:
                    assert at.endswith("Z")
                    assert said.endswith(letters), (path, said)
                    assert local_text(at, zone, "%H:%M") in said
        events = [json.loads(line) for line in house.get(f"{match}/events", "director").text.splitlines()]
        assert all(each["recorded_at"].endswith("Z") for each in events)
