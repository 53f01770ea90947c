"""The clubs of the first recording: every type of event that there was in November 2026, at schema 1."""

import json
from pathlib import Path

from domain import codec
from domain.cards.card import SUITS
from domain.cards.facts import CardDrawn
from domain.notation import history
from service.cli import clerk, intake
from tests.kit.games import playthrough
from tests.recorded import scenes_tournaments
from tests.recorded.tables import Table

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = Path(__file__).parents[1] / "data"
CHOSEN = [
    "notation",
    "partners-2026-09-17",
    "short-cup",
    "paper-sheet",
    "parity-double-lurch",
    "guests-from-graz",
    "golden-point",
    "alliance-2026-09-24",
]
DEALT = [
    ("cross_game", {}),
    ("cross_purposes", {}),
    ("cross_purposes", {"variant": "fixed"}),
    ("cross_purposes", {"variant": "alliance", "scoring": "winner_only"}),
    ("garbo", {}),
    ("get_stuck", {}),
    ("over_the_top", {}),
    ("parity", {"open_hands": False}),
    ("ristikontra", {"spice": True}),
    ("ristikontra", {"cleaning": True, "dishonour_points": 2}),
]
PHYSICAL = [
    ("cross_game", {}),
    ("cross_purposes", {"variant": "fixed"}),
    ("garbo", {"claims": "manual"}),
    ("get_stuck", {}),
    ("over_the_top", {"no_numeral": "ten"}),
    ("parity", {}),
    ("ristikontra", {"refill": "after_card"}),
    ("ristikontra", {"spice": True}),
    ("ristikontra", {"cleaning": True}),
]
# lines that no reader of CTN knows, a word against the rules, a ruling that gives no scores, a sum that is wrong
PAPER = """[Event "Thursday"] [Date "2026-11-05"] [Round "1"] [Table "3"] [Colour "green"]
[Game "parity"] [Rules "parity/1"] [A "Ida Holm"] [B "Per Aas"]
[Deal "1"] [Dealer "A"] [Detail "plays"]
{deal}
! seen by=Olga what="B looked at the stock"
! ruling REV by=Dee why="B held hearts" accepted=A => A 20 B 0
! confirmed B
! confirmed B
[Deal "2"] [Dealer "B"] [Detail "summary"]
[Entry "{{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}}"] R A 19 B 0 {{nobody disputes it}}
! spilt coffee over trick seven
! confirmed A,B
"""
# points for a marriage that were written down wrong
MARRIAGE = """[Event "Thursday"] [Date "2026-11-05"]
[Game "cross_game"] [Rules "cross_game/1"] [A "Ida Holm"] [B "Per Aas"]
[Deal "1"] [Dealer "A"] [Detail "plays"]
{deal}
"""


def play(stage):
    """All clubs."""
    examples(stage)
    house = stage.house()
    for form in DEALT:
        dealt(stage, house, *form)
    for form in PHYSICAL:
        physical(house, *form)
    broken(house)
    rare(stage, house)
    paper(stage)
    closed = stage.house(public=False)
    closed.done(f"{closed.path}/players", {"name": "Ørjan Member"}, "owner")
    Table(closed, "parity", [["Ørjan Member"], ["A Visitor"]], target=20).entered([9, 6])
    scenes_tournaments.play(stage)


def examples(stage):
    """The examples as the command line imports them, a history among them."""
    for name in CHOSEN:
        text = (EXAMPLES / f"{name}.ctn").read_text(encoding="utf-8")
        stage.run(lambda pool, text=text: intake.import_ctn(pool, "Lantern", True, text, lambda _: None))
    line = (DATA / "deals.jsonl").read_text().splitlines()[-1]
    text = json.dumps(json.loads(line)["history"])
    stage.run(lambda pool: intake.import_histories(pool, "Lantern", True, text, lambda _: None))
    stage.known(stage.run(lambda pool: clerk.club_named(pool, "Lantern")))


def _course(key, given, physical_):
    form = (key, given, physical_)
    return playthrough.course_of(form, playthrough.NUMBERS.get(playthrough.named(form), 1))


def dealt(stage, house, key, given):
    """An electronic deal, strictly: to its end, and the next one with closed hands that is still on."""
    course = _course(key, given, False)
    seats = course.game.seats(course.options)
    sides = [[f"{key} {seat}" for seat in own] for own in course.game.sides(course.options)]
    table = Table(house, key, sides, options=given, recording="strict", deals=3)
    half = course.facts[: max(2, len(course.facts) // 3)]
    for facts in (course.facts, half):
        table.deal(dealer=course.dealer if table.deals == 0 else None, deal=codec.plain(course.deal))
        dealer = table.view["deals"][-1]["dealer"]
        table.facts(facts if dealer == course.dealer else _random(course, dealer, len(half)))
    player = table.view["sides"][0]["players"][0]
    stage.sits(house, table.id, player)
    assert seats == sum(len(each["seats"]) for each in table.view["sides"])


def _random(course, dealer, count):
    """Legal facts from another dealer on."""
    state, facts = course.game.start(course.options, dealer, course.deal), []
    while len(facts) < count and (legal := course.game.legal(state)):
        facts.append(legal[len(facts) % len(legal)])
        state = course.game.evolve(state, facts[-1])
    return facts


def physical(house, key, given):
    """Cards on a table, as a scorer with a device records them, some at a time."""
    course = _course(key, given, True)
    sides = [[f"{key} {seat}" for seat in own] for own in course.game.sides(course.options)]
    table = Table(house, key, sides, options=given, deals=1)
    table.deal(dealer=course.dealer)
    for start in range(0, len(course.facts), 7):
        table.facts(course.facts[start : start + 7])
    table.confirm(0)


def broken(house):
    """A breach of each game that the record keeps, in deals whose cards are known."""
    found = {}
    for line in (DATA / "breaches.jsonl").read_text().splitlines():
        case = json.loads(line)
        found.setdefault(case["history"]["game"], case)
    for key, case in found.items():
        read = history.read(json.dumps(case["history"]))
        sides = [[f"{key} {seat}" for seat in own] for own in read.game.sides(read.options)]
        table = Table(house, key, sides, options=read.given, deals=2)
        table.deal(dealer=read.dealer, deal=codec.plain(read.deal))
        for fact in read.facts[: case["expect"]["error"]["action"] + 4]:
            table.tried(fact)


def rare(stage, house):
    """What happens seldom: undone, withdrawn, paused, void, corrected, stated, confirmed, late."""
    table = Table(house, "cross_purposes", [["Annie"], ["Benny"]], target=150)
    course = _course("cross_purposes", {}, True)
    table.deal(dealer=course.dealer)
    table.facts(course.facts[:9])
    table.done("undo", {"reason": "typed the wrong card"})
    table.done("undo", {"withdrawn": True})
    table.facts(course.facts[7:20])
    slip = table.view["version"]
    table.done("corrections", {"version": slip, "now": codec.plain(course.facts[19]), "reason": "it was said twice"})
    table.done("pause", {"reason": "too fast for me"})
    table.entered({"phases": [[7, 6], [8, 5]], "calls": ["C", "9", "D", "T"]})
    table.done("void-deal", {"reason": "a card lay on the floor"})
    entries = [[9, 6], [4, 11], [8, 7]]
    lurch = {"lines": [1], "win_points": [1, 2]}
    match = Table(house, "parity", [["Annie"], ["Cleo"]], target=60, win_by=2, lurch=lurch)
    for at, tricks in enumerate(entries):
        match.entered(tricks)
        if at == 0:
            match.done("undo", {"reason": "the other way round", "withdrawn": False})
            match.entered([6, 9])
            match.confirm(0)
            match.confirm(1, token=match.player(1))
        if at == 1:
            version = match.view["deals"][1]["entry_version"]
            now = {"parity": "odd", "tricks": [5, 10]}
            match.done("corrections", {"version": version, "now": now, "reason": "a pile was two"})
            match.confirm(0)
    version = match.view["deals"][0]["entry_version"]
    late = {"version": version, "now": {"parity": "even", "tricks": [7, 8]}, "reason": "the paper says so"}
    match.done("corrections", late, "director")
    totals(house)
    match.entered([12, 3], token="director", device=None)
    draws(stage, house)


def totals(house):
    """A total that is called aloud, corrected afterwards."""
    course = _course("over_the_top", {}, True)
    table = Table(house, "over_the_top", [["Dag"], ["Eero"]], deals=2)
    table.deal(dealer=course.dealer)
    table.facts(course.facts)
    table.tried_raw({"do": "total", "seat": 0, "total": 17})
    now = {"do": "total", "seat": 0, "total": 18}
    table.done("corrections", {"version": table.view["version"], "now": now, "reason": "misheard"})


def draws(stage, house):
    """Cards that one seat alone has seen: recorded, corrected, undone."""
    course = _course("cross_game", {}, True)
    table = Table(house, "cross_game", [["Frida"], ["Gus"]], target=21)
    table.deal(dealer=course.dealer)
    drawn = next(at for at, fact in enumerate(course.facts) if isinstance(fact, CardDrawn) and fact.card is not None)
    table.facts(course.facts[: drawn + 1])
    version, card = table.view["version"], course.facts[drawn].card
    other = next(f"{suit}{str(card)[1]}" for suit in SUITS if suit != str(card)[0])
    now = {**codec.plain(course.facts[drawn]), "card": other}
    table.done("corrections", {"version": version, "now": now, "reason": "held it upside down"})
    for side in (0, 1):
        stage.sits(house, table.id, table.view["sides"][side]["players"][0])


def paper(stage):
    """A paper sheet with what no reader knows."""
    file = (EXAMPLES / "parity-lurch.ctn").read_text(encoding="utf-8")
    deal = file.partition('[Detail "plays"]\n')[2].partition("\n!")[0]
    deal = deal.replace("15.DT", "15.DT^REV").replace("A 0 B", "A 1 B")
    text = PAPER.format(deal=deal)
    stage.run(lambda pool: intake.import_ctn(pool, "Lantern", True, text, lambda _: None))
    file = (EXAMPLES / "best-of-three.ctn").read_text(encoding="utf-8")
    deal = "BID B:2 A:- " + file.partition("\nBID B:2 A:- ")[2].partition("\n!")[0].replace("DQ!20", "DQ!40")
    wrong = MARRIAGE.format(deal=deal)
    stage.run(lambda pool: intake.import_ctn(pool, "Lantern", True, wrong, lambda _: None))
