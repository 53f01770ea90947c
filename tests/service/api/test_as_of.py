"""A club as of a position or a time: every read says what it said then."""

import pytest

from tests.kit.service.asking import House
from tests.service.api.test_seasons import people
from tests.service.api.test_standings import EVEN, ODD
from tests.service.api.test_tournaments import CROSS, Evening

LADDER = {"format": {"kind": "ladder", "rounds": 1}, "game": "cross_game", "race": CROSS}
READS = (
    "",
    "/matches",
    "/players",
    "/tournaments",
    "/ratings",
    "/ratings?kind=partners",
    "/ratings?game=parity",
    "/seasons",
    "/seasons/standings",
    "/seasons/standings?best=1",
    "/seasons/record",
    "/seasons/record?best=1",
    "/ladder",
    "/ladder?game=cross_game",
)

OF_ONE = ("/ratings/{}?game=parity", "/players/{}/record", "/players/{}/record?game=parity")


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


def said(house, what, moment=None):
    """What a read answers, without where it stands."""
    mark = "&" if "?" in what else "?"
    answer = house.get(f"{house.path}{what}{'' if moment is None else f'{mark}as_of={moment}'}")
    body = answer.json()
    if moment is not None and isinstance(body, dict) and "position" in body:
        assert (body.get("behind"), answer.status_code) == (0, 200)
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name not in ("position", "behind")}
    return answer.status_code, body


def at(house):
    """The position of the log when nothing is left to be brought up to date."""
    while any(house.get(f"{house.path}{what}").json()["behind"] for what in ("/matches", "/tournaments", "/ratings")):
        pass
    return house.position()


@pytest.fixture(scope="module")
def history(house):
    """An evening by its steps: after each the position, the time and everything that was said then."""
    steps = []

    def step():
        position = at(house)
        moment = house.log.execute(
            "select to_char(max(recorded_at) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from events"
            " where club_id = %s",
            [house.id],
        ).fetchone()[0]
        players = [row["id"] for row in house.get(f"{house.path}/players").json()["items"]]
        reads = (*READS, *(each.format(player) for player in players for each in OF_ONE))
        steps.append((position, moment, {what: said(house, what) for what in reads}))

    step()
    match = house.match(sides=[["Annie"], ["Benny"]], target=15)
    step()
    house.done(f"{match}/results", ODD)
    step()
    other = house.match(sides=[["Benny"], ["Cleo"]], target=15)
    house.done(f"{other}/results", EVEN)
    step()
    version = house.get(match).json()["deals"][0]["entry_version"]
    house.done(f"{match}/corrections", {"version": version, "now": EVEN["entry"], "reason": "misread"}, "director")
    step()
    evening = Evening(house, [LADDER], entries=people(house, "Annie", "Benny", "Cleo"), plan={"season": "2026"})
    step()
    evening.act({"do": "pair_round"})
    evening.act({"do": "report", "fixture": "R1.1", "winner": 0}, {"do": "finish"})
    step()
    evening.act({"do": "reopen"})
    step()
    house.match(sides=[["Dag"], ["Cleo"]])
    step()
    return steps


def test_every_read_as_of_a_position_says_what_it_said_then(house, history):
    for position, _, answers in history:
        for what, answer in answers.items():
            assert said(house, what, position) == answer, (position, what)


def test_a_time_includes_every_event_recorded_by_then(house, history):
    for position, moment, answers in history:
        for what, answer in answers.items():
            assert said(house, what, moment) == answer, (position, what)
        found = house.get(f"{house.path}/matches?as_of={moment}").json()
        assert found["position"] == position


def test_the_steps_differ_or_this_would_show_nothing(history):
    for what in READS:
        least = 1 if "best" in what or "ladder" in what or "partners" in what else 2
        assert len({repr(answers[what]) for _, _, answers in history}) > least, what


def test_a_position_out_of_range_means_everything_or_nothing(house, history):
    for what in READS:
        assert said(house, what, 9_999_999_999) == said(house, what), what
        for moment in ("0", "1999-01-01T00:00:00Z"):
            status, body = said(house, what, moment)
            assert (status, body["type"]) == (404, "/problems/not-found"), what
        status, body = said(house, what, "yesterday")
        assert (status, body["detail"]) == (400, "`as_of` is a position like 17 or a time like 2026-11-20T19:30:00Z"), (
            what
        )


def test_a_list_of_the_past_has_pages_too(house, history):
    position, _, answers = history[-2]
    rows, cursor = [], ""
    while cursor is not None:
        page = house.get(f"{house.path}/matches?as_of={position}&limit=1{cursor and f'&cursor={cursor}'}").json()
        rows += page["items"]
        cursor = page["next"]
    assert rows == answers["/matches"][1]["items"]
    assert len(rows) == 2


def test_who_was_not_known_yet_has_no_career(house, history):
    (dag,) = [row["id"] for row in house.get(f"{house.path}/players").json()["items"] if row["name"] == "Dag"]
    assert said(house, f"/ratings/{dag}", history[0][0])[0] == 404


def test_past_ratings_do_not_depend_on_the_progress_of_read_models(house, history, client):
    position, _, answers = history[3]
    for checkpoint in (0, history[1][0], house.position()):
        client.app.state.services.books.past._books.clear()
        with house.log.transaction():
            house.log.execute(
                "update checkpoints set position = %s where club_id = %s and projection = 'matches'",
                [checkpoint, house.id],
            )
        assert said(house, "/ratings?game=parity", position) == answers["/ratings?game=parity"], checkpoint
    at(house)
