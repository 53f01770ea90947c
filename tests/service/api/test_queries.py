"""An address refuses query parameters that it does not know; links that name known ones work as before."""

import re

import pytest
from litestar.routes import HTTPRoute

from service.http.queries import ANY, TRACKERS
from service.web.errors import PROGRAMS
from tests.kit.service.asking import House, a_problem
from tests.service.api.test_tournaments import Evening, single

HERE = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b"


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def routes(client):
    """(method, path with something in each place, what it takes) of every route."""
    for route in client.app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for method in route.methods - {"OPTIONS"}:
            path = re.sub(r"{\w+:uuid}", HERE, route.path)
            path = re.sub(r"{file_path:path}", "app.css", path)
            path = re.sub(r"{\w+:int}", "1", path)
            yield method, re.sub(r"{\w+:(str|path)}", "x", path), client.app.state.queries[route.path_format, method]


def test_every_route_refuses_what_it_does_not_know_before_anything_else(client):
    asked = [each for each in routes(client) if ANY not in each[2]]
    assert len(asked) > 90
    for method, path, known in asked:
        answer = client.request(method, f"{path}?colour=red&x[]=1&%00=1&limits=2", follow_redirects=False)
        assert answer.status_code == 400, (method, path)
        if method == "HEAD":
            continue
        body = a_problem(answer, 400, "malformed")
        assert [each["path"] for each in body["errors"]] == ["colour", "x[]", "\N{REPLACEMENT CHARACTER}", "limits"]
        told, wanted = body["detail"].lower(), ("colour", "x[]", "limits")
        if path.startswith(PROGRAMS):
            wanted = tuple(f"`{name}`" for name in (*wanted, *known))
        assert all(name in told for name in wanted), (path, told)


def test_a_typo_is_named_with_what_there_is(house):
    problem = house.refused("GET", f"{house.path}/matches?asof=3", None, 400, "malformed")
    assert problem["detail"] == ("`asof`: this address knows no such parameter, it takes `as_of`, `cursor`, `limit`")
    problem = house.refused("GET", "/api/v1/games?as_of=3", None, 400, "malformed")
    assert "it takes none" in problem["detail"]
    match = house.match()
    house.refused("POST", f"{match}/results?deal=1", {"entry": {"parity": "odd", "tricks": [9, 6]}}, 400, "malformed")


def test_many_strange_parameters_make_no_endless_answer(house):
    strange = "&".join(f"{'n' * 300}{number}=1" for number in range(200))
    assert len(house.get(f"{house.path}?{strange}").content) < 2000


def test_tracking_parameters_are_ignored_on_pages_only(house):
    for name in (each.replace("*", "source") for each in TRACKERS):
        assert house.client.get(f"/clubs/{house.id}?{name}=1").status_code == 200
        house.refused("GET", f"{house.path}?{name}=1", None, 400, "malformed")


def links(house, start, headers):
    """Every address of the house's own that pages link to, send forms to or load, from a page on, with its answer."""
    rows = house.log.execute("select distinct stream_id::text from events where club_id = %s", [house.id]).fetchall()
    own = [*(row[0] for row in rows), "/static/"]
    seen, left = {start}, [start]
    while left:
        path = left.pop()
        answer = house.client.get(path, headers={"Accept": "text/html", **headers}, follow_redirects=False)
        yield path, answer
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        found = re.findall(r'(?:href|src|hx-get)="([^"]+)"', answer.text)
        for link in (each.replace("&amp;", "&").partition("#")[0] for each in found):
            address = path.partition("?")[0] + link if link.startswith("?") else link
            if any(each in address for each in own) and address not in seen:
                seen.add(address)
                left.append(address)


def test_every_link_of_our_own_names_parameters_that_its_address_knows(house, owner):
    match = house.match()
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    swiss = {**single(), "format": {"kind": "swiss", "rounds": 2}}
    cups = [Evening(house, [stage], players=4) for stage in (single(), swiss)]
    for cup in cups:
        cup.to_the_end()
    with_query = 0
    for start in (f"/clubs/{house.id}", *(f"/tournaments/{cup.id}/show" for cup in cups)):
        for path, answer in links(house, start, owner):
            with_query += "?" in path
            assert answer.status_code != 400, path
    assert with_query > 20
