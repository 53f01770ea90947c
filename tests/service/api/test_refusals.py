"""What the rules of recording refuse: out of turn, twice, too late, on top of something else. Each answer
says which rule, and nothing is recorded."""

import pytest

from domain.games import fact_types

RANKS = "AKQJT98765432"
DEAL = {
    "phase1": [[f"S{rank}" for rank in RANKS], [f"H{rank}" for rank in RANKS]],
    "phase2": [[f"D{rank}" for rank in RANKS], [f"C{rank}" for rank in RANKS]],
}
CALLS = [
    {"seat": 1, "do": "declare", "dim": "trump", "value": "S"},
    {"seat": 0, "do": "declare", "dim": "top", "value": "A"},
]


def play(seat, card):
    return {"seat": seat, "do": "play", "card": card}


def begun(house, recording, known=True):
    """Cross Purposes with its calls made: seat 1 leads, and holds the hearts when the deal is known."""
    path = house.match("cross_purposes", recording=recording)
    house.done(f"{path}/deals", {"dealer": 0, "deal": DEAL} if known else {"dealer": 0})
    house.done(f"{path}/facts", {"facts": CALLS})
    return path


@pytest.fixture(scope="module")
def strict(house):
    return begun(house, "strict")


@pytest.mark.parametrize(
    ("fact", "rule", "code"),
    [
        (play(0, "SA"), "CP.5", "LOT"),
        (play(1, "SA"), "CP.5", "NIH"),
        (play(1, "CA"), "CP.5", "NIH"),
        (play(0, "HA"), "CP.5", "LOT"),
    ],
)
def test_in_strict_mode_a_breach_is_refused_with_its_rule(house, strict, fact, rule, code):
    problem = house.refused("POST", f"{strict}/facts", {"facts": [fact]}, 409, "rule-broken")
    assert (problem["rule"], problem["code"], problem["errors"][0]["path"]) == (rule, code, "facts[0]")


def test_in_strict_mode_happened_or_not_it_stays_refused(house, strict):
    body = {"facts": [play(1, "HA"), play(0, "SA"), play(1, "HA")], "it_happened": True}
    problem = house.refused("POST", f"{strict}/facts", body, 409, "rule-broken")
    assert problem["errors"][0]["path"] == "facts[2]"


@pytest.mark.parametrize("seat", [2, 3])
@pytest.mark.parametrize("recording", ["record", "strict"])
def test_a_seat_that_does_not_exist_is_a_misfit_in_both_modes(house, recording, seat):
    path = begun(house, recording)
    house.refused("POST", f"{path}/facts", {"facts": [play(seat, "HA")]}, 409, "misfit")


MISFITS = [
    CALLS[0],
    {"seat": 1, "do": "bid", "bid": 3},
    {"seat": 1, "do": "pass"},
    {"seat": 1, "do": "move", "cell": [0, 1]},
    {"seat": 1, "do": "parity", "parity": "odd"},
    {"seat": 1, "do": "draw", "card": "SA"},
    {"seat": 1, "do": "shuffle"},
]


@pytest.mark.parametrize("number", range(len(MISFITS)))
@pytest.mark.parametrize("recording", ["record", "strict"])
def test_the_wrong_kind_of_fact_is_a_misfit_in_both_modes(house, recording, number):
    known = {kind.__struct_config__.tag for kind in fact_types()}
    status, slug = (409, "misfit") if MISFITS[number]["do"] in known else (400, "malformed")
    path = begun(house, recording)
    house.refused("POST", f"{path}/facts", {"facts": [play(1, "HA"), MISFITS[number]]}, status, slug)


def test_a_card_of_another_pack_is_a_misfit(house, strict):
    house.refused("POST", f"{strict}/facts", {"facts": [play(1, "XR")]}, 409, "misfit")
    path = house.match("cross_game")
    house.done(f"{path}/deals", {"dealer": 0})
    house.done(f"{path}/facts", {"facts": [{"seat": 1, "do": "bid", "bid": 2}, {"seat": 0, "do": "pass"}]})
    house.refused("POST", f"{path}/facts", {"facts": [play(1, "S2")]}, 409, "misfit")


def test_before_a_deal_and_after_it_there_is_nothing_to_record(house):
    path = house.match("cross_purposes")
    house.refused("POST", f"{path}/facts", {"facts": CALLS}, 409, "misfit")
    for what in ("undo", "pause", "void-deal"):
        house.refused("POST", f"{path}/{what}", {}, 409, "misfit")
    house.refused("POST", f"{path}/confirmations", {"deal": 1, "side": 0}, 409, "misfit")
    house.done(f"{path}/results", {"entry": {"phases": [[6, 7], [8, 5]]}})
    house.refused("POST", f"{path}/facts", {"facts": CALLS}, 409, "misfit")
    house.refused("POST", f"{path}/confirmations", {"deal": 2, "side": 0}, 409, "misfit")
    house.refused("POST", f"{path}/confirmations", {"deal": 1, "side": 3}, 400, "malformed")


def test_a_finished_deal_takes_no_more_facts(house):
    path = begun(house, "strict")
    second = [{"seat": 0, "do": "declare", "dim": "trump", "value": "D"}]
    second += [{"seat": 1, "do": "declare", "dim": "top", "value": "A"}]
    # seat 0 trumps every heart, so it leads from the second trick on
    first = [play(1, "HA"), play(0, "SA")] + [
        fact for rank in RANKS[1:] for fact in (play(0, f"S{rank}"), play(1, f"H{rank}"))
    ]
    rest = [fact for rank in RANKS for fact in (play(0, f"D{rank}"), play(1, f"C{rank}"))]
    house.done(f"{path}/facts", {"facts": [*first, *second, *rest]})
    assert house.get(path).json()["deals"][0]["complete"] is True
    problem = house.refused("POST", f"{path}/facts", {"facts": [play(0, "SA")]}, 409, "misfit")
    assert "deal" in problem["detail"]


def test_a_second_deal_waits_for_the_first(house, strict):
    house.refused("POST", f"{strict}/deals", {}, 409, "misfit")
    house.refused("POST", f"{strict}/deals", {"dealer": 3}, 409, "misfit")


DEALS = {
    "a card twice": {**DEAL, "phase1": [["SA"] * 13, DEAL["phase1"][1]]},
    "a card too few": {**DEAL, "phase1": [DEAL["phase1"][0][:12], DEAL["phase1"][1]]},
    "another game's": {"hands": [["SA"] * 13] * 4},
    "an unknown card": {**DEAL, "phase1": [["S1", *DEAL["phase1"][0][1:]], DEAL["phase1"][1]]},
    "nothing": {},
    "no hands": {"phase1": [], "phase2": []},
    "a member more": {**DEAL, "stock": []},
}


@pytest.mark.parametrize("what", DEALS)
def test_a_deal_has_every_card_once(house, what):
    path = house.match("cross_purposes")
    house.refused("POST", f"{path}/deals", {"dealer": 0, "deal": DEALS[what]}, 400, "malformed")


def test_a_dealer_sits_at_the_table(house):
    path = house.match("cross_purposes")
    house.refused("POST", f"{path}/deals", {"dealer": 2}, 400, "malformed")


def test_the_wrong_version_is_told_the_current_one_by_every_write(house, strict):
    version = house.get(strict).json()["version"]
    bodies = {
        "facts": {"facts": [play(1, "HA")]},
        "deals": {},
        "undo": {},
        "void-deal": {},
        "pause": {},
        "results": {"entry": {"phases": [[6, 7], [8, 5]]}},
        "confirmations": {"deal": 1, "side": 0},
        "corrections": {"version": 3, "now": CALLS[0], "reason": "misread"},
    }
    for what, body in bodies.items():
        for wrong in (0, version - 1, version + 1, 2**31 - 1):
            asked = {**body, "expected_version": wrong}
            problem = house.refused("POST", f"{strict}/{what}", asked, 409, "lost-race")
            assert problem["current_version"] == version


def test_a_key_belongs_to_one_request(house):
    path, key = begun(house, "record"), {"Idempotency-Key": "one evening"}
    first = house.post(f"{path}/facts", {"facts": [play(1, "HA")]}, **key)
    again = house.post(f"{path}/facts", {"facts": [play(1, "HA")]}, **key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    house.refused("POST", f"{path}/facts", {"facts": [play(0, "SA")]}, 422, "key-reused", headers=key)
    house.refused("POST", f"{path}/undo", {}, 422, "key-reused", headers=key)
    house.refused("POST", f"{begun(house, 'record')}/facts", {"facts": [play(1, "HA")]}, 422, "key-reused", headers=key)
    players = f"{house.path}/players"
    house.refused("POST", players, {"name": "Nora"}, 422, "key-reused", role="owner", headers=key)
    matches = {"game": "parity", "sides": [["Annie"], ["Benny"]]}
    house.refused("POST", f"{house.path}/matches", matches, 422, "key-reused", headers=key)


def test_a_refusal_is_not_remembered_under_its_key(house):
    path, key = begun(house, "record"), {"Idempotency-Key": "a second try"}
    house.refused("POST", f"{path}/facts", {"facts": CALLS}, 409, "misfit", headers=key)
    assert house.post(f"{path}/facts", {"facts": [play(1, "HA")]}, **key).status_code == 201


def test_a_card_that_lies_on_the_table_needs_a_yes(house):
    path = begun(house, "record", known=False)
    house.done(f"{path}/facts", {"facts": [play(1, "HA")]})
    problem = house.refused("POST", f"{path}/facts", {"facts": [play(0, "HA")]}, 409, "confirm-needed")
    assert (problem["rule"], problem["code"], problem["errors"][0]["path"]) == ("CP.5", "DUP", "facts[0]")
    assert problem["detail"].endswith("a slip of the finger, or did it happen at the table?")
    assert problem["errors"][1]["path"] == "it_happened"
    done = house.done(f"{path}/facts", {"facts": [play(0, "HA")], "it_happened": True})
    assert done["events"][0]["data"] == {"do": "play", "seat": 0, "card": "HA"}


def test_what_is_superseded_or_no_fact_cannot_be_corrected(house):
    path = begun(house, "record")
    now = {"version": 3, "now": {**CALLS[0], "value": "H"}, "reason": "misheard"}
    house.done(f"{path}/corrections", now)
    house.refused("POST", f"{path}/corrections", now, 409, "misfit")
    for version in (1, 2, 99):
        house.refused("POST", f"{path}/corrections", {**now, "version": version}, 409, "misfit")
    wrong = {"version": 4, "now": {"phases": [[6]]}, "reason": "misheard"}
    house.refused("POST", f"{path}/corrections", wrong, 400, "malformed")
    wrong["now"] = {"seat": 1, "do": "bid", "bid": 3}
    house.refused("POST", f"{path}/corrections", wrong, 409, "misfit")


def test_after_the_next_deal_has_begun_only_a_director_corrects(house):
    path = house.match("cross_purposes")
    house.done(f"{path}/results", {"entry": {"phases": [[6, 7], [8, 5]]}})
    house.done(f"{path}/deals", {"dealer": 0})
    body = {"version": 3, "now": {"phases": [[7, 6], [8, 5]]}, "reason": "misread"}
    house.done(f"{path}/corrections", {**body, "reason": "a deal that is merely dealt closes nothing"})
    house.done(f"{path}/facts", {"facts": house.get(path).json()["table"]["legal"][:1]})
    body = {**body, "version": 5}
    house.refused("POST", f"{path}/corrections", body, 409, "window-closed")
    house.done(f"{path}/undo", {})
    house.refused("POST", f"{path}/corrections", body, 409, "window-closed")
    house.done(f"{path}/corrections", body, role="director")


@pytest.mark.parametrize(
    "entry",
    [
        {"phases": [[6, 8], [8, 5]]},
        {"phases": [[6, 7]]},
        {"phases": [[14, -1], [8, 5]]},
        {"phases": []},
        {"tricks": [9, 6]},
        {},
    ],
)
def test_a_result_that_cannot_be_is_malformed(house, entry):
    path = house.match("cross_purposes")
    house.refused("POST", f"{path}/results", {"entry": entry}, 400, "malformed")
