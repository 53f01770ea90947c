"""Random commands of every role on signed deals with a breach."""

import random
from collections import Counter
from itertools import chain

import msgspec
import pytest

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match.audit.findings import deal_findings
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.mending_commands import Affirm, AnswerCorrection, Correct, ProposeCorrection, WithdrawFact
from tests.kit.audit.illegal import one_wrong
from tests.kit.match.moments import at
from tests.kit.match.tables import Table

NAMES = (("ann", "cid"), ("ben", "dan"))
STRENGTHS = ("own device", "pin", "table", "token", "scorer")
NOT_DIRECTING = [
    Actor("scorer"),
    *(Actor("scorer", person=name) for name in ("ann", "ben")),
    *(Actor("player", person=name, id=name, strength=each) for name in ("ann", "ben") for each in STRENGTHS),
    *(Actor("player", person=name, strength="table", by_code=True) for name in ("ann", "ben")),
    Actor("player", person="cleo", strength="own device"),
    Actor("secretary", person="sue", strength="own device"),
    Actor("spectator"),
]
DIRECTOR = Actor("director", person="dee", strength="own device")
NINE = {"parity": "odd", "tricks": [9, 6]}


def broken(key, seed):
    """Return a signed match with one breach, or None if the audit finds none. Hands are known only if they lie open."""
    made = one_wrong((key, {}), seed, known=key == "get_stuck")
    if made is None:
        return None
    sides = made.game.sides(made.options)
    table = Table(key, sides=[NAMES[side][: len(seats)] for side, seats in enumerate(sides)], target=1000)
    table.start(dealer=made.dealer, deal=made.deal)
    table.record(*made.facts, it_happened=True)
    for side in range(len(sides)):
        table.do(c.ConfirmResult(deal=1, side=side))
    return table if found(table.match) else None


def found(match):
    return Counter((each.code, each.rule) for each in deal_findings(match, match.deals[0]))


def any_command(match, chance, entry):
    """Return a random command, often one that might remove a finding or answer such a proposal."""
    deal = match.deals[0]
    versions = [version for version, _ in deal.facts]
    places = {each.version for each in deal_findings(match, deal)} | {each.proof for each in deal_findings(match, deal)}
    version, fact = chance.choice([each for each in deal.facts if each[0] in places] or deal.facts)
    if chance.random() < 0.3:
        version, fact = chance.choice(deal.facts)
    other = chance.choice([each for _, each in deal.facts])
    plain = msgspec.to_builtins(chance.choice([other, fact]), enc_hook=str)
    do = chance.choice([None, "insert", None, "remove"])
    now = None if do == "remove" else plain
    waiting = [each.version for each in match.proposals] or [1]
    if match.proposals and chance.random() < 0.5:
        return at(AnswerCorrection(proposal=chance.choice(waiting), yes=chance.random() < 0.8))
    picks = [
        Correct(version=version, now=now, do=do, note="x", accepts=chance.choice([0, 0, 1, 2])),
        Correct(version=deal.entry[0] if deal.entry else version, now=entry, note="x"),
        WithdrawFact(version=version, code="REV"),
        ProposeCorrection(version=version, now=now, do=do, note="x"),
        AnswerCorrection(proposal=chance.choice(waiting), yes=chance.random() < 0.8),
        c.UndoLast(withdrawn=chance.random() < 0.5),
        c.VoidDeal(),
        c.RestoreDeal(),
        c.EnterResult(entry=entry),
        c.ConfirmResult(deal=1, side=chance.randrange(2)),
        Affirm(deal=1, versions=tuple(chance.sample(versions, min(2, len(versions))))),
        c.DisputeResult(deal=1, side=chance.randrange(2), note="x"),
        c.SettleDispute(how=chance.choice(["withdrawn", "upheld"])),
        c.StartDeal(),
        c.Seal(note="x"),
    ]
    picks += [ProposeCorrection(version=version, now=now, do=do, note="x"), picks[0], picks[4]] * 3
    return at(chance.choice(picks), chance.choice([0, 1, 9, 11, 45]))


@pytest.mark.parametrize(
    ("key", "entry", "seeds", "commands"),
    [
        ("parity", NINE, [4], 700),
        ("cross_purposes", {}, [0], 700),
        ("cross_game", {}, [0, 1], 400),
        ("ristikontra", {}, [0, 1], 500),
        ("over_the_top", {}, [0, 1], 200),
        ("get_stuck", {}, [0, 1], 400),
        ("garbo", {}, [0, 1], 300),
        pytest.param("parity", NINE, [0, 1, 2, 3, 5, 6, 7], 700, marks=pytest.mark.extended),
        pytest.param("cross_purposes", {}, [1, 2, 3, 4], 700, marks=pytest.mark.extended),
        pytest.param("cross_game", {}, [2, 3], 400, marks=pytest.mark.extended),
        pytest.param("ristikontra", {}, [2, 3, 4, 5], 500, marks=pytest.mark.extended),
        pytest.param("get_stuck", {}, [2, 3, 4, 5, 6, 7], 400, marks=pytest.mark.extended),
        pytest.param("garbo", {}, [2, 3, 4, 5], 300, marks=pytest.mark.extended),
    ],
)
def test_only_a_director_or_both_sides_remove_a_finding(key, entry, seeds, commands):
    gone = {"by the other side": 0, "by a director": 0}
    for seed in seeds:
        table = broken(key, seed)
        if table is None:
            continue
        chance, state = random.Random(seed), table.match
        for _ in range(commands):
            actor = chance.choice([*NOT_DIRECTING, DIRECTOR, DIRECTOR])
            command = any_command(state, chance, entry)
            try:
                news = decide(state, command, actor)
            except Refusal:
                continue
            after = fold(state, [(state.version + place, new.event) for place, new in enumerate(news, start=1)])
            lost = found(state) - found(after)
            if lost and actor.directs:
                gone["by a director"] += 1
                continue  # it goes on as if he had not
            if lost:
                done = news[-1].event
                told = f"{key} {seed}: {lost} went by {command} of {actor}"
                assert isinstance(done, e.EntryCorrected | e.FactInserted), told
                assert {each.side for each in done.consents} == {0, 1}, told
                by = [each.strength for each in done.consents if each.person in chain(*NAMES)]
                assert actor.role == "player", told
                assert actor.strength in ("own device", "pin", "table"), told
                assert len(by) == 2, told
                gone["by the other side"] += 1
                continue
            ends = after.disputes or after.sealed or actor.directs  # after that little can be tried
            state = state if ends and chance.random() < 0.9 else after
    assert all(gone.values()), f"the commands try nothing: {gone}"
