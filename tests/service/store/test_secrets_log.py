"""No secret reaches the log of a run, and nothing that a client sends forges a line of it."""

import subprocess
import sys
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest

from service.store import tokens
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.kit.service.process import serving

FAILING = """
from litestar.testing import RequestFactory
from service.run.logs import configure
from service.http.problems import on_error
configure()
request = RequestFactory().get("/x%0a2026-11-20T00:00:00Z [info] forged", headers={"Authorization": "Bearer planted"})
def handler(token, body):
    raise ValueError("what went wrong")
try:
    handler("planted", b"planted")
except ValueError as error:
    on_error(request, error)
"""


def test_an_error_of_ours_is_logged_without_what_the_variables_held():
    run = subprocess.run([sys.executable, "-c", FAILING], capture_output=True, text=True, check=True, timeout=60)
    said = run.stdout + run.stderr
    assert "what went wrong" in said
    assert "planted" not in said.replace('handler("planted", b"planted")', "")
    assert not [line for line in said.splitlines() if line.startswith("2026-11-20")]


@pytest.mark.parametrize("form", ["lines", pytest.param("json", marks=pytest.mark.extended)])
def test_planted_words_stand_nowhere_in_the_log_of_a_run(client, database, tmp_path, form):
    with ExitStack() as stack:
        house = stack.enter_context(House(client, database))
        served = stack.enter_context(serving(database, tmp_path, LURCH_LOG=form))
        browser = stack.enter_context(httpx.Client(base_url=served.url, follow_redirects=False, timeout=60))
        bearer, planted = house.bearer("owner"), "Mrs Planted"
        link = with_pool(database, tokens.make_link)
        signed = browser.post("/sign-in", data={"link": link}, headers={"Sec-Fetch-Site": "same-origin"})
        assert signed.status_code == 303, signed.text
        body = {"game": "parity", "sides": [[planted], ["Benny"]]}
        opened = browser.post(f"{house.path}/matches", json=body, headers=bearer)
        assert opened.status_code == 201
        path = opened.headers["location"]
        for content in (b"[" * 30_000, f'{{"reason": "{planted}\n"}}'.encode(), b" " * 65_537):
            sent = {**bearer, "Content-Type": "application/json"}
            assert browser.post(f"{path}/undo", content=content, headers=sent).status_code in (400, 413)
        assert browser.get("/nothing/%0d%0aforged", headers=bearer).status_code == 404
        assert browser.get("/", headers={"X-A": "a" * 40_000, **bearer}).status_code == 431
        assert browser.get("/api/v1/me", headers={"Authorization": "Bearer lurch_unknown"}).status_code == 401
        cookie = browser.cookies["lurch_sign_in"]
        served.stop()
        said = served.said()
    passwords = {urlsplit(url).password for url in (database.url, database.owner_url)} - {None, ""}
    for secret in (*house.tokens.values(), link, cookie, planted, "lurch_unknown", *passwords):
        assert secret not in said
    assert not [line for line in said.splitlines() if line.startswith("forged")]
