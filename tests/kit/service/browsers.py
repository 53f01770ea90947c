"""Browsers in a test: each with its own cookie, asked through the application."""

import re

from tests.kit.service.asking import FORM, sign_in

LINK = re.compile(r"/sign-in#([\w-]{43})")


class Browser:
    """A browser: what it is signed in with, and what it asks."""

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
    """A browser that the owner's link has signed in."""
    return Browser(client, sign_in(client, database)["Cookie"])


def secret_in(answer):
    """The secret of the link that a page shows, this one time."""
    assert answer.status_code in (200, 201), answer.text
    return LINK.search(answer.text)[1]


def invited(keeper, club, player, **role):
    """The secret of an invitation, by whoever keeps the club's doors."""
    return secret_in(keeper.post(f"/clubs/{club}/invitations", player=player, **role))


def signed_in(client, keeper, club, player, **role):
    """A browser of a person who was invited."""
    browser = Browser(client)
    answer = browser.redeem(invited(keeper, club, player, **role))
    assert answer.status_code == 303, answer.text
    return browser
