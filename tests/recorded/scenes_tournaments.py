"""The tournaments of a recording: one of every format, with whatever may happen to one."""

from domain.tournament.formats import all_formats
from tests.kit.service.club_evenings import Evening
from tests.recorded.tables import Table

RACE = {"target": 15, "win_by": 2}
SCORES = ((15, 7), (9, 15), (16, 14), (13, 15), (15, 4), (3, 15))
MOST_ROUNDS = 16
OF_STAGES = {"go_on", "name", "minutes", "unfinished", "terms", "options"}


def stage_of(kind, game="parity", **more):
    """A stage of a format."""
    own = {name: more.pop(name) for name in list(more) if name not in OF_STAGES}
    return {"format": {"kind": kind, **own}, "game": game, "race": RACE, **more}


def play(stage):
    """All tournaments, each format's own club but for one that has several."""
    house = stage.house()
    cup(house)
    swiss(house)
    groups(house)
    ladders(house)
    taken_back(house)
    confirmed(house)
    for kind in all_formats():
        if kind not in ("single", "swiss", "groups", "ladder", "individual"):
            plain(house, kind)
    partners(house)
    given_up(house)


def scored(evening, tables=99, score=SCORES):
    """Every open match by its score, else by its winner; the first few of them."""
    for at, each in enumerate(evening.open()[:tables]):
        number = at + len(evening.view["rounds"])
        said = {"score": score[number % len(score)]} if score else {"winner": number % 3 % 2}
        evening.act({"do": "report", "fixture": each["fixture"], **said})


def to_the_end(evening, score=SCORES):
    """Round after round, then the places."""
    for _ in range(MOST_ROUNDS):
        evening.act({"do": "pair_round"})
        scored(evening, score=score)
        if evening.view["stages"][-1]["status"] == "over":
            break
    early = evening.view["stages"][-1]["status"] != "over"
    evening.act({"do": "finish", "early": early})


def recorded(house, evening, place, *deals, confirm=()):
    """A match of the round that is on, played in its own stream."""
    table = Table.of(house, evening.round()["pairings"][place]["match"])
    for tricks in deals:
        if table.view["status"] != "finished":
            table.entered(tricks)
        for side in confirm:
            table.confirm(side)
    evening.read()


def cup(house):
    """A knock-out with fees, check-in, tables, a clock, locks, a dispute, a wrong result, prizes; reopened."""
    prizes = [{"first": 1, "last": 1, "what": "the cup"}, {"first": 2, "last": 3, "what": "chocolate"}]
    plan = {"date": "2026-11-21", "season": "2026", "fee": 500, "currency": "SEK", "prizes": prizes}
    evening = Evening(
        house, [stage_of("single", third_place=True, minutes=45, unfinished="count")], players=9, plan=plan
    )
    ids = [each["id"] for each in evening.view["entries"]]
    evening.act(*({"do": "check_in", "entry": each} for each in ids[:8]), {"do": "pay", "entry": ids[0], "amount": 500})
    evening.act({"do": "check_in", "entry": ids[1], "here": False}, reason="it was his brother")
    evening.act({"do": "check_in", "entry": ids[1]})
    evening.act({"do": "close_check_in"})
    evening.act({"do": "reinstate", "entry": ids[8]})
    evening.act({"do": "withdraw", "entry": ids[8], "why": "excluded"}, reason="shouted")
    evening.act({"do": "substitute", "entry": ids[2], "players": ["Somebody Else"]}, reason="ill")
    evening.act({"do": "seed", "how": "lot", "lot": 7})
    evening.act({"do": "seed", "how": "given", "order": [ids[0], *reversed(ids[1:8])]})
    evening.act({"do": "pair_round"}, {"do": "start_round", "minutes": 40})
    evening.act({"do": "start_round", "minutes": 0})
    evening.act({"do": "assign_table", "fixture": "W1.1", "table": 3, "feature": True})
    recorded(house, evening, 0, [11, 4])
    scored(evening)
    evening.act({"do": "dispute", "fixture": "W1.2"}, reason="we counted nine tricks", role="director")
    evening.act({"do": "uphold", "fixture": "W1.2"}, reason="the paper says eight")
    evening.act({"do": "lock_round", "round": 1})
    evening.act({"do": "lock_round", "round": 1, "locked": False})
    evening.act({"do": "retract", "fixture": "W1.3"}, reason="another table's slip")
    scored(evening)
    evening.act({"do": "pair_round"})
    winner = next(each["winner"] for each in evening.view["rounds"][0]["pairings"] if each["fixture"] == "W1.4")
    wrong = {"do": "report", "fixture": "W1.4", "winner": 1 - winner, "repair": "again"}
    evening.act(wrong, reason="both signed the wrong line")
    scored(evening)
    to_the_end(evening)
    evening.act({"do": "reopen"}, reason="the prize list was read wrong")
    evening.act({"do": "finish"})
    evening.act({"do": "archive"})
    evening.act({"do": "archive", "archived": False})


def swiss(house):
    """A Swiss of nine: byes asked for and taken back, somebody late, a walkover, a round that waits for no result."""
    plan = {"date": "2026-11-19", "season": "2026"}
    evening = Evening(house, [stage_of("swiss", rounds=5)], players=8, plan=plan)
    ids = [each["id"] for each in evening.view["entries"]]
    evening.act(
        {"do": "grant_bye", "entry": ids[2], "round": 1},
        {"do": "grant_bye", "entry": ids[3], "round": 1, "kind": "zero"},
    )
    evening.act({"do": "grant_bye", "entry": ids[3], "round": 1, "kind": None})
    evening.act({"do": "pair_round"})
    recorded(house, evening, 0, [11, 4])
    scored(evening)
    evening.act({"do": "enter", "players": ["Late Comer"], "rating": 1650})
    evening.act({"do": "pair_round", "number": 2})
    evening.act({"do": "report", "fixture": evening.open()[0]["fixture"], "winner": 1, "how": "walkover"})
    scored(evening)
    evening.act({"do": "pair_round"})
    scored(evening, 2)
    evening.act({"do": "pair_round", "provisional": True})
    scored(evening)
    for each in [each for at in evening.view["rounds"] for each in at["pairings"] if each["status"] == "open"]:
        evening.act({"do": "report", "fixture": each["fixture"], "score": [15, 2]})
    evening.act({"do": "withdraw", "entry": ids[6]}, reason="the last bus")
    evening.act({"do": "pair_round"})
    scored(evening)
    evening.act({"do": "finish"})


def groups(house):
    """Groups, then a knock-out of those who go on: recorded at the tables, most of them; not finished."""
    evening = Evening(house, [stage_of("groups", groups=2, go_on=4, name="Groups"), stage_of("single", name="Finals")])
    for _ in range(3):
        evening.act({"do": "pair_round"})
        recorded(house, evening, 0, [11, 4])
        recorded(house, evening, 1, [8, 7], [4, 11], [5, 10])
        scored(evening)
    evening.act({"do": "pair_round"})
    scored(evening, 1)


def ladders(house):
    """Two ladders, so that the club's ladder is carried from one to the next."""
    for number in (1, 2):
        entries = [{"do": "enter", "players": [name], "rating": 1500} for name in ("Asta", "Bo", "Cy", "Disa", "Ebba")]
        plan = {"season": "2026", "date": f"2026-11-0{number}"}
        evening = Evening(house, [stage_of("ladder", rounds=3, reach=2)], entries=entries, plan=plan)
        for _ in range(3):
            evening.act({"do": "pair_round"})
            scored(evening)
        evening.act({"do": "finish", "early": evening.view["stages"][-1]["status"] != "over"})


def taken_back(house):
    """A round that is paired, taken back and paired again by the director: its first matches are void."""
    evening = Evening(house, [stage_of("swiss", game="cross_game", rounds=3)], players=4)
    evening.act({"do": "pair_round"})
    evening.act({"do": "unpair_round"}, reason="somebody came late")
    ids = [each["id"] for each in evening.view["entries"]]
    evening.act({"do": "pair_round", "pairs": [[ids[0], ids[1]], [ids[2], ids[3]]], "knowingly": True})
    scored(evening, 1)


def confirmed(house):
    """Results count once both sides have confirmed them."""
    stage = stage_of("single")
    evening = Evening(house, [stage], players=4, plan={"counts": "confirmed"})
    evening.act({"do": "pair_round"})
    recorded(house, evening, 0, [11, 4], confirm=(0, 1))
    recorded(house, evening, 1, [3, 12], confirm=(0,))


def plain(house, kind):
    """A format from its first round to its places."""
    evening = Evening(house, [stage_of(kind)], players=8, plan={"season": "2025"})
    to_the_end(evening)


def partners(house):
    """Partners that change: four at a table, everybody for himself; then two sides of partners who stay together."""
    four = stage_of("individual", "cross_purposes", options={"variant": "fixed"})
    to_the_end(Evening(house, [four], players=8), score=None)
    pairs = [{"do": "enter", "players": [f"{one} N", f"{one} S"]} for one in ("Kai", "Lena", "Mats")]
    to_the_end(Evening(house, [stage_of("round-robin", "ristikontra")], entries=pairs), score=None)


def given_up(house):
    """A wrong result of the first round when the final is paired: the match between is open again, the final waits."""
    evening = Evening(house, [stage_of("single")])
    for _ in range(2):
        evening.act({"do": "pair_round"})
        scored(evening)
    evening.act({"do": "pair_round"})
    winner = next(each["winner"] for each in evening.view["rounds"][0]["pairings"] if each["fixture"] == "W1.1")
    wrong = {"do": "report", "fixture": "W1.1", "winner": 1 - winner, "repair": "again"}
    evening.act(wrong, reason="the slip was of another evening")
