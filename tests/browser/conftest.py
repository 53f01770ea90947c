"""Fixtures of the browser tests: services on ports of their own, the worker's Chromium, phones that are signed in."""

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
from service.run.settings import Settings
from service.run.tls import make
from service.store.tokens import make_link
from tests.conftest import note, with_pool
from tests.kit.phones import PHONE, link_for, put_away

NAME = "lurch.our-club.org"
EXAMPLES = Path(__file__).parents[2] / "examples"


CHROMIUM = find()


@pytest.hookimpl(trylast=True)  # after `-m` and `-k`, so that the line counts what they select
def pytest_collection_modifyitems(config, items):
    """Leave out the browser tests if there is no Chromium, and say so in one line. In CI that is an error."""
    if CHROMIUM is not None:
        return
    if os.environ.get("CI"):
        raise pytest.UsageError("no Chromium on this machine, and CI must try the pages: see .ci/run")
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        note(config, f"No Chromium on this machine: {len(left_out)} browser tests were left out (apt install chromium)")
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("browser")]


@contextmanager
def served(database, pair=None, name="127.0.0.1", settings=None, port=0):
    """Serve the application on a port, over TLS if a pair is given; yields its address."""
    listener = bind("127.0.0.1", port)  # a caller that connects before it serves waits
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


@pytest.fixture(scope="package")
def site(database):
    """The address of a service over the database that the tests share."""
    with served(database, settings=Settings(webhook_private=True)) as address:
        yield address


@pytest.fixture(scope="package")
def world_site(world):
    """The address of a service over the world's database."""
    with served(world.database) as address:
        yield address


class Browsers:
    """The one Chromium of this worker, started again if it crashed or a test closed it.

    It lives as long as the tests of this package: while Playwright runs, no other test of the worker could call
    `asyncio.run`.
    """

    def __init__(self, playwright, args):
        self._launch = lambda: playwright.chromium.launch(executable_path=CHROMIUM, args=[*LEAN, *args])
        self._browser = None

    def running(self):
        """Return the browser, started if necessary."""
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._launch()
        return self._browser


@pytest.fixture(scope="package")
def launched(pair):
    """The browser, which resolves `NAME` to this machine and trusts our certificate alone.

    A page that is reached by that name is secure only over TLS; one of 127.0.0.1 always is.
    """
    key = x509.load_pem_x509_certificate(pair.cert.read_bytes()).public_key()
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    trusted = base64.b64encode(hashlib.sha256(spki).digest()).decode()
    args = (f"--host-resolver-rules=MAP {NAME} 127.0.0.1", f"--ignore-certificate-errors-spki-list={trusted}")
    with sync_playwright() as playwright:
        yield Browsers(playwright, args)


@pytest.fixture(scope="module")
def chromium(launched):
    """The browser that is running."""
    return launched.running()


@pytest.fixture
def context(chromium, site, database):
    """A phone signed in as the owner. The test fails if a page throws or breaks its content security policy."""
    faults = []
    context = chromium.new_context(viewport={"width": 390, "height": 844}, base_url=site, service_workers="block")
    context.set_default_timeout(60_000)
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
    """A page on that phone."""
    return context.new_page()


@pytest.fixture(scope="package")
def pair(tmp_path_factory):
    """A certificate for `NAME` and its key, as `lurch tls make` makes them."""
    return make((NAME,), tmp_path_factory.mktemp("tls")).pair


@pytest.fixture(scope="package")
def sites(database, pair):
    """The addresses of a service without TLS ("plain") and of one with it ("secure")."""
    with served(database, name=NAME) as plain, served(database, pair, NAME) as secure:
        yield {"plain": plain, "secure": secure}


@pytest.fixture
def visitor(chromium, sites, database, club):
    """Make a phone that reaches the site "plain" or "secure": its page, with a scorer signed in, and the club."""
    made = []

    def begin(over):
        context = chromium.new_context(viewport=PHONE, base_url=sites[over])
        made.append(context)
        context.set_default_timeout(60_000)
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
    """Import the first match of notation.ctn, which contains a revoke, and return its id."""
    told = []
    text = (EXAMPLES / "notation.ctn").read_text(encoding="utf-8")
    with_pool(database, lambda pool: intake.import_ctn(pool, "Pages club", True, text, told.append))
    return told[0].match


def open_match(page, club, key="cross_purposes", **names):
    """Open a match through the form and return the address of its table."""
    page.goto(f"/clubs/{club}/new?game={key}")
    page.fill("[name=name0]", names.get("first", "Annie"))
    page.fill("[name=name1]", names.get("second", "Benny"))
    page.click("text=Open the match")
    page.wait_for_url("**/matches/*")
    return page.url
