"""What a person takes along: results with the names that the club shows, own words, and no words of others."""

import pytest

from domain.club import events as e
from domain.notation.ctn_read import loads
from tests.kit.service.asking import House
from tests.kit.service.case_scene import CaseScene
from tests.kit.service.club_evenings import Evening
from tests.kit.service.leaving import erase, put, registered, said, signed_in

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
STAGES = [{"format": {"kind": "single"}, "game": "parity"}]


@pytest.fixture(scope="module")
def house(client, database):
    """Two people who played, one of whom wrote something, and somebody who wrote about both."""
    with House(client, database) as made:
        made.ann, made.ben = registered(made, "Ann Tarn"), registered(made, "Ben Voss")
        scorer = made.token("director", player=made.ann)
        path = made.match(sides=[[{"id": made.ann}], [{"id": made.ben}]])
        made.done(f"{path}/results", RESULT)
        correction = {"version": 3, "now": {"parity": "odd", "tricks": [8, 7]}}
        made.done(f"{path}/corrections", {**correction, "reason": "I misread it"}, scorer)
        made.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "Ben disagrees"}, "director")
        made.done(f"{path}/settlements", {"version": 5, "how": "upheld", "reason": "the slip decides"}, "director")
        put(made, said(e.PlayerDescribed(made.ann), note="pays late", ids={"FIDE": "77"}, rating=1400))
        made.played = path.rpartition("/")[2]
        entries = [{"do": "enter", "players": [{"id": each}]} for each in (made.ann, made.ben)]
        cup = Evening(made, STAGES, entries=entries)
        cup.to_the_end()
        made.cup = cup.id
        yield made


def export(house, person, role="owner", form="json"):
    answer = house.get(f"{house.path}/players/{person}/export?format={form}", role)
    assert answer.status_code == 200, answer.text
    return answer.json() if form == "json" else answer.text


def test_an_export_has_results_entries_and_only_the_persons_own_words(house):
    found = export(house, house.ann)
    assert (found["person"]["name"], found["person"]["ids"], found["person"]["rating"]) == (
        "Ann Tarn",
        {"FIDE": "77"},
        1400,
    )
    match = next(each for each in found["matches"] if each["id"] == house.played)
    assert [side["names"] for side in match["sides"]] == [["Ann Tarn"], ["Ben Voss"]]
    assert match["totals"] == [18, 0] or sum(match["totals"])
    assert [(each["id"], each["name"]) for each in found["tournaments"]] == [(house.cup, "Thursday cup")]
    assert found["tournaments"][0]["place"] in (1, 2)
    assert [each["words"] for each in found["statements"]] == ["I misread it"]
    assert [each["words"] for each in export(house, house.ben)["statements"]] == ["Ben disagrees"]


def own_export(house, person):
    """What a person takes along at an own sign-in."""
    answer = house.client.get(f"/clubs/{house.id}/members/{person}/export", headers=signed_in(house, person))
    house.client.cookies.clear()
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_export_has_only_the_persons_own_words_of_a_case(house):
    scene = CaseScene(house)
    wes = scene.person()
    case = scene.call(role=scene.as_annie, reason="He revoked, says Annie.")
    scene.step(case, "statements", scene.as_annie, words="I saw it, says Annie.")
    scene.step(case, "statements", scene.as_benny, words="I had none, says Benny.")
    scene.step(case, "witnesses", scene.as_dora, person=wes, words="He had one, says Wes.")
    scene.step(case, "close", scene.as_dora, ended="stands", reason="Nothing is proven, says Dora.")
    for who, told in (
        (scene.annie, [("CaseOpened", "He revoked, says Annie."), ("StatementSealed", "I saw it, says Annie.")]),
        (scene.benny, [("StatementSealed", "I had none, says Benny.")]),
        (wes, [("WitnessHeard", "He had one, says Wes.")]),
        (scene.dora, []),
    ):
        found = own_export(house, who)
        assert [(each["type"], each["words"]) for each in found["statements"]] == told
        assert str(found).count(", says ") == len(told)
        for role in ("secretary", "owner"):
            asked = export(house, who, role)
            assert asked["statements"] == []
            assert case.rpartition("/")[2] not in str(asked)


def test_a_note_on_a_person_is_for_those_who_may_read_it(house):
    assert export(house, house.ann)["notes"] == ["pays late"]
    page = f"/clubs/{house.id}/members/{house.ann}/export"
    own = house.client.get(page, headers=signed_in(house, house.ann))
    house.client.cookies.clear()
    assert own.status_code == 200
    assert own.headers["content-disposition"] == 'attachment; filename="record.json"'
    assert own.json()["notes"] == []
    assert "pays late" not in own.text


def test_the_matches_are_taken_along_in_ctn_without_anybodys_words(house):
    text = export(house, house.ann, form="ctn")
    assert '[A "Ann Tarn"]' in text
    assert "! correction was=" in text
    for words in ("I misread it", "disagrees", "the slip decides", "pays late"):
        assert words not in text
    assert not [each.problems for each in loads(text) if each.problems]


def test_nobody_else_takes_it(house):
    path = f"{house.path}/players/{house.ann}/export"
    player = house.token("player", player=house.ann)
    for role in ("director", "scorer", "player", "spectator", player):
        house.refused("GET", path, None, 403, "forbidden", role)
    page = f"/clubs/{house.id}/members/{house.ann}/export"
    other = house.client.get(page, headers=signed_in(house, house.ben))
    house.client.cookies.clear()
    assert other.status_code == 403
    assert export(house, house.ann, "secretary")["person"]["id"] == house.ann


def test_an_export_omits_a_match_with_a_hidden_hand(house):
    ann, dag = registered(house, "Ann Second"), registered(house, "Dag")
    path = house.match("cross_game", sides=[[{"id": ann}], [{"id": dag}]])
    house.done(f"{path}/deals", {"dealer": 1})
    facts = [{"seat": 0, "do": "bid", "bid": 1}, {"seat": 1, "do": "pass"}]
    facts += [{"seat": 0, "do": "play", "card": "H9"}, {"seat": 1, "do": "play", "card": "HA"}]
    house.done(f"{path}/facts", {"facts": [*facts, {"seat": 1, "do": "draw", "card": "SA"}]})
    for form in ("json", "ctn"):
        assert "SA" not in str(export(house, ann, form=form))
    assert export(house, ann, form="ctn") == ""


def test_an_export_names_no_erased_opponent_and_erased_people_have_none(house):
    eve, fay = registered(house, "Eve Lorn"), registered(house, "Fay")
    path = house.match(sides=[[{"id": eve}], [{"id": fay}]])
    house.done(f"{path}/results", RESULT)
    erase(house, eve)
    assert export(house, fay)["matches"][0]["sides"][0]["names"] == [None]
    assert '[A "(name removed)"]' in export(house, fay, form="ctn")
    house.refused("GET", f"{house.path}/players/{eve}/export", None, 404, "not-found", "owner")
