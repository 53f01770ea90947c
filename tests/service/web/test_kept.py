"""What goes over the wire and what may be kept: compression, files under their stamp, public pages with their tag."""

import pytest

from service.languages.known import LANGUAGES
from service.web.kept import FILES, static_url
from service.web.worker import kept_files, shell_url
from tests.kit.service.asking import FORM, NOWHERE, House, first_of_stream

GZIP = {"Accept-Encoding": "gzip"}
HTML = {"Accept": "text/html", **GZIP}
WORKER = 250_000  # bytes that a worker fetches after the first load


@pytest.fixture(scope="module")
def public(client, database):
    with House(client, database, public=True) as house:
        yield house


def compressed(answer):
    return answer.headers.get("content-encoding") == "gzip"


def test_pages_files_and_api_answers_are_compressed_on_request(client, house, owner):
    for address in (f"/clubs/{house.id}/new?game=parity", "/games/parity", static_url("app.css"), "/api/v1/games"):
        small = client.get(address, headers={**owner, **GZIP})
        large = client.get(address, headers={**owner, "Accept-Encoding": "identity"})
        assert (compressed(small), compressed(large)) == (True, False), address
        assert "accept-encoding" in small.headers["vary"].lower(), address
        assert small.text == large.text, address


@pytest.mark.parametrize("kind", ["pages", "api"])
def test_a_stream_of_events_is_not_compressed(client, house, owner, kind):
    path = house.match()
    for _ in range(3):
        house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    page = kind == "pages"
    stream = f"{path.removeprefix('/api/v1')}/live" if page else f"{path}/events"
    who = owner if page else house.bearer("owner")
    headers = {**who, **GZIP, "Accept": "text/event-stream"}
    status, named, first = first_of_stream(client, stream, headers, b"data:")
    assert (status, "content-encoding" in named, b"data:" in first) == (200, False, True)
    lines = client.get(f"{path}/events", headers={**house.bearer("owner"), **GZIP})
    assert compressed(lines), "the same events as lines are"


def test_what_holds_a_secret_that_works_once_is_not_compressed(client, house, owner):
    link = client.get(f"/sign-in?link={'x' * 200}", headers=HTML)
    assert (link.status_code, compressed(link), link.headers["cache-control"]) == (200, False, "no-store")
    used = client.post("/sign-in", data={"link": "x" * 200}, headers={**FORM, **HTML})
    assert (used.status_code, compressed(used)) == (403, False)
    body = {"url": f"{NOWHERE}/{'x' * 420}"}
    made = house.post(f"{house.path}/webhooks", body, "owner", **GZIP)
    assert (made.status_code, compressed(made), "secret" in made.json()) == (201, False, True)
    assert compressed(house.ask("GET", f"{house.path}/webhooks", role="owner", headers=GZIP)), "without secrets it is"


def test_only_a_file_with_its_current_stamp_is_cached_forever(client):
    for name in FILES:
        assert "immutable" in client.get(static_url(name)).headers["cache-control"]
        for other in (f"/static/{name}", f"/static/{name}?v=0123456789", f"{static_url(name)}&v=0123456789"):
            assert client.get(other).headers["cache-control"] == "no-cache", other


def test_what_is_no_file_of_ours_is_not_kept(client):
    assert client.get("/static/nothing.css?v=1").headers["cache-control"] == "no-store"


def test_a_public_page_is_sent_once_and_again_when_it_has_changed(client, public):
    path = public.match()
    page = path.removeprefix("/api/v1")
    first = client.get(page, headers=HTML)
    tag = first.headers["etag"]
    assert (first.headers["cache-control"], "Cookie" in first.headers["vary"]) == ("no-cache", True)
    same = client.get(page, headers={**HTML, "If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert client.get(page, headers={**HTML, "If-None-Match": f'"other", {tag}'}).status_code == 304
    public.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    after = client.get(page, headers={**HTML, "If-None-Match": tag})
    assert (after.status_code, after.headers["etag"] != tag) == (200, True)


def test_what_somebody_signed_in_is_shown_is_kept_nowhere(client, public, owner):
    path = public.match().removeprefix("/api/v1")
    tag = client.get(path, headers=HTML).headers["etag"]
    own = client.get(path, headers={**HTML, **owner, "If-None-Match": tag})
    assert (own.status_code, own.headers["cache-control"], "etag" in own.headers) == (200, "no-store", False)
    lost = client.get(f"{path}/nothing", headers=HTML)
    assert (lost.status_code, lost.headers["cache-control"], "etag" in lost.headers) == (404, "no-store", False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_worker_fetches_after_the_first_load_is_little(client, language):
    fetched = {}
    for address in (f"/worker.js?language={language}", shell_url(language), *kept_files(language)):
        with client.stream("GET", address, headers={**GZIP, "Accept": "*/*"}) as answer:
            assert answer.status_code == 200, address
            fetched[address] = len(b"".join(answer.iter_raw()))
    assert 0 < sum(fetched.values()) <= WORKER, fetched
