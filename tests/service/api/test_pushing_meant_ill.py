"""Malicious pushes with a valid token of one club: they reach no other club and block nothing."""

import json

import msgspec
import pytest

from domain import codec
from domain.exchange.pushed import PushedUnit
from service.desk import pushing
from tests.kit.service.asking import FORM, House, a_problem
from tests.kit.service.away import NINE
from tests.kit.service.club_evenings import Evening
from tests.kit.service.pushed import ELSEWHERE, announce, bring, elsewhere, first_events, send, stream_of
from tests.kit.service.rechained import chained_anew

pytestmark = pytest.mark.timeout(240)
NOBODYS = "01a1fea4-0000-7000-8000-0000000000{:02x}"


def id_of(path):
    return path.rpartition("/")[2]


@pytest.fixture
def other(client, database):
    """A club that has nothing to do with the one of the token; it is private."""
    with House(client, database, name="Neighbours") as found:
        yield found


@pytest.fixture
def theirs(other):
    """A match of the neighbours, in which something was dealt."""
    path = other.match(sides=(("Vera",), ("Victor",)))
    other.done(f"{path}/results", {"entry": NINE})
    return id_of(path)


@pytest.fixture
def played(house):
    """A match of the club, as it travels."""
    path = house.match(sides=(("Annie",), ("Benny",)))
    house.done(f"{path}/results", {"entry": NINE})
    house.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "it was eight"}, "director")
    return stream_of(house, id_of(path))


def said_of(stream):
    """A change of the event by which a match is opened."""

    def with_data(**changed):
        def change(each):
            if each.type != "MatchOpened":
                return each
            data = codec.encode_plain({**json.loads(each.data), **changed}).decode()
            return msgspec.structs.replace(each, data=data)

        return elsewhere(*stream, change)

    return with_data


def refused(house, unit, status, slug):
    """A unit that is announced and not taken; the words of the refusal."""
    announce(house, [unit])
    before = house.position()
    problem = a_problem(send(house, unit), status, slug)
    assert house.position() == before
    return problem["detail"]


def cup_with(house, matches, number=7):
    """A tournament of elsewhere whose first round is played in these matches."""
    cup = Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=2 * len(matches))
    cup.act({"do": "pair_round"})
    own = [each["match"] for each in cup.round()["pairings"]]

    def change(each):
        data = each.data
        for old, new in zip(own, matches, strict=True):
            data = data.replace(old, new)
        return msgspec.structs.replace(each, data=data)

    return elsewhere(house, stream_of(house, cup.id), number, change)


def test_a_tournament_never_opens_or_ends_a_match_of_another_club(house, other, theirs, monkeypatch):

    async def unlooked(*_):
        return None

    monkeypatch.setattr(pushing, "check_ties", unlooked)
    rows = "select club_id, version from events where stream_id = %s"
    before = other.log.execute(rows, [theirs]).fetchall()
    unit = cup_with(house, [theirs, NOBODYS.format(2)], 0x5E)
    announce(house, [unit])
    bring(house, unit)
    cup = unit.streams[0].stream
    house.get(f"/api/v1/tournaments/{cup}")
    house.done(
        f"/api/v1/tournaments/{cup}/actions", {"actions": [{"do": "unpair_round", "knowingly": True}]}, "director"
    )
    house.get(f"/api/v1/tournaments/{cup}")
    assert other.log.execute(rows, [theirs]).fetchall() == before


def test_a_pushed_tournament_with_matches_of_another_club_is_refused(house, other, theirs):
    rows = "select stream_id, version from events where stream_id = %s"
    before = other.log.execute(rows, [theirs]).fetchall()
    words = refused(house, cup_with(house, [theirs, NOBODYS.format(1)]), 409, "misfit")
    assert theirs not in words
    house.get(f"{house.path}/tournaments")
    assert other.log.execute(rows, [theirs]).fetchall() == before


def test_a_tournament_plays_in_matches_that_are_its_own_or_nobodys_yet(house, played):
    refused(house, cup_with(house, [played.stream, NOBODYS.format(2)]), 409, "misfit")
    refused(house, cup_with(house, [ELSEWHERE.format(7), NOBODYS.format(2)]), 409, "misfit")
    assert "no id" in refused(house, cup_with(house, ["no id", NOBODYS.format(3)]), 400, "malformed")
    good = cup_with(house, [NOBODYS.format(4), NOBODYS.format(5)])
    announce(house, [good])
    bring(house, good)
    house.get(f"/api/v1/tournaments/{good.streams[0].stream}")
    assert house.get(f"/api/v1/matches/{NOBODYS.format(4)}").json()["tournament"] == good.streams[0].stream


def test_a_pushed_match_of_another_clubs_tournament_is_refused(house, other, played):
    cup = Evening(other, [{"format": {"kind": "single"}, "game": "parity"}], players=4)
    said = []
    for number, wrong in enumerate((cup.id, NOBODYS.format(6), house.id, played.stream, "no id"), start=10):
        unit = said_of((house, played, number))(tournament=wrong)
        words = refused(house, unit, 400, "malformed")
        assert "of which nothing is here" in words
        said.append(words.replace(wrong, "…").replace(ELSEWHERE.format(number), "…"))
    assert len(set(said)) == 1, "what another club has is told as what there is not"
    assert house.get(f"{house.path}/matches").status_code == 200


def test_whoever_plays_is_known_here_before_a_match_is_taken(house, played):
    for number, wrong in ((20, NOBODYS.format(7)), (21, "Robert'); drop")):
        unit = said_of((house, played, number))(sides=[[wrong], json.loads(played.events[0].data)["sides"][1]])
        assert "somebody plays in it whom the club does not know" in refused(house, unit, 409, "misfit")


def test_what_another_club_has_is_told_as_what_cannot_be_told_apart(house, other, theirs, played):
    heads = [{"stream": each, "version": 1, "hash": "ab" * 32} for each in (theirs, other.id, NOBODYS.format(8))]
    answer = house.post(f"{house.path}/pushes/plan", {"heads": heads}, "director")
    assert [each["state"] for each in answer.json()["streams"]] == ["new"] * 3
    assert len({codec.encode_plain({**each, "stream": ""}) for each in answer.json()["streams"]}) == 1
    free = elsewhere(house, played, 0x30)
    taken = chained_anew(
        msgspec.structs.replace(free, streams=(msgspec.structs.replace(free.streams[0], stream=theirs),)),
        lambda each: msgspec.structs.replace(each, command_id=f"fresh {each.command_id}"),
    )
    known = chained_anew(  # the commands are those of the match here
        msgspec.structs.replace(free, streams=(msgspec.structs.replace(played, stream=NOBODYS.format(9)),)),
        lambda each: each,
    )
    case = house.log.execute("select stream_id::text from events where club_id = %s and log = 1", [house.id]).fetchone()
    hidden = chained_anew(
        msgspec.structs.replace(free, streams=(msgspec.structs.replace(free.streams[0], stream=case[0]),)),
        lambda each: msgspec.structs.replace(each, command_id=f"case {each.command_id}"),
    )
    assert "not announced" in a_problem(send(house, taken), 409, "misfit")["detail"], "no sooner than any other"
    assert len({refused(house, each, 409, "misfit") for each in (taken, known, hidden)}) == 1


def test_a_time_that_no_page_could_show_is_not_taken(house, played):

    def late(each):
        return msgspec.structs.replace(each, device_clock="9999-12-31T23:59:59.999999Z")

    assert "its device_clock is no time" in refused(house, elsewhere(house, played, 0x40, late), 400, "malformed")


def test_a_pushed_event_is_not_dated_before_its_predecessor_here(house, played):
    begun = first_events(elsewhere(house, played, 0x60), 2)
    announce(house, [begun])
    bring(house, begun)

    def sooner(each):
        if each.version <= len(begun.streams[0].events):
            return each
        return msgspec.structs.replace(each, recorded_at="2000-01-01T00:00:00.000000Z")

    forged = elsewhere(house, played, 0x60, sooner)
    (stream,) = forged.streams
    old = msgspec.structs.replace(stream.events[1], recorded_at="1999-01-01T00:00:00.000000Z")
    events = (stream.events[0], old, *stream.events[2:])
    unit = msgspec.structs.replace(forged, streams=(msgspec.structs.replace(stream, events=events),))
    assert "its time is before" in refused(house, unit, 400, "malformed")


def test_a_fork_file_holds_proven_events_and_can_be_deleted(house, played, owner):
    whole = PushedUnit("5ea1ed00", house.id, (stream_of(house, played.stream),))
    last = len(played.events)

    def parted(each):
        return msgspec.structs.replace(each, actor="somebody else") if each.version == last else each

    (stream,) = chained_anew(whole, parted).streams
    for wrong in ({"data": "{"}, {"data": '{"sides":1}'}, {"private": "[", "salt": "00" * 16}):
        events = (stream.events[0], msgspec.structs.replace(stream.events[1], **wrong), *stream.events[2:])
        unit = msgspec.structs.replace(whole, streams=(msgspec.structs.replace(stream, events=events),))
        a_problem(send(house, unit), 409, "forked")
    (fork,) = house.get(f"{house.path}/pushes", "director").json()["forks"]
    file = house.get(f"{house.path}/forks/{fork['id']}", "director")
    assert file.status_code == 200, file.text
    assert file.json()["streams"] == [json.loads(codec.encode_plain(stream))]
    for _ in range(2):  # again it does no harm
        thrown = house.ask("DELETE", f"{house.path}/forks/{NOBODYS.format(10)}", role="director")
        assert (thrown.status_code, thrown.json()) == (200, {"thrown_away": NOBODYS.format(10)})
    assert house.get(f"{house.path}/pushes", "director").json()["forks"] == [fork]
    thrown = house.client.post(
        f"/clubs/{house.id}/pushes", data={"fork": fork["id"]}, headers={**FORM, **owner}, follow_redirects=False
    )
    assert thrown.status_code == 303
    assert house.get(f"{house.path}/pushes", "director").json()["forks"] == []
    nul = msgspec.structs.replace(whole, source="5ea1\x00ed00")
    a_problem(send(house, nul), 400, "malformed")


NO_WORDS = (
    '{"note":{"a":1}}',
    '{"note":5}',
    '{"note":["x"]}',
    '{"tags":5}',
    '{"tags":[["a"]]}',
    '{"note":"a\\u0000b"}',
)


def test_private_parts_hold_words_and_nothing_else(house, played):
    for number, text in enumerate(NO_WORDS, start=0x50):

        def change(each, text=text):
            return each if each.private is None else msgspec.structs.replace(each, private=text)

        words = refused(house, elsewhere(house, played, number, change), 400, "malformed")
        assert "its private part holds no words in" in words
    Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=4)


def test_a_letter_that_the_database_cannot_read_is_not_taken(house):
    cup = cup_with(house, [NOBODYS.format(0x11), NOBODYS.format(0x12)], 8)
    for name, taken in (("a\\u0000b", False), ("a\\\\\\u0000b", False), ("a\\\\u0000b", True)):

        def change(each, name=name):
            return msgspec.structs.replace(each, data=each.data.replace("Thursday cup", name))

        unit = chained_anew(cup, change)
        if taken:
            announce(house, [unit])
            bring(house, unit)
            assert "a\\u0000b" in [each["name"] for each in house.get(f"{house.path}/tournaments").json()["items"]]
        else:
            assert "a letter that cannot be stored" in refused(house, unit, 400, "malformed")
