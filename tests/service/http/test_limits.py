"""Limits: a credential is counted by itself, everything else by its address; a refusal is early and tells nothing."""

import asyncio
from contextlib import contextmanager
from time import monotonic

import pytest
from litestar.testing import TestClient
from prometheus_client import REGISTRY

from service.http.buckets import Rate
from service.http.limits import Limits, Rates, limited
from service.run.app import create_app
from service.run.settings import Settings
from service.store.credentials import Held, KnownHeld, of_cookie, of_token
from service.store.doorkeeper import Doorkeeper
from tests.kit.service.asking import FORM, House, a_problem, sign_in
from tests.kit.service.doors import Phone, door_of
from tests.service.http.test_buckets import Clock

SMALL = Rates(Rate(1, 3), Rate(2, 4), Rate(1, 5))


class Doors:
    """A doorkeeper who knows the good credentials, and counts what is asked."""

    def __init__(self, *good):
        self.good, self.asked = set(good), 0

    async def held(self, credential):
        self.asked += 1
        return "somebody" if credential in self.good else None

    def remembered(self, credential):
        return KnownHeld(Held(None, None, "somebody"), None) if credential in self.good else None


class App:
    """The least that a request reads of an application."""

    def __init__(self, doors, **settings):
        self.state = self
        self.settings = Settings(**settings)
        self.services = self
        self.doors = doors


def scope_of(app, token=None, method="GET", sender="192.0.2.1", cookie=None, path="/api/v1/clubs", **more):
    headers = [(b"authorization", b"Bearer " + token.encode())] if token else []
    headers += [(b"cookie", f"lurch_sign_in={cookie}".encode())] if cookie else []
    headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": headers, "client": (sender, 1)}
    return {**scope, "app": app, "state": {}, "query_string": b""}


def hall(count, **settings):
    """Limits as they are, at a clock that stands, an application with so many good tokens, and how it is asked."""
    clock = Clock()
    limits = Limits(Rates(), clock)
    doors = Doors(*(of_token(f"t{each}") for each in range(count)), of_cookie("c"))
    app = App(doors, **settings)

    def ask(times=1, **what):
        async def all_of_them():
            return [await limits.wait_for(scope_of(app, **what), doors) for _ in range(times)]

        return asyncio.run(all_of_them())

    return clock, doors, ask


def taken(waits):
    return sum(wait == 0 for wait in waits)


def test_a_phone_back_online_may_send_five_hundred_writes():
    clock, _, ask = hall(1)
    assert taken(ask(500, token="t0", method="POST")) == 500
    assert taken(ask(200, token="t0", method="POST")) == 100
    clock.now += 1
    assert taken(ask(200, token="t0", method="POST")) == 20
    assert taken(ask(1, token="t0")) == 1, "who writes too fast may still read"


def test_reads_of_a_credential():
    clock, _, ask = hall(1)
    assert taken(ask(400, token="t0")) == 300
    clock.now += 2
    assert taken(ask(400, token="t0", method="HEAD")) == 100
    assert taken(ask(1, token="t0", method="POST")) == 1


def test_sign_ins_count_by_themselves_and_invented_credentials_by_address():
    _, _, ask = hall(1)
    assert taken(ask(2_100)) == 2_000
    assert ask(1, cookie="c") == [0]
    assert ask(1, token="invented", cookie="c") == [0]
    assert taken(ask(10, token="invented") + ask(10, cookie="invented")) == 0


def test_a_network_of_a_site_is_one_address():
    _, _, ask = hall(0)
    assert taken(ask(1_500, sender="2001:db8:0:1::1") + ask(1_500, sender="2001:db8:0:1:ffff::2")) == 2_000
    assert taken(ask(1, sender="2001:db8:0:2::1")) == 1


def test_behind_a_trusted_proxy_each_address_has_its_own():
    _, _, ask = hall(0, trusted_proxies="10.0.0.0/8")
    flood = {"sender": "10.0.0.1", "x_forwarded_for": "192.0.2.7"}
    assert taken(ask(2_100, **flood)) == 2_000
    assert taken(ask(1, sender="10.0.0.1", x_forwarded_for="192.0.2.8")) == 1
    assert taken(ask(1, sender="10.0.0.1", x_forwarded_for="192.0.2.9, 192.0.2.7")) == 0, "what it says of itself"
    _, _, ask = hall(0)
    assert taken(ask(2_100, **flood)) == 2_000
    assert taken(ask(1, sender="10.0.0.1", x_forwarded_for="192.0.2.8")) == 0, "nobody is trusted by itself"


def test_credentials_count_as_good_while_the_database_is_away():
    _, doors, ask = hall(0)

    async def away(_):
        raise OSError("away")

    doors.held = away
    assert taken(ask(2_100)) == 2_000
    assert ask(1, token="t0") == [0]


def test_a_refusal_comes_before_the_body_is_read():
    doors, said = Doors(), []
    app = App(doors)

    async def inside(*_):
        raise AssertionError("nothing behind the limits is asked")

    async def unread():
        raise AssertionError("a body is not read")

    class Answer:
        def __init__(self, request, refusal):
            self.refusal = refusal

        def to_asgi_response(self, *_):
            async def send_it(*_):
                said.append((self.refusal.slug, self.refusal.detail, self.refusal.extra["retry_after"]))

            return send_it

    guarded = limited(inside, Limits(Rates(strangers=Rate(0.1, 1)), Clock()), lambda path: False, Answer)
    with pytest.raises(AssertionError, match="nothing behind"):
        asyncio.run(guarded(scope_of(app), unread, None))
    for what in ({"path": "/"}, {"path": "/nothing"}, {"method": "POST"}, {"path": "/static/no.css"}):
        asyncio.run(guarded(scope_of(app, **what), unread, None))
    assert len(said) == 4
    assert len(set(said)) == 1
    assert said[0][2] == 10
    assert doors.asked == 0


@contextmanager
def limited_app(database, rates):
    """An application with these limits, and the clock by which they are counted."""
    clock = Clock()
    with TestClient(create_app(database, Settings(), limits=Limits(rates, clock))) as client:
        yield client, clock


@pytest.fixture(scope="module")
def small(database):
    with limited_app(database, SMALL) as found:
        yield found


@pytest.fixture
def limited_house(small, database):
    """A club with small limits of which nothing has been used, and the clock by which they are counted."""
    client, clock = small
    client.cookies.clear()
    clock.now += 1000
    with House(client, database) as house:
        yield house, clock


def statuses(house, count, path="/api/v1/games", role=None, **more):
    return [house.client.get(path, headers=house.bearer(role), **more).status_code for _ in range(count)]


def test_a_request_after_retry_after_succeeds(limited_house):
    house, clock = limited_house
    assert statuses(house, 6) == [200] * 5 + [429]
    refused = house.client.get("/api/v1/games")
    a_problem(refused, 429, "too-many-requests")
    clock.now += int(refused.headers["retry-after"])
    assert statuses(house, 2) == [200, 429]
    assert statuses(house, 5, role="player") == [200] * 4 + [429]


def test_a_refused_write_records_nothing_and_its_repeat_records_once(limited_house):
    house, clock = limited_house
    body, key = {"game": "parity", "sides": [["A"], ["B"]]}, {"Idempotency-Key": "again"}
    path = f"{house.path}/matches"
    answers = [house.ask("POST", path, body, "scorer").status_code for _ in range(4)]
    assert answers == [201] * 3 + [429]
    before = house.position()
    refused = house.ask("POST", path, body, "scorer", key)
    assert (refused.status_code, house.position()) == (429, before)
    assert house.ask("POST", path, body, "director", key).status_code == 201, "a neighbour is not held up"
    clock.now += int(refused.headers["retry-after"])
    assert house.ask("POST", path, body, "scorer", key).status_code == 201


def test_a_refusal_does_not_depend_on_the_path(limited_house):
    house, _ = limited_house
    match = house.match()
    page = match.replace("/api/v1", "")
    statuses(house, 5)
    for accept in ("text/html", "application/json"):
        asked = {"Accept": accept, "Cookie": "lurch_sign_in=invented"}
        paths = (page, f"{page}x", "/nothing", "/", "/static/nothing.css", "/matches/%00")
        said = {(each.status_code, each.text) for each in (house.client.get(path, headers=asked) for path in paths)}
        assert len(said) == 1
        assert said.pop()[0] == 429
    assert house.client.get("/health/live").status_code == 200
    assert house.client.get("/health/of-my-own").status_code == 429
    assert house.client.get("/static/app.css").status_code == 200


def test_a_browser_is_refused_with_a_page(limited_house):
    house, _ = limited_house
    statuses(house, 5)
    page = house.client.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["retry-after"]) == (429, "1")
    assert "Too many requests" in page.text
    assert page.headers["x-content-type-options"] == "nosniff"


def test_sign_ins_and_codes_of_tables_are_credentials_too(database):
    wide = Rates(Rate(1, 9), Rate(1, 9), Rate(1, 40))
    with limited_app(database, wide) as (client, _), House(client, database) as house:
        owner, match, phone = sign_in(client, database), house.match(), Phone(client)
        phone.scan(door_of(house, match))
        assert phone.tap("Annie")
        while client.get("/api/v1/games").status_code == 200:
            pass
        assert client.get("/t").status_code == 429
        assert client.get("/", headers=owner).status_code == 200
        assert phone.get(match.replace("/api/v1", "")).status_code == 200
        answers = [client.post("/sign-out", headers=FORM).status_code for _ in range(2)]
        assert answers == [429, 429]


@pytest.mark.parametrize("once_good", [False, True])
def test_a_flood_of_one_unknown_token_asks_the_database_once(once_good):
    asked, doors, shown = [], Doorkeeper(None, None), of_token("lurch_x")
    doors._found = {shown: KnownHeld("held", monotonic() - 6)} if once_good else {}

    async def read(pool, credentials, used=None):
        asked.append(credentials)
        return {}

    doors._read = read

    async def flood():
        for _ in range(50):
            assert await doors.held(shown) is None
        assert len(asked) == 1
        (known,) = doors._unknown.values()
        doors._unknown[shown] = KnownHeld(None, known.since - 6)
        await doors.held(shown)
        assert len(asked) == 2, "it is remembered for a few seconds only"

    asyncio.run(flood())


def test_invented_tokens_do_not_evict_good_ones_or_fill_memory():
    doors = Doorkeeper(None, None)

    async def read(pool, credentials, used=None):
        return {each: "held" for each in credentials if each == of_token("good")}

    doors._read = read

    async def flood():
        await doors.held(of_token("good"))
        kept = doors._found[of_token("good")]
        for each in range(10_000):
            await doors.held(of_token(f"bad{each}"))
        assert doors._found == {of_token("good"): kept}
        assert len(doors._unknown) <= 4097

    asyncio.run(flood())


def test_refusals_are_counted(limited_house):
    def counted():
        return REGISTRY.get_sample_value("lurch_requests_refused_total", {"of": "address"}) or 0

    before = counted()
    statuses(limited_house[0], 7)
    assert counted() - before == 2


def test_limits_can_be_switched_off_to_measure(database):
    with TestClient(create_app(database, Settings(limits=False), limits=Limits(SMALL))) as client:
        assert {client.get("/api/v1/games").status_code for _ in range(20)} == {200}
