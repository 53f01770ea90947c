"""Tournaments for tests of files: a Swiss of nine with byes, a late entry and a forfeit, or a random one."""

from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.decide import NO_CHANCE, decide
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament


def ordered(state, *given, chance=NO_CHANCE):
    """Return the tournament after these commands."""
    for command in given:
        news = decide(state, command, SERVICE, chance)
        state = fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])
    return state


def announced(format_, game="cross_game", **terms):
    stage = c.StagePlan(format=format_, game=game, race={"target": 11}, terms=terms.pop("terms", None) or _terms())
    return ordered(Tournament(), c.Announce("Thursday cup", (stage,)))


def _terms():
    from domain.tournament.points import Terms

    return Terms()


def entered(state, count):
    for number in range(1, count + 1):
        state = ordered(state, c.Enter(f"e{number}", (f"p{number}",), 2000 - 10 * number))
    return ordered(state, c.Seed("rating"))


def names_of(state):
    return {entry: f"Name {entry[1:]}" for entry in state.entries}


def paired(state, lot=0):
    fresh = tuple(f"m{len(state.stages[0].rounds)}.{at}" for at in range(len(state.entries)))
    return ordered(state, c.PairRound(), chance=c.Chance(fresh, lot))


def played(state, result):
    """Report every open match of the last round; `result` makes a report of a fixture and its seeds."""
    stage = state.stage
    for name in stage.rounds[-1].names:
        if name not in state.stage.decided:
            one, other = (int(entry[1:]) for entry in stage.pairings[name].entries)
            report = result(name, one, other)
            state = ordered(state, report) if report is not None else state
    return state


def better(name, one, other):
    return c.Report(name, 0 if one < other else 1)


def swiss_of_nine(**more):
    """Play five rounds with a requested half-point bye, a late entry, a forfeit and a withdrawal."""
    state = entered(announced({"kind": "swiss", "rounds": 5, **more}), 8)
    state = ordered(state, c.GrantBye("e3", 1, "half"))
    state = played(paired(state, lot=1), better)
    state = ordered(state, c.Enter("e9", ("p9",), 1500))
    state = played(paired(state), lambda name, one, other: c.Report(name, score=(13, 11)))

    def third(name, one, other):
        return c.Report(name, 0, "walkover") if 2 in (one, other) else c.Report(name)

    state = played(paired(state), third)
    state = played(paired(ordered(state, c.GrantBye("e5", 4, "full"))), better)
    return played(paired(ordered(state, c.Withdraw("e7"))), better)


def random_swiss(players, rounds, rng, rules="dutch-2026"):
    """Play a Swiss with random results, byes and absences until no round can be paired."""
    state = entered(announced({"kind": "swiss", "rounds": rounds, "rules": rules}), players)

    def result(name, one, other):
        how = rng.random()
        if how < 0.1:
            return c.Report(name, rng.randint(0, 1), "walkover")
        return c.Report(name) if how < 0.3 else c.Report(name, rng.randint(0, 1))

    for round_ in range(1, rounds + 1):
        for entry in state.entries:
            if rng.random() < 0.08:
                state = ordered(state, c.GrantBye(entry, round_, rng.choice(("half", "full", "zero"))))
        try:
            state = paired(state, rng.randint(0, 1))
        except Refusal:
            break
        state = played(state, result)
    return state
