"""Entries put right: one inserted, one taken out, one taken back, a result proposed and agreed to; entries affirmed."""

from tests.kit.service.people import Phone

RIGHT = {"parity": "even", "tricks": [8, 7]}


def play(stage):
    """One table with two phones of its own and a scorer."""
    house = stage.house()
    own = [house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"] for _ in range(2)]
    match = house.match(sides=[[{"id": own[0]}], [{"id": own[1]}]], target=60)
    page = match.removeprefix("/api/v1")
    annie, benny = (Phone(house, person) for person in own)
    house.done(f"{match}/deals", {"dealer": 0})
    calls = [{"seat": 1, "do": "trump", "suit": "S"}, {"seat": 0, "do": "parity", "parity": "even"}]
    plays = [(1, "HA"), (1, "HA"), (0, "SK"), (0, "HK"), (1, "DQ")]
    cards = [{"seat": seat, "do": "play", "card": card} for seat, card in plays]
    house.done(f"{match}/facts", {"facts": [*calls, *cards], "it_happened": True})
    house.done(f"{match}/corrections", {"version": 6, "now": None, "reason": "typed twice"})
    house.done(f"{match}/withdrawals", {"version": 7, "code": "REV", "reason": "he had a heart"})
    forgotten = {"seat": 0, "do": "play", "card": "DJ"}
    house.done(f"{match}/corrections", {"version": 9, "now": forgotten, "insert": True, "reason": "not typed"})
    house.done(f"{match}/results", {"entry": {"parity": "even", "tricks": [10, 5]}})
    result = house.get(match).json()["deals"][0]["entry_version"]
    benny.does(f"{page}/affirm", deal=1, versions="5 8")
    benny.does(f"{page}/unaffirm", affirmation=house.get(match).json()["affirmations"][0]["version"])
    benny.does(f"{page}/affirm", deal=1, versions="5 8")
    benny.does(f"{page}/confirm", deal=1, side=1)
    for entry, yes in (('{"parity": "odd", "tricks": [9, 6]}', 0), ('{"parity": "even", "tricks": [8, 7]}', 1)):
        annie.does(f"{page}/correct", at=result, do="replace", how="propose", now=entry, reason="the piles say so")
        waiting = house.get(match).json()["proposals"][0]["version"]
        benny.does(f"{page}/answer", proposal=waiting, yes=yes)
    after = house.get(match).json()
    assert after["totals"] == [18, 0], after["totals"]
    assert not after["proposals"]
    stage.sits(house, match.rpartition("/")[2], own[0])
