"""Examples imported into a fresh service: pages, API and CLI show the scores that the files state."""

import json
import re
import sys

import httpx
import pytest

from tests.examples.test_examples import COURSES, FOLDER, WRITTEN_WRONG, text_of
from tests.kit.faults.processes import Serving, data_directory
from tests.kit.notation import recount
from tests.service.cli.test_cli import lurch

FEW = ["best-of-three", "evening", "paper-sheet", "partners-2026-09-17"]


@pytest.fixture(scope="module")
def serving():
    """A service of its own without data, started by `lurch serve`."""
    with data_directory() as data:
        serving = Serving(data).start((sys.executable, "-m", "service", "serve"))
        try:
            yield serving.ready()
        finally:
            serving.end()


def totals_of(view):
    """Return the totals of each game of a match from the API."""
    return tuple(tuple(game["totals"]) for game in view["games"]) or (tuple(view["totals"]),)


def shown_totals(page):
    """Return the totals in the heading of a page."""
    return tuple(int(total) for total in re.findall(r'class="total">(-?\d+)<', page))


@pytest.mark.parametrize(
    "names",
    [FEW, pytest.param(sorted(COURSES.keys() - FEW), marks=pytest.mark.extended)],
    ids=["few", "others"],
)
def test_pages_api_and_cli_show_the_scores_of_the_files(serving, names):
    home = {"LURCH_DATA_DIR": str(serving.data), "LURCH_PORT": str(serving.port)}
    with httpx.Client(base_url=serving.url, timeout=30) as client:
        for name in names:
            path = FOLDER / f"{name}.ctn"
            code, out, error = lurch("import", path, "--club", names[0], "--public", "--json", **home)
            assert (code, error) == (0, "")
            ids = [json.loads(line)["match"] for line in out.splitlines()]
            scored = iter(json.loads(line) for line in lurch("score", "--json", path)[1].splitlines())
            for match, course, written in zip(ids, COURSES[name], recount.matches(text_of(name)), strict=True):
                view = client.get(f"/api/v1/matches/{match}").json()
                replayed = json.loads(lurch("replay", match, "--json", **home)[1])
                assert totals_of(view) == totals_of(replayed) == course.totals, name
                winner = None if view["winner"] is None else " & ".join(view["sides"][view["winner"]]["names"])
                assert (view["status"], winner) == ("finished", course.winner)
                page = client.get(f"/matches/{match}").text
                assert shown_totals(page) == course.totals[-1], name
                wrong = {deal for deal, *_ in WRITTEN_WRONG.get(name, [])}
                for number, (deal, stated) in enumerate(zip(view["deals"], written.deals, strict=True), start=1):
                    answer = next(scored)
                    if stated.void:
                        assert deal["void"]
                        assert answer["void"]
                        continue
                    assert deal["scores"] == answer["scores"]
                    if number not in wrong:
                        assert dict(enumerate(deal["scores"])) == stated.stated
                        force = _force(view, deal)
                        assert force == dict(enumerate(answer["in_force"])) == stated.in_force
        assert lurch("verify", **home)[1].endswith("every chain holds\n")
        (club,) = [row["id"] for row in client.get("/api/v1/clubs").json()["items"] if row["name"] == names[0]]
        listed = client.get(f"/api/v1/clubs/{club}/matches", params={"limit": 200}).json()["items"]
        assert len(listed) == sum(len(COURSES[name]) for name in names)


def _force(view, deal):
    """Return the scores in force of a deal by seat."""
    return {seat: deal["in_force"][place] for place, side in enumerate(view["sides"]) for seat in side["seats"]}
