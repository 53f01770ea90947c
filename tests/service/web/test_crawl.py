"""Crawls of every page in every state by each role: links, headings, sizes and streams are checked on each answer."""

import re

import pytest

from service.http.kinds import KINDS
from service.web.render import TEMPLATES
from tests.kit.service.asking import first_of_stream
from tests.kit.service.behind_forms import Behind
from tests.kit.service.crawling import HTML, Crawl, Templates
from tests.kit.service.scenes import LOOKERS

MOST = 60_000
DEMO = 150  # pages of the demo club: it has no state that the other club has not
NOWHERE = "/clubs/01939f5e-0000-7000-8000-000000000000"
UNLINKED = ("/sign-in?link=x", "/health/live", "/health/ready", "/metrics", "/docs/openapi.json")
UNLINKED += ("/shell", "/worker.js")  # asked for by a table's script
REFUSES = "/docs/{path:str}"  # the one route that has nothing to show
TYPES = {"uuid": "[0-9a-f-]{36}", "str": "[^/]+", "path": ".+"}


def crawl(world, role):
    """Crawl the demo club and the club with every state in this role."""
    at, found = LOOKERS.index(role), []
    for club in (world.demo, world.house.id):
        begin = ["/", f"/clubs/{club}", *UNLINKED, *(f"/problems/{slug}" for slug in KINDS)]
        begin += world.scenes.values() if club == world.house.id else []
        begin += world.office.values() if club == world.house.id and role == "owner" else []
        if (role, club) == ("owner", world.house.id):
            person = world.house.get(f"{world.house.path}/players?limit=1", "owner").json()["items"][0]["id"]
            begin += f"/clubs/{club}/members/{person}/erase", "/t", f"/embed{world.scenes['match: playing']}"
        most = DEMO if club == world.demo else None
        looking = Crawl(world.client, world.cookie(role, club), {club}, world.scenes.values(), at, most)
        found.append(looking.run(*begin))
    return found


def first_load(crawled, address):
    """The bytes of a page and its files as they are sent."""
    return crawled.sizes[address] + sum(crawled.sizes[each] for each in crawled.pages[address].files)


def first_event(world, crawled, address):
    """The bytes of a live stream up to its first event."""
    headers = {**crawled.headers, "Accept": "text/event-stream"}
    status, named, first = first_of_stream(world.client, address, headers)
    assert (status, named["content-type"].partition(";")[0]) == (200, "text/event-stream")
    assert b"data:" in first
    return first


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "role", [LOOKERS[0], *(pytest.param(role, marks=pytest.mark.extended) for role in LOOKERS[1:])]
)
def test_a_crawl_finds_every_state_complete_small_and_live(world, role):
    with Templates() as templates:
        demo, house = crawl(world, role)
    assert demo.faults + house.faults == []
    assert [state for state, address in world.scenes.items() if address not in house.pages] == []
    heavy = {
        address: size
        for crawled in (demo, house)
        for address, page in crawled.pages.items()
        if page.headings and not address.startswith("/docs") and (size := first_load(crawled, address)) > MOST
    }
    assert heavy == {}
    for kind in ("/matches/", "/tournaments/"):
        streams = (each for each in sorted(house.streams) if each.startswith(kind) and each.endswith("/live"))
        first_event(world, house, next(streams))
    if role == "director":
        for state, address in world.scenes.items():
            if state.startswith("match"):
                first = first_event(world, house, f"{address}/live")
                assert first_load(house, address) + len(first) <= MOST, state
    if role == "owner":
        every_template_and_route_was_shown(world, (demo, house), templates.shown)


def every_template_and_route_was_shown(world, crawls, shown):
    """Check that the owner's crawl, the pages behind forms and the missing pages show every template and route."""
    with Templates() as templates:
        for headers in ({}, world.cookie("director", world.house.id)):
            assert world.client.get(NOWHERE, headers={**HTML, **headers}).status_code == 404
        behind = Behind(world)
    assert set(TEMPLATES.list_templates()) - templates.shown - shown == set()
    addresses = {each.partition("?")[0] for crawled in crawls for each in (*crawled.pages, *crawled.streams)}
    routes = {route.path for route in world.client.app.routes if "GET" in getattr(route, "methods", ())}
    pages = {path for path in routes if not path.startswith("/api/v1")} - {REFUSES}
    found = addresses | behind.found
    assert len(pages) > 25
    assert {path for path in pages if not any(re.fullmatch(pattern(path), each) for each in found)} == set()


def pattern(route):
    """The addresses of a route, as a regular expression."""
    return re.sub(r"\{\w+:(\w+)\}", lambda found: TYPES[found[1]], route)
