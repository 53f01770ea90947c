"""Score sheets: every deal fits the blank of its game, and a filled sheet says word for word what notation writes."""

import json
import re
from functools import cache
from pathlib import Path

from domain.game.protocol import ALL
from domain.match.evolve import fold
from domain.match.state import NoMatch
from domain.notation import history
from domain.notation.ctn_write import dumps
from domain.notation.match_history import events_of, places_of
from domain.notation.write_course import NumberedEvent
from projections.score_sheet import SheetDeal, sheet_deals
from tests.kit.games.made_up_game import GAME
from tests.kit.games.strategies import naming

DEALS = Path(__file__).parents[2] / "data" / "deals.jsonl"
ONE_OF_EACH = 3


@cache
def histories():
    """Some deals of every rule set."""
    found: dict[str, list[str]] = {}
    for line in DEALS.read_text(encoding="utf-8").splitlines():
        read = json.loads(line)
        found.setdefault(read["rules"], []).append(json.dumps(read["history"]))
    return [(rules, line) for rules, lines in found.items() for line in lines[:ONE_OF_EACH]]


def played(line):
    """The match of a history, and its events."""
    read = history.read(line)
    count = sum(map(len, places_of(read)))
    people = iter(f"01a1fea4-0000-7000-8000-00000000000{n}" for n in range(count))
    sides = tuple(tuple(next(people) for _ in seats) for seats in places_of(read))
    news = events_of(read, sides)
    events = [NumberedEvent(version, new.event) for version, new in enumerate(news, start=1)]
    return fold(NoMatch(), [(each.version, each.event) for each in events]), events


def words(deal: SheetDeal) -> list[str]:
    """The words of a sheet from left to right, as notation has them."""
    found = []
    for each in deal.stretches:
        found += [each.mark, *each.calls, *(word for turn in each.turns for word in turn.words)]
        found += ["=" + "-".join(map(str, each.sums))] if each.sums else []
    return [word for word in (*found, "=void" if deal.void else "") if word]


def noted(match, events) -> list[str]:
    """The words of the same deal in notation, without the numbers of tricks, tags and the score."""
    names = [["name"] * len(side) for side in match.setup.sides]
    lines = [line for line in dumps(events, names).splitlines() if line and not line.startswith(("[", "R ", "!"))]
    return [re.sub(r"^\d+\.", "", word) for line in lines for word in line.split()]


def test_a_filled_sheet_says_what_notation_writes():
    for rules, line in histories():
        with naming((rules, line)):
            match, events = played(line)
            (deal,) = sheet_deals(match, ALL, frozenset())
            assert words(deal) == noted(match, events)
            scores = match.setup.game.score(match.deals[0].table).sheet
            assert deal.void or {each.score for each in deal.scores} <= set(scores)


def test_a_deal_fits_the_blank_sheet_of_its_game():
    for rules, line in histories():
        with naming((rules, line)):
            match, _ = played(line)
            (deal,) = sheet_deals(match, ALL, frozenset())
            blank = match.setup.game.paper(match.setup.options)
            assert [each.mark for each in deal.stretches] == [each.mark for each in blank]
            for each, room in zip(deal.stretches, blank, strict=True):
                assert len(each.turns) <= room.turns
                assert len(each.sums) == room.sums or deal.void
                cards = [[word for word in turn.words if word != "-" and ":" not in word] for turn in each.turns]
                assert max(map(len, cards), default=0) <= room.words
                assert room.calls > 0 or not each.calls


def test_a_game_without_a_sheet_has_room_for_its_pack():
    (only,) = GAME.paper(GAME.options())
    assert (only.mark, only.turns, only.words) == ("", 2, 2)
