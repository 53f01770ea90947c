"""Rulings as of November 2026: remedies, procedural points, void deals, one ruling in the place of another, who
accepted them, and results that they contest."""

from tests.kit.service.club_evenings import Evening

SHORT = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
LEFT, RIGHT = {"parity": "odd", "tricks": [11, 4]}, {"parity": "odd", "tricks": [4, 11]}
SUITS = "SHDC"


def play(stage):
    """Rulings on deals of a match, then in a tournament."""
    house = stage.house()
    stage.sits(*revoked(house))
    counted(house)
    contested(house)


def ruled(house, match, role="director", **body):
    return house.done(f"{match}/rulings", {"code": "REV", "deal": 1, **body}, role)


def revoked(house):
    """A revoke that the play proves: seat 1 does not follow, and follows later."""
    match = house.match()
    house.done(f"{match}/deals", {"dealer": 0})
    facts = [{"seat": 1, "do": "trump", "suit": "S"}, {"seat": 0, "do": "parity", "parity": "odd"}]
    cards = [(1, "HA"), (0, "CA"), (1, "HK"), (0, "H2")]
    facts += [{"seat": seat, "do": "play", "card": card} for seat, card in cards]
    house.done(f"{match}/facts", {"facts": facts, "it_happened": True})
    house.done(f"{match}/pause", {})
    house.done(f"{match}/results", {"entry": LEFT, "deal": 1})
    found = house.get(match, "director").json()["findings"]
    at = next(each["version"] for each in found if each["code"] == "REV")
    named = [{"code": "REV", "at": at}]
    ruled(house, match, at=at, remedy="score-by-taken", findings=named, held="seat 0 held H2", reason="a proven revoke")
    sides = house.get(match, "director").json()["sides"]
    for side, players in enumerate(sides):
        player = house.token("player", player=players["players"][0])
        house.done(f"{match}/acceptances", {"deal": 1, "side": side}, player)
    return house, match.rpartition("/")[2], sides[0]["players"][0]


def counted(house):
    """Scores that no deal gives, procedural points, a void deal, and what stands in its place."""
    match = house.match()
    for _ in range(3):
        house.done(f"{match}/results", {"entry": RIGHT})
    ruled(house, match, scores=[12, 12], exceptional=True, reason="the light went out", code="OTH")
    ruled(house, match, deal=2, code="SLO", remedy="procedural", procedural=[-5, 0], reason="late again")
    version = ruled(house, match, deal=3, code="DUP", remedy="void", reason="a foul pack")["version"]
    last = house.get(match, "director").json()["rulings"][-1]["version"]
    assert version > last
    ruled(house, match, deal=3, code="DUP", remedy="stands", supersedes=last, reason="the pack was whole")


def contested(house):
    """A result that was ruled on before the next round, and one after it, which the director then repairs."""
    people = [house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"] for _ in range(4)]
    entries = [{"do": "enter", "players": [{"id": person}]} for person in people]
    evening = Evening(house, [SHORT], entries=entries, plan={"counts": "played"})
    evening.act({"do": "pair_round"})
    one, other = (f"/api/v1/matches/{each['match']}" for each in evening.read()["rounds"][0]["pairings"])
    house.done(f"{one}/results", {"entry": LEFT, "deal": 1})
    house.done(f"{other}/results", {"entry": LEFT, "deal": 1})
    evening.read()
    ruled(house, one, scores=[0, 15])
    evening.read()
    evening.act({"do": "pair_round"})
    ruled(house, other, scores=[0, 15])
    evening.read()
    evening.act({"do": "report", "fixture": "W1.2", "score": [0, 15], "repair": "again"})
