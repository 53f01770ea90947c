"""Pushed streams of another copy: incomplete, unannounced and foreign ones are refused, and secrets stay secret."""

import json
import re

import msgspec
import pytest

from domain import codec
from domain.exchange.pushed import PushedUnit
from domain.games import find
from service.desk.erasing import erase
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store import forks
from service.store.log import By
from service.store.pushing import stream_to_push
from service.store.streams import Streams
from tests.conftest import new_database, with_pool
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM, House, a_problem
from tests.kit.service.away import NINE, evening_away, rows_of, stream_rows, verified
from tests.kit.service.people import Phone
from tests.kit.service.rechained import chained_anew

pytestmark = pytest.mark.timeout(240)


def id_of(path):
    return path.rpartition("/")[2]


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A club and its copy, in which nothing has happened yet but for one match at home."""

    def prepare(home):
        home.begun = home.match(sides=(("Annie",), ("Benny",)), target=1000)

    with new_database() as database, evening_away(database, tmp_path_factory.mktemp("away"), prepare) as found:
        yield found


@pytest.fixture
def played(evening):
    """A match that was played in the copy, as it travels."""
    path = evening.away.match(sides=(("Annie",), ("Benny",)), target=100)
    evening.away.done(f"{path}/results", {"entry": NINE})
    evening.away.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "it was eight"}, "director")
    return unit_of(evening, path)


def unit_of(evening, *paths):
    streams = [
        with_pool(evening.copy, lambda pool, path=path: stream_to_push(pool, evening.home.id, id_of(path), 10_000))
        for path in paths
    ]
    return PushedUnit("00000000", evening.home.id, tuple(streams))


def head_of(stream):
    return {"stream": stream.stream, "version": len(stream.events), "hash": stream.events[-1].hash}


def announced(evening, unit, people=()):
    heads = [head_of(each) for each in unit.streams]
    body = {"source": unit.source, "heads": heads, "people": list(people)}
    return evening.home.done(f"{evening.home.path}/pushes", body, "director")


def sent(evening, unit, role="director"):
    return evening.home.post(f"{evening.home.path}/pushes/streams", codec.encode_plain(unit), role)


def with_event(unit, at, **changed):
    """The unit with one event of its first stream changed, and the hashes of none."""
    (stream, *others) = unit.streams
    events = list(stream.events)
    events[at] = msgspec.structs.replace(events[at], **changed)
    return msgspec.structs.replace(unit, streams=(msgspec.structs.replace(stream, events=tuple(events)), *others))


def not_taken(evening, unit, slug, status, words):
    """Refused, and nothing of it is there."""
    before = evening.home.position()
    problem = a_problem(sent(evening, unit), status, slug)
    assert words in problem["detail"], problem["detail"]
    assert evening.home.position() == before
    stream = unit.streams[0].stream
    if stream != id_of(evening.home.begun):
        assert stream_rows(evening.home.database, evening.home.id, stream)["events"] == []


WRONG = {
    "a word": ({"data": '{"deal":1,"side":0,"schema":1}'}, "its hash is not that of what it says"),
    "who": ({"actor": "somebody else"}, "its hash is not"),
    "role": ({"role": "owner"}, "its hash is not"),
    "the time": ({"recorded_at": "2026-01-01T00:00:00.000000Z"}, "its time is before"),
    "a time that is written otherwise": ({"recorded_at": "2026-01-01T00:00:00Z"}, "not written as the chain writes it"),
    "a time of next year": ({"recorded_at": "2999-01-01T00:00:00.000000Z"}, "yet to come"),
    "a private word": ({"private": '{"reason":"nothing"}'}, "its hash is not"),
    "no private word": ({"private": None, "salt": None}, "its hash is not"),
    "another salt": ({"salt": "00" * 16}, "its hash is not"),
    "another version": ({"version": 9}, "versions are missing"),
    "another hash": ({"hash": "ab" * 32}, "its hash is not"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_its_chain_is_not_taken(evening, played, name):
    changed, words = WRONG[name]
    wrong = with_event(played, -1, **changed)
    announced(evening, wrong)
    not_taken(evening, wrong, "malformed", 400, words)


FORGED = {
    "an event that does not follow": (
        lambda each: msgspec.structs.replace(each, data=each.data.replace(',"tricks":[9,6]', "")),
        "cannot be taken",
    ),
    "a kind that is no match's": (
        lambda each: msgspec.structs.replace(each, type="RoleGranted") if each.version == 2 else each,
        "is no event of it",
    ),
    "a role that there is not": (
        lambda each: msgspec.structs.replace(each, role="king") if each.version == 2 else each,
        "there is no such role",
    ),
    "a private part of nothing that is written otherwise": (
        lambda each: each if each.private is None else msgspec.structs.replace(each, private=" null"),
        "its private part has no members",
    ),
    "a private part that is no object": (
        lambda each: each if each.private is None else msgspec.structs.replace(each, private="[1]"),
        "its private part has no members",
    ),
    "a word that nobody decodes": (
        lambda each: msgspec.structs.replace(each, data="{") if each.version == 2 else each,
        "it does not follow",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_chain_that_holds_and_says_what_cannot_be_is_not_taken(evening, played, name):
    change, words = FORGED[name]
    forged = chained_anew(played, change)
    announced(evening, forged)
    not_taken(evening, forged, "malformed", 400, words)


def test_what_was_not_announced_is_not_taken(evening, played):
    not_taken(evening, played, "misfit", 409, "was not announced with this head")
    announced(evening, played)
    assert sent(evening, played).status_code == 201
    again = sent(evening, played)
    assert (again.status_code, again.json()["streams"][0]["was"]) == (201, "there")


def test_pushed_club_streams_and_streams_of_other_clubs_are_refused(evening, played):
    own = msgspec.structs.replace(played.streams[0], stream=evening.home.id)
    wrong = msgspec.structs.replace(played, streams=(own,))
    assert "never pushed" in a_problem(sent(evening, wrong), 400, "malformed")["detail"]
    with House(evening.home.client, evening.home.database, name="Neighbours") as other:
        elsewhere = msgspec.structs.replace(played, club=other.id)
        assert "of another club" in a_problem(sent(evening, elsewhere), 400, "malformed")["detail"]
        path = other.match(sides=(("Nils",), ("Olga",)))
        theirs = chained_anew(
            msgspec.structs.replace(played, streams=(msgspec.structs.replace(played.streams[0], stream=id_of(path)),)),
            lambda each: each,
        )
        announced(evening, theirs)
        before = evening.home.position()
        assert "cannot be told apart" in a_problem(sent(evening, theirs), 409, "misfit")["detail"]
        assert evening.home.position() == before


def test_people_who_are_new_come_as_visitors_and_are_proposed_for_merging(evening, played):
    known = {each["name"]: each["id"] for each in evening.home.get(f"{evening.home.path}/players").json()["items"]}
    fresh = "01a1fea4-0000-7000-8000-00000000abcd"
    said = announced(evening, played, [{"id": fresh, "name": " annie"}])
    (person,) = said["people"]
    assert (person["known"], [each["id"] for each in person["alike"]]) == (True, [known["Annie"]])
    names = [each["name"] for each in evening.home.get(f"{evening.home.path}/players").json()["items"]]
    assert {"Annie", "annie"} <= set(names)
    proposed = evening.home.get(f"{evening.home.path}/pushes", "director").json()["people"]
    assert {(each["player"], each["other"]) for each in proposed} == {(known["Annie"], fresh)}
    again = announced(evening, played, [{"id": fresh, "name": "annie"}])
    assert again["recorded"] == 0


def test_a_pushed_match_of_merged_people_waits_until_they_are_parted(evening):
    path = evening.away.match(sides=(("Tess",), ("Tessa",)))
    evening.away.done(f"{path}/results", {"entry": NINE})
    (tess, tessa) = (side["players"][0] for side in evening.away.get(path).json()["sides"])
    unit = unit_of(evening, path)
    announced(evening, unit, [{"id": tess, "name": "Tess"}, {"id": tessa, "name": "Tessa"}])
    evening.home.done(f"{evening.home.path}/players/{tess}/merge", {"other": tessa}, "secretary")
    not_taken(evening, unit, "misfit", 409, "two who play in it were made one person here: have them parted")
    evening.home.done(f"{evening.home.path}/players/{tess}/part", {"other": tessa}, "secretary")
    assert sent(evening, unit).status_code == 201


def test_hidden_hands_come_along_and_stay_hidden(evening):
    path = evening.away.match("cross_game", sides=(("Annie",), ("Benny",)))
    evening.away.done(
        f"{path}/deals", {"deal": codec.plain(random_deal("cross_game", find("cross_game").options(), 7))}
    )
    unit = unit_of(evening, path)
    assert any(each.salt for each in unit.streams[0].events)
    announced(evening, unit)
    bare = chained_anew(unit, lambda each: msgspec.structs.replace(each, salt=None, private=None))
    announced(evening, bare)
    not_taken(evening, bare, "malformed", 400, "it hides something and has no salt")
    assert sent(evening, unit).status_code == 201
    for role in ("spectator", "scorer", "director"):
        for what in ("", "/events"):
            there = evening.home.get(f"{path}{what}", role)
            here = evening.away.get(f"{path}{what}", role)
            assert there.status_code == here.status_code == 200
            if what:
                assert without_places(there) == without_places(here)
            else:
                assert there.json()["table"] == here.json()["table"], role
    dealt = re.findall(r'"([SHDC][0-9AKQJ]+)"', unit.streams[0].events[1].data)
    assert len(dealt) == 20
    public = "".join(evening.home.get(f"{path}{what}", "spectator").text for what in ("", "/events"))
    assert not [card for card in dealt if f'"{card}"' in public]


def without_places(answer):
    """The events of an answer, but for where they stand in the log."""
    return [{**json.loads(line), "position": None} for line in answer.text.splitlines()]


def test_a_fork_file_is_hidden_from_its_players_and_erased_with_them(evening):
    path = evening.away.match("cross_game", sides=(("Ria of elsewhere",), ("Sam of elsewhere",)))
    evening.away.done(
        f"{path}/deals", {"deal": codec.plain(random_deal("cross_game", find("cross_game").options(), 7))}
    )
    there = unit_of(evening, path)
    first = msgspec.structs.replace(there.streams[0], events=there.streams[0].events[:1])
    begun = msgspec.structs.replace(there, streams=(first,))
    players = json.loads(first.events[0].data)["sides"]
    people = [{"id": side[0], "name": name} for side, name in zip(players, ("Ria E", "Sam E"), strict=True)]
    announced(evening, begun, people)
    assert sent(evening, begun).status_code == 201
    evening.home.done(f"{path}/deals", {"dealer": 0})
    assert a_problem(sent(evening, there), 409, "forked")
    (fork,) = [
        each
        for each in evening.home.get(f"{evening.home.path}/pushes", "director").json()["forks"]
        if each["stream"] == id_of(path)
    ]
    file = f"/clubs/{evening.home.id}/forks/{fork['id']}"
    directs = Phone(evening.home, players[0][0])
    evening.home.done(f"{evening.home.path}/roles", {"person": players[0][0], "role": "director"}, "owner")
    ask = evening.home.client.request
    assert ask("GET", file, headers=directs.header).status_code == 403
    thrown = ask(
        "POST", f"/clubs/{evening.home.id}/pushes", headers={**FORM, **directs.header}, data={"fork": fork["id"]}
    )
    assert thrown.status_code == 403, "nobody throws away what may speak against him"
    own = f"{evening.home.path}/forks/{fork['id']}"
    token = evening.home.token("director", player=players[0][0])
    assert evening.home.ask("DELETE", own, role=token).status_code == 403
    assert evening.home.get(own, "director").status_code == 200
    evening.home.done(f"{evening.home.path}/players/{players[1][0]}/erasure", {"reason": "asked"}, "owner")
    a_problem(evening.home.get(f"{evening.home.path}/forks/{fork['id']}", "director"), 404, "not-found")


def test_a_fork_file_shows_no_hand_that_is_hidden_here(evening):
    path = evening.away.match("cross_game", sides=(("Uma of elsewhere",), ("Vic of elsewhere",)))
    deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
    evening.away.done(f"{path}/deals", {"deal": deal})
    begun = unit_of(evening, path)
    (uma,), (vic,) = json.loads(begun.streams[0].events[0].data)["sides"]
    announced(evening, begun, [{"id": uma, "name": "Uma E"}, {"id": vic, "name": "Vic E"}])
    assert sent(evening, begun).status_code == 201
    for house in (evening.home, evening.away):
        house.done(f"{path}/void-deal", {"reason": "a card fell"}, "director")
    evening.away.done(f"{path}/open-hands", {"reason": "all is over"}, "director")
    a_problem(sent(evening, unit_of(evening, path)), 409, "forked")
    (fork,) = [
        each
        for each in evening.home.get(f"{evening.home.path}/pushes", "director").json()["forks"]
        if each["stream"] == id_of(path)
    ]
    evening.home.done(f"{evening.home.path}/roles", {"person": uma, "role": "director"}, "owner")
    own, plays = f"{evening.home.path}/forks/{fork['id']}", evening.home.token("director", player=uma)
    a_problem(evening.home.get(own, plays), 403, "forbidden")
    a_problem(evening.home.ask("DELETE", own, role=plays), 403, "forbidden")
    assert evening.home.get(own, "director").status_code == 200
    evening.home.done(f"{path}/open-hands", {"reason": "all is over"}, "director")
    assert evening.home.get(own, plays).status_code == 200


def test_as_of_a_time_the_club_is_what_its_log_held_then(evening, played):
    marked = played.streams[0].events[0].recorded_at
    evening.home.done(f"{evening.home.path}/players", {"name": "Late"}, "owner")
    announced(evening, played)
    assert sent(evening, played).status_code == 201
    listed = evening.home.get(f"{evening.home.path}/players?as_of={marked}").json()["items"]
    assert "Late" not in [each["name"] for each in listed]


def test_a_body_that_is_no_push_is_refused(evening):
    for body in (b"", b"{}", b"[", b'{"source": 1}', b"\xff"):
        a_problem(evening.home.post(f"{evening.home.path}/pushes/streams", body, "director"), 400, "malformed")


def test_a_token_that_ends_while_a_unit_is_sent_brings_nothing(evening, played):
    announced(evening, played)
    (own, other) = (evening.home.token("director") for _ in range(2))
    newest = "select id::text from tokens where club_id = %s order by created_at desc offset 1 limit 1"
    (account,) = evening.home.log.execute(newest, [evening.home.id]).fetchone()
    data = codec.encode_plain(played)

    def slowly():
        yield data[:100]
        evening.home.done(f"{evening.home.path}/tokens/{account}/revoke", {}, "owner")
        yield data[100:]

    path, before = f"{evening.home.path}/pushes/streams", evening.home.position()
    ask, header = evening.home.client.request, {"Content-Type": "application/json"}
    answer = ask("POST", path, content=slowly(), headers={**header, "Authorization": f"Bearer {own}"})
    a_problem(answer, 401, "unauthorised")
    assert evening.home.position() == before
    taken = ask("POST", path, content=data, headers={**header, "Authorization": f"Bearer {other}"})
    assert taken.status_code == 201


def with_words(evening, name):
    """A match that came, and goes on in the copy with words that somebody new says there."""
    path = evening.away.match(sides=((name,), ("Benny",)))
    dora = evening.away.get(path).json()["sides"][0]["players"][0]
    begun = unit_of(evening, path)
    announced(evening, begun, [{"id": dora, "name": name}])
    assert sent(evening, begun).status_code == 201
    evening.away.done(f"{path}/results", {"entry": NINE})
    own = evening.away.token("player", player=dora)
    evening.away.done(f"{path}/disputes", {"deal": 1, "side": 0, "reason": "I had seven"}, own)
    return path, dora


def words_at_home(evening, path):
    return [row["data"] for row in stream_rows(evening.home.database, evening.home.id, id_of(path))["private"]]


def test_pushed_words_of_an_erased_person_are_erased(evening):
    path, dora = with_words(evening, "Dora")
    evening.away.done(f"{path}/settlements", {"how": "upheld", "reason": "it was nine"}, "director")
    evening.home.done(f"{evening.home.path}/players/{dora}/erasure", {"reason": "law"}, "owner")
    unit = unit_of(evening, path)
    assert "I had seven" in str(unit)
    announced(evening, unit)
    assert sent(evening, unit).status_code == 201
    assert "I had seven" not in str(words_at_home(evening, path))
    assert "it was nine" in str(words_at_home(evening, path)), "what others said stays"
    erased = [row for row in rows_of(evening.home.database, "events", evening.home.id) if row["type"] == "PersonErased"]
    last = max(erased, key=lambda row: row["version"])
    assert (json.loads(last["data"])["reason"], last["role"], last["cause"]) == ("law", "owner", id_of(path))
    assert verified(evening.home.database) == ()
    again = sent(evening, unit)
    assert (again.status_code, again.json()["streams"][0]["was"]) == (201, "there")


def test_words_of_a_dispute_that_is_open_are_erased_again_too(evening):
    path, dora = with_words(evening, "Dody")
    evening.home.done(f"{evening.home.path}/players/{dora}/erasure", {"reason": "law"}, "owner")
    unit = unit_of(evening, path)
    announced(evening, unit)
    assert sent(evening, unit).status_code == 201
    assert evening.home.get(path).json()["disputes"]
    assert "I had seven" not in str(rows_of(evening.home.database, "private", evening.home.id))


def test_a_fork_in_which_an_erased_person_stands_is_not_kept(evening):
    path, dora = with_words(evening, "Doris")
    evening.home.done(f"{path}/results", {"entry": NINE})
    evening.home.done(f"{evening.home.path}/players/{dora}/erasure", {"reason": "asked"}, "owner")
    refusal = a_problem(sent(evening, unit_of(evening, path)), 409, "forked")
    assert "nothing is kept, for somebody in it was erased" in refusal["detail"]
    forks = evening.home.get(f"{evening.home.path}/pushes", "director").json()["forks"]
    assert id_of(path) not in [each["stream"] for each in forks]


def test_erasing_a_person_deletes_a_fork_that_is_being_kept(evening, monkeypatch):
    path, dora = with_words(evening, "Dolly")
    evening.home.done(f"{path}/results", {"entry": NINE})
    keep = forks.keep

    async def behind_an_erasure(pool, club, fork, data):
        await erase(Recorder(Streams(pool)), club, dora, "asked", (), own_request(By(None, "owner")))
        return await keep(pool, club, fork, data)

    monkeypatch.setattr(forks, "keep", behind_an_erasure)
    refusal = a_problem(sent(evening, unit_of(evening, path)), 409, "forked")
    assert "nothing is kept, for somebody in it was erased" in refusal["detail"]
    kept = evening.home.get(f"{evening.home.path}/pushes", "director").json()["forks"]
    assert id_of(path) not in [each["stream"] for each in kept]
