"""LURCH_SECURE_COOKIES and LURCH_METRICS: what they switch on, and that nothing of it is there without."""

from http.cookies import SimpleCookie

import pytest
from litestar import Request
from litestar.testing import TestClient

from service.http.senders import by_tls
from service.run.app import create_app
from service.run.settings import Settings, SettingsError, load
from service.store import tokens
from tests.conftest import with_pool
from tests.kit.service.asking import FORM, House, sign_in
from tests.service.store.test_doors import knows, redeem, soon

PATHS = ("/", "/nothing", "/static/app.css", "/health/live", "/api/v1/me", "/docs")
SECRET = "a-secret-of-the-program"


class Served:
    """One application, whose settings and whose caller's address change from request to request."""

    def __init__(self, client):
        self.client, self.app, self.sender = client, client.app, "192.0.2.1"
        inside = self.app.asgi_handler

        async def moved(scope, receive, send):
            scope["client"] = (self.sender, 1)
            await inside(scope, receive, send)

        self.app.asgi_handler = moved

    def set(self, sender="192.0.2.1", **settings):
        self.sender, self.app.state.settings = sender, Settings(**settings)
        self.client.cookies.clear()
        return self.client

    def metrics(self, setting, headers=None, **more):
        return self.set(metrics=setting, **more).get("/metrics", headers=headers or {}).status_code


@pytest.fixture(scope="module")
def served(database):
    given = Settings()
    with TestClient(create_app(database, given)) as client:
        assert soon(lambda: client.app.state.settings is not given, 60), (
            "the address that was chosen is remembered first"
        )
        yield Served(client)


def cookies_of(client, database):
    """The cookies that a browser is given: of a sign-in, and of a language."""
    signed = redeem(client, with_pool(database, tokens.make_link))
    chosen = client.post("/language", data={"language": "fi"}, headers=FORM, follow_redirects=False)
    found = SimpleCookie(signed.headers["set-cookie"])
    found.load(chosen.headers["set-cookie"])
    return {name: bool(each["secure"]) for name, each in found.items()}


def test_secure_cookies_are_host_cookies_and_hsts_is_sent(database, served):
    client = served.set(secure_cookies=True)
    assert cookies_of(client, database) == {"__Host-lurch_sign_in": True, "__Host-lurch_language": True}
    for path in PATHS:
        assert client.get(path).headers["strict-transport-security"] == "max-age=2592000"


@pytest.mark.parametrize("settings", [{}, {"address": "https://lurch.example"}, {"cert": "x", "key": "y"}])
def test_hsts_is_not_sent_without_the_setting(database, served, settings):
    client = served.set(**settings)
    assert set(cookies_of(client, database).values()) == {bool(settings)}, "a service that has TLS marks its cookies"
    assert "strict-transport-security" not in client.get("/").headers


def test_a_language_chosen_before_tls_stays(served):
    client = served.set(secure_cookies=True)
    assert 'lang="fi"' in client.get("/", headers={"Cookie": "lurch_language=fi"}).text
    both = {"Cookie": "lurch_language=fi; __Host-lurch_language=ro"}
    assert 'lang="ro"' in client.get("/", headers=both).text


def test_a_cookie_from_before_tls_is_replaced_once(client, database, served):
    owner = sign_in(client, database)
    secure = served.set(secure_cookies=True)
    assert knows(secure, owner)
    secure.cookies.clear()
    said = secure.get("/", headers=owner).headers.get_list("set-cookie")
    assert said[0].startswith("__Host-lurch_sign_in=")
    assert said[1].startswith("lurch_sign_in=")
    assert "Max-Age=0" in said[1]
    secure.cookies.clear()
    fresh = {"Cookie": said[0].partition(";")[0]}
    assert len(secure.get("/", headers=fresh).headers.get_list("set-cookie")) == 1


def test_metrics_are_for_this_machine_and_the_owner_by_default(client, database, served):
    with House(client, database) as house:
        owner, director = house.bearer("owner"), house.bearer("director")
    here = {"sender": "127.0.0.1"}
    table = {
        "local": (404, 200, 200, 404),
        "on": (200, 200, 200, 200),
        "off": (404, 404, 404, 404),
        SECRET: (404, 200, 200, 404),
    }
    for setting, statuses in table.items():
        found = (
            served.metrics(setting),
            served.metrics(setting, **here),
            served.metrics(setting, owner),
            served.metrics(setting, director),
        )
        assert found == statuses, setting


def test_the_metrics_secret_opens_nothing_else(served):
    bearer = {"Authorization": f"Bearer {SECRET}"}
    assert served.metrics(SECRET, bearer) == 200
    assert served.metrics(SECRET, {"Authorization": f"Bearer {SECRET}x"}) == 401
    assert served.metrics("local", bearer) == 401
    assert served.metrics("off", bearer) == 404
    assert served.set(metrics=SECRET).get("/api/v1/me", headers=bearer).status_code == 401


def test_requests_through_a_local_proxy_are_not_local(served):
    forwarded = {"X-Forwarded-For": "192.0.2.1"}
    assert served.metrics("local", forwarded, sender="127.0.0.1") == 404
    assert served.metrics("local", forwarded, sender="127.0.0.1", trusted_proxies="127.0.0.1/32") == 404
    assert served.metrics("local", {"X-Forwarded-For": "127.0.0.1"}, sender="127.0.0.1") == 404
    assert served.metrics("local", {"X-Forwarded-For": "127.0.0.1"}) == 404


def test_only_trusted_proxies_may_claim_tls(database, served):
    told = {"X-Forwarded-Proto": "https"}
    for trusted, secure in (("10.0.0.0/8", True), (None, False), ("10.9.0.0/16", False)):
        client = served.set("10.0.0.1", trusted_proxies=trusted)
        said = redeem(client, with_pool(database, tokens.make_link), **told).headers["set-cookie"]
        assert said.startswith("__Host-") == secure


@pytest.mark.parametrize(
    ("lines", "secure"),
    [(["https", "http"], False), (["http", "https"], True), (["https, http"], False), (["http", "http, https"], True)],
)
def test_the_last_forwarded_protocol_counts(served, lines, secure):
    served.set(trusted_proxies="10.0.0.0/8")
    said = [(b"x-forwarded-proto", each.encode()) for each in lines]
    scope = {"type": "http", "headers": said, "client": ("10.0.0.1", 1), "scheme": "http", "app": served.app}
    assert by_tls(Request(scope)) == secure


def test_invalid_metrics_settings_are_refused():
    assert load({"LURCH_METRICS": "off"}).metrics == "off"
    assert load({}).metrics == "local"
    assert not load({"LURCH_LIMITS": "0"}).limits
    for wrong in ("onn", "127.0.0.1:9", "short"):
        with pytest.raises(SettingsError, match="LURCH_METRICS"):
            load({"LURCH_METRICS": wrong})
