"""The signal policy of a match: who may know of a finding, and when (`sight_of`, `may_be_known`)."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from domain.game.protocol import ALL
from domain.log.actor import Actor, Right
from domain.match import commands as c
from domain.match.audit.findings import findings
from domain.match.sight import audience_of, may_be_known, sight_of
from domain.match.windows import Moment, Posting, timed
from tests.kit.match.tables import Table, deal_for

CLUB = "c"
AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
ANN = Actor("player", CLUB, person="ann", strength="own device")
SCORER = Actor("scorer", CLUB)
DIRECTOR = Actor("director", CLUB, person="dee")
PLAYING = Actor("director", CLUB, person="ann")
FRIEND = Actor("deputy", CLUB, person="eve", close=("ben",))
PROGRAM = Actor("director", CLUB, close=("ann",), strength="token")
BY_CODE = Actor("player", CLUB, person="ben", strength="table", by_code=True)
ON_LOOKERS = (Actor(), Actor("spectator", CLUB), Actor("player", CLUB, person="zed"))
AT_TABLE = (ANN, SCORER, PLAYING, FRIEND, PROGRAM, BY_CODE)
RESULT = {"parity": "odd", "tricks": [9, 6]}


def revoked(signals, **more):
    """A match whose first deal is on, with a finding in it: a call out of turn."""
    table = Table("parity", signals=signals, target=None, deals=2)
    table.start(dealer=0, **more)
    table.record((0, "trump", "S"))
    assert findings(table.match), "there is something to tell"
    return table


def over(table):
    """The deal is entered as it ended."""
    table.enter(RESULT)
    return table


def at(table, minutes=0, heard=(), posting=None):
    """So many minutes after everything was recorded."""
    times = dict.fromkeys(timed(table.match), AT)
    return Moment(AT + timedelta(minutes=minutes), times, posting, frozenset(heard))


def knows(table, actor, moment=None):
    return may_be_known(table.match, table.match.deals[0], actor, moment or at(table))


def each(table, actors, moment=None):
    return {knows(table, actor, moment) for actor in actors}


def test_a_playing_or_scoring_director_sees_what_the_table_sees():
    match = revoked("quiet").match
    assert {audience_of(match, actor) for actor in AT_TABLE} == {"table"}
    assert {audience_of(match, actor) for actor in ON_LOOKERS} == {"public"}
    assert audience_of(match, DIRECTOR) == "director"
    both = Actor(rights=(Right("director", CLUB, person="ann"), Right("player", CLUB, person="ann")))
    assert audience_of(match, both) == "table"


def test_a_name_tapped_at_this_table_takes_nothing_from_a_director():
    tapped = Right("player", CLUB, match="m", person="ann", strength="table", by_code=True)
    caller = Actor(rights=(Right("director", CLUB, person="dee", strength="own device"), tapped))
    assert audience_of(revoked("quiet").match, caller) == "director"


def test_quiet_signals_the_table_and_director_together_and_the_public_later():
    table = revoked("quiet")
    assert each(table, (*AT_TABLE, *ON_LOOKERS, DIRECTOR)) == {False}
    over(table)
    assert each(table, (*AT_TABLE, DIRECTOR)) == {True}
    assert each(table, ON_LOOKERS) == {False}
    table.start()
    assert each(table, ON_LOOKERS) == {False}, "the next deal has begun, and nothing has happened in it"
    table.record((0, "trump", "S"))
    assert each(table, ON_LOOKERS) == {True}


def test_quiet_is_what_was_never_said():
    assert revoked(None).match.setup.signals == "quiet"


def test_loud_tells_the_table_at_once_and_the_public_after_t1():
    table = revoked("loud")
    assert each(table, (*AT_TABLE, DIRECTOR)) == {True}
    assert each(table, ON_LOOKERS) == {False}
    over(table)
    assert each(table, ON_LOOKERS) == {False}
    table.enter(RESULT)
    assert each(table, ON_LOOKERS) == {True}


def test_silent_tells_directors_at_once_and_nobody_else_before_t2_ends():
    table = revoked("silent")
    assert knows(table, DIRECTOR)
    over(table).enter(RESULT)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=2, side=side))
    everybody = (*AT_TABLE, *ON_LOOKERS)
    assert each(table, everybody) == {False}
    assert each(table, everybody, at(table, 29)) == {False}
    assert each(table, everybody, at(table, 30)) == {True}
    waits, posted = Posting(None), Posting(AT + timedelta(hours=1))
    assert each(table, everybody, at(table, 300, posting=waits)) == {False}
    assert each(table, everybody, at(table, 89, posting=posted)) == {False}
    assert each(table, everybody, at(table, 90, posting=posted)) == {True}


def test_a_ruling_tells_of_its_own_deal_under_every_policy():
    for signals in ("loud", "quiet", "silent"):
        table = over(revoked(signals))
        table.enter(RESULT)
        table.do(c.Rule(code="REV", deal=2))
        second = table.match.deals[1]
        assert {may_be_known(table.match, second, each) for each in (*AT_TABLE, *ON_LOOKERS)} == {True}
        if signals == "silent":
            assert each(table, (*AT_TABLE, *ON_LOOKERS)) == {False}


def test_the_last_deal_is_public_ten_minutes_after_its_last_fact():
    table = over(revoked("quiet"))
    table.enter(RESULT)
    last = table.match.deals[-1]
    told = [may_be_known(table.match, last, ON_LOOKERS[0], at(table, minutes)) for minutes in (0, 9, 10)]
    assert told == [False, False, True]
    assert not may_be_known(table.match, last, ON_LOOKERS[0], None), "without a moment no time has passed"


def test_a_called_director_sees_the_findings_of_a_quiet_table():
    table = revoked("quiet")
    assert knows(table, DIRECTOR, at(table, heard={1}))
    assert not knows(table, PLAYING, at(table, heard={1}))
    assert not knows(table, ON_LOOKERS[0], at(table, heard={1}))


@pytest.mark.parametrize("signals", ["loud", "quiet", "silent"])
def test_no_finding_tells_of_a_hand_that_is_hidden(signals):
    table = Table("parity", signals=signals, target=None, deals=2, options={"open_hands": False})
    table.start(dealer=0, deal=deal_for("parity", seed=3), depth="full")
    table.record((0, "trump", "S"))
    assert findings(table.match)
    seated = (ANN, PLAYING, BY_CODE)
    assert each(table, seated) == {False}
    assert knows(table, SCORER) == (signals == "loud")
    table.do(c.PauseRecording())
    over(table)
    assert each(table, seated) == {False}, "the hands of a deal that was cut short are closed while it can be put back"
    table.enter(RESULT)
    assert each(table, seated) == {signals != "silent"}
    assert sight_of(table.match, SCORER, at(table)).viewer == ALL


def test_visibility_lists_signalled_and_open_deals():
    table = over(revoked("quiet"))
    table.start()
    sight = sight_of(table.match, ANN)
    assert (sight.viewer, sight.opened, sight.told) == (0, frozenset({1}), frozenset({1}))
    assert sight_of(table.match, ON_LOOKERS[0]).told == frozenset()


def test_a_seal_before_its_time_ends_the_silence():
    table = over(revoked("silent"))
    sealed = msgspec.structs.replace(table.match, sealed=table.match.version)
    assert may_be_known(sealed, sealed.deals[0], ANN)
