"""Pages of cases: the call, the queue, the case for whoever may see it, and the way to a ruling."""

import re

import pytest

from tests.kit.service.asking import House, squeezed
from tests.kit.service.revoke_scene import RevokeScene

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return Pages(RevokeScene(house))


class Pages:
    """What people see of a scene on their phones, and what they tap."""

    def __init__(self, scene):
        self.scene, self.house = scene, scene.house
        self.annie, self.benny, self.dora, self.dirk = (
            scene.phone(each) for each in (scene.annie, scene.benny, scene.dora, scene.dirk)
        )

    def get(self, phone, path, status=200):
        self.house.client.cookies.clear()
        headers = {**HTML, **(phone.header if phone else {})}
        answer = self.house.client.get(path, headers=headers, follow_redirects=False)
        assert answer.status_code == status, answer.text[:600]
        return squeezed(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    def tap(self, phone, path, status=303, **form):
        answer = phone.post(path, **form)
        assert answer.status_code == status, answer.text[:800]
        return answer

    def call(self, phone=None, **form):
        """A call from the table; the path of the case."""
        said = {"reason": "A rule was broken", **form}
        return self.tap(phone or self.annie, f"/matches/{self.scene.match}/call", **said).headers["location"]

    def of_finding(self):
        """The case that the director opens of the finding."""
        found = self.scene.finding()
        about = {"matter": "finding", "deal": 1, "at": found["version"], "code": "REV", "reason": ""}
        return self.call(self.dora, **about)


def test_a_player_calls_from_the_table_in_two_taps(scene):
    table = scene.get(scene.annie, f"/matches/{scene.scene.match}")
    assert "Call the director" in table
    case = scene.call()
    assert re.fullmatch(r"/cases/[0-9a-f-]{36}", case)
    page = scene.get(scene.annie, case)
    assert "the director was called" in page


def test_the_director_opens_a_case_from_a_finding(scene):
    case = scene.of_finding()
    page = scene.get(scene.dora, case)
    assert "Revoke" in page
    print(page)
