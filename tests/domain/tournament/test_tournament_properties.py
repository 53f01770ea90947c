"""Random tournaments with late entries, byes, forfeits, withdrawals and disputes: what holds in every one of them."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.points import Terms
from domain.tournament.ranges import place_ranges
from tests.kit.tournament.directed import Event
from tests.kit.tournament.explained import in_words
from tests.kit.tournament.swiss_checker import pairable, violations

FORMATS = {
    "single": {"kind": "single", "third_place": True},
    "double": {"kind": "double"},
    "robin": {"kind": "round-robin"},
    "groups": {"kind": "groups", "groups": 2},
    "swiss": {"kind": "swiss", "rounds": 5},
    "monrad": {"kind": "swiss", "rounds": 5, "rules": "monrad"},
    "ladder": {"kind": "ladder", "rounds": 3},
    "individual": {"kind": "individual", "rounds": 4},
}
PACES = [
    *((kind, "ready") for kind in FORMATS),
    *((kind, "strict") for kind in ("single", "double", "robin", "groups")),
]


def one_thing(event, chance):
    """Somebody leaves or comes back, a result is disputed or taken back, or a match is played; never a crash."""
    stage = event.state.stage
    name = chance.choice(event.open()) if event.open() else None
    decided = [each for each in stage.decided if each in stage.pairings]
    gone = [entry.id for entry in event.state.entries.values() if entry.withdrawn]
    wishes = [
        c.Withdraw(chance.choice(event.state.active())) if len(event.state.active()) > 3 else None,
        c.Reinstate(chance.choice(gone)) if gone else None,
        c.Dispute(chance.choice(decided)) if decided else None,
        c.Retract(chance.choice(decided)) if decided else None,
        c.Retract(chance.choice(decided), repair="again") if decided else None,
        c.Report(chance.choice(decided), chance.choice([0, 1]), repair="again") if decided else None,
        c.PairRound() if stage.side_by_side else c.PairRound(added=True),
        c.LockRound(chance.randint(1, len(stage.rounds)), chance.random() < 0.5),
        c.Report(name, chance.choice([0, 1]), "walkover") if name else None,
        c.Enter(f"late{event.state.version}", (f"q{event.state.version}",)),
        *[c.Report(name, chance.choice([0, 1])) if name else None] * 9,
    ]
    wish = chance.choice([each for each in wishes if each])
    try:
        done = event.do(wish)
    except Refusal:
        return
    if isinstance(wish, c.PairRound):
        check_tables(event, done)
    named = [name for each in event.state.stage.rounds for name in each.names]
    assert sorted(named) == sorted(event.state.stage.pairings), "every match is in one round"


def check_tables(event, done):
    """Whoever was paired is at no other table, and nobody else is at theirs."""
    fresh = [each for one in done if isinstance(one, e.RoundPaired) for each in one.pairings]
    names = {each.fixture for each in fresh}
    others = [event.state.stage.pairings[name] for name in event.open() if name not in names]
    seated = [entry for each in fresh for side in each.sides for entry in side]
    busy = {entry for each in others for side in each.sides for entry in side}
    assert len(seated) == len(set(seated)), seated
    assert busy.isdisjoint(seated)
    assert len({each.table for each in fresh}) == len(fresh)
    assert {each.table for each in fresh}.isdisjoint({each.table for each in others})


def settle(event, chance):
    """Whatever is open is played, whatever is disputed stands."""
    for name in list(event.state.stage.disputed):
        event.do(c.Uphold(name))
    for number, each in enumerate(event.state.stage.rounds, start=1):
        if each.locked:
            event.do(c.LockRound(number, False))
    while event.open():
        event.do(c.Report(chance.choice(event.open()), chance.choice([0, 1])))


def check_ranges(event, chance):
    """The place at the end of the stage is one that was possible before its last match."""
    state = event.state
    stage, field = state.stage, state.field(state.at)
    possible = place_ranges(stage.format, field, stage.format.places(field), stage.disputed, 1)
    settle(event, chance)
    if not event.over():
        return
    for place in event.state.places_of(event.state.at):
        assert possible[place.seed].best <= place.rank <= possible[place.seed].worst, (place, possible[place.seed])


def known(event):
    """The crosstable before a round, with the number of rounds there will be: the last one knows topscorers."""
    stage = event.state.stage
    return msgspec.structs.replace(stage.format.crosstable(event.state.field(0)), rounds=stage.format.rounds)


def check_swiss(event, before):
    """What was paired, by a checker that knows only the rules; where a rule gave way, none could be kept."""
    stage = event.state.stage
    last = stage.rounds[-1]
    seeds = {entry: seed for seed, entry in enumerate(stage.order, start=1)}
    pairs = [tuple(seeds[entry] for entry in stage.pairings[name].entries) for name in last.names]
    resting = [seeds[bye.entry] for bye in last.byes if bye.kind == "bye"]
    seated = {seed for pair in pairs for seed in pair} | set(resting)
    absent = {seed: "Z" for seed in seeds.values() if seed not in seated}
    wrong = violations(before, len(stage.rounds), absent, pairs, resting[0] if resting else None)
    if stage.format.rules == "monrad":  # it has no sides, and gives the bye to the lowest of those who had none
        met = {(row.number, cell.opponent) for row in before.rows for cell in row.cells if cell.outcome.played}
        wrong = [each for each in wrong if each.startswith("C2")] + [pair for pair in pairs if pair in met]
        if not wrong:
            return
    if wrong:
        assert not pairable(before, len(stage.rounds), absent), wrong
        assert any("(C" in in_words(stage.pairings[name].why) for name in last.names) or any(
            "C2" in in_words(bye.why) for bye in last.byes
        )


@pytest.mark.parametrize(("kind", "rounds"), PACES)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), entries=st.integers(4, 12))
def test_whatever_happens_it_ends_with_everybody_placed_and_one_winner(kind, rounds, seed, entries):
    chance = random.Random(seed)
    game = "ristikontra" if kind == "individual" else "parity"
    event = Event(FORMATS[kind], entries=entries, game=game, terms=Terms(rounds=rounds))
    event.do(c.Seed("lot", lot=seed))
    for _ in range(80):
        if event.state.at >= 0 and event.over():
            break
        stage = event.state.stages[0]
        before = None
        if "swiss" in (kind, FORMATS[kind]["kind"]) and stage.begun:
            before = known(event)
        try:
            check_tables(event, event.do(c.PairRound()))
        except Refusal as refusal:  # all but one have left
            assert refusal.slug == "misfit", refusal.detail
            break
        if before is not None:
            check_swiss(event, before)
        for _ in range(chance.randint(0, entries)):
            one_thing(event, chance)
        check_ranges(event, chance)
    places = event.do(c.Finish(early=True))[-1].places
    assert sorted(entry for _, entry in places) == sorted(event.state.entries)
    assert places[0][0] == 1
    deserted = any(each.how == "absent" for each in event.state.stage.decided.values())
    if kind in ("single", "double", "ladder") and not deserted:
        assert [rank for rank, _ in places].count(1) == 1, "one champion, unless both finalists stayed away"


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), entries=st.integers(3, 16))
def test_nobody_meets_twice_or_rests_twice_in_a_swiss_that_loses_nobody(seed, entries):
    rounds = min(5, entries - 1 if entries % 2 == 0 else entries)
    event, chance = Event({"kind": "swiss", "rounds": rounds}, entries=entries), random.Random(seed)
    for _ in range(rounds):
        before = None
        if event.state.at >= 0:
            before = known(event)
        event.pair()
        if before is not None:
            check_swiss(event, before)
        event.play(chance)
    byes = [bye for each in event.state.stage.rounds for bye in each.byes]
    resting = [bye.entry for bye in byes if "C2" not in in_words(bye.why)]
    assert len(set(resting)) == len(resting)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), entries=st.integers(2, 33), double=st.booleans())
def test_an_elimination_has_exactly_one_champion_who_lost_least(seed, entries, double):
    event = Event({"kind": "double" if double else "single"}, entries=entries)
    places = event.to_the_end(random.Random(seed))
    stage = event.state.stage
    lost = dict.fromkeys(stage.order, 0)
    for name, outcome in stage.decided.items():
        lost[stage.pairings[name].entries[1 - outcome.winner]] += 1
    assert lost[places[0][1]] <= int(double)
    assert all(lost[entry] == 1 + double for _, entry in places[1:] if (double, entry) != (True, places[0][1]))
