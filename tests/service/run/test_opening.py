"""`lurch open`: starts the service and opens the owner's first page; where it runs already, it opens that one."""

import os
import subprocess
import sys

import httpx
import pytest

from tests.kit.faults.processes import Serving, data_directory, until


@pytest.fixture
def opened(tmp_path):
    """A service on an empty data directory, started by `lurch open`, and the links that a browser was given."""
    links = tmp_path / "links"
    links.touch()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {links}\n')
    browser.chmod(0o755)
    with data_directory() as data:
        service = Serving(data, BROWSER=f"{browser} %s")
        service.start((sys.executable, "-m", "service", "open"))
        try:
            yield service.ready(), links
        finally:
            service.stop()


def first_page(link):
    """What the owner sees who follows a link, as a browser does."""
    with httpx.Client(follow_redirects=True, headers={"Sec-Fetch-Site": "none"}, timeout=60) as browser:
        page = browser.get(link)
        secret = link.partition("link=")[2]
        origin = {"Origin": link.partition("/sign-in")[0], "Sec-Fetch-Site": "same-origin"}
        return browser.post(str(page.url).partition("?")[0], data={"link": secret}, headers=origin).text


def test_the_browser_gets_a_link_that_signs_the_owner_in(opened):
    service, links = opened
    (link,) = until(links.read_text).split()
    assert link.startswith(f"{service.url}/sign-in?link=")
    assert "Create a club" in first_page(link)


def test_where_it_runs_already_its_own_first_page_is_opened(opened):
    service, links = opened
    until(links.read_text)
    command = [sys.executable, "-m", "service", "open"]
    done = subprocess.run(command, env=service.environment, text=True, capture_output=True, check=False, timeout=150)
    assert (done.returncode, done.stdout) == (0, "Lurch runs already: its first page is opened in the browser\n")
    first, second = links.read_text().split()
    assert first != second
    assert "Create a club" in first_page(second)


def test_who_wants_phones_in_is_told_that_what_runs_already_lets_none_in(opened):
    service, links = opened
    until(links.read_text)
    command = [sys.executable, "-m", "service", "open", "--phones"]
    done = subprocess.run(command, env=service.environment, text=True, capture_output=True, check=False, timeout=150)
    assert (done.returncode, done.stdout) == (0, "Lurch runs already: its first page is opened in the browser\n")
    assert "phones do not reach it" in done.stderr
    assert "then `lurch open --phones` again" in done.stderr


def test_without_a_browser_the_link_is_said(opened):
    service, _ = opened
    command = [sys.executable, "-m", "service", "open"]
    alone = {**service.environment, "BROWSER": os.devnull, "PATH": ""}
    done = subprocess.run(command, env=alone, text=True, capture_output=True, check=False, timeout=150)
    assert done.returncode == 0
    assert f"no browser can be opened from here: open {service.url}/sign-in?link=" in done.stderr


def test_whatever_else_has_the_port_gets_no_link(opened, tmp_path):
    service, links = opened
    until(links.read_text)
    with data_directory() as data:
        other = {**service.environment, "LURCH_DATA_DIR": str(data)}
        done = subprocess.run(
            [sys.executable, "-m", "service", "open"],
            env=other,
            text=True,
            capture_output=True,
            check=False,
            timeout=150,
        )
        assert done.returncode == 2
        assert "the port is in use by" in done.stderr
        assert not data.exists(), "no database is made for nobody"
    assert len(links.read_text().split()) == 1
