"""A served club, and a Chromium signed in to it that reports what a page does wrong."""

import base64
import hashlib
import os
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import sync_playwright

from bench.chromium import LEAN, find
from service.cli import intake
from service.run.app import create_app
from service.run.server import bind
from service.run.tls import make
from service.store.tokens import make_link
from tests.conftest import with_pool
from tests.kit.phones import PHONE, link_for, put_away

NAME = "lurch.our-club.org"
EXAMPLES = Path(__file__).parents[2] / "examples"


CHROMIUM = find()


def pytest_collection_modifyitems(items):
    """Without a browser the pages cannot be tried: one clear line says so. CI must have one."""
    if CHROMIUM is not None:
        return
    if os.environ.get("CI"):
        raise pytest.UsageError("no Chromium on this machine, and CI must try the pages: see .ci/run")
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.skip(reason="no Chromium on this machine: apt install chromium"))


@contextmanager
def served(database, pair=None, name="127.0.0.1", settings=None, port=0):
    """The service on a port of its own or a given one, over TLS with a pair; its address."""
    listener = bind("127.0.0.1", port)  # who comes before it serves waits
    files = {"ssl_certfile": pair.cert, "ssl_keyfile": pair.key} if pair else {}
    app = create_app(database, settings)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, **files))
    thread = threading.Thread(target=server.run, args=([listener],))  # on the loop of the service
    thread.start()
    yield f"{'https' if pair else 'http'}://{name}:{listener.getsockname()[1]}"
    app.state.services.hub.closing.set()
    app.state.services.hub.wake_all()
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def site(database):
    """The service over the database of the tests."""
    with served(database) as address:
        yield address


class Browsers:
    """The browsers of these tests, by their arguments: to start one costs as much as a small test. One that has ended,
    or was closed by a test, is started again for the next file."""

    def __init__(self, playwright):
        self._playwright, self._started = playwright, {}

    def running(self, *args):
        """A browser that was started with these arguments."""
        found = self._started.get(args)
        if found is None or not found.is_connected():
            launch = self._playwright.chromium.launch
            found = self._started[args] = launch(executable_path=CHROMIUM, args=[*LEAN, *args])
        return found


@pytest.fixture(scope="package")
def launched():
    """Every browser that is started here."""
    with sync_playwright() as playwright:
        yield Browsers(playwright)


@pytest.fixture(scope="module")
def chromium(launched):
    """A browser."""
    return launched.running()


@pytest.fixture
def context(chromium, site, database):
    """A phone, signed in as the owner; a page that breaks its own content policy or throws fails the test."""
    faults = []
    context = chromium.new_context(viewport={"width": 390, "height": 844}, base_url=site, service_workers="block")
    context.set_default_timeout(20_000)
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on(
        "console",
        lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None,
    )
    link = with_pool(database, make_link)
    answer = context.request.post("/sign-in", form={"link": link}, headers={"Origin": site}, max_redirects=0)
    assert answer.status == 303
    yield context
    put_away(context)
    assert faults == []


@pytest.fixture
def page(context):
    """A page of that phone."""
    return context.new_page()


@pytest.fixture(scope="package")
def pair(tmp_path_factory):
    """What `lurch tls make` makes."""
    return make((NAME,), tmp_path_factory.mktemp("tls")).pair


@pytest.fixture(scope="module")
def named(launched, pair):
    """A browser that reaches the service by a name, so that nothing is secure because it is this machine; it trusts
    our certificate alone."""
    key = x509.load_pem_x509_certificate(pair.cert.read_bytes()).public_key()
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    trusted = base64.b64encode(hashlib.sha256(spki).digest()).decode()
    return launched.running(
        f"--host-resolver-rules=MAP {NAME} 127.0.0.1", f"--ignore-certificate-errors-spki-list={trusted}"
    )


@pytest.fixture(scope="module")
def sites(database, pair):
    """The addresses of the service without TLS and with it."""
    with served(database, name=NAME) as plain, served(database, pair, NAME) as secure:
        yield {"plain": plain, "secure": secure}


@pytest.fixture
def visitor(named, sites, database, club):
    """Makes a phone over what it is told: its page, on which a scorer has signed in by a link, and the club."""
    made = []

    def begin(over):
        context = named.new_context(viewport=PHONE, base_url=sites[over])
        made.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.goto(f"/sign-in?link={link_for(database, 'Wilhelmina', 'scorer', club[0])}")
        page.click("main button")
        page.wait_for_url("**/")
        return page, club[0]

    yield begin
    for context in made:
        context.set_offline(False)
        put_away(context)


@pytest.fixture
def match_of_examples(database):
    """The first match of notation.ctn, imported: its id. A revoke is planted in it."""
    told = []
    text = (EXAMPLES / "notation.ctn").read_text(encoding="utf-8")
    with_pool(database, lambda pool: intake.import_ctn(pool, "Pages club", True, text, told.append))
    return told[0].match


def open_match(page, club, key="cross_purposes", **names):
    """Open a match through the form; the table's path."""
    page.goto(f"/clubs/{club}/new?game={key}")
    page.fill("[name=name0]", names.get("first", "Annie"))
    page.fill("[name=name1]", names.get("second", "Benny"))
    page.click("text=Open the match")
    page.wait_for_url("**/matches/*")
    return page.url
