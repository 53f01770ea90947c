"""Every page in every state, as everybody who may look: what is linked is there, what we have is shown."""

import re

import pytest

from domain import codec
from domain.games import find
from service.http.kinds import KINDS
from service.web.render import TEMPLATES
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM, first_of_stream
from tests.kit.service.crawling import HTML, Crawl, Templates
from tests.kit.service.doors import Phone, door_of
from tests.kit.service.people import Phone as OwnPhone
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


def _what_a_correction_moves(world):
    """A page that only a form leads to: the winner of a semi-final is another, and the final is on."""
    path = world.scenes["tournament: single, final on"]
    headers = {**HTML, **FORM, **world.cookie("director", world.house.id)}
    form = {"do": "report", "fixture": "W1.1", "side": "1"}
    answer = world.client.post(f"{path}/actions", data=form, headers=headers)
    assert (answer.status_code, "What this changes" in answer.text) == (409, True)


def _who_is_meant(world):
    """The question about a name that is near to somebody's, which only a form leads to."""
    headers = {**HTML, **FORM, **world.cookie("director", world.house.id)}
    world.house.done(f"{world.house.path}/players", {"name": "Quentin Zoll", "another": True}, "owner")
    answer = world.client.post(f"/clubs/{world.house.id}/members", data={"name": "Quentinn"}, headers=headers)
    assert (answer.status_code, "Who is meant?" in answer.text) == (409, True)


def _phones_at_a_table(world):
    """Pages that only a code leads to; their addresses."""
    house, phones = world.house, [Phone(world.client) for _ in range(3)]
    match = house.match()
    first, second, third = phones
    own = match.removeprefix("/api/v1")
    house.done(f"{match}/deals", {"dealer": 0})
    found = [first.come_in(door_of(house, match), "Annie")]
    found += [phone.come_in(door_of(house, match), "Annie") for phone in (second, third)]
    for phone, address in zip(phones, found, strict=True):
        assert phone.get(address).status_code == 200
    ask = {each["at"]: each["id"] for each in door_of(house, match)["asks"]}
    newest, oldest = ask[max(ask)], ask[min(ask)]
    house.done(f"{match}/door/let-in", {"ask": oldest}, "director")
    house.done(f"{match}/door/let-in", {"ask": newest, "yes": False}, "director")
    assert third.get(f"{own}/waiting").status_code == 403
    assert first.get(f"{own}/seats").status_code == 403
    return {*found, f"{own}/seats"}


@pytest.mark.parametrize("role", LOOKERS)
def test_what_is_linked_is_there_with_a_title_and_a_heading(seen, role):
    """The first test of a role asks for every page that it finds, some hundreds: that is why it takes half a minute."""
    assert [fault for crawled in seen.by(role) for fault in crawled.faults] == []


@pytest.mark.parametrize("role", LOOKERS)
def test_every_state_is_shown_to_everybody(world, seen, role):
    pages = seen.by(role)[1].pages
    assert [state for state, address in world.scenes.items() if address not in pages] == []


def _an_invitation(world):
    """A page that only a button leads to: the link, shown this one time."""
    club = world.house.id
    player = world.house.get(f"/api/v1/clubs/{club}/players").json()["items"][0]["id"]
    headers = {**HTML, **FORM, **world.cookie("owner", club)}
    answer = world.client.post(f"/clubs/{club}/invitations", data={"player": player}, headers=headers)
    assert (answer.status_code, "<svg" in answer.text) == (200, True)


def _a_ruling_that_is_asked_for(world):
    """A page that only a form leads to: what a ruling gives, before it is made."""
    case, headers = world.office["case: called"], {**HTML, **FORM, **world.cookie("director", world.house.id)}
    page = world.client.get(case, headers=headers).text
    match = re.search(r"/matches/([0-9a-f-]{36})", page)[1]
    form = {"match": match, "deal": "1", "code": "REV", "remedy": "stands", "reason": "It changes nothing."}
    answer = world.client.post(f"{case}/rule", data=form, headers=headers)
    assert (answer.status_code, "It counts at once" in answer.text) == (200, True)


def _a_hand_by_pin(world):
    """A page that only a PIN leads to, from a table where the hands are hidden."""
    house, phone = world.house, Phone(world.client)
    match = house.match("cross_game")
    deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
    house.done(f"{match}/deals", {"deal": deal})
    (person,) = house.get(match).json()["sides"][0]["players"]
    OwnPhone(house, person).does("/me", do="pin", club=house.id, pin="2468")
    phone.come_in(door_of(house, match), "I keep the score")
    own = match.removeprefix("/api/v1")
    assert "Show my hand" in phone.get(own).text
    answer = phone.post(f"{own}/my-hand", {"person": person, "pin": "2468"})
    assert (answer.status_code, "face down" in answer.text) == (200, True)


def test_every_template_is_shown_to_somebody(world, seen):
    seen.by_all()
    with Templates() as templates:
        for headers in ({}, world.cookie("director", world.house.id)):
            assert world.client.get(NOWHERE, headers={**HTML, **headers}).status_code == 404
        _what_a_correction_moves(world)
        _who_is_meant(world)
        _an_invitation(world)
        _a_ruling_that_is_asked_for(world)
        _phones_at_a_table(world)
        _a_hand_by_pin(world)
    assert set(TEMPLATES.list_templates()) - templates.shown - seen.shown == set()


def test_every_route_that_is_read_leads_to_something_that_is_shown(world, seen):
    addresses = {each.partition("?")[0] for crawled in seen.by_all() for each in (*crawled.pages, *crawled.streams)}
    addresses |= _phones_at_a_table(world)
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
