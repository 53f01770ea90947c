"""Onlookers are behind the table, by whatever road they ask: what is held back changes no byte of what they receive."""

import json
import re
from threading import Thread

import pytest

from domain import codec
from tests.kit.faults.processes import until
from tests.kit.games.strategies import played_out
from tests.kit.service.asking import House, a_problem, first_of_stream, later
from tests.kit.service.club_evenings import Evening
from tests.kit.service.receivers import receiving
from tests.recorded.tables import Table

MATCH = ("", "?as_of=9999", "?as_of=2099-01-01T00:00:00Z", "/events", "/events?after=3", "/audit", "/door")
MATCH += tuple(f"/projections/{name}" for name in ("tricks", "scoreboard", "lurch", "timeline", "cross_points"))
PAGES = ("", "/replay", "/replay?at=9999", "/audit", "/live")
CLUB = ("", "/matches", "/matches?as_of=99999", "/matches?as_of=2099-01-01T00:00:00Z", "/events", "/events?after=4")
CLUB += ("/players", "/tournaments", "/ratings?game=parity", "/seasons", "/ladder?game=parity", "/settings")
CUP = ("", "/standings", "/events", "/crosstable", "/bracket", "/results.csv", "/trf", "/archive", "?as_of=9999")
CUP_PAGES = ("", "/standings", "/bracket", "/crosstable", "/entries", "/show", "/results.txt")
STREAMED = ("/live",)


class Onlooker:
    """Somebody who neither plays, keeps the score nor directs: all that is received of a club."""

    def __init__(self, house, role, matches, cups=()):
        self.house, self.role, self.matches, self.cups = house, role, matches, cups

    def receives(self):
        """Every answer, with its headers."""
        found = {}
        for match in self.matches:
            for each in MATCH:
                found[match, each] = self.asked(match + each)
            found["framed", match] = self.asked(f"/embed{match.removeprefix('/api/v1')}")
            for each in PAGES:
                path = match.removeprefix("/api/v1") + each
                found[path] = self.streamed(path) if each in STREAMED else self.asked(path, Accept="text/html")
        for each in CLUB:
            found[each] = self.asked(self.house.path + each)
        club = f"/clubs/{self.house.id}"
        pages = ("/", club, f"{club}/wall", f"{club}/wall?slide=2", f"{club}/results.txt", f"{club}/season")
        found |= {each: self.asked(each, Accept="text/html") for each in pages}
        found["wall"] = self.streamed(f"{club}/wall/live")
        for cup in self.cups:
            found |= {(cup, each): self.asked(cup + each) for each in CUP}
            pages = (cup.removeprefix("/api/v1") + each for each in CUP_PAGES)
            found |= {each: self.asked(each, Accept="text/html") for each in pages}
        return found

    def asked(self, path, **headers):
        answer = self.house.ask("GET", path, role=self.role, headers=headers)
        return answer.status_code, sorted(answer.headers.items()), answer.content

    def streamed(self, path):
        return first_of_stream(self.house.client, path, {"Accept": "text/event-stream"}, b"data: ")[2]

    def positions(self):
        lines = self.asked(f"{self.house.path}/events")[2].splitlines()
        return [json.loads(line)["position"] for line in lines]


@pytest.fixture
def club(client, database):
    with House(client, database, public=True) as found:
        yield found


def dealt(house, form, delay, seed=1, **more):
    """A match with a deal of open cards that is begun, and its facts."""
    game, options, dealer, deal, facts, _ = played_out(form, seed)
    sides = [[f"P{seat}" for seat in side] for side in game.sides(options)]
    table = Table(house, form[0], sides, options=form[1], delay=delay, target=None, deals=2, **more)
    return table, {"dealer": dealer, "deal": codec.plain(deal), "depth": "full"}, facts


RESTS = 8  # facts of the deal: both calls, and three tricks


@pytest.mark.parametrize(
    ("role", "delay", "told", "held"), [("spectator", "trick", RESTS, RESTS + 1), (None, "deal", 0, 20)]
)
def test_nothing_that_is_held_back_changes_what_an_onlooker_receives(club, role, delay, told, held):
    table, deal, facts = dealt(club, ("parity", {}), delay)
    other = club.match("parity", (("Xenia",), ("Yves",)))
    onlooker = Onlooker(club, role, [table.path, other])
    if told:
        table.deal(**deal)
        table.facts(facts[:told])
    before, end = onlooker.receives(), onlooker.positions()
    if not told:
        table.deal(**deal)
    table.facts(facts[told:held])
    after = onlooker.receives()
    assert differing(before, after) == []
    assert onlooker.positions() == end == [*range(1, len(end) + 1)]
    table.facts(facts[held:])
    freed = onlooker.receives()
    for place in ("", "/events", "/projections/scoreboard"):
        assert before[table.path, place] != freed[table.path, place], "the deal is over"
    assert onlooker.positions() == [*range(1, club.position() + 1)], "each event once, in order"
    for place in ("/matches", "wall", ("framed", table.path), f"/clubs/{club.id}/wall"):
        assert freed[place] != before[place]


def test_who_sits_at_the_table_or_directs_is_told_at_once(club):
    table, deal, facts = dealt(club, ("parity", {}), "deal")
    table.deal(**deal)
    table.facts(facts[:5])
    for role in ("scorer", "director", "owner", table.player(0)):
        assert club.get(table.path, role).json()["version"] == 7
        assert len(club.get(f"{club.path}/events", role).content.splitlines()) == club.position()
    stranger = club.token("player", player=club.get(club.match(), "owner").json()["sides"][0]["players"][0])
    assert club.get(table.path, stranger).json()["version"] == 1


def test_refusals_do_not_tell_an_onlooker_the_progress_of_a_match(club):
    table, deal, facts = dealt(club, ("parity", {}), "deal")
    told = []
    for played in (0, 6):
        if played:
            table.deal(**deal)
            table.facts(facts[:played])
        answers = [
            club.post(f"{table.path}/{what}", body, "spectator").content
            for what, body in (
                ("facts", {"facts": [codec.plain(facts[0])], "expected_version": 3}),
                ("results", {"entry": {"parity": "odd", "tricks": [9, 6]}, "expected_version": 1}),
                ("confirmations", {"deal": 1, "side": 0, "expected_version": 8}),
                ("undo", {"expected_version": 8}),
            )
        ]
        told.append(answers)
    assert told[0] == told[1]


def test_a_webhook_waits_with_everybody(club):
    with receiving() as receiver:
        club.done(f"{club.path}/webhooks", {"url": receiver.url}, "owner")
        table, deal, facts = dealt(club, ("parity", {}), "deal")
        opened = club.position()
        until(lambda: receiver.positions[-1:] == [opened])
        table.deal(**deal)
        table.facts(facts[:9])
        club.match()  # in another match it goes on, and that waits too: positions have no holes
        assert receiver.positions[-1] == opened
        table.facts(facts[9:])
        until(lambda: receiver.positions[-1:] == [club.position()])
        heard = [*dict.fromkeys(receiver.positions)]  # at least once each: on a busy machine some may come again
        assert heard == sorted(heard)


def test_a_stream_goes_on_where_it_was_held_and_leaves_nothing_out(club):
    table, deal, facts = dealt(club, ("parity", {}), "deal")
    table.deal(**deal)
    got = {}

    def follow(path, last):
        got[path] = first_of_stream(club.client, path, {"Accept": "text/event-stream"}, b"\nid: %d\n" % last, 60)[2]

    last = 2 + len(facts)
    end = club.position() + len(facts)
    paths = {f"{table.path}/events": last, f"{club.path}/events": end}
    followers = [Thread(target=follow, args=each) for each in paths.items()]
    for each in followers:
        each.start()
    for at in range(0, len(facts), 7):
        table.facts(facts[at : at + 7])
    for each in followers:
        each.join(70)
    for path, number in paths.items():
        ids = [int(each) for each in re.findall(rb"\nid: (\d+)\n", got[path])]
        assert ids == [*range(1, number + 1)]


def test_a_table_that_nobody_hears_of_any_more_keeps_nobody_waiting(club):
    table, deal, facts = dealt(club, ("parity", {}), "deal")
    table.deal(**deal)
    table.facts(facts[:3])
    assert club.get(table.path, None).json()["version"] == 1
    with later(club.client, hours=7):
        assert club.get(table.path, None).json()["version"] == 5
        assert len(club.get(f"{club.path}/events", None).content.splitlines()) == club.position()


def test_results_of_a_round_are_told_when_it_is_over(club):
    plan = [{"format": {"kind": "round-robin"}, "game": "parity"}]
    cup = Evening(club, plan, players=4, plan={"delay": "round"})
    cup.act({"do": "pair_round"})
    one, other = (each["fixture"] for each in cup.open())
    tables = [f"/api/v1/matches/{each['match']}" for each in cup.open()]
    onlooker = Onlooker(club, None, tables, [cup.path])
    before = onlooker.receives()
    cup.act({"do": "report", "fixture": one, "winner": 0})
    table = Table.of(club, tables[1].rpartition("/")[2])
    table.deal(dealer=0)
    table.done("results", {"entry": {"parity": "odd", "tricks": [9, 6]}, "deal": 1})
    held = onlooker.receives()
    assert [place for place in differing(before, held) if "/archive" not in place] == []
    assert a_problem(club.get(f"{cup.path}/archive", None), 403, "forbidden")
    assert club.get(cup.path, "director").json()["rounds"][0]["pairings"][0]["status"] == "decided"
    cup.act({"do": "report", "fixture": other, "winner": 1})
    freed = onlooker.receives()
    for place in ("", "/standings", "/events", "/crosstable", "/results.csv"):
        assert before[cup.path, place] != freed[cup.path, place]
    assert freed[tables[1], ""] != before[tables[1], ""]


def differing(before, after):
    """The places at which something else was received."""
    return [place for place in before if before[place] != after[place]]
