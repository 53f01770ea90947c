"""People of a club: names that were mended, visitors who became members, what is kept beside a name."""

from tests.recorded.tables import Table

LIST = """name,visitor,rating,ids
Annie,no,1850,FIDE=1503014
Ørjan,yes,,ECF=123456A; BBO=orjan
"""


def play(stage):
    """A match whose players are mended afterwards, a table of people taken twice."""
    house = stage.house()
    table = Table(house, "parity", [["Bennny"], ["Annie"]], target=60)
    table.entered([9, 6])
    table.done("undo", {"reason": "Annie had the sheet upside down"})
    table.done("results", {"entry": {"parity": "odd", "tricks": [8, 7]}})
    stage.sits(house, table.id, table.view["sides"][0]["players"][0])
    people = {each["name"]: each["id"] for each in house.get(f"{house.path}/players").json()["items"]}
    benny, annie = (f"{house.path}/players/{people[name]}" for name in ("Bennny", "Annie"))
    house.done(f"{benny}/name", {"name": "Benny King"}, "director")
    house.done(f"{benny}/membership", {"visitor": False}, "secretary")
    house.done(f"{benny}/description", {"note": "has a key", "ids": {"FIDE": "1503015"}, "rating": 1600}, "secretary")
    house.done(f"{annie}/description", {"note": "pays in May"}, "secretary")
    house.done(f"{annie}/membership", {"visitor": False}, "secretary")
    house.done(f"{annie}/membership", {"visitor": True}, "secretary")
    for _ in range(2):
        answer = house.ask("POST", f"{house.path}/players.csv", LIST.encode(), "secretary")
        assert answer.status_code == 201, answer.text
    house.done(f"{benny}/name", {"name": "Benny Kong"}, "secretary")
    house.done(f"{benny}/description", {}, "secretary")
    closed = stage.house(public=False)
    nora = closed.done(f"{closed.path}/players", {"name": "Nora Hill", "visitor": True}, "secretary")["id"]
    closed.done(f"{closed.path}/players/{nora}/name", {"name": "נורה"}, "secretary")
