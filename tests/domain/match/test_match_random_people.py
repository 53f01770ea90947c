"""Random commands of random people on dealt tables."""

import random

import msgspec
import pytest

from domain.cards.facts import CardDrawn, Passed
from domain.game.protocol import ALL
from domain.games import find
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.mending_commands import Correct
from domain.match.sight import hands_open, holds_hidden, open_at, opened_deals, played_out, viewer_of
from domain.match.state import deal_at, is_complete
from projections.match_view import match_view
from tests.kit.match.tables import Table, options_of, random_deal

ENTRIES = {
    "cross_game": [{"void": True}, {"bidder": 0, "bid": 1, "cross_points": [1, 1]}],
    "over_the_top": [],
    "cross_purposes": [],
}
FORMS = [("cross_game", {}, True), ("cross_purposes", {"variant": "alliance"}, True), ("over_the_top", {}, False)]
FORMS += [("over_the_top", {}, True), ("ristikontra", {}, False), ("parity", {"open_hands": False}, True)]


def actors(game, options):
    seats = [Actor("scorer", person=f"p{seat}") for seat in range(game.seats(options))]
    players = [Actor("player", person=each.person) for each in seats]
    return [*seats, *players, Actor("scorer"), Actor("director"), Actor("spectator"), Actor("director", person="p0")]


def command_of(table, chance, entries):
    match = table.match
    deal = match.deals[-1]
    legal = match.setup.game.legal(deal.table) if not is_complete(match, deal) else ()
    side = chance.randrange(len(match.setup.sides))
    facts = deal.facts
    picks = [
        c.UndoLast(),
        c.VoidDeal(),
        c.RestoreDeal(),
        c.PauseRecording(),
        c.OpenHands(note="x"),
        c.ConfirmResult(deal=deal.number, side=side),
        c.DisputeResult(deal=deal.number, note="x"),
        c.SettleDispute(how=chance.choice(["withdrawn", "upheld"])),
        c.Rule(code="OTH", scores=(0,) * len(match.setup.sides)),
        *(c.EnterResult(entry=entry) for entry in entries),
    ]
    if legal:
        passes = [each for each in legal if isinstance(each, Passed)]
        chosen = passes[0] if passes and chance.random() < 0.6 else chance.choice(legal)
        picks += [c.RecordFacts(facts=(chosen,), it_happened=True)] * 14
    if facts:
        version, old = chance.choice(facts)
        firsts = match.setup.game.legal(match.setup.game.start(match.setup.options, deal.dealer, deal.cards))
        now = chance.choice([old, *legal, *firsts])
        if isinstance(old, CardDrawn):
            now = msgspec.structs.replace(old, card=None)
        picks += [Correct(version=version, now=msgspec.to_builtins(now, enc_hook=str), note="x")] * 2
    if is_complete(match, deal) and chance.random() < 0.1:
        picks = [c.StartDeal(deal=random_deal(match.setup.game.key, match.setup.options, chance.randrange(99)))]
    return chance.choice(picks)


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 60), marks=pytest.mark.extended)], ids=str)
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_random_commands_reveal_nothing_hidden_and_close_nothing_open(form, seeds):
    key, given, known = form
    found: dict[str, str] = {}
    for seed in seeds:
        one_evening(key, given, known, seed, found)
    assert not found, "\n".join(found.values())


def one_evening(key, given, known, seed, found):
    game, chance = find(key), random.Random(seed)
    sides = tuple(tuple(f"p{seat}" for seat in own) for own in game.sides(options_of(key, **given)))
    table = Table(key, sides=sides, options=given)
    options = table.match.setup.options
    table.start(dealer=0, deal=random_deal(key, options, seed) if known else None)
    people, entries, trail = actors(game, options), ENTRIES.get(key, []), []
    ever_open: set[int] = set()
    for _ in range(60):
        actor, command = chance.choice(people), command_of(table, chance, entries)
        draws = {version: fact for version, fact in table.log if isinstance(fact, CardDrawn) and fact.card is not None}
        # the last card of a deal may be taken back by rule: only what was opened for another reason counts
        before = {
            deal.number
            for deal in table.match.deals
            if hands_open(table.match, deal) and holds_hidden(table.match, deal) and not played_out(table.match, deal)
        }
        try:
            table.do(command, actor)
        except Refusal:
            continue
        trail.append((actor.role, actor.person, type(command).__name__))
        told = f"seed {seed}: {trail[-8:]}"
        ever_open |= before
        for deal in table.match.deals:
            if deal.number in ever_open and not is_complete(table.match, deal):
                found.setdefault("back on", f"deal back on: {told}")
            elif deal.number in ever_open and not hands_open(table.match, deal):
                found.setdefault("closed", f"closed again: {told}")
        last = table.match.deals[-1]
        opened = hands_open(table.match, last)
        for version in draws:
            drawn = table.match.superseded.get(version)
            of = deal_at(table.match, version)
            if open_at(table.match, version) and not (of.opened or played_out(table.match, of)):
                found.setdefault("draw", f"a draw is told (superseded {drawn}): {told}")
        for person in people:
            viewer = viewer_of(table.match, person)
            if viewer == ALL or opened or not known:
                continue
            view = match_view("m", "c", table.match, {}, viewer, opened_deals(table.match))
            full = match_view("m", "c", table.match, {}, ALL, opened_deals(table.match))
            for seat, hand in enumerate(view.table["hands"]):
                start = game.view(game.start(options, last.dealer, last.cards), viewer).hands
                if seat != viewer and hand is not None and full.table["hands"][seat] and start[seat] is None:
                    found.setdefault("hand", f"seat {seat} shown to {viewer}: {told}")
    return found
