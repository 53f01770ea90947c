"""FIDE report files of tournaments: export and import agree."""

import random
import string
from itertools import count

import pytest

from domain.exchange import trf, trf_in, trf_out, trf_plan
from domain.exchange.faults import FaultyError
from domain.log.decider import Refusal
from domain.standings import tiebreaks
from domain.tournament import commands as c
from domain.tournament.evolve import fold
from domain.tournament.points import Terms
from domain.tournament.state import Tournament
from tests.kit.tournament.evenings import (
    announced,
    better,
    entered,
    names_of,
    ordered,
    paired,
    played,
    random_swiss,
    swiss_of_nine,
)

FORMS = ("trf16", "trf26")


def written(state, form="trf16"):
    return trf_out.trf_of(state, 0, names_of(state), form)


def standing_of(text):
    file = trf.loads(text)
    found = tiebreaks.standings(file.table, tiebreaks.tiebreaks_named(file.table.tiebreaks))
    return [(row.number, row.rank, row.values) for row in found.rows]


def own_standing(state):
    places = sorted(state.places_of(0), key=lambda place: (place.rank, place.seed))
    codes = state.stages[0].format.ordered_by(state.field(0))
    units = tiebreaks.tiebreaks_named(codes)
    values = {place.seed: place.values for place in places}
    return [(place.seed, place.rank, values[place.seed]) for place in places], units


def agrees(state, text):
    mine, units = own_standing(state)
    file = [
        (number, rank, tuple(unit.number(value) for unit, value in zip(units, values, strict=True)))
        for number, rank, values in standing_of(text)
    ]
    assert [(number, rank) for number, rank, _ in file] == [(number, rank) for number, rank, _ in mine]
    assert [values for *_, values in file] == [tuple(values) for *_, values in mine]


def again(text, game="parity"):
    file = trf.loads(text)
    plan, people, fixed = trf_plan.plan_of(file, game)
    ids = [f"e{number}" for number in range(1, len(people) + 1)]
    players = [tuple(f"p{at}.{seat}" for seat, _ in enumerate(own)) for at, own in enumerate(people)]
    news = trf_in.events_of_file(file, plan, fixed, ids, players, (f"m{at}" for at in count()))
    return fold(Tournament(), [(at, new.event) for at, new in enumerate(news, start=1)]), people


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("more", [{}, {"rules": "monrad"}, {"rules": "dutch-till-2026"}, {"acceleration": "baku"}])
def test_a_swiss_with_byes_late_entry_and_forfeit_is_exported_completely(form, more):
    state = swiss_of_nine(**more)
    text = written(state, form)
    assert trf.loads(text).warnings == ()
    agrees(state, text)
    table = trf.loads(text).table
    assert (table.name, table.rounds, table.first_deals) == ("Thursday cup", 5, False)
    assert table.rules == more.get("rules", "dutch-2026")


@pytest.mark.parametrize("form", FORMS)
def test_a_written_file_is_read_back_and_written_identically(form):
    text = written(swiss_of_nine(), form)
    state, _ = again(text)
    assert written(state, form) == text


@pytest.mark.parametrize("seed", range(12))
def test_random_swisses_come_back_as_they_were(seed):
    rng = random.Random(seed)
    state = random_swiss(rng.randint(2, 14), rng.randint(1, 6), rng)
    if not state.stages[0].begun:
        return
    form = rng.choice(FORMS)
    text = written(state, form)
    agrees(state, text)
    assert written(again(text)[0], form) == text


@pytest.mark.parametrize("count_", [4, 5])
def test_a_round_robin_is_one_again_with_its_fixed_pairings(count_):
    state = entered(announced({"kind": "round-robin"}), count_)
    for _ in range(2):
        state = played(paired(state), better)
    text = written(state, "trf26")
    agrees(state, text)
    back, _ = again(text)
    assert back.stages[0].format == state.stages[0].format
    assert written(back, "trf26") == text


def test_an_open_round_and_future_byes_are_kept():
    state = entered(announced({"kind": "swiss", "rounds": 4}), 6)
    state = paired(played(paired(state), better))
    state = ordered(state, c.GrantBye("e6", 3, "half"))
    text = written(state)
    back, _ = again(text)
    assert len(back.stages[0].rounds) == 2
    assert len([each for each in back.stages[0].meetings().values() if each.status == "ready"]) == 3
    assert back.stages[0].granted[3] == {"e6": "half"}
    assert written(back) == text


def test_points_that_no_record_of_fide_can_say_are_kept():
    state = entered(announced({"kind": "swiss", "rounds": 3}, terms=Terms(win=30, draw=10, bye=20, half=15)), 5)
    state = played(paired(ordered(state, c.GrantBye("e2", 1, "half"))), better)
    for form in FORMS:
        text = written(state, form)
        agrees(state, text)
        assert again(text)[0].stages[0].setup.terms.match_points() == state.stages[0].setup.terms.match_points()


def test_what_a_report_file_cannot_hold_is_not_written():
    with pytest.raises(Refusal, match="take the archive"):
        written(paired(entered(announced({"kind": "single"}), 4)))
    win_points = announced({"kind": "swiss", "rounds": 2}, terms=Terms(points="win"))
    with pytest.raises(Refusal, match="win points"):
        written(paired(entered(win_points, 4)))


def test_partners_are_two_names_in_one():
    lines = ["001    1      Annie & Benny", "001    2      Cleo & Dag"]
    state, people = again("\n".join(lines) + "\n", "ristikontra")
    assert people == (("Annie", "Benny"), ("Cleo", "Dag"))
    assert [len(entry.players) for entry in state.entries.values()] == [2, 2]
    with pytest.raises(FaultyError, match=r"1:15: two play together here"):
        again("001    1      Annie\n001    2      Cleo & Dag\n", "ristikontra")


def line(number, name, *rounds):
    return f"001 {number:4}      {name:<33} 1800".ljust(91) + "".join(each.ljust(10) for each in rounds)


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ([line(1, "Annie"), line(2, "Annie")], (2, 15), "line 1 already"),
        ([line(1, "Annie"), line(2, "")], (2, 15), "no name"),
        ([line(1, "A", "0000 - U"), line(2, "B", "0000 - U")], (2, 99), "two have the bye"),
        (["XXS FL=1.0", line(1, "A"), line(2, "B")], (1, 5), "no points"),
    ],
)
def test_what_cannot_have_been_is_named_with_line_and_column(text, where, said):
    with pytest.raises(FaultyError) as wrong:
        again("\n".join(text) + "\n")
    first = wrong.value.faults[0]
    assert said in first.message
    assert (first.line, first.column) == where


def test_any_name_is_written_and_read():
    chance = random.Random(4)
    state = entered(announced({"kind": "swiss", "rounds": 2}), 4)
    state = played(paired(state), better)
    names = {entry: "".join(chance.choices(string.ascii_letters + "äö-'.", k=20)) for entry in state.entries}
    text = trf_out.trf_of(state, 0, names)
    assert [row.name for row in trf.loads(text).table.rows] == [names[entry] for entry in state.stage.order]
