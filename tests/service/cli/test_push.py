"""What was recorded in a copy of the club comes to its server as it is, however often it is sent or cut."""

import subprocess
import sys
import threading

import pytest

from tests.conftest import new_database
from tests.kit.faults.processes import ROOT, until
from tests.kit.service.asking import a_problem
from tests.kit.service.away import NINE, both, evening_away, events, id_of, pushes, verified


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


def prepare(home):
    """Begin a match before the copy is taken."""
    home.begun = home.match(sides=(("Annie",), ("Benny",)), target=1000)
    home.done(f"{home.begun}/results", {"entry": NINE})


@pytest.fixture
def away(server, tmp_path):
    """A club and a copy of it, for one test."""
    with evening_away(server, tmp_path, prepare) as found:
        yield found


@pytest.fixture(scope="module")
def evening(server, tmp_path_factory):
    """A club and a copy of it, for tests that leave nothing to push and no fork."""
    with evening_away(server, tmp_path_factory.mktemp("evening"), prepare) as found:
        yield found


def test_a_pushed_match_is_the_same_to_the_byte(evening):
    away = evening
    new = away.away.match(sides=(("Annie",), ("Dana",)), target=100)
    away.result(away.away, new)
    away.away.done(f"{new}/disputes", {"deal": 1, "side": 1, "reason": "it was eight"}, "director")
    away.result(away.away, away.home.begun)
    output = away.pushed()
    for path in (new, away.home.begun):
        here, there = both(away, path)
        assert here == there
        assert here["events"]
    assert any("it was eight" in row["data"] for row in both(away, new)[0]["private"])
    assert verified(away.home.database) == ()
    assert "Dana is new there, as a visitor" in output
    assert "2 streams taken" in output
    shown = away.home.get(new).json()
    assert [side["names"] for side in shown["sides"]] == [["Annie"], ["Dana"]]


def test_invisible_characters_are_dropped_from_names_of_a_push(evening):
    away = evening
    names = ["Dana\u00a0Berg", "\u200b\u3164", "Emil \u202e"]
    new = [away.away.match(sides=(("Annie",), (name,)), target=100) for name in names]
    assert "Dana Berg is new there, as a visitor" in away.pushed("--dry-run")
    away.pushed()
    assert [away.home.get(path).json()["sides"][1]["names"] for path in new] == [["Dana Berg"], [None], ["Emil"]]
    for path in new:
        assert both(away, path)[0] == both(away, path)[1]
    assert "nothing is new here" in away.pushed()


def test_a_push_is_one_event_signed_by_the_account_that_brought_it(evening):
    away = evening
    new = [away.away.match(sides=(("Annie",), (name,)), target=100) for name in ("Dana", "Emil")]
    before = len(pushes(away))
    away.pushed()
    (event,) = pushes(away)[before:]
    (account,) = away.home.log.execute(
        "select id::text from tokens where club_id = %s and role = 'director'", [away.home.id]
    ).fetchone()
    assert (event["actor"], event["role"]) == (account, "director")
    heads = {id_of(path): both(away, path)[1]["events"][-1] for path in new}
    said = away.home.get(f"{away.home.path}/pushes", "director").json()["pushes"]
    assert {(each["by"], len(each["source"])) for each in said} == {(account, 8)}
    (told,) = (each["streams"] for each in said if id_of(new[0]) in {at["stream"] for at in each["streams"]})
    assert {each["stream"]: (each["version"], each["hash"], each["here"]) for each in told} == {
        stream: (row["version"], bytes(row["hash"]).hex(), True) for stream, row in heads.items()
    }
    body = {"source": "00000000", "heads": [{"stream": id_of(new[0]), "version": 1, "hash": "ab" * 32}]}
    for more in ({"by": "somebody"}, {"role": "owner"}, {"actor": "somebody"}):
        away.home.refused("POST", f"{away.home.path}/pushes", {**body, **more}, 400, "malformed", "director")


def test_what_is_there_already_is_not_sent_again(evening):
    away = evening
    away.result(away.away, away.home.begun)
    away.pushed()
    before = events(away)
    assert "nothing is new here: the server has all of it" in away.pushed()
    assert events(away) == before


def test_a_dry_run_says_the_same_lines_and_records_nothing_anywhere(evening):
    away = evening
    away.away.match(sides=(("Annie",), ("Gerd",)), target=100)
    away.result(away.away, away.home.begun)
    before = events(away), events(away, away.copy)
    told = away.pushed("--dry-run")
    assert (events(away), events(away, away.copy)) == before
    done = away.pushed()
    assert told.replace("would be taken", "taken") == done
    assert [line.partition(" ")[0] for line in done.splitlines()].count("new") == 1


def test_a_fork_is_refused_and_kept_and_the_rest_is_taken(away):
    new = away.away.match(sides=(("Annie",), ("Dana",)), target=100)
    away.result(away.away, away.home.begun)
    away.result(away.home, away.home.begun, entry={"parity": "even", "tricks": [7, 8]})
    before = both(away, away.home.begun)[0]
    for _ in range(2):  # again it is the same fork
        done = away.push()
        assert done.exit_code == 1
        assert f"forked  match {id_of(away.home.begun)} (Annie – Benny)" in done.output
        assert "its file is kept for the director" in done.output
    assert both(away, away.home.begun)[0] == before
    assert both(away, new)[0] == both(away, new)[1]
    (fork,) = away.home.get(f"{away.home.path}/pushes", "director").json()["forks"]
    here, there = (each["events"] for each in both(away, away.home.begun))
    assert (fork["stream"], here[: fork["version"] - 1]) == (id_of(away.home.begun), there[: fork["version"] - 1])
    assert here[fork["version"] - 1]["hash"] != there[fork["version"] - 1]["hash"]
    file = away.home.get(f"{away.home.path}/forks/{fork['id']}", "director").json()
    (kept,) = file["streams"]
    assert [each["hash"] for each in kept["events"]] == [bytes(row["hash"]).hex() for row in there]
    assert verified(away.home.database) == ()


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(False, id="before it is heard", marks=pytest.mark.extended),
        pytest.param(True, id="after it was done"),
    ],
)
def test_a_push_cut_at_any_request_can_be_repeated(away, after):
    number = 0
    while True:
        number += 1
        new = away.away.match(sides=(("Annie",), (f"Dana {number}",)), target=100)
        away.result(away.away, away.home.begun)
        said = len(pushes(away))
        away.cut(number, after)
        cut = away.push()
        away.cut(None)
        if cut.exit_code == 0:
            break
        assert cut.exit_code == 2
        assert "what was taken stays, so give the command again" in cut.said
        assert "Traceback" not in cut.output
        away.pushed()
        for path in (new, away.home.begun):
            assert both(away, path)[0] == both(away, path)[1]
        (event,) = pushes(away)[said:]
        assert sorted(each for each in (id_of(new), id_of(away.home.begun)) if each in event["data"])
        assert verified(away.home.database) == ()
    assert number == 7  # whose the token is, the plans of streams and people, the announcement, two units; no seventh


@pytest.mark.extended
def test_two_pushes_at_once_are_one(away, tmp_path):
    new = [away.away.match(sides=(("Annie",), (f"Dana {number}",)), target=100) for number in range(4)]
    environment = {
        "LURCH_DATABASE_URL": away.copy.url,
        "LURCH_MIGRATE_URL": away.copy.owner_url,
        "LURCH_PUSH_TOKEN_FILE": str(away.token),
        "PATH": "/usr/bin:/bin",
    }
    command = [sys.executable, "-m", "service", "push", away.url]
    both_at_once = [
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(2)
    ]
    said = [each.communicate(timeout=120)[0] for each in both_at_once]
    assert [each.returncode for each in both_at_once] == [0, 0], said
    assert "HTTP" not in "".join(said), "a command says lines of its own alone"
    for path in new:
        here, there = both(away, path)
        assert here == there
    assert len(pushes(away)) == 1
    assert verified(away.home.database) == ()


@pytest.mark.extended
def test_a_stream_written_during_a_push_becomes_a_fork(away):
    away.result(away.away, away.home.begun)
    stop, taken = threading.Event(), []

    def record():
        while not stop.is_set():
            answer = away.home.post(f"{away.home.begun}/results", {"entry": NINE, "it_happened": True})
            if answer.status_code == 201:
                taken.append(answer.json()["version"])

    writer = threading.Thread(target=record)
    writer.start()
    try:
        until(lambda: taken)
        done = away.push()
    finally:
        stop.set()
        writer.join()
    assert done.exit_code == 1
    assert "forked" in done.output
    own = both(away, away.home.begun)[0]["events"]
    assert {row["version"] for row in own} >= set(taken)
    assert verified(away.home.database) == ()


def test_roles_that_may_not_import_learn_nothing_of_the_streams(evening):
    away = evening
    known, unknown = id_of(away.home.begun), "01a1fea4-0000-7000-8000-000000000001"
    last = both(away, away.home.begun)[0]["events"][-1]
    for role in ("secretary", "scorer", "spectator"):
        told = []
        for stream in (known, unknown):
            head = {"stream": stream, "version": last["version"], "hash": bytes(last["hash"]).hex()}
            sent = {"plan": {"heads": [head]}, "": {"source": "00000000", "heads": [head]}, "streams": {"a": stream}}
            for path, body in sent.items():
                answer = away.home.post(f"{away.home.path}/pushes/{path}".rstrip("/"), body, role)
                told.append((stream == known, path, a_problem(answer, 403, "forbidden")))
        assert [each[1:] for each in told if each[0]] == [each[1:] for each in told if not each[0]]
    stranger = away.home.post(f"{away.home.path}/pushes/plan", {"heads": []}, None)
    nowhere = away.home.post(f"/api/v1/clubs/{unknown}/pushes/plan", {"heads": []}, None)
    assert (stranger.status_code, stranger.json()) == (nowhere.status_code, nowhere.json())
    token = away.token.with_name("scorer")
    token.write_text(away.home.tokens["scorer"])
    done = away.push(token=token)
    assert (done.exit_code, "Traceback" in done.output) == (2, False)
    assert "the server refuses: the role `scorer` may not do this here" in done.said
    token.write_text("not-a-token")
    assert "the server refuses: this token is unknown or was revoked" in away.push(token=token).said


def test_a_role_that_ends_on_the_way_ends_the_push(away):
    new = away.away.match(sides=(("Annie",), ("Dana",)), target=100)
    away.cut(5)  # the first unit
    assert away.push().exit_code == 2
    away.cut(None)
    assert len(pushes(away)) == 1
    (token,) = away.home.log.execute(
        "select id::text from tokens where club_id = %s and role = 'director'", [away.home.id]
    ).fetchone()
    away.home.done(f"{away.home.path}/tokens/{token}/revoke", {}, "owner")
    done = away.push()
    assert done.exit_code == 2
    assert "the server refuses" in done.said
    assert both(away, new)[0] == {"events": [], "private": []}
