"""Every page in every state, as everybody who may look: what is linked is there, what we have is shown."""

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
    """What one who looks finds, club by club."""
    at, found = LOOKERS.index(role), []
    for club in (world.demo, world.house.id):
        begin = ["/", f"/clubs/{club}", *UNLINKED, *(f"/problems/{slug}" for slug in KINDS)]
        begin += world.scenes.values() if club == world.house.id else []
        begin += world.office.values() if club == world.house.id and role == "owner" else []
        if (role, club) == ("owner", world.house.id):
            person = world.house.get(f"{world.house.path}/players?limit=1", "owner").json()["items"][0]["id"]
            begin.append(f"/clubs/{club}/members/{person}/erase")
        most = DEMO if club == world.demo else None
        looking = Crawl(world.client, world.cookie(role, club), {club}, world.scenes.values(), at, most)
        found.append(looking.run(*begin))
    return found


class Seen:
    """What everybody finds, each crawled when first asked for, and the templates that were shown meanwhile."""

    def __init__(self, world):
        self.world, self.found, self.shown = world, {}, set()

    def by(self, role):
        """The crawls of one who looks: of the demo club, and of the club with every state."""
        if role not in self.found:
            with Templates() as templates:
                self.found[role] = crawl(self.world, role)
            self.shown |= templates.shown
        return self.found[role]

    def by_all(self):
        return [crawled for role in LOOKERS for crawled in self.by(role)]


@pytest.fixture(scope="module")
def seen(world):
    return Seen(world)


@pytest.mark.parametrize("role", LOOKERS)
def test_what_is_linked_is_there_with_a_title_and_a_heading(seen, role):
    """The first test of a role asks for every page that it finds, some hundreds: that is why it takes half a minute."""
    assert [fault for crawled in seen.by(role) for fault in crawled.faults] == []


@pytest.mark.parametrize("role", LOOKERS)
def test_every_state_is_shown_to_everybody(world, seen, role):
    pages = seen.by(role)[1].pages
    assert [state for state, address in world.scenes.items() if address not in pages] == []


def test_every_template_is_shown_to_somebody(world, seen):
    seen.by_all()
    with Templates() as templates:
        for headers in ({}, world.cookie("director", world.house.id)):
            assert world.client.get(NOWHERE, headers={**HTML, **headers}).status_code == 404
        Behind(world)
    assert set(TEMPLATES.list_templates()) - templates.shown - seen.shown == set()


def test_every_route_that_is_read_leads_to_something_that_is_shown(world, seen):
    addresses = {each.partition("?")[0] for crawled in seen.by_all() for each in (*crawled.pages, *crawled.streams)}
    addresses |= Behind(world).found
    routes = {route.path for route in world.client.app.routes if "GET" in getattr(route, "methods", ())}
    pages = {path for path in routes if not path.startswith("/api/v1")} - {REFUSES}
    never = {path for path in pages if not any(re.fullmatch(pattern(path), each) for each in addresses)}
    assert len(pages) > 25
    assert never == set()


def pattern(route):
    """The addresses of a route, as a regular expression."""
    return re.sub(r"\{\w+:(\w+)\}", lambda found: TYPES[found[1]], route)


@pytest.mark.parametrize("role", LOOKERS)
def test_a_page_that_follows_is_told_at_once_what_there_is(world, seen, role):
    crawled = seen.by(role)[1]
    headers = {**crawled.headers, "Accept": "text/event-stream"}
    for kind in ("/matches/", "/tournaments/"):
        stream = next(each for each in sorted(crawled.streams) if each.startswith(kind) and each.endswith("/live"))
        status, named, first = first_of_stream(world.client, stream, headers)
        assert (status, named["content-type"].partition(";")[0]) == (200, "text/event-stream")
        assert b"data:" in first


@pytest.mark.parametrize("role", LOOKERS)
def test_the_first_load_of_every_page_is_60_kilobytes_at_most(seen, role):
    """With its files, as they come over the wire; the documentation of the API is a program of its own."""
    heavy = {
        address: size
        for crawled in seen.by(role)
        for address, page in crawled.pages.items()
        if (size := crawled.sizes[address] + sum(crawled.sizes[each] for each in page.files)) > MOST
        and page.headings
        and not address.startswith("/docs")
    }
    assert heavy == {}


def test_what_a_live_table_is_told_first_is_no_load_either(world, seen):
    director = seen.by("director")[1]
    headers = {**director.headers, "Accept": "text/event-stream"}
    for state, address in world.scenes.items():
        if state.startswith("match"):
            first = len(first_of_stream(world.client, f"{address}/live", headers)[2])
            files = sum(director.sizes[each] for each in director.pages[address].files)
            assert director.sizes[address] + files + first <= MOST, state
