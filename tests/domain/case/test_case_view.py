"""The case view is the same on every machine, byte for byte."""

import hashlib
import json
import subprocess
import sys

import pytest

from domain.match.audit.finding import AUDIT
from projections.case_view import case_view
from tests.kit.case_views import FOLDER, KEPT, record, recorded, views
from tests.recorded import rows

NAMES = sorted(path.stem for path in KEPT.glob("*.json"))


@pytest.fixture(scope="module")
def made():
    return views()


@pytest.fixture(scope="module")
def streams():
    return recorded(rows.load(FOLDER))


@pytest.fixture(scope="module")
def director(made):
    return json.loads(made["director"])


def test_every_kept_view_is_made_and_every_view_is_kept(made):
    assert list(made) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_view_is_as_it_was_kept(made, name):
    # `python -m tests.kit.case_views` writes them again
    assert made[name] + b"\n" == (KEPT / f"{name}.json").read_bytes()


def test_a_fresh_process_gives_the_same_sha256(made):
    asked = [sys.executable, "-m", "tests.kit.case_views", "--digests"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert dict(zip(told[::2], told[1::2], strict=True)) == {
        name: hashlib.sha256(view).hexdigest() for name, view in made.items()
    }


def test_no_name_and_no_word_stands_in_a_view(made):
    found = rows.load(FOLDER)
    words = [text for row in found["private"] if row["data"] != "null" for text in texts(json.loads(row["data"]))]
    assert len(words) > 20
    for view in made.values():
        strings = set(texts(json.loads(view)))
        assert not [each for each in words if each in strings]


def texts(value):
    match value:
        case str():
            return [value]
        case list():
            return [text for each in value for text in texts(each)]
        case dict():
            return [text for each in value.values() for text in texts(each)]
    return []


def test_the_planted_revoke_is_found_at_its_place_with_what_proves_it(director):
    (deal,) = director["matches"][0]["deals"]
    (finding,) = [each for each in deal["findings"] if each["code"] == "REV"]
    (moment,) = [each for each in deal["timeline"] if each["version"] == finding["version"]]
    assert moment["data"]["card"] == "ST"
    assert finding["proof"] in {each["version"] for each in deal["timeline"]}


def test_every_position_shows_hands_and_what_was_legal_beside_what_was_played(director):
    (deal,) = director["matches"][0]["deals"]
    places = deal["positions"]
    assert [each["place"] for each in places] == list(range(len(places)))
    (revoked,) = [each for each in places if (each["fact"] or [None] * 3)[2:] == ["ST"]]
    benny = revoked["hands"][0]
    assert benny["how"] == "reconstructed"
    assert {"H3", "ST"} <= set(benny["cards"])
    assert len(benny["cards"]) == 10
    first = places[0]
    assert all(len(hand["cards"]) == 13 for hand in first["hands"] if hand["how"] == "reconstructed")
    assert places[-1]["fact"] is None
    assert [0, "play", "H3"] in (revoked["legal"] or [])


def test_the_procedure_lists_the_events_of_the_case_and_its_appeal(director):
    types = [each["type"] for each in director["procedure"]]
    assert types[0] == "CaseOpened"
    assert types[-1] == "CaseReopened"
    (ruling,) = director["rulings"]
    assert (ruling["scores"], ruling["in_force"]) == ([40, 56], True)
    (appeal,) = director["appeals"]
    assert (appeal["ruling"], appeal["outcome"], len(appeal["panel"])) == (ruling["version"], "stands", 3)


def test_an_early_view_knows_nothing_of_what_came_later(made, director):
    early = json.loads(made["benny-early"])
    assert len(early["procedure"]) == 3 < len(director["procedure"])
    assert (early["rulings"], early["appeals"]) == ([], [])
    assert early["statements"]["open"] is False


def test_windows_close_with_the_time_of_the_view(made, director):
    later = json.loads(made["director-a-day-later"])
    assert director["matches"][0]["deals"][0]["window"]["name"] in ("T0", "T1")
    assert later["at"] > director["at"]
    assert {name for name in director if director[name] != later[name]} <= {"at", "matches", "statements"}


def test_a_party_sees_neither_devices_nor_close_relations(made):
    for name in ("annie", "secretary"):
        view = json.loads(made[name])
        assert {each["device"] for each in view["procedure"]} == {None}
        assert {each["device"] for each in view["matches"][0]["deals"][0]["timeline"]} == {None}


def test_another_audit_is_not_made_up(streams):
    whole, at = record(streams, "REV")
    with pytest.raises(ValueError, match="no audit"):
        case_view(whole, "director", None, at, AUDIT + 1)
