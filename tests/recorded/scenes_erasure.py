"""Erasures: a person who played and wrote, another who stands in the same words, and one without any."""

from domain.club import events as e
from domain.match.events import IrregularityNoted
from tests.kit.service.leaving import erase, put, registered, said

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


def play(stage):
    """A club in which three people are erased, one after the other."""
    house = stage.house()
    ann, ben, cleo, dag = (registered(house, each) for each in ("Ann Tarn", "Ben Voss", "Cleo Lund", "Dag Moe"))
    director = house.token("director", player=ann)
    path = house.match(sides=[[{"id": ann}], [{"id": ben}]])
    match = path.rpartition("/")[2]
    house.done(f"{path}/results", RESULT)
    correction = {"version": 3, "now": {"parity": "odd", "tricks": [8, 7]}}
    house.done(f"{path}/corrections", {**correction, "reason": "I misread the slip"}, director)
    put(house, said(IrregularityNoted(1, "A1", 3), note="Ann Tarn and Ben Voss saw it, Cleo too"), stream=match)
    erase(house, ann)
    erase(house, ben)
    erase(house, dag, whole=False)
    other = house.match(sides=[[{"id": cleo}], ["Eva"]])
    house.done(f"{other}/results", RESULT)
    put(house, said(e.PersonErased(dag, "mistake", 2, ())))
    stage.sits(house, other.rpartition("/")[2], cleo)
