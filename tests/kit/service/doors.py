"""Phones at tables: each with the cookie that it was given."""

import re

from tests.kit.service.asking import FORM


def door_of(house, match):
    """The codes of a match, as a director's program reads them."""
    answer = house.get(f"{match}/door", "director")
    assert answer.status_code == 200, answer.text
    return answer.json()


class Phone:
    """A browser without a sign-in, at a table."""

    def __init__(self, client, cookie=None):
        self.client, self.headers, self.page = client, dict(cookie or {}), ""

    def get(self, path, **more):
        answer = self.client.get(path, headers={**self.headers, "Accept": "text/html"}, follow_redirects=False, **more)
        self.client.cookies.clear()
        return answer

    def post(self, path, data=None, **headers):
        sent = {**FORM, **self.headers, "Accept": "text/html", **headers}
        answer = self.client.post(path, data=data or {}, headers=sent, follow_redirects=False)
        self.client.cookies.clear()
        if "set-cookie" in answer.headers:
            self.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        self.page = answer.text
        return answer

    def scan(self, door):
        """The page of the table behind a QR code."""
        answer = self.post("/t", {"secret": door["secret"]})
        assert answer.status_code == 200, answer.text
        return answer.text

    def type(self, code):
        """What a typed code is answered."""
        return self.post("/t", {"code": code})

    def tap(self, name):
        """Tap a name of the page that is open, or `I keep the score`; where that leads."""
        secret = re.search(r'name="secret" value="(\w+)"', self.page)[1]
        found = re.search(rf'name="as" value="([\w-]+)"\s*>(<bdi>)?{name}<', self.page)
        answer = self.post("/t/in", {"secret": secret, "as": found[1]})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def come_in(self, door, name):
        """Scan, and tap."""
        self.scan(door)
        return self.tap(name)


def code_of(door):
    """A code as pages show it."""
    return f"{door['code'][:3]} {door['code'][3:]}"
