"""Cases over HTTP: who calls whom to what, what each of them reads, and what nobody else learns."""

from datetime import datetime

import pytest

from domain.log.actor import Right
from service.desk.cases import queue
from service.desk.cases.access import viewer_in
from service.store.callers import Caller
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House, a_problem, later
from tests.kit.service.case_scene import RESULT, CaseScene


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return CaseScene(house)


def types(view):
    return [each["type"] for each in view["procedure"]]


def test_a_player_calls_with_a_reason_and_the_director_reads_it(scene):
    case = scene.call(reason="Benny revoked in spades.")
    told = scene.read(case, scene.as_dora)
    view = told["view"]
    assert (view["matter"], view["open"], view["viewer"]) == ("call", True, {"kind": "director", "side": None})
    assert view["calls"][0]["side"] == 0
    assert view["calls"][0]["person"] == scene.annie
    assert view["calls"][0]["place"]["match"] == scene.match
    assert view["calls"][0]["place"]["deal"] == 1
    assert told["words"] == {"1": "Benny revoked in spades."}
    assert told["names"][scene.annie] is not None


def test_the_open_log_does_not_move_when_somebody_calls(scene):
    before = scene.house.position()
    scene.call()
    assert scene.house.position() == before


@pytest.mark.parametrize("role", ["spectator", "scorer", None])
def test_to_whom_a_case_does_not_concern_it_is_not_there(scene, role):
    case = scene.call()
    other = scene.token("player", scene.person())
    nowhere = "/api/v1/cases/00000000-0000-4000-8000-000000000000"
    for who in (role, other):
        answers = []
        for path in (case, nowhere):
            answer = scene.house.get(path, who)
            a_problem(answer, 404, "not-found")
            answers.append(answer.text)
            a_problem(scene.house.post(f"{path}/statements", {"words": "me too"}, who), 404, "not-found")
        assert answers[0] == answers[1], "a refusal tells whether there is a case"


def test_a_second_call_about_the_same_deal_joins_the_case(scene):
    case = scene.call()
    assert scene.call(role=scene.as_benny, reason="She cannot count.") == case
    view = scene.read(case, scene.as_dora)["view"]
    assert types(view) == ["CaseOpened", "CaseJoined"]
    assert [each["side"] for each in view["calls"]] == [0, 1]


def test_a_call_about_another_deal_is_another_case(scene):
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})
    assert scene.call(deal=1) != scene.call(deal=2)


def test_a_call_after_the_case_was_closed_opens_the_next_one(scene):
    case = scene.call()
    scene.step(case, "close", scene.as_dora, ended="unfounded", reason="Everybody followed suit.")
    assert scene.call() != case


def test_the_eleventh_call_of_a_side_within_the_hour_waits(scene):
    for _ in range(9):
        case = scene.call()
    scene.step(case, "join", scene.as_annie, match=scene.match, deal=1)
    for _ in range(100):
        answer = scene.house.post(f"{scene.path}/cases", {"reason": "Again!"}, scene.as_annie)
        assert answer.status_code == 429
    a_problem(answer, 429, "too-many-requests")
    assert 0 < int(answer.headers["retry-after"]) <= 3600
    scene.refused(case, "join", scene.as_annie, 429, "too-many-requests", match=scene.match, deal=1)
    calls = scene.house.log.execute("select count(*) from case_calls where place like %s", [f"{scene.match}%"])
    assert calls.fetchone()[0] == 10
    scene.call(role=scene.as_benny)
    assert scene.call(role=scene.as_dora) == case


def test_calls_that_a_clock_counted_which_was_put_back_hold_nobody_up(client, scene):
    with later(client, hours=2):
        for _ in range(10):
            case = scene.call()
    assert scene.call() == case


def test_a_join_that_is_repeated_with_its_key_is_counted_once(scene):
    case, key = scene.call(), {"Idempotency-Key": "join 1"}
    for _ in range(12):
        body = {"match": scene.match, "deal": 1}
        assert scene.house.post(f"{case}/join", body, scene.as_annie, **key).status_code == 201
    scene.refused(case, "join", scene.as_annie, 409, "misfit", match=scene.match, deal=7)
    assert len(scene.read(case, scene.as_dora)["view"]["calls"]) == 2
    calls = scene.house.log.execute("select count(*) from case_calls where place like %s", [f"{scene.match}%"])
    assert calls.fetchone()[0] == 2


@pytest.mark.parametrize("match", ["x", ".\U00032659", "0" * 36])
def test_a_join_names_a_match_by_an_id(scene, match):
    problem = scene.refused(scene.call(), "join", scene.as_annie, 400, "malformed", match=match)
    assert "match" in problem["errors"][0]["path"]


def test_joining_a_match_to_a_dispute_does_not_freeze_the_match(scene):
    house = scene.house
    house.done(f"{scene.path}/disputes", {"deal": 1, "side": 0, "reason": "Nine!"}, scene.as_annie)
    case = scene.at(waited(scene)["id"])
    house.done(f"{scene.path}/results", {"entry": RESULT})
    scene.step(case, "join", scene.as_annie, match=scene.match, reason="All of it.")
    assert [each["matter"] for each in scene.read(case, scene.as_dora)["view"]["calls"]] == ["dispute", "call"]
    entry = house.get(scene.path).json()["deals"][1]["entry_version"]
    wrong = {"version": entry, "now": {"parity": "even", "tricks": [7, 8]}, "reason": "misread"}
    house.done(f"{scene.path}/corrections", wrong)
    assert waited(scene)["disputed"]


def waited(scene):
    """Wait until the service has opened a case for the dispute and return its row of the queue."""
    return until(lambda: scene.house.get(f"{scene.house.path}/cases", scene.as_dora).json()["items"])[0]


def test_open_cases_stay_in_the_queue_however_many_are_closed(scene, monkeypatch):
    monkeypatch.setattr(queue, "MOST", 2)
    first, appealed = scene.call(), None
    other = scene.house.match(sides=[[{"id": scene.annie}], [{"id": scene.benny}]])
    over = []
    for _ in range(4):
        case = scene.call(scene.as_dora, other, matter="other")
        scene.step(case, "close", scene.as_dora, ended="unfounded")
        over.append(case.rpartition("/")[2])
    scene.step(scene.at(over[0]), "reopen", scene.as_dora)
    scene.step(first, "statements", scene.as_annie, words="Nine.")
    ruling = scene.rule()
    scene.step(first, "close", scene.as_dora, ended="ruled")
    scene.step(first, "appeals", scene.as_annie, ruling=ruling, grounds="No.")
    appealed = first.rpartition("/")[2]
    rows = scene.house.get(f"{scene.house.path}/cases", scene.as_dora).json()["items"]
    assert [each["id"] for each in rows] == [appealed, over[0], over[3], over[2]]
    assert [each["state"] for each in rows] == ["appeal", "open", "closed", "closed"]


def test_one_person_calls_twenty_times_an_hour_over_all_tables(scene):
    tables = [scene.house.match(sides=[[{"id": scene.annie}], [{"id": scene.benny}]]) for _ in range(3)]
    for number in range(20):
        scene.call(path=tables[number % 3])
    answer = scene.house.post(f"{tables[0]}/cases", {"reason": "Again!"}, scene.as_annie)
    a_problem(answer, 429, "too-many-requests")
    scene.call(role=scene.as_benny, path=tables[0])


def test_a_repeated_call_with_its_key_is_one_call(scene):
    body, key = {"reason": "He revoked."}, {"Idempotency-Key": "call 1"}
    first, again = (scene.house.post(f"{scene.path}/cases", body, scene.as_annie, **key) for _ in range(2))
    assert first.json() == again.json()
    case = scene.at(first.json()["case"])
    assert types(scene.read(case, scene.as_dora)["view"]) == ["CaseOpened"]


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        ({"deal": 2}, 409, "misfit"),
        ({"at": [99]}, 409, "misfit"),
        ({"at": [0]}, 400, "malformed"),
        ({"deal": 1, "at": [1]}, 409, "misfit"),
        ({"code": "rev"}, 400, "malformed"),
        ({"matter": "dispute"}, 400, "malformed"),
        ({"side": 1}, 403, "forbidden"),
        ({"reason": "x" * 4001}, 400, "malformed"),
        ({"reason": "x" * 100_000}, 413, "too-large"),
        ({"bogus": 1}, 400, "malformed"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(scene, body, status, slug):
    scene.house.refused("POST", f"{scene.path}/cases", {"reason": "Hm.", **body}, status, slug, scene.as_annie)


def test_a_spectator_does_not_call(scene):
    scene.house.refused("POST", f"{scene.path}/cases", {"reason": "Hm."}, 403, "forbidden", "spectator")
    scene.house.refused("POST", f"{scene.path}/cases", {"reason": "Hm."}, 401, "unauthorised", None)


def test_a_case_on_another_clubs_match_cannot_be_joined(client, database, scene):
    with House(client, database, public=True) as other:
        foreign = CaseScene(other)
    case = scene.call()
    scene.refused(case, "join", scene.as_dora, 404, "not-found", match=foreign.match)
    answer = scene.house.post(f"{foreign.path}/cases", {"reason": "Hm."}, scene.as_annie)
    a_problem(answer, 403, "forbidden")
    a_problem(scene.house.get(foreign.call(), scene.as_dora), 404, "not-found")


def test_statements_are_sealed_until_both_sides_have_stated(scene):
    case = scene.call()
    mine = scene.step(case, "statements", scene.as_annie, words="He had the ten.")["version"]
    for who in (scene.as_dora, scene.as_benny):
        told = scene.read(case, who)
        assert "He had the ten." not in str(told)
        assert told["view"]["statements"]["open"] is False
    assert scene.read(case, scene.as_annie)["words"][str(mine)] == "He had the ten."
    theirs = scene.step(case, "statements", scene.as_benny, words="I had not.")["version"]
    for who in (scene.as_dora, scene.as_annie, scene.as_benny):
        words = scene.read(case, who)["words"]
        assert (words[str(mine)], words[str(theirs)]) == ("He had the ten.", "I had not.")


def test_statements_open_when_the_clubs_time_limit_has_passed(scene, monkeypatch):
    case = scene.call()
    scene.step(case, "statements", scene.as_annie, words="He had the ten.")
    ends = scene.read(case, scene.as_benny)["view"]["statements"]["opens_at"]
    before = ends.replace("Z", "").rpartition(".")[0]
    recorder = scene.house.client.app.state.services.recorder
    with monkeypatch.context() as patch:
        patch.setattr(recorder, "clock", lambda: datetime.fromisoformat(ends))
        assert "He had the ten." not in str(scene.read(case, scene.as_dora, f"?at={before}Z"))
        assert "He had the ten." in str(scene.read(case, scene.as_dora, f"?at={ends}"))
    assert "He had the ten." not in str(scene.read(case, scene.as_dora))


def test_a_director_opens_statements_early_and_that_is_an_event(scene):
    case = scene.call()
    scene.refused(case, "open-statements", scene.as_dora, 409, "misfit")
    scene.step(case, "statements", scene.as_annie, words="He had the ten.")
    scene.refused(case, "open-statements", scene.as_benny, 403, "forbidden")
    assert scene.step(case, "open-statements", scene.as_dora)["events"] == ["StatementsOpened"]
    assert "He had the ten." in str(scene.read(case, scene.as_benny))


def test_a_statement_of_a_hundred_kilobytes_is_refused(scene):
    case = scene.call()
    scene.refused(case, "statements", scene.as_annie, 413, "too-large", words="x" * 100_000)
    scene.refused(case, "statements", scene.as_annie, 400, "malformed", words="x" * 4001)
    scene.step(case, "statements", scene.as_annie, words="x" * 4000)


def test_a_party_that_signs_in_as_scorer_stays_a_party(scene):
    case = scene.call(role=scene.as_benny)
    scene.step(case, "statements", scene.as_benny, words="I followed.")
    scorer = scene.token("scorer", scene.annie)
    assert "I followed." not in str(scene.read(case, scorer))
    scene.refused(case, "statements", scorer, 403, "forbidden", words="He did.", side=1)
    scene.refused(case, "open-statements", scorer, 403, "forbidden")
    scene.refused(case, "close", scorer, 403, "forbidden", ended="stands")
    assert scene.read(case, scorer)["view"]["viewer"] == {"kind": "party", "side": 0}


def test_a_director_who_plays_in_the_case_is_a_party_and_recused(scene):
    case = scene.call()
    director = scene.directs(scene.benny)
    scene.step(case, "statements", scene.as_annie, words="He had the ten.")
    assert "He had the ten." not in str(scene.read(case, director))
    scene.refused(case, "open-statements", director, 403, "recused")
    scene.refused(case, "ruler", director, 403, "recused", person=scene.benny)


def test_a_director_with_a_conflict_sees_only_where_the_case_is(scene):
    friends = {"one": scene.annie, "other": scene.dirk}
    scene.house.done(f"{scene.house.path}/friends", friends, "owner")
    case = scene.call(reason="He revoked.")
    a_problem(scene.house.get(case, scene.as_dirk), 403, "recused")
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dirk).json()["items"]
    assert (row["recused"], row["matter"], row["side"], row["match"]) == (True, None, None, scene.match)
    scene.refused(case, "ruler", scene.as_dora, 403, "recused", person=scene.dirk)
    scene.step(case, "recusals", scene.as_dora, person=scene.dirk, because="friend")
    told = scene.read(case, scene.as_benny)["view"]
    assert told["recused"] == [{"person": scene.dirk, "because": None}], "who is close to whom is for directors"
    assert scene.read(case, scene.as_dora)["view"]["recused"][0]["because"] == "friend"


def test_two_directors_assign_at_once_and_one_is_told(scene):
    case = scene.call()
    scene.step(case, "ruler", scene.as_dora, person=scene.dora)
    scene.refused(case, "ruler", scene.as_dirk, 409, "changed", person=scene.dirk)
    assert scene.house.post(f"{case}/ruler", {"person": scene.dora}, scene.as_dora).status_code == 200
    scene.step(case, "ruler", scene.as_dirk, person=scene.dirk, instead=scene.dora)
    assert scene.read(case, scene.as_dora)["view"]["ruler"] == {"person": scene.dirk, "by": "directs"}


def test_a_ruler_is_no_party_and_directs_here(scene):
    case = scene.call()
    scene.refused(case, "ruler", scene.as_dora, 403, "recused", person=scene.annie)
    scene.refused(case, "ruler", scene.as_dora, 409, "misfit", person=scene.person())
    scene.refused(case, "ruler", scene.as_dora, 400, "malformed", person="nobody")


def test_who_stepped_back_rules_no_more(scene):
    case = scene.call()
    scene.step(case, "ruler", scene.as_dora, person=scene.dora)
    scene.refused(case, "recusals", scene.as_dora, 409, "misfit", person=scene.dora, because="party")
    scene.step(case, "recusals", scene.as_dora, person=scene.dora, because="asked", reason="Benny asked me to.")
    assert scene.read(case, scene.as_dirk)["view"]["ruler"] is None
    scene.refused(case, "close", scene.as_dora, 403, "recused", ended="stands")
    scene.refused(case, "ruler", scene.as_dirk, 403, "recused", person=scene.dora)
    scene.step(case, "close", scene.as_dirk, ended="stands")


def test_where_nobody_may_rule_the_secretary_names_one_person(scene):
    case, judge = scene.call(), scene.person()
    as_judge = scene.token("player", judge)
    a_problem(scene.house.get(case, as_judge), 404, "not-found")
    secretary = scene.token("secretary", scene.person())
    scene.step(case, "ruler", secretary, person=judge)
    assert scene.read(case, as_judge)["view"]["ruler"] == {"person": judge, "by": "secretary"}
    scene.step(case, "statements", scene.as_annie, words="He had the ten.")
    scene.step(case, "open-statements", as_judge)
    scene.step(case, "close", as_judge, ended="stands")


def test_a_witness_is_heard(scene):
    case, witness = scene.call(), scene.person()
    scene.refused(case, "witnesses", scene.as_annie, 403, "forbidden", person=witness, words="I saw it.")
    scene.refused(case, "witnesses", scene.as_dora, 400, "malformed", person="nobody", words="I saw it.")
    scene.step(case, "witnesses", scene.as_dora, person=witness, words="I saw it.")
    assert "I saw it." in str(scene.read(case, scene.as_dora))
    assert "I saw it." not in str(scene.read(case, scene.as_benny))


def test_a_closed_case_takes_nothing_until_it_is_opened_again(scene):
    case = scene.call()
    scene.refused(case, "close", scene.as_annie, 403, "forbidden", ended="withdrawn")
    scene.step(case, "close", scene.as_dora, ended="stands", reason="No card is missing.")
    assert "No card is missing." in str(scene.read(case, scene.as_benny))
    scene.refused(case, "statements", scene.as_annie, 409, "misfit", words="But he did!")
    scene.step(case, "reopen", scene.as_dora, reason="A card was found.")
    scene.step(case, "statements", scene.as_annie, words="There it is.")
    assert scene.read(case, scene.as_dora)["view"]["open"] is True


def test_the_queue_shows_waiting_and_response_times(scene):
    case = scene.call(code="REV")
    path = f"{scene.house.path}/cases"
    (row,) = scene.house.get(path, scene.as_dora).json()["items"]
    assert (row["state"], row["answered"], row["code"], row["side"]) == ("open", False, "REV", 0)
    assert row["waited"] >= 0
    scene.step(case, "ruler", scene.as_dora, person=scene.dora)
    (row,) = scene.house.get(path, scene.as_dora).json()["items"]
    assert (row["answered"], row["ruler"]) == (True, scene.dora)
    for role in ("scorer", "player", "spectator", scene.as_annie):
        a_problem(scene.house.get(path, role), 403, "forbidden")
    a_problem(scene.house.get(path, None), 401, "unauthorised")


def test_a_name_tapped_behind_a_tables_code_calls_and_reads_nothing(scene):
    case = scene.call()
    tapped = Right("player", scene.house.id, None, scene.match, scene.annie, (), scene.annie, "table", by_code=True)
    signed_in = Right("player", scene.house.id, person=scene.annie, id=scene.annie, strength="own device")

    async def act(pool):
        loaded = await Streams(pool).case(case.rpartition("/")[2])
        return [viewer_in(Caller(True, rights=(each,)), loaded) for each in (tapped, signed_in)]

    assert [each and each.kind for each in with_pool(scene.house.database, act)] == [None, "party"]
