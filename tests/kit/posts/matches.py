"""Writes to a match, including refused ones."""

NINE, EIGHT, SEVEN = ({"parity": "odd", "tricks": [each, 15 - each]} for each in (9, 8, 7))
CALLS = [{"seat": 1, "do": "trump", "suit": "S"}, {"seat": 0, "do": "parity", "parity": "odd"}]


def card(seat, code):
    return {"seat": seat, "do": "play", "card": code}


def play(posts):
    """Record five matches, one after the other."""
    house = posts.house
    people = [house.done(f"{house.path}/players", {"name": n}, "owner")["id"] for n in ("Annie", "Benny")]
    for act in (_played, _entered, _disputed, _ruled, _ended):
        body = {"game": "parity", "sides": [[{"id": each}] for each in people], "target": 100}
        opened = posts.post(f"{house.path}/matches", body)
        act(posts, f"/api/v1/matches/{opened['match']['id']}")


def _played(posts, path):
    posts.post(f"{path}/deals", {"dealer": 0})
    posts.post(f"{path}/facts", {"facts": CALLS})
    for fact in (card(1, "HA"), card(0, "HK"), card(1, "DQ")):
        posts.post(f"{path}/facts", {"facts": [fact]})
    posts.post(f"{path}/facts", {"facts": [card(1, "HA")]})
    posts.post(f"{path}/facts", {"facts": [card(1, "HA")], "expected_version": 2})
    posts.post(f"{path}/undo", {})
    posts.post(f"{path}/corrections", {"version": 6, "now": card(0, "HQ"), "reason": "misread"})
    posts.post(f"{path}/corrections/preview", {"version": 7, "now": card(1, "DJ"), "reason": "misread"})
    posts.post(f"{path}/void-deal", {"reason": "exposed"})
    posts.post(f"{path}/restore-deal", {"reason": "it was not"})
    posts.post(f"{path}/pause", {"reason": "too fast"})
    posts.post(f"{path}/results", {"entry": NINE})


def _entered(posts, path):
    posts.post(f"{path}/results", {"entry": NINE, "dealer": 0})
    posts.post(f"{path}/results", {"entry": NINE, "deal": 1})
    posts.post(f"{path}/results", {"entry": EIGHT, "deal": 1})
    posts.post(f"{path}/confirmations", {"deal": 1, "side": 1}, "director")
    posts.post(f"{path}/proposals", {"version": 3, "now": SEVEN, "cause": "mistyped", "reason": "it was seven"})
    posts.post(f"{path}/results", {"entry": EIGHT, "dealer": 1})


def _disputed(posts, path):
    posts.post(f"{path}/results", {"entry": NINE, "dealer": 0})
    dispute = posts.post(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "it was eight"}, "director")
    posts.post(f"{path}/settlements", {"version": dispute["version"], "how": "upheld", "reason": "looked"}, "director")
    posts.post(f"{path}/consents", {"ruler": "00000000-0000-7000-8000-000000000000"})


def _ruled(posts, path):
    posts.post(f"{path}/results", {"entry": NINE, "dealer": 0})
    ruling = {"code": "REV", "deal": 1, "scores": [0, 15]}
    posts.post(f"{path}/rulings/preview", ruling, "director")
    posts.post(f"{path}/rulings", ruling, "director")
    posts.post(f"{path}/acceptances", {"deal": 1, "side": 0}, "director")
    posts.post(f"{path}/open-hands", {"deal": 1, "reason": "asked"}, "director")


def _ended(posts, path):
    posts.post(f"{path}/abandon", {"reason": "the wrong table"})
    posts.post(f"{path}/deals", {"dealer": 0})
