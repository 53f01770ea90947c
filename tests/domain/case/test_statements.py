"""Statements stay sealed until every side has made one, the time has passed or a director opens them."""

from datetime import timedelta

from domain.case import commands as c
from domain.case import events as e
from domain.case.statements import are_open, opens_at
from tests.kit.case import ANNIE, BENNY, DIRK, DORA, START, Heard, who


def is_open(heard):
    return are_open(heard.state, heard.now, heard.times)


def test_nothing_is_open_before_anybody_has_stated():
    heard = Heard()
    heard.later(days=1)
    assert not is_open(heard)
    assert opens_at(heard.state, heard.times) is None


def test_one_statement_stays_sealed_for_the_clubs_minutes_from_itself():
    heard = Heard(minutes=5)
    heard.later(hours=1)
    heard.do(ANNIE, c.MakeStatement(words="He had the ten."))
    heard.later(minutes=5, microseconds=-1)
    assert not is_open(heard)
    heard.later(microseconds=1)
    assert is_open(heard)
    assert opens_at(heard.state, heard.times) == START + timedelta(hours=1, minutes=5)


def test_statements_open_when_every_side_has_made_one():
    heard = Heard(sides=(("annie",), ("benny",), ("cyd",)))
    for _ in range(3):
        heard.do(ANNIE, c.MakeStatement(words="He had the ten."))
    heard.do(BENNY, c.MakeStatement(words="No."))
    assert not is_open(heard)
    heard.do(who("cyd"), c.MakeStatement(words="I looked away."))
    assert is_open(heard)


def test_opening_early_is_an_event_and_opening_again_is_none():
    heard = Heard()
    heard.do(ANNIE, c.MakeStatement(words="He had the ten."))
    assert heard.do(DORA, c.OpenStatements()) == [e.StatementsOpened()]
    assert heard.do(DIRK, c.OpenStatements()) == []


def test_a_director_may_write_down_the_statement_of_a_side():
    heard = Heard()
    heard.refused(ANNIE, c.MakeStatement(words="He says he did.", side=1), "forbidden")
    heard.refused(DORA, c.MakeStatement(words="Well."), "malformed")
    (said,) = heard.do(DORA, c.MakeStatement(words="I did not.", side=1))
    assert (said.side, said.person) == (1, None)
    heard.refused(who("wes", "scorer"), c.MakeStatement(words="I saw it.", side=1), "forbidden")


def test_nothing_is_no_statement_and_there_is_an_end_to_them():
    heard = Heard()
    heard.refused(ANNIE, c.MakeStatement(words="  "), "malformed")
    heard.refused(ANNIE, c.MakeStatement(words="x" * 4001), "malformed")
    for _ in range(20):
        heard.do(ANNIE, c.MakeStatement(words="And another thing."))
    heard.refused(ANNIE, c.MakeStatement(words="And another thing."), "misfit")
    heard.do(BENNY, c.MakeStatement(words="Is she done?"))


def test_zero_minutes_seal_nothing():
    heard = Heard(minutes=0)
    heard.do(ANNIE, c.MakeStatement(words="He had the ten."))
    assert is_open(heard)
