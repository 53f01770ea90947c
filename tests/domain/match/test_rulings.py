"""Rulings: who may make them, when, with which scores, and their effects."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.log.actor import Actor
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import figures_of, match_confirmed
from domain.match.rulings import least_procedural
from domain.match.state import procedural_points, race_of, race_scores, ruled_scores
from domain.match.windows import Moment, Posting
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from tests.domain.match.test_remedies import REVOKE
from tests.kit.match.tables import Table

ANNIE, BENNY = Actor("player", person="0.0", strength="own device"), Actor("player", person="1.0", strength="table")
SCORER, DIRECTOR, DEE = Actor("scorer"), Actor("director"), Actor("director", person="dee")
NINE, TEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}
NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


@pytest.fixture
def table():
    made = Table("parity", sides=(("0.0",), ("1.0",)), target=100)
    made.do(c.EnterResult(entry=NINE), SCORER)
    return made


@pytest.fixture
def revoke():
    """Cross Purposes with the planted revoke of the notation's example, and where it is."""
    made = Table("cross_purposes", sides=(("0.0",), ("1.0",)), target=100)
    read = loads(REVOKE)[0].state.deals[0]
    made.start(dealer=read.dealer)
    made.record(*(fact for _, fact in read.facts), it_happened=True)
    ten = next(version for version, fact in made.match.deals[0].facts if str(getattr(fact, "card", "")) == "ST")
    found = [version for version, fact in made.match.deals[0].facts if str(getattr(fact, "card", "")) == "ST"]
    return made, found[-1] if found else ten


def test_a_director_rules_and_neither_a_scorer_nor_a_player_does(table):
    for actor in (SCORER, ANNIE, BENNY, Actor("secretary"), Actor()):
        assert table.refused(c.Rule(code="REV", deal=1, scores=(0, 17)), actor).slug == "forbidden"
    table.do(c.Rule(code="REV", deal=1, scores=(0, 17)), DIRECTOR)
    assert table.race.totals == (0, 17)


def test_a_remedy_brings_its_scores_and_the_finding_as_it_was_found(revoke):
    table, at = revoke
    named = (c.NamedFinding("REV", at),)
    ruling = c.Rule(code="REV", deal=1, at=at, remedy="tricks-pass", findings=named, note="held H3")
    table.do(ruling, DIRECTOR)
    made = next(event for _, event in table.log if isinstance(event, e.RulingMade))
    assert (made.scores, made.remedy, made.instance) == ((40, 56), "tricks-pass", 1)
    assert made.rule == "CP.5"
    assert made.audit is not None
    (found,) = made.findings
    assert (found.code, found.at) == ("REV", at)
    assert at in found.rests_on
    assert table.race.totals == (40, 56)


def test_scores_that_contradict_the_named_remedy_are_refused(revoke):
    table, at = revoke
    refusal = table.refused(c.Rule(code="REV", deal=1, at=at, remedy="tricks-pass", scores=(32, 63)), DIRECTOR)
    assert (refusal.slug, refusal.extra["scores"]) == ("changed", (40, 56))
    assert table.refused(c.Rule(code="REV", deal=1, remedy="stands", scores=(40, 56)), DIRECTOR).slug == "malformed"
    assert table.refused(c.Rule(code="REV", deal=1, remedy="assigned"), DIRECTOR).slug == "malformed"
    assert table.refused(c.Rule(code="REV", deal=1, remedy="procedural"), DIRECTOR).slug == "malformed"
    assert table.refused(c.Rule(code="REV", deal=1, remedy="tricks-pass"), DIRECTOR).slug == "misfit"  # whose was it?
    assert table.refused(c.Rule(code="REV", deal=1, at=at, remedy="no-such"), DIRECTOR).slug == "misfit"


def test_scores_lie_within_the_range_of_the_game(table):
    for scores in ((-1, 0), (26, 0), (0, 1000)):
        refusal = table.refused(c.Rule(code="OTH", deal=1, scores=scores, exceptional=True, note="x"), DIRECTOR)
        assert (refusal.slug, "0 to 25" in refusal.detail) == ("malformed", True)


def test_scores_that_no_deal_gives_need_a_second_yes_and_the_reason(table):
    assert table.refused(c.Rule(code="OTH", deal=1, scores=(12, 12)), DIRECTOR).slug == "confirm-needed"
    assert table.refused(c.Rule(code="OTH", deal=1, scores=(12, 12), exceptional=True), DIRECTOR).slug == "malformed"
    table.do(c.Rule(code="OTH", deal=1, scores=(12, 12), exceptional=True, note="the light went out"), DIRECTOR)
    assert table.race.totals == (12, 12)


def test_procedural_points_count_in_the_race_and_stand_apart(table):
    assert least_procedural(table.match) == -20
    for points in ((1, 0), (-21, 0), (-5,), (-5, 0, 0)):
        assert table.refused(c.Rule(code="SLO", deal=1, procedural=points), DIRECTOR).slug == "malformed"
    table.do(c.Rule(code="SLO", deal=1, remedy="procedural", procedural=(-5, 0)), DIRECTOR)
    deal = table.match.deals[0]
    assert (race_scores(table.match, deal)[0], procedural_points(deal)) == ((19, 0), (-5, 0))
    assert table.race.totals == (14, 0)


def test_without_a_target_twenty_procedural_points_are_the_most():
    table = Table("parity", sides=(("0.0",), ("1.0",)), deals=4)
    table.do(c.EnterResult(entry=NINE), SCORER)
    assert table.refused(c.Rule(code="SLO", deal=1, procedural=(0, -21)), DIRECTOR).slug == "malformed"
    table.do(c.Rule(code="SLO", deal=1, procedural=(0, -20)), DIRECTOR)
    assert table.race.totals == (19, -20)


def test_procedural_points_of_a_void_deal_count_and_the_deal_does_not():
    table = Table("parity", sides=(("0.0",), ("1.0",)), deals=2)
    table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.Rule(code="DUP", deal=1, remedy="void", procedural=(-3, 0)), DIRECTOR)
    assert (table.race.totals, table.race.finished) == ((-3, 0), False)
    table.do(c.EnterResult(entry=NINE), SCORER)
    assert not table.race.finished, "a void deal is none of the two"
    table.do(c.EnterResult(entry=NINE), SCORER)
    assert table.race.finished
    assert table.race.totals == (35, 0)


def test_a_ruling_voids_a_deal_and_the_next_restores_it(table):
    ruled = table.do(c.Rule(code="DUP", deal=1, remedy="void", note="a foul pack"), DIRECTOR)
    assert [type(event).__name__ for _, event in table.log[-2:]] == ["RulingMade", "DealVoided"]
    assert table.log[-1][1].code == "DUP"
    assert (ruled, table.race.totals) == (table.match.version, (0, 0))
    last = table.match.deals[0].rulings[-1].version
    table.do(c.Rule(code="DUP", deal=1, remedy="stands", supersedes=last, note="the pack was whole"), DIRECTOR)
    assert (table.match.deals[0].void, table.race.totals) == (False, (19, 0))


def test_entries_that_a_ruling_names_are_of_that_deal_and_in_force(revoke):
    table, _ = revoke
    start = table.match.deals[0].version
    for wrong in (9999, start - 1):
        assert table.refused(c.Rule(code="REV", deal=1, at=wrong, scores=(40, 56)), DIRECTOR).slug == "misfit"
        named = (c.NamedFinding("REV", wrong),)
        assert table.refused(c.Rule(code="REV", deal=1, findings=named, scores=(40, 56)), DIRECTOR).slug == "misfit"
    last = table.match.deals[0].facts[-1][0]
    table.do(c.UndoLast(), SCORER)
    refusal = table.refused(c.Rule(code="REV", deal=1, at=last, scores=(40, 56)), DIRECTOR)
    assert (refusal.slug, "replaced" in refusal.detail) == ("misfit", True)


def test_what_the_record_does_not_show_is_testimony(table):
    named = (c.NamedFinding("REV", 3),)
    table.do(c.Rule(code="REV", deal=1, scores=(0, 17), findings=named, held="Benny saw the king"), DIRECTOR)
    ruling = table.match.deals[0].rulings[0]
    assert [each.grade for each in ruling.findings] == ["T"]


def test_of_two_directors_at_once_the_second_is_told(table):
    first = c.Rule(code="REV", deal=1, scores=(0, 17), note="proven")
    version = table.do(first, DEE)
    refusal = table.refused(c.Rule(code="REV", deal=1, remedy="stands"), DIRECTOR)
    assert (refusal.slug, refusal.extra["ruling"]) == ("changed", version)
    assert table.refused(c.Rule(code="REV", deal=1, scores=(0, 17), supersedes=99), DIRECTOR).slug == "changed"
    table.do(c.Rule(code="REV", deal=1, remedy="stands", supersedes=version), DIRECTOR)
    assert (ruled_scores(table.match.deals[0]), table.race.totals) == (None, (19, 0))


def test_nobody_supersedes_a_ruling_that_there_is_not(table):
    assert table.refused(c.Rule(code="REV", deal=1, scores=(0, 17), supersedes=3), DIRECTOR).slug == "changed"


def test_after_t2_only_appeals_change_a_ruling(table):
    table.do(c.EnterResult(entry=TEN), SCORER)
    version = table.do(c.Rule(code="REV", deal=1, scores=(0, 17)), DIRECTOR)
    inside = Moment(NOW, {}, Posting(NOW - timedelta(minutes=29)))
    late = Moment(NOW, {}, Posting(NOW - timedelta(minutes=30)))
    again = c.Rule(code="REV", deal=1, remedy="stands", supersedes=version, moment=late)
    refusal = table.refused(again, DIRECTOR)
    assert (refusal.slug, refusal.extra["window"]) == ("window-closed", "T3")
    appeal = c.Rule(code="REV", deal=1, remedy="stands", supersedes=version, moment=late, instance=2, case="c")
    sealed = Moment(NOW, {}, Posting(NOW - timedelta(days=8)))
    gone = c.Rule(code="REV", deal=1, remedy="stands", supersedes=version, moment=sealed, instance=2)
    assert table.refused(gone, DIRECTOR).slug == "window-closed"
    assert table.refused(c.Rule(code="REV", deal=1, scores=(0, 17), instance=2, moment=late), DIRECTOR).slug
    table.do(appeal, DIRECTOR)
    assert table.match.deals[0].rulings[-1].instance == 2
    last = table.match.deals[0].rulings[-1].version
    other = c.Rule(code="REV", deal=1, scores=(0, 17), supersedes=last, moment=inside)
    assert "final" in table.refused(other, DIRECTOR).detail


def test_a_side_accepts_for_itself_and_the_ruling_is_named(table):
    version = table.do(c.Rule(code="REV", deal=1, scores=(0, 17)), DIRECTOR)
    assert table.refused(c.AcceptRuling(deal=1, side=1), ANNIE).slug == "forbidden"
    for actor in (SCORER, DIRECTOR, Actor("player", person="9.9")):
        assert table.refused(c.AcceptRuling(deal=1, side=1), actor).slug == "forbidden"
    assert table.refused(c.AcceptRuling(deal=1, side=0, ruling=3), ANNIE).slug == "changed"
    table.do(c.AcceptRuling(deal=1, side=0, ruling=version), ANNIE)
    event = table.log[-1][1]
    assert (event.ruling, event.person, event.strength) == (version, "0.0", "own device")
    assert table.refused(c.AcceptRuling(deal=1, side=0), ANNIE).slug == "misfit"
    table.do(c.AcceptRuling(deal=1, side=1), BENNY)
    assert table.match.deals[0].rulings[0].accepted == (0, 1)


def test_there_is_nothing_to_accept_without_a_ruling(table):
    assert table.refused(c.AcceptRuling(deal=1, side=0), ANNIE).slug == "misfit"


# --- what follows ---


def played(*taken, **race):
    made = Table("parity", sides=(("0.0",), ("1.0",)), **race)
    for mine in taken:
        made.do(c.EnterResult(entry={"parity": "odd", "tricks": [mine, 15 - mine]}), SCORER)
    return made


def test_a_ruling_that_ends_a_match_earlier_keeps_later_deals():
    table = played(9, 13, 6, 6, target=50)  # 19, 23; then 19 each for the other
    assert (table.race.totals, table.race.finished) == ((42, 38), False)
    table.do(c.Rule(code="REV", deal=1, scores=(0, 25)), DIRECTOR)  # 23–25, 23–44, 23–63
    assert (table.race.winner, table.race.totals) == (1, (23, 63))
    early = played(13, 13, 6, target=60)
    early.do(c.Rule(code="REV", deal=3, scores=(25, 0)), DIRECTOR)
    assert (early.race.winner, early.race.totals) == (0, (71, 0))
    assert len(early.match.deals) == 3


def test_deals_after_the_one_that_now_ends_the_match_do_not_count():
    table = played(9, 9, 6, 6, target=60)  # 19, 38 – then 19, 38
    table.do(c.Rule(code="REV", deal=1, scores=(25, 0)), DIRECTOR)
    assert not table.race.finished
    last = table.match.deals[0].rulings[-1].version
    table.do(c.Rule(code="REV", deal=1, remedy="stands", supersedes=last), DIRECTOR)
    table.do(c.Rule(code="REV", deal=2, scores=(25, 0)), DIRECTOR)
    table = played(15, 13, 6, target=49)  # 25, 48; 48–19
    table.do(c.Rule(code="REV", deal=2, scores=(25, 0)), DIRECTOR)  # over after two
    assert (table.race.winner, table.race.totals, len(table.match.deals)) == (0, (50, 0), 3)


def test_a_ruling_that_opens_a_finished_match_lets_it_be_played_on():
    table = played(15, 15, target=50)
    for side, player in enumerate((ANNIE, BENNY)):
        table.do(c.ConfirmResult(deal=2, side=side), player)
    assert match_confirmed(table.match)
    table.do(c.Rule(code="REV", deal=2, scores=(0, 11)), DIRECTOR)
    assert (table.race.finished, table.race.winner, table.race.totals) == (False, None, (25, 11))
    table.do(c.EnterResult(entry={"parity": "odd", "tricks": [15, 0]}), SCORER)
    assert (table.race.winner, figures_of(table.match)) == (0, (50, 11))


def test_a_deal_stays_in_the_game_in_which_it_was_played():
    table = played(15, 15, 6, 6, 15, target=50, best_of=3)  # 50–0; then 19, 38; 25
    assert [game.totals for game in table.race.games] == [(50, 0)]
    assert table.race.totals == (25, 38)
    table.do(c.Rule(code="REV", deal=1, scores=(0, 25)), DIRECTOR)
    race = table.race
    assert race.games == (), "game 1 is open again, and no deal of game 2 goes into it"
    assert race.totals == (25, 25)
    table.do(c.EnterResult(entry={"parity": "odd", "tricks": [15, 0]}), SCORER)  # game 1 is played on
    assert [game.totals for game in table.race.games] == [(50, 25)]
    assert table.race.totals == (25, 38)


def test_a_ruling_made_before_game_two_moves_later_deals():
    table = played(15, 15, target=50, best_of=3)
    table.do(c.Rule(code="REV", deal=1, scores=(0, 25)), DIRECTOR)
    table.do(c.EnterResult(entry={"parity": "odd", "tricks": [15, 0]}), SCORER)
    assert [game.totals for game in table.race.games] == [(50, 25)]


def test_what_was_ruled_is_written_and_read_back_with_procedural_points(table):
    first = table.do(c.Rule(code="REV", deal=1, scores=(0, 17), note="a first look"), DIRECTOR)
    table.do(c.Rule(code="REV", deal=1, remedy="stands", procedural=(-5, 0), supersedes=first), DIRECTOR)
    text = dumps([NumberedEvent(version, event) for version, event in table.log], [["A"], ["B"]])
    back = loads(text)[0]
    assert not back.problems
    assert race_of(back.state).totals == table.race.totals == (14, 0)
