"""The problem that answers a refused batch says which of its members, over HTTP."""

from tests.kit.service.club_evenings import Evening

ROBIN = {"format": {"kind": "round-robin"}, "game": "parity"}


def test_a_refused_action_is_named_in_words_and_by_its_path(house):
    evening = Evening(house, [ROBIN], players=4)
    evening.act({"do": "pair_round"})
    report = {"do": "report", "fixture": "R1.1", "winner": 0}
    answer = evening.refused(report, {"do": "start_round"}, report)
    assert answer["detail"].startswith("action 3 of 3 (report R1.1 at table 1): ")
    assert [each["path"] for each in answer["errors"]] == ["actions[2]"]
    assert evening.open() == evening.read()["rounds"][-1]["pairings"], "all or none"


def test_a_round_robin_of_129_is_refused_when_it_is_announced(house):
    entries = [{"do": "enter", "players": [f"Many {number}"]} for number in range(129)]
    before = house.position()
    body = {"name": "Endless", "stages": [ROBIN], "entries": entries}
    answer = house.refused("POST", f"{house.path}/tournaments", body, 409, "misfit", "director")
    assert answer["detail"].startswith("entry 129 of 129: Round robin takes at most 128 entries")
    assert house.position() == before, "nobody was registered either"


def test_a_refused_fact_is_named_in_words_and_by_its_path(house):
    match = house.match("parity")
    house.done(f"{match}/deals", {"dealer": 0})
    facts = [{"do": "trump", "seat": 1, "suit": "S"}, {"do": "bid", "seat": 0, "bid": 2}]
    answer = house.refused("POST", f"{match}/facts", {"facts": facts}, 409, "misfit", "scorer")
    assert answer["detail"].startswith("fact 2 of 2: ")
    assert [each["path"] for each in answer["errors"]] == ["facts[1]"]
    assert not answer["errors"][0]["detail"].startswith("fact")
