"""People who were registered twice: merged, merged in a chain, parted again."""

from tests.kit.service.club_evenings import Evening

LEFT, RIGHT = {"parity": "odd", "tricks": [11, 4]}, {"parity": "odd", "tricks": [4, 11]}


def play(stage):
    """A club in which people play under several ids before, while and after they are one person."""
    house = stage.house()
    ids = {}
    for name in ("Annie", "Anny", "Annie S.", "Benny", "Cleo", "Dag"):
        ids[name] = house.done(f"{house.path}/players", {"name": name}, "owner")["id"]
    for one, other, entry in (
        ("Annie", "Benny", LEFT),
        ("Anny", "Benny", RIGHT),
        ("Annie S.", "Cleo", LEFT),
        ("Dag", "Cleo", RIGHT),
    ):
        match = played(house, ids[one], ids[other], entry)
    stage.sits(house, match, ids["Dag"])
    entries = [{"do": "enter", "players": [{"id": ids[name]}]} for name in ("Annie S.", "Dag")]
    short = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [short], entries=entries, plan={"season": "2026", "date": "2026-11-20"})
    evening.to_the_end()
    join(house, "merge", ids["Annie"], ids["Anny"])
    join(house, "merge", ids["Annie S."], ids["Annie"], knowingly=True)
    played(house, ids["Anny"], ids["Dag"], LEFT)
    join(house, "part", ids["Annie S."], ids["Annie"])
    played(house, ids["Anny"], ids["Cleo"], LEFT)
    join(house, "merge", ids["Benny"], ids["Dag"])
    join(house, "part", ids["Benny"], ids["Dag"])
    evening.read()


def played(house, one, other, entry):
    """A match that is over; its id."""
    match = house.match(sides=[[{"id": one}], [{"id": other}]], target=15)
    house.done(f"{match}/results", {"entry": entry})
    return match.rpartition("/")[2]


def join(house, what, player, other, **more):
    """Two are merged, or parted."""
    house.done(f"{house.path}/players/{player}/{what}", {"other": other, **more}, "secretary")
