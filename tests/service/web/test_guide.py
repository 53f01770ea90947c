"""The guide tells steps that can be done: each page is there for its role, with the words that the step names.

`python -m tests.service.web.test_guide` writes docs/guide.md, which tells the same.
"""

import html
import re
from pathlib import Path

import pytest

from service.web.guide_text import PLACES, ROLES
from service.web.render import TEMPLATES
from tests.kit.service.crawling import HTML

WRITTEN = Path(__file__).parents[3] / "docs" / "guide.md"
PICTURES = "../service/web/static/guide"
SWISS, BRACKET = "tournament: swiss, disputed", "tournament: single, final on"
WHERE = {
    **{each: f"{{club}}/{each}" for each in ("members", "settings", "house-rules", "roles", "new", "cases", "ratings")},
    **{each: f"{{club}}/{each}" for each in ("invite", "season", "tokens", "webhooks")},
    "member": "{club}/members/{person}",
    "import": "{club}/members/import",
    "new-of": "{club}/new?game=parity",
    "between": "match: opened",
    "result": "match: opened/result",
    "playing": "match: playing",
    "entered": "match: entered",
    "corrected": "match: corrected",
    "sign-in": "/sign-in",
    "code": "/t",
    "own": "{club}",
    "club": "{club}",
    "me": "/me",
    "cup-new": "{club}/tournaments/new",
    "board": f"{SWISS}/director",
    "pairings": SWISS,
    "standings": f"{SWISS}/standings",
    "show": f"{SWISS}/show",
    "live": "match: corrected",
    "replay": "match: corrected/replay",
    "bracket": f"{BRACKET}/bracket",
    "api": "/docs",
}
# in whose browser a role's steps are followed; a secretary and a programmer are appointed by the owner
AS = {"secretary": "owner", "scorer": "scorer", "player": "scorer", "director": "director", "programmer": "owner"}


def shown(world, at, role):
    """The page of a step, as its role sees it."""
    where = WHERE[at]
    for state in sorted(world.scenes, key=len, reverse=True):
        where = where.replace(state, world.scenes[state])
    person = world.house.get(f"{world.house.path}/players").json()["items"][0]["id"]
    address = where.format(club=f"/clubs/{world.house.id}", person=person)
    asked = "owner" if at == "cases" else AS.get(role, "anybody")
    answer = world.client.get(address, headers={**HTML, **world.cookie(asked, world.house.id)})
    assert answer.status_code == 200, (at, address)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).replace("’", "'"))


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.key)
def test_every_step_that_the_guide_tells_can_be_followed(world, role):
    lacking = []
    for step in role.steps:
        text = shown(world, step.at, role.key)
        lacking += [(step.at, words) for words in step.words if words.replace("’", "'") not in text]
    assert lacking == []


def test_a_page_leads_to_its_place_in_the_guide(world):
    known = {f"{role.key}#{step.at}" for role in ROLES for step in role.steps}
    assert set(PLACES.values()) <= known
    assert set(PLACES) <= set(TEMPLATES.list_templates())
    headers = {**HTML, **world.cookie("owner", world.house.id)}
    members = world.client.get(f"/clubs/{world.house.id}/members", headers=headers).text
    assert 'href="/guide/secretary#members"' in members
    assert 'id="members"' in world.client.get("/guide/secretary", headers=HTML).text
    assert world.client.get("/guide/king", headers=HTML).status_code == 404


def as_markdown():
    """The guide as a document."""
    lines = ["# Guide", "", "The same stands at `/guide` of the service. Words set apart stand on the page.", ""]
    for role in ROLES:
        lines += [f"## {role.title}", "", role.about, "", f"![{role.alt}]({PICTURES}/{role.key}.webp)", ""]
        lines += [f"{number}. {step.text}" for number, step in enumerate(role.steps, start=1)]
        lines.append("")
    return "\n".join(lines)


def test_the_written_guide_tells_the_same():
    assert WRITTEN.read_text(encoding="utf-8") == as_markdown(), "python -m tests.service.web.test_guide"


if __name__ == "__main__":
    WRITTEN.write_text(as_markdown(), encoding="utf-8")
