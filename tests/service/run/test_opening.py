"""`lurch open`: starts the service and opens the owner's first page; where it runs already, it opens that one."""

import os
import subprocess
import sys

import httpx
import pytest

from tests.kit.faults.processes import Serving, data_directory, until


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A service on an empty data directory, started by `lurch open`, and the file of links given to the browser."""
    folder = tmp_path_factory.mktemp("open")
    links, browser = folder / "links", folder / "browser"
    links.touch()
    browser.write_text(f'#!/bin/sh\necho "$1" >> {links}\n')
    browser.chmod(0o755)
    with data_directory() as data:
        service = Serving(data, BROWSER=f"{browser} %s")
        service.start((sys.executable, "-m", "service", "open"))
        try:
            service.ready()
            until(links.read_text)
            yield service, links
        finally:
            service.stop()


def first_page(link):
    """Follow a sign-in link as a browser does and return the page."""
    with httpx.Client(follow_redirects=True, headers={"Sec-Fetch-Site": "none"}, timeout=60) as browser:
        page = browser.get(link)
        secret = link.partition("link=")[2]
        origin = {"Origin": link.partition("/sign-in")[0], "Sec-Fetch-Site": "same-origin"}
        return browser.post(str(page.url).partition("?")[0], data={"link": secret}, headers=origin).text


def test_the_browser_gets_a_link_that_signs_the_owner_in(opened):
    service, links = opened
    link, *_ = links.read_text().split()
    assert link.startswith(f"{service.url}/sign-in?link=")
    assert "Create a club" in first_page(link)


def open_again(service, *options, **environment):
    """Run `lurch open` while the service runs."""
    command = [sys.executable, "-m", "service", "open", *options]
    given = {**service.environment, **environment}
    return subprocess.run(command, env=given, text=True, capture_output=True, check=False, timeout=150)


def test_a_running_service_has_its_own_first_page_opened(opened):
    service, links = opened
    before = links.read_text().split()
    done = open_again(service)
    assert (done.returncode, done.stdout) == (0, "Lurch runs already: its first page is opened in the browser\n")
    (link,) = links.read_text().split()[len(before) :]
    assert link not in before
    assert "Create a club" in first_page(link)


@pytest.mark.extended
def test_phones_cannot_be_let_in_by_a_running_service(opened):
    done = open_again(opened[0], "--phones")
    assert (done.returncode, done.stdout) == (0, "Lurch runs already: its first page is opened in the browser\n")
    assert "phones do not reach it" in done.stderr
    assert "then `lurch open --phones` again" in done.stderr


@pytest.mark.extended
def test_without_a_browser_the_link_is_printed(opened):
    service, _ = opened
    done = open_again(service, BROWSER=os.devnull, PATH="")
    assert done.returncode == 0
    assert f"no browser can be opened from here: open {service.url}/sign-in?link=" in done.stderr


@pytest.mark.extended
def test_another_program_on_the_port_gets_no_link(opened):
    service, links = opened
    before = links.read_text()
    with data_directory() as data:
        done = open_again(service, LURCH_DATA_DIR=str(data))
        assert done.returncode == 2
        assert "the port is in use by" in done.stderr
        assert not data.exists(), "no database was created"
    assert links.read_text() == before
