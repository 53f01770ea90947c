"""Valid bodies for every write of the API with placeholder ids, and things with ids to send them to."""

from tests.kit.service.asking import NOWHERE

PLAY = {"seat": 0, "do": "play", "card": "SA"}
OPENING = {
    "game": "parity",
    "options": {"open_hands": False},
    "sides": [["Annie"], ["Benny"]],
    "target": 100,
    "win_by": 1,
    "cap": 200,
    "deals": 5,
    "lurch": {"lines": ["2/3", "1/3"], "win_points": [1, 2, 3]},
    "best_of": 3,
    "recording": "record",
    "depth": "plays",
}
HANDS = [rank + suit for suit in "CDHS" for rank in "AKQJT52"] + ["XR", "XB"]
SOMEBODY = "01939f5e-0000-7000-8000-000000000000"
BODIES = {
    "openMatch": [OPENING, {"game": "cross_game", "sides": [["Annie"], ["Benny"]], "recording": "strict"}],
    "changeSettings": [
        {"zone": "Europe/Vienna", "games": ["parity"], "expected_version": 1},
        {"name": "Fuzz", "opens": "member", "confirms": "pin", "statement_minutes": 12},
    ],
    "adoptHouseRules": [
        {"game": "cross_game", "target": 50, "win_by": 2, "cap": 60, "deals": 9, "best_of": 3, "expected_version": 1},
        {"game": "parity", "options": {"open_hands": False}, "lurch": {"lines": ["2/3", 9], "win_points": [1, 2, 3]}},
    ],
    "grantRole": [{"person": SOMEBODY, "role": "scorer", "match": SOMEBODY, "expected_version": 3}],
    "revokeRole": [{"person": SOMEBODY, "role": "deputy", "tournament": SOMEBODY}],
    "declareFriends": [{"one": SOMEBODY, "other": SOMEBODY, "expected_version": 3}],
    "endFriends": [{"version": 3}],
    "createToken": [{"role": "scorer", "name": "desk", "person": SOMEBODY, "match": SOMEBODY}],
    "revokeToken": [{}],
    "callDirector": [{"reason": "a revoke", "matter": "finding", "deal": 1, "at": [3], "code": "REV", "side": 0}],
    "callDirectorToFixture": [{"fixture": "W1.1", "stage": 1, "reason": "late", "matter": "slow", "side": 0}],
    "makeStatement": [{"words": "he had the ten", "side": 0}, {"words": "no", "pin": "2468", "person": SOMEBODY}],
    "openStatements": [{"reason": "both are here", "expected_version": 1}],
    "hearWitness": [{"person": SOMEBODY, "words": "I saw it"}],
    "assignRuler": [{"person": SOMEBODY, "instead": SOMEBODY}],
    "recuseRuler": [{"person": SOMEBODY, "because": "asked", "reason": "by the other side"}],
    "joinCase": [{"match": SOMEBODY, "deal": 1, "at": [3], "code": "REV", "reason": "the same cards"}],
    "closeCase": [{"ended": "stands", "reason": "no card is missing", "expected_version": 1}],
    "reopenCase": [{"reason": "a card was found"}],
    "lodgeAppeal": [{"ruling": 4, "match": SOMEBODY, "side": 0, "grounds": "another rule"}],
    "decideAppeal": [{"outcome": "changed", "panel": [SOMEBODY], "dissent": [], "grounds": "two tricks"}],
    "mergePlayers": [{"other": SOMEBODY, "knowingly": True}],
    "partPlayers": [{"other": SOMEBODY}],
    "changeCode": [{}],
    "letIn": [{"ask": SOMEBODY, "yes": False}],
    "throwOut": [{"seat": SOMEBODY}],
    "agreeOwnTable": [{"ruler": SOMEBODY, "deal": 1, "side": 1, "person": SOMEBODY, "pin": "2468"}],
    "previewCorrection": [
        {"version": 3, "now": {"parity": "odd", "tricks": [9, 6]}, "reason": "x", "insert": False, "accepts": 0},
        {"version": 2, "now": {"seat": 1, "do": "trump", "suit": "H"}, "reason": "x", "insert": True},
    ],
    "withdrawFact": [{"version": 4, "code": "REV", "reason": "x", "accepts": 1, "expected_version": 4}],
    "proposeCorrection": [
        {"version": 3, "now": {"parity": "odd", "tricks": [9, 6]}, "reason": "x", "cause": "exchanged"},
        {"version": 4, "now": None, "reason": "x", "insert": False, "cause": "too-many", "expected_version": 4},
    ],
    "answerCorrection": [{"yes": True, "accepts": 0, "side": 1, "pin": "2468", "person": SOMEBODY, "reason": "x"}],
    "affirm": [{"deal": 1, "versions": [3, 4], "inspected": True, "side": 0, "pin": "2468", "reason": "x"}],
    "withdrawAffirmation": [{"side": 1, "pin": "2468", "person": SOMEBODY, "reason": "x", "expected_version": 4}],
    "sealMatch": [{"reason": "x", "expected_version": 4}],
    "erasePerson": [{"reason": "asked", "texts": ["a:1"], "whole_names": True}],
    "registerPlayer": [{"name": "Nora", "visitor": True, "another": True}],
    "renamePlayer": [{"name": "Ahti", "another": True, "expected_version": 3}, {"name": "Nora"}],
    "changeMembership": [{"visitor": False, "expected_version": 3}],
    "describePlayer": [{"note": "has a key", "ids": {"FIDE": "150"}, "rating": 1850, "expected_version": 3}],
    "startDeal": [
        {},
        {"dealer": 0, "depth": "plays", "expected_version": 1},
        {"dealer": 1, "deal": {"hands": [HANDS[:15], HANDS[15:]]}, "depth": "full"},
    ],
    "recordFacts": [
        {"facts": [PLAY], "it_happened": True, "expected_version": 2},
        {"facts": [{"seat": 1, "do": "trump", "suit": "H"}, {"seat": 0, "do": "parity", "parity": "odd"}, PLAY]},
        {"facts": [{"seat": 0, "do": "bid", "bid": 3}, {"seat": 1, "do": "pass"}, {"seat": 0, "do": "draw"}]},
        {"facts": [{"seat": 0, "do": "declare", "dim": "top", "value": "3"}, {"seat": 0, "do": "total", "total": 3}]},
        {
            "facts": [
                {"seat": 0, "do": "propose", "dim": "trump", "value": "S"},
                {"seat": 0, "do": "announce", "suit": "S"},
            ]
        },
    ],
    "enterResult": [
        {"entry": {"parity": "odd", "tricks": [9, 6]}, "dealer": 0, "expected_version": 1},
        {"entry": {"bidder": 0, "bid": 2, "card_points": [102, 18], "announcements": [["S"], []], "trumps": "S"}},
    ],
    "pauseRecording": [{"reason": "too fast"}],
    "undoLast": [{"reason": "a slip", "withdrawn": True}],
    "voidDeal": [{"reason": "a card was missing"}],
    "restoreDeal": [{"reason": "it was found"}],
    "abandonMatch": [{"reason": "the wrong game"}],
    "rule": [
        {"code": "REV", "deal": 1, "at": 3, "remedy": "stands", "findings": [{"code": "REV", "at": 3}], "rule": "PA.6"},
        {"code": "OTH", "deal": 1, "scores": [12, 12], "exceptional": True, "reason": "the light went out"},
    ],
    "previewRuling": [{"code": "SLO", "deal": 1, "remedy": "procedural", "procedural": [-5, 0], "held": "late"}],
    "acceptRuling": [{"deal": 1, "side": 0, "ruling": 4}],
    "openHands": [{"deal": 1, "reason": "a dispute"}],
    "disputeResult": [{"deal": 1, "side": 0, "reason": "recount"}, {"reason": "recount", "expected_version": 3}],
    "settleDispute": [{"how": "upheld", "version": 4}, {"how": "withdrawn"}],
    "correct": [
        {"version": 3, "now": {"seat": 1, "do": "trump", "suit": "S"}, "reason": "misread"},
        {"version": 3, "now": {"parity": "even", "tricks": [8]}, "reason": "misread", "expected_version": 3},
    ],
    "confirm": [{"deal": 1, "side": 0, "expected_version": 3}, {"deal": 1, "side": 0, "scores": [19, 0]}],
    "announceTournament": [
        {
            "name": "Cup",
            "stages": [{"format": {"kind": "swiss", "rounds": 3}, "game": "parity", "race": {"target": 15}}],
        },
        {
            "name": "Groups",
            "stages": [
                {
                    "format": {"kind": "groups", "groups": 2},
                    "game": "cross_game",
                    "options": {},
                    "go_on": 2,
                    "minutes": 40,
                },
                {"format": {"kind": "single", "third_place": True}, "game": "cross_game", "terms": {"points": "match"}},
            ],
            "plan": {"date": "2026-11-21", "fee": 500, "prizes": [{"first": 1, "last": 2, "what": "a cup"}]},
            "entries": [{"do": "enter", "players": ["Annie"], "rating": 1800, "table": 3}],
        },
    ],
    "directTournament": [
        {"actions": [{"do": "enter", "players": ["Zoe"], "rating": 1500}], "reason": "late"},
        {"actions": [{"do": "pair_round", "number": 1, "pairs": [["a", "b"], ["c", None]], "knowingly": True}]},
        {"actions": [{"do": "report", "fixture": "W1.1", "score": [21, 0], "repair": "again"}], "preview": True},
        {"actions": [{"do": "report", "fixture": "W1.1", "winner": 1, "how": "walkover"}], "expected_version": 4},
        {"actions": [{"do": "grant_bye", "entry": "a", "round": 2, "kind": "half"}, {"do": "close_check_in"}]},
        {"actions": [{"do": "seed", "how": "lot", "lot": 7}, {"do": "start_round", "minutes": 40}]},
        {"actions": [{"do": "assign_table", "fixture": "W1.1", "table": 2, "feature": True}, {"do": "unpair_round"}]},
        {"actions": [{"do": "withdraw", "entry": "a", "why": "no-show"}, {"do": "pay", "entry": "a", "amount": 5}]},
        {"actions": [{"do": "lock_round", "round": 1, "locked": True}, {"do": "finish", "early": True}]},
    ],
    "planPush": [{"heads": [{"stream": SOMEBODY, "version": 3, "hash": "0" * 64}], "people": [{"id": SOMEBODY}]}],
    "announcePush": [
        {
            "source": SOMEBODY,
            "heads": [{"stream": SOMEBODY, "version": 3, "hash": "0" * 64}],
            "people": [{"id": SOMEBODY, "name": "Nora"}],
        }
    ],
    "createWebhook": [{"url": NOWHERE}, {"url": NOWHERE, "types": ["ResultEntered"]}],
    "testWebhook": [{}],
    "enableWebhook": [{"skip": True}],
}


def operations(document, method):
    """Return the path and the names of the query parameters of every operation of this method, by operation id."""
    found = {}
    for path, item in document["paths"].items():
        if method in item:
            named = [each["name"] for each in item[method].get("parameters", ()) if each["in"] == "query"]
            found[item[method]["operationId"]] = path, named
    return found


class Targets:
    """Matches before, in and after a deal, and a tournament, a case and a player, for addresses with ids that exist."""

    def __init__(self, house):
        self.house = house
        fresh, on, over, other = house.match(), house.match(), house.match(), house.match("cross_game")
        for path in (on, other):
            house.done(f"{path}/deals", {"dealer": 0})
        house.done(f"{over}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
        house.done(f"{other}/facts", {"facts": [{"seat": 1, "do": "bid", "bid": 2}, {"seat": 0, "do": "pass"}]})
        entries = [{"do": "enter", "players": [name]} for name in ("Ahti", "Bea", "Cleo")]
        cup = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}], "entries": entries}
        self.cup = house.done(f"{house.path}/tournaments", cup, "owner")["tournament"]["id"]
        house.done(f"/api/v1/tournaments/{self.cup}/actions", {"actions": [{"do": "pair_round"}]}, "owner")
        self.case = house.done(f"{over}/cases", {"reason": "a revoke", "side": 0})["case"]
        self.player = house.get(f"{house.path}/players").json()["items"][0]["id"]
        self.matches = [path.rpartition("/")[2] for path in (fresh, on, over, other)]

    def address(self, path, match=1, name="tricks"):
        """Return the address of a path of the document, with one of the matches by number."""
        found = self.matches[match]
        ids = {"club_id": self.house.id, "match_id": found, "tournament_id": self.cup, "player_id": self.player}
        ids |= {"case_id": self.case, "appeal": 2, "proposal": 4, "affirmation": 4, "name": name, "key": "parity"}
        return path.format(**ids, webhook_id=found, token_id=found, entry=found, fork_id=found)
