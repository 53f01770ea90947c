"""A deal never returns to an earlier window, even if a ruling or correction resumes the match."""

import random
from datetime import timedelta

import msgspec
import pytest

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.mending_commands import Correct, ProposeCorrection
from domain.match.mends import ORDER
from domain.match.state import is_complete, race_of
from domain.match.windows import Moment, closings, timed, window
from tests.kit.match.moments import RECORDED
from tests.kit.match.tables import Table

SIDES = (("ann",), ("ben",))
ANN, BEN = (Actor("player", person=name, id=name, strength="own device") for name in ("ann", "ben"))
SCORER, DIRECTOR = Actor("scorer"), Actor("director", person="dee", id="dee", strength="own device")
NINE, ELEVEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [7, 8]}
LESS = c.Rule(code="OTH", deal=1, scores=(0, 11), note="It was a revoke.")


class Course:
    """A match with a clock of its own."""

    def __init__(self, **race):
        self.table = Table("parity", sides=SIDES, **(race or {"target": 15}))
        self.now, self.times = RECORDED, {}
        self.stamp()

    @property
    def match(self):
        return self.table.match

    def stamp(self):
        for version in range(1, self.match.version + 1):
            self.times.setdefault(version, self.now)

    def moment(self):
        """Return the moment as the recorder fills it in, with only the times that a window needs."""
        known = {each: self.times[each] for each in timed(self.match)}
        return Moment(self.now, known, None, frozenset())

    def do(self, command, actor, minutes=0):
        self.now += timedelta(minutes=minutes)
        self.table.do(msgspec.structs.replace(command, moment=self.moment()), actor)
        self.stamp()

    def windows(self, minutes=0):
        self.now += timedelta(minutes=minutes)
        found = [window(self.match, deal, self.moment()) for deal in self.match.deals]
        assert [each.window for each in closings(self.match, self.moment())] == found
        return found

    def confirm(self, deal=1):
        for side, actor in enumerate((ANN, BEN)):
            self.do(c.ConfirmResult(deal=deal, side=side), actor)


@pytest.fixture
def over():
    """One deal ends the match, 19–0."""
    course = Course()
    course.do(c.EnterResult(entry=NINE), SCORER)
    return course


def test_a_ruling_that_resumes_a_signed_match_keeps_t2(over):
    over.confirm()
    assert over.windows() == ["T2"]
    over.do(LESS, DIRECTOR, minutes=2)
    assert not race_of(over.match).finished
    assert over.windows() == ["T2"]
    with pytest.raises(Refusal, match="director"):
        over.do(ProposeCorrection(version=3, now=ELEVEN, note="misread"), ANN)


def test_a_ruling_after_the_ten_minutes_leaves_the_last_deal_in_t2(over):
    assert over.windows(minutes=11) == ["T2"]
    over.do(LESS, DIRECTOR)
    assert not race_of(over.match).finished
    assert over.windows() == ["T2"]


def test_a_ruling_within_the_ten_minutes_ends_nothing_at_the_table(over):
    over.do(LESS, DIRECTOR, minutes=9)
    assert over.windows() == ["T0"]
    assert over.windows(minutes=9) == ["T0"], "the match is on: its next deal ends it"


def test_a_correction_that_resumes_a_match_keeps_its_last_deal_in_t2():
    course = Course(target=25)
    course.do(c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]}), SCORER)
    course.do(c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]}), SCORER)
    course.confirm(2)
    assert course.windows() == ["T2", "T2"]
    first = course.match.deals[0].entry[0]
    course.do(Correct(version=first, now=ELEVEN, note="misread"), DIRECTOR)
    assert not race_of(course.match).finished
    assert course.windows() == ["T2", "T2"]


def test_deals_of_a_resumed_match_keep_their_posting_time(over):
    over.windows(minutes=12)
    over.do(LESS, DIRECTOR)
    over.do(c.EnterResult(entry=NINE), SCORER)
    over.confirm(2)
    assert over.windows() == ["T2", "T2"]
    assert over.windows(minutes=29) == ["T3", "T2"], "30 minutes after the ten, and after the end"


def test_no_deal_with_a_result_returns_to_an_earlier_window():
    seen = set()
    for seed in range(300):
        chance, course, before = random.Random(seed), Course(target=30), []
        for _ in range(14):
            over = [is_complete(course.match, deal) for deal in course.match.deals]
            try:
                course.do(*_something(chance, course), minutes=chance.choice([0, 0, 1, 4, 9, 12, 25]))
            except Refusal:
                course.stamp()
            now = course.windows()
            steps = zip(over, before, now, course.match.deals, strict=False)
            assert all(_stays(one, other, deal) for known, one, other, deal in steps if known), (seed, before, now)
            before, seen = now, {*seen, *now}
            seen |= {"back on"} if course.match.reopened else set()
    assert seen >= {"T0", "T1", "T2", "T3", "back on"}


def _stays(one, other, deal):
    return ORDER.index(one) <= ORDER.index(other) or (one, other, deal.mended_in) == ("T3", "T2", "T2")


def _something(chance, course):
    deals = course.match.deals
    if not deals or chance.random() < 0.3:
        return c.EnterResult(entry=chance.choice([NINE, ELEVEN])), SCORER
    deal = chance.choice(deals)
    last = deal.rulings[-1].version if deal.rulings else None
    side = chance.choice([0, 1])
    return chance.choice(
        [
            (c.ConfirmResult(deal=deals[-1].number, side=side), (ANN, BEN)[side]),
            (c.ConfirmResult(deal=deals[-1].number, side=side), (ANN, BEN)[side]),
            (c.Rule(code="OTH", deal=deal.number, scores=(0, 11), supersedes=last, note="x"), DIRECTOR),
            (c.Rule(code="OTH", deal=deal.number, scores=(19, 0), supersedes=last, note="x"), DIRECTOR),
            (Correct(version=deal.entry[0] if deal.entry else 1, now=ELEVEN, note="x"), DIRECTOR),
            (c.UndoLast(), SCORER),
            (c.VoidDeal(note="x"), DIRECTOR),
        ]
    )
