"""Writes to tournaments: every director's action once, and import and export of files."""

RACE = {"target": 15}


def play(posts):
    """Direct a knock-out and a Swiss, and export and import tournaments."""
    path = _cup(posts)
    _calls(posts)
    _swiss(posts)
    _files(posts, path)


def _announced(posts, name, kind, count, **more):
    entries = [{"do": "enter", "players": [f"{name} {number}"], "rating": 1500 + number} for number in range(count)]
    stage = {"format": {"kind": kind, **more}, "game": "parity", "race": RACE, "minutes": 45}
    plan = {"date": "2026-11-21", "season": "2026", "fee": 500, "prizes": [{"first": 1, "last": 1, "what": "a cup"}]}
    body = {"name": name, "stages": [stage], "plan": plan, "entries": entries}
    made = posts.done(f"{posts.house.path}/tournaments", body, "director")["tournament"]
    return f"/api/v1/tournaments/{made['id']}", [each["id"] for each in made["entries"]]


class _Directing:
    """Sends a director's actions to one tournament."""

    def __init__(self, posts, path):
        self.posts, self.path = posts, path

    def __call__(self, *actions, **more):
        return self.posts.done(f"{self.path}/actions", {"actions": actions, **more}, "director")

    def report_all(self):
        """Report a win of the first side in every open pairing."""
        rounds = self.posts.house.get(self.path).json()["rounds"]
        for each in rounds[-1]["pairings"]:
            if each["status"] == "open":
                self({"do": "report", "fixture": each["fixture"], "winner": 0})


def _cup(posts):
    path, ids = _announced(posts, "Cup", "single", 5)
    act = _Directing(posts, path)
    act({"do": "check_in", "entry": ids[0]}, {"do": "check_in", "entry": ids[1]}, {"do": "check_in", "entry": ids[2]})
    act({"do": "pay", "entry": ids[0], "amount": 500})
    act({"do": "close_check_in"})
    act({"do": "reinstate", "entry": ids[3]})
    act({"do": "enter", "players": ["Late"], "rating": 1600})
    act({"do": "withdraw", "entry": ids[1], "why": "excluded"}, reason="shouted")
    act({"do": "substitute", "entry": ids[2], "players": ["Somebody Else"]}, reason="ill")
    act({"do": "seed", "how": "lot", "lot": 7})
    act({"do": "pair_round"}, preview=True)
    act({"do": "pair_round"})
    act({"do": "unpair_round"}, reason="somebody came late")
    act({"do": "pair_round"}, {"do": "start_round", "minutes": 40})
    act({"do": "start_round", "minutes": 0})
    act({"do": "assign_table", "fixture": "W1.1", "table": 3, "feature": True})
    act({"do": "report", "fixture": "W1.1", "score": [15, 7]})
    act({"do": "dispute", "fixture": "W1.1"}, reason="we counted nine tricks")
    act({"do": "uphold", "fixture": "W1.1"}, reason="the paper says eight")
    act({"do": "retract", "fixture": "W1.1"}, reason="another table's slip")
    act.report_all()
    act({"do": "lock_round", "round": 1})
    act({"do": "lock_round", "round": 1, "locked": False})
    act({"do": "pair_round"})
    act.report_all()
    act({"do": "finish"})
    act({"do": "reopen"}, reason="the prize list was read wrong")
    act({"do": "finish"})
    act({"do": "archive"})
    act({"do": "archive", "archived": False})
    return path


def _calls(posts):
    """Call the director to a fixture that was not played."""
    path, _ = _announced(posts, "Small", "single", 2)
    posts.done(f"{path}/actions", {"actions": [{"do": "pair_round"}]}, "director")
    call = {"fixture": "W1.1", "reason": "He is not here.", "matter": "slow", "side": 0}
    posts.done(f"{path}/cases", call, "director")


def _swiss(posts):
    path, ids = _announced(posts, "Swiss", "swiss", 4, rounds=3)
    act = _Directing(posts, path)
    posts.done(f"{path}/entries.csv", b"name;rating;here\r\nOlga;1800;yes\r\nPia;;\r\n", "director")
    act({"do": "grant_bye", "entry": ids[2], "round": 1, "kind": "half"})
    act({"do": "pair_round"})
    table = posts.house.get(f"{path}/results.csv?round=1", "director").text.lstrip("\ufeff")
    posts.done(f"{path}/results.csv", _with_scores(table).encode(), "director")
    act({"do": "pair_round", "number": 2})
    act({"do": "report", "fixture": _open(posts, path), "winner": 1, "how": "walkover"})


def _open(posts, path):
    rounds = posts.house.get(path).json()["rounds"]
    return next(each["fixture"] for each in rounds[-1]["pairings"] if each["status"] == "open")


def _with_scores(table):
    """Fill in a score in every line of a round's results table."""
    head, *lines = table.splitlines()
    names = head.split(",")
    one, other, how = (names.index(each) for each in ("score_one", "score_other", "how"))
    told = []
    for line in lines:
        cells = line.split(",")
        if cells[names.index("other")] and not cells[how]:
            cells[one], cells[other] = "15", "7"
        told.append(",".join(cells))
    return "\n".join([head, *told]) + "\n"


def _files(posts, cup):
    """Export a tournament as TRF and as an archive, and import both under new ids."""
    path, _ = _announced(posts, "Robin", "round-robin", 4)
    act = _Directing(posts, path)
    act({"do": "pair_round"})
    act.report_all()
    house = posts.house
    file = house.get(f"{path}/trf", "director").content
    posts.done(f"{house.path}/tournaments/trf?game=parity", file, "director")
    archive = house.get(f"{cup}/archive", "director").content
    posts.done(f"{house.path}/tournaments/archive", archive, "director")
