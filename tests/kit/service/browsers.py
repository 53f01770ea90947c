"""Browsers without Chromium: each sends requests to the application with its own cookie."""

import re

from tests.kit.service.asking import FORM, sign_in

LINK = re.compile(r"/sign-in#([\w-]{43})")


class Browser:
    """A browser with its session cookie and user agent."""

    def __init__(self, client, cookie=None, program="Mozilla/5.0 (Linux; Android 14) Chrome/130 Safari/537"):
        self.client, self.cookie, self.program = client, cookie, program

    @property
    def headers(self):
        named = {"Cookie": self.cookie} if self.cookie else {}
        return {**named, "User-Agent": self.program, "Accept": "text/html"}

    def get(self, path):
        answer = self.client.get(path, headers=self.headers, follow_redirects=False)
        self.client.cookies.clear()
        return answer

    def post(self, path, **form):
        answer = self.client.post(path, data=form, headers={**FORM, **self.headers}, follow_redirects=False)
        self.client.cookies.clear()
        said = answer.headers.get("set-cookie", "")
        if said and "max-age=0" not in said.lower():
            self.cookie = said.partition(";")[0]
        return answer

    def redeem(self, secret):
        return self.post("/sign-in", link=secret)

    def me(self):
        return self.get("/me").text


def owner_of(client, database):
    """Sign a browser in with the owner link."""
    return Browser(client, sign_in(client, database)["Cookie"])


def secret_in(answer):
    """Return the secret of the one-time link on a page."""
    assert answer.status_code in (200, 201), answer.text
    return LINK.search(answer.text)[1]


def invited(keeper, club, player, **role):
    """Invite a player and return the secret of the invitation."""
    return secret_in(keeper.post(f"/clubs/{club}/invitations", player=player, **role))


def signed_in(client, keeper, club, player, **role):
    """Invite a person and return the browser that redeemed the invitation."""
    browser = Browser(client)
    answer = browser.redeem(invited(keeper, club, player, **role))
    assert answer.status_code == 303, answer.text
    return browser
