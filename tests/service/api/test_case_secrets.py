"""What nobody learns by a case: no hands of a match that is no business of his, nothing before its time, and no finding
that the signal policy keeps back."""

import re
from datetime import timedelta

import pytest

from domain import codec
from domain.case.state import DirectorCall
from domain.games import find
from service.store.ids import now
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import House, a_problem
from tests.kit.service.case_scene import CaseScene
from tests.kit.service.people import Phone
from tests.service.api.test_audit import REVOKED, facts_of

FOUND = {"matter": "finding", "deal": 1, "at": [18], "code": "REV", "reason": "It is in the record."}


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return CaseScene(house)


@pytest.fixture
def clock(client):
    recorder = client.app.state.services.recorder
    usual = recorder.clock

    def goes(**by):
        recorder.clock = lambda: now() + timedelta(**by)

    yield goes
    recorder.clock = usual


def revoked(scene, signals="silent", facts=None):
    """A match of Annie and Benny with a revoke in its first deal."""
    house, sides = scene.house, [[{"id": scene.annie}], [{"id": scene.benny}]]
    path = house.match(sides=sides, target=15, signals=signals)
    house.done(f"{path}/deals", {"dealer": 1})
    house.done(f"{path}/facts", {"facts": facts_of(REVOKED)[:facts], "it_happened": True})
    return path


def dealt(scene, one, other):
    """The id of a live match with typed hands."""
    path = scene.house.match("cross_game", sides=[[{"id": one}], [{"id": other}]])
    deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 1))
    scene.house.done(f"{path}/deals", {"dealer": 0, "deal": deal}, "director")
    return path.rpartition("/")[2]


def hands(view, match):
    """How each hand of a deal is shown before its first fact."""
    (own,) = [each for each in view["matches"] if each["match"] == match]
    return [hand["how"] for hand in own["deals"][0]["positions"][0]["hands"]]


def looked(scene, person, path):
    """A page as it comes to a phone of somebody."""
    scene.house.client.cookies.clear()
    headers = {"Accept": "text/html", **Phone(scene.house, person).header}
    return scene.house.client.get(path.removeprefix("/api/v1"), headers=headers, follow_redirects=False)


def test_a_director_cannot_open_a_live_match_through_a_case(scene):
    mine = dealt(scene, scene.dora, scene.person())
    case = scene.call()
    scene.step(case, "ruler", scene.as_dora, person=scene.dora)
    scene.step(case, "join", scene.as_dora, match=mine, deal=1)
    assert hands(scene.read(case, scene.as_dora)["view"], mine) == ["dealt", "unknown"]
    assert hands(scene.read(case, scene.as_dirk)["view"], mine) == ["dealt", "dealt"], "he directs both"
    shown = [looked(scene, who, f"{case}?match={mine}").text for who in (scene.dora, scene.dirk)]
    assert [": not known" in re.sub(r"\s+", " ", each) for each in shown] == [True, False]


def test_only_an_impartial_director_of_a_match_joins_it_to_a_case(scene):
    wes, friend = scene.person(), scene.person()
    scene.house.done(f"{scene.house.path}/friends", {"one": friend, "other": scene.dirk}, "owner")
    case, live, close = (
        scene.call(matter="other"),
        dealt(scene, wes, scene.person()),
        dealt(scene, friend, scene.person()),
    )
    foreign = dealt(scene, scene.person(), scene.person())
    scene.step(case, "ruler", scene.token("secretary", scene.person()), person=wes)
    as_wes = scene.token("player", wes)
    scene.refused(case, "join", as_wes, 403, "forbidden", match=foreign, deal=1)
    scene.refused(case, "join", scene.as_dirk, 403, "recused", match=close, deal=1)
    scene.refused(case, "join", scene.as_annie, 403, "forbidden", match=live, deal=1)
    scene.step(case, "join", scene.as_dora, match=live, deal=1)
    assert hands(scene.read(case, as_wes)["view"], live) == ["dealt", "unknown"], "he is seated there"
    assert hands(scene.read(case, scene.as_dora)["view"], live) == ["dealt", "dealt"]


def test_a_future_as_of_time_breaks_no_seal_and_no_signal_policy(scene, clock):
    path = revoked(scene)
    case = scene.call(path=path, deal=1)
    scene.step(case, "statements", scene.as_benny, words="I had none.")
    later = "?at=2099-01-01T00:00:00Z"
    for who in (scene.as_annie, scene.as_dora):
        a_problem(scene.house.get(f"{case}{later}", who), 400, "malformed")
    assert "I had none." not in looked(scene, scene.annie, f"{case}{later}").text
    clock(days=2)
    told = scene.read(case, scene.as_annie)
    assert "I had none." in str(told)


def told_to_a_party(scene, begun, signals="silent"):
    """Everything that Annie receives of her own innocent call, where a director has looked into a finding before, with
    a ruler and a witness, and where nobody has."""
    path = revoked(scene, signals)
    match = path.rpartition("/")[2]
    if begun:
        case = scene.call(scene.as_dora, path, **FOUND)
        scene.step(case, "ruler", scene.as_dora, person=scene.dora)
        scene.step(case, "witnesses", scene.as_dora, person=scene.dirk, words="I saw the revoke.")
    case = scene.call(path=path, deal=1, reason="How many tricks?")
    received = [
        scene.house.get(case, scene.as_annie).text,
        *(scene.house.get(f"{case}?closed={number}", scene.as_annie).text for number in (1, 2, 3, 4)),
        *(looked(scene, scene.annie, f"{case}{more}").text for more in ("", "?at=18", "?at=2099-01-01T00:00:00Z")),
        looked(scene, scene.annie, f"{path}/case").headers["location"],
        scene.house.post(f"{case}/statements", {"words": "Nine, I say."}, scene.as_annie).text,
        scene.house.post(f"{case}/statements", {"words": "Nine.", "expected_version": 1}, scene.as_annie).text,
    ]
    own = {match: "match", case.rpartition("/")[2]: "case"}
    return [plain(each, own) for each in received]


def plain(text, own):
    """A text without what differs between any two matches: ids, and times."""
    for id_, name in own.items():
        text = text.replace(id_, name)
    text = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)", "time", text)
    text = re.sub(r"[0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "id", text)
    return re.sub(r'"open":\s*\d+|"lag":\s*[-\d.]+|>\d\d:\d\d(:\d\d)?<', "", text)


def test_an_innocent_call_is_no_oracle_of_what_a_director_found(scene):
    one, other = told_to_a_party(scene, begun=True), told_to_a_party(scene, begun=False)
    for a, b in zip(one, other, strict=True):
        assert a.splitlines() == b.splitlines()


def test_a_finding_and_a_call_share_a_case_under_an_open_policy(scene):
    path = revoked(scene, "quiet")
    assert scene.call(scene.as_dora, path, **FOUND) == scene.call(path=path, deal=1)
    hidden = revoked(scene)
    case = scene.call(scene.as_dora, hidden, **FOUND)
    assert scene.call(scene.as_dirk, hidden, **FOUND) == case, "two directors meet in one"
    own = scene.call(path=hidden, deal=1)
    assert own != case
    assert scene.call(scene.as_benny, hidden, deal=1) == own
    assert scene.call(scene.as_dora, hidden, **FOUND) == case


def test_a_directors_own_call_is_hidden_from_the_sides_under_silence(scene):
    for more in ({}, {"matter": "other", "code": "REV"}, FOUND):
        case = scene.call(scene.as_dora, revoked(scene), **{"deal": 1, **more})
        a_problem(scene.house.get(case, scene.as_benny), 404, "not-found")
    for more in ({"side": 1}, {"matter": "slow", "code": "SLO"}, {"matter": "other"}):
        case = scene.call(scene.as_dora, revoked(scene), **{"deal": 1, **more})
        assert scene.read(case, scene.as_benny)["view"]["open"]


@pytest.mark.parametrize("signals", ["silent", "quiet"])
def test_an_untold_finding_joins_no_case_that_the_sides_can_read(scene, signals):
    path = revoked(scene, signals)
    case = scene.call(path=path, deal=1)
    entry = {"match": path.rpartition("/")[2], "deal": 1, "at": [18], "code": "REV", "reason": "He holds a heart."}
    if signals == "quiet":
        scene.step(case, "join", scene.as_dora, **entry)
        assert scene.read(case, scene.as_benny)["view"]["calls"][1]["matter"] == "finding"
        return
    scene.refused(case, "join", scene.as_dora, 409, "misfit", **entry)
    scene.call(scene.as_dora, path, **{**FOUND, "reason": "He holds a heart."})
    for who in (scene.as_annie, scene.as_benny):
        scene.step(case, "statements", who, words="Nine.")
    for who in (scene.as_annie, scene.as_benny):
        told = scene.read(case, who)
        assert "He holds a heart." not in str(told)
        assert [(each["side"], each["code"]) for each in told["view"]["calls"]] == [(0, None)]
        assert (told["view"]["version"], told["view"]["matches"][0]["at"]) == (3, [])


def test_words_next_to_a_hidden_finding_stay_hidden_when_statements_open(scene, monkeypatch):
    path = revoked(scene)
    case = scene.call(path=path, deal=1)
    with monkeypatch.context() as patch:
        patch.setattr(DirectorCall, "looks", False)
        patch.setattr("service.desk.cases.calling._shared", joins)
        assert scene.call(scene.as_dora, path, **FOUND) == case
    for who in (scene.as_annie, scene.as_benny):
        scene.step(case, "statements", who, words="Nine.")
    for who, knows in ((scene.as_annie, False), (scene.as_benny, False), (scene.as_dora, True)):
        assert ("It is in the record." in str(scene.read(case, who))) == knows
        assert (18 in scene.read(case, who)["view"]["matches"][0]["at"]) == knows


async def joins(*_):
    return True


def test_a_playing_director_does_not_see_a_case_hidden_from_the_table(scene):
    path, own = revoked(scene), scene.directs(scene.benny)
    queue, secretary = f"{scene.house.path}/cases", scene.token("secretary", scene.person())
    before = scene.house.get(queue, own).content
    case = scene.call(scene.as_dora, path, **FOUND)
    assert scene.house.get(queue, own).content == before
    a_problem(scene.house.get(case, own), 404, "not-found")
    (row,) = scene.house.get(queue, secretary).json()["items"]
    assert (row["matter"], row["code"], row["deal"]) == ("other", None, None)
    (row,) = scene.house.get(queue, scene.as_dirk).json()["items"]
    assert (row["matter"], row["code"], row["deal"]) == ("finding", "REV", 1)
    scene.call(path=path, deal=1)
    (row,) = scene.house.get(queue, own).json()["items"]
    assert row["recused"]


def test_a_side_learns_from_no_position_how_much_the_closed_log_holds(scene):
    other = scene.house.match(sides=[[{"id": scene.person()}], [{"id": scene.person()}]])
    for _ in range(3):
        scene.call(scene.as_dora, other, matter="slow")
    case = scene.call()
    scene.step(case, "statements", scene.as_annie, words="Nine.")
    told = scene.read(case, scene.as_annie)
    assert told["closed"] == told["view"]["version"] == 2
    for number in (1, 2, 5, 2**31):
        seen = scene.read(case, scene.as_annie, f"?closed={number}")
        assert (seen["closed"], seen["view"]["version"]) == (min(number, 2), min(number, 2))
    assert scene.read(case, scene.as_dora)["closed"] > 4
