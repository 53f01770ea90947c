"""The pages in a real Chromium, as a secretary uses them on a phone."""

import asyncio
import re
import shutil
import socket
import threading

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from service.app import create_app
from service.auth import make_link
from tests.conftest import with_pool

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")]


@pytest.fixture
def site(database):
    """The service on a port of its own; its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = create_app(database)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    app.state.services.hub.closing.set()
    server.should_exit = True
    thread.join()


def test_a_secretary_keeps_tonights_score_and_a_second_screen_follows(database, site, club):
    link = with_pool(database, make_link)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.set_default_timeout(5000)
        page.goto(f"{site}/sign-in?link={link}")
        page.click("main button")
        page.goto(f"{site}/clubs/{club[0]}/new?game=cross_purposes")
        page.fill("[name=name0]", "Annie")
        page.fill("[name=name1]", "Benny")
        page.click("text=Open the match")
        table = page.url
        page.click("text=Enter result")
        page.check('[name="phases.0.0"][value="7"]', force=True)
        page.check('[name="phases.1.0"][value="6"]', force=True)
        page.wait_for_selector("#preview b")
        assert re.findall(r"\d+", page.inner_text("#preview")) == ["48", "49"]
        page.click("text=Close deal")
        page.wait_for_selector("text=Confirm for Benny")
        second = context.new_page()
        second.goto(table)
        page.click("text=Deal card by card")
        second.wait_for_selector("text=Deal 2", timeout=5000)
        page.click("section.entry .calls button >> nth=0")
        second.wait_for_selector("text=Calls:", timeout=5000)
        for path in (table, f"{table}/replay?at=3", f"{table}/result", f"{site}/games/parity", f"{site}/"):
            page.goto(path)
            found = Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], path
        browser.close()
