"""Tonight at the demo club: tables that play, a bracket at its semi-finals, a Swiss and a match in dispute."""

from typing import Final

from domain.cards.card import cards_in
from domain.case.commands import MakeStatement
from domain.chance import shuffled, words
from domain.games import find
from domain.match import commands as m
from domain.notation.dealing import random_play
from domain.tournament import commands as c
from domain.tournament.plan import Plan
from service.cli.demo.people import MEMBERS, Crowd
from service.cli.demo.season import PRIZES, label, reports, seated
from service.desk.cases.lookup import about_match
from service.desk.tournament_bodies import DisputeAction, PairAction
from service.store.kinds import CASE

RACE: Final = {"target": 15, "win_by": 2}
SEMIS: Final = (((1, 4, 2), (0, 3, 2), (1, 3, 1), (0, 2, 2)), ((0, 3, 3), (1, 2, 2)))


async def told(crowd: Crowd) -> None:
    """The evening, from the first deal to now."""
    crowd.back(hours=2.5)
    await announced(crowd)
    await finished(crowd)
    await cup(crowd)
    await swiss(crowd)
    await tables(crowd)
    await dispute(crowd)


async def announced(crowd: Crowd) -> None:
    """Groups and a knock-out that have not begun."""
    groups = c.StagePlan(format={"kind": "groups", "groups": 3}, game="parity", go_on=6)
    stages = [groups, c.StagePlan(format={"kind": "single"}, game="parity")]
    await crowd.announced("Winter evening", stages, MEMBERS[:12], Plan(season=label(crowd, 0)))


async def cup(crowd: Crowd) -> None:
    """A knock-out of eight at its semi-finals: both are on, one is nearly over."""
    plan = Plan(date=f"{crowd.at:%Y-%m-%d}", season=label(crowd, 0), prizes=PRIZES)
    stage = c.StagePlan(format={"kind": "single", "third_place": True}, game="cross_game", race=RACE)
    loaded = await crowd.announced("Autumn cup", [stage], MEMBERS[:8], plan)
    names = seated(loaded, MEMBERS[:8])
    loaded = await crowd.directs(loaded, [PairAction()])
    crowd.later(40)
    loaded = await crowd.directs(loaded, reports(loaded, names))
    loaded = await crowd.directs(loaded, [PairAction()])
    stage_on = loaded.tournament.stage
    semis = [each for name, each in stage_on.pairings.items() if name not in stage_on.decided]
    for pairing, deals in zip(semis, SEMIS, strict=True):
        for side, high, low in deals:
            crowd.later(4)
            await _crossed(crowd, pairing.match, side, high, low)


async def _crossed(crowd: Crowd, match: str, side: int, high: int, low: int) -> None:
    """A deal of Cross Game: who bid, and what each side got."""
    points = [low, high] if side else [high, low]
    await crowd.does(match, m.EnterResult(entry={"bidder": side, "bid": min(high, 2), "cross_points": points}))
    await crowd.signed(match)


async def swiss(crowd: Crowd) -> None:
    """A Swiss evening in its third round: a result is disputed, some tables still play."""
    crowd.back(hours=2)
    plan = Plan(date=f"{crowd.at:%Y-%m-%d}", season=label(crowd, 0))
    stage = c.StagePlan(format={"kind": "swiss", "rounds": 5}, game="cross_game", race=RACE, minutes=45)
    people = MEMBERS[3:]
    loaded = await crowd.announced("Thursday Swiss", [stage], people, plan)
    names = seated(loaded, people)
    for number in range(1, 4):
        loaded = await crowd.directs(loaded, [PairAction(), c.StartRound(minutes=45)])
        crowd.later(38 if number < 3 else 20)
        loaded = await crowd.directs(loaded, reports(loaded, names, None if number < 3 else 3))
    on = loaded.tournament.stage
    waiting = [each for name, each in on.pairings.items() if name not in on.decided]
    for pairing in waiting[:2]:
        await _crossed(crowd, pairing.match, 0, 3, 2)
    await crowd.directs(loaded, [DisputeAction("R3.1")])


async def finished(crowd: Crowd) -> None:
    """A match of Parity that ended by a lurch."""
    match = await crowd.opened("parity", [["Vera Popescu"], ["Sam Oyelaran"]])
    for parity, took in (("odd", 11), ("even", 10), ("odd", 8), ("odd", 9), ("even", 12), ("odd", 13)):
        crowd.later(6)
        await crowd.does(match, m.EnterResult(entry={"parity": parity, "tricks": [took, 15 - took]}))
        await crowd.signed(match)


async def tables(crowd: Crowd) -> None:
    """A table of every game: some write every card, some only how a deal ended."""
    crowd.back(hours=1)
    four = (["Nora Feeney"], ["Colin Webb"], ["Hana Kimura"], ["Jonas Weiss"])
    allies = await crowd.opened("cross_purposes", four, options={"variant": "alliance"})
    await crowd.does(allies, m.StartDeal(dealer=0))
    two = await crowd.opened("cross_purposes", [["Marta Lindqvist"], ["Tom Hargreaves"]], depth="plays")
    for first, second in ((7, 6), (5, 8)):
        crowd.later(8)
        await crowd.does(two, m.EnterResult(entry={"phases": [[first], [second]]}))
        await crowd.signed(two)
    await _plays(crowd, two, "cross_purposes", 33)
    for key, sides, facts in (
        ("cross_game", [["Priya Raman"], ["Eero Salmi"]], 9),
        ("parity", [["Ilse Brandt"], ["Rui Tavares"]], 12),
        ("over_the_top", [["Lucia Conti"], ["Ben Achterberg"]], 8),
        ("get_stuck", [["Dmitri Orlov"], ["Vera Popescu"]], 7),
        ("garbo", [["Agnes Dupont"], ["Sam Oyelaran"]], 8),
        ("ristikontra", [["Nora Feeney", "Hana Kimura"], ["Colin Webb", "Jonas Weiss"]], 6),
    ):
        crowd.later(3)
        match = await crowd.opened(key, sides, depth="plays")
        await _plays(crowd, match, key, facts)


async def _plays(crowd: Crowd, match: str, key: str, count: int) -> None:
    """The next deal, card by card, as far as it has come."""
    loaded = await crowd.recorder.streams.match(match)
    assert loaded is not None
    dealer = len(loaded.match.deals) % 2
    game, options, stream = find(key), loaded.match.setup.options, words(f"demo tonight/{key}".encode())
    deal = game.deal_out(options, shuffled(tuple(cards_in(game.pack(options))), stream))
    facts = random_play(game, game.start(options, dealer, deal), stream)
    await crowd.does(match, m.StartDeal(dealer=dealer))
    await crowd.does(match, m.RecordFacts(facts=tuple(facts[:count])))


async def dispute(crowd: Crowd) -> None:
    """A result that one side disputes; the case of it has one statement, the other side's is awaited."""
    crowd.back(hours=0.6)
    one, other = "Ilse Brandt", "Dmitri Orlov"
    match = await crowd.opened("cross_game", [[one], [other]])
    await _crossed(crowd, match, 0, 3, 1)
    crowd.later(9)
    entry = {"bidder": 1, "bid": 2, "cross_points": [1, 2]}
    await crowd.does(match, m.EnterResult(entry=entry), other)
    why = "The last trick was mine: my ten of hearts took it."
    await crowd.does(match, m.DisputeResult(deal=2, side=0, note=why), one)
    await crowd.steward.catch_up(crowd.club)
    (case,) = await about_match(crowd.recorder.streams, crowd.club, match)
    crowd.later(4)
    words_of = "He led the ace of clubs, I trumped, and the piles were turned before I could say so."
    await crowd.acts(case.stream, CASE, MakeStatement(words=words_of), one)
