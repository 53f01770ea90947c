"""Recording on a match: one road for every door, judged on the state that is written to, and once for each key."""

import asyncio
from datetime import timedelta
from functools import partial

import psycopg
import pytest

from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.state import race_of
from service.desk.matches import record
from tests.kit.service.desk_room import EVEN, ODD, DeskRoom, request_of

ENTERED = c.EnterResult(entry=ODD)


@pytest.fixture
def annie(room):
    return room.member("Annie")


@pytest.fixture
def match(room, annie):
    return room.match(annie, "Benny")


def totals(room, match):
    return race_of(room.match_of(match)).totals


def outcomes(answers):
    """The slugs of what was refused, and the number of what was taken."""
    slugs = sorted(each.slug for each in answers if isinstance(each, Refusal))
    taken = [each for each in answers if not isinstance(each, BaseException)]
    assert len(slugs) + len(taken) == len(answers), answers
    return len(taken), slugs


@pytest.mark.parametrize("role", ["spectator", "secretary", "player"])
def test_a_role_that_keeps_no_score_is_named_in_the_refusal(room, match, role):
    refusal = room.refused(room.record(room.token(role), match, ENTERED), slug="forbidden")
    assert refusal.detail == f"the role `{role}` may not do this here"


def test_a_right_for_another_table_reaches_nothing_here(room, match):
    there = str(room.match("Cleo", "Dag"))
    room.refused(room.record(room.token("scorer", match=there), match, ENTERED), slug="forbidden")
    room.write(room.token("scorer", match=str(match)), match, ENTERED)


def test_the_log_names_the_person_and_the_least_role_that_allowed_it(room, annie, match):
    room.granted(annie, "scorer")
    room.write(room.person(annie), match, ENTERED)
    room.write(room.person(annie), match, c.StartDeal(dealer=0))
    assert room.events(match)[-1] == ("DealStarted", annie, "scorer")
    assert {each[1:] for each in room.events(match)[1:-1]} == {(annie, "player")}


def test_a_director_who_plays_here_is_recused_and_another_is_not(room, annie, match):
    room.granted(annie, "director")
    room.refused(room.record(room.person(annie), match, c.VoidMatch("it never was")), slug="recused")
    room.write(room.token("director"), match, c.VoidMatch("it never was"))
    assert room.match_of(match).void


def test_a_table_code_allows_scoring_and_no_directing(room, annie, match):
    phone = room.by_code(match, annie)
    room.write(phone, match, ENTERED)
    room.refused(room.record(phone, match, c.VoidMatch("it never was")), slug="forbidden")


def test_a_refusal_of_the_rules_says_which(room, match):
    keeper = room.token("scorer")
    refusal = room.refused(room.record(keeper, match, c.EnterResult(entry={"parity": "odd", "tricks": [9, 9]})))
    assert (refusal.slug, refusal.rule) == ("malformed", "PA.i1")


def test_a_result_applies_to_the_deal_at_the_seen_version(room, match):
    keeper, other = room.token("scorer"), room.token("scorer")
    seen = room.write(keeper, match, c.StartDeal(dealer=0)).last
    room.write(keeper, match, ENTERED)
    late = c.EnterResult(entry=EVEN, expected=seen)
    refusal = room.refused(room.record(other, match, late), slug="already-entered")
    assert (refusal.extra["recorded"], refusal.extra["yours"]) == ((19, 0), (0, 20))


def test_a_second_device_must_confirm_within_a_minute(room, match, monkeypatch):
    keeper, other, stranger = room.token("scorer"), room.token("scorer"), room.token("player")
    room.write(keeper, match, ENTERED)
    room.write(keeper, match, ENTERED)  # the same device goes on unasked
    refusal = room.refused(room.record(other, match, ENTERED), slug="confirm-needed")
    assert '"deal": 3' in refusal.detail
    assert room.refused(room.record(stranger, match, ENTERED)).slug == "forbidden"
    clock = room.recorder.clock
    monkeypatch.setattr(room.recorder, "clock", lambda: clock() + timedelta(minutes=2))
    room.write(other, match, ENTERED)
    assert totals(room, match) == (57, 0)


def test_a_confirmation_signs_what_stands_and_not_what_stood(room, annie, match):
    keeper = room.token("scorer")
    room.write(keeper, match, ENTERED)
    refusal = room.refused(room.record(room.person(annie), match, c.ConfirmResult(deal=1, side=0, scores=(0, 20))))
    assert refusal.slug == "changed"
    room.write(room.person(annie), match, c.ConfirmResult(deal=1, side=0))
    assert room.match_of(match).deals[0].confirmed == (0,)


def test_a_key_is_answered_once_and_never_for_something_else(room, match):
    keeper = room.token("scorer")
    first = room.write(keeper, match, ENTERED, key="once")
    again = room.write(keeper, match, ENTERED, key="once")
    assert (again.first, again.last) == (first.first, first.last)
    assert totals(room, match) == (19, 0)
    reused = room.record(keeper, match, c.EnterResult(entry=EVEN, deal=2), key="once", content=b"another")
    room.refused(reused, slug="key-reused")


def test_a_repeat_of_what_was_refused_is_decided_afresh(room, match):
    keeper = room.token("scorer")
    second = c.EnterResult(entry=EVEN, deal=2)
    room.refused(room.record(keeper, match, second, key="twice"), slug="misfit")
    room.write(keeper, match, ENTERED)
    room.write(keeper, match, second, key="twice")
    assert totals(room, match) == (19, 20)


def test_an_expected_version_that_is_past_is_told_the_current_one(room, match):
    keeper = room.token("scorer")
    seen = room.write(keeper, match, ENTERED).last
    now = room.write(keeper, match, c.EnterResult(entry=EVEN, deal=2)).last
    refusal = room.refused(room.record(keeper, match, c.StartDeal(dealer=0), expected=seen), slug="lost-race")
    assert refusal.extra == {"current_version": now}
    assert room.write(keeper, match, c.StartDeal(dealer=0), expected=now).first == now + 1


def test_a_spectator_does_not_learn_how_far_a_delayed_match_is(room):
    match = room.match(delay="deal")
    keeper, onlooker = room.token("scorer"), room.token("spectator")
    room.write(keeper, match, c.StartDeal(dealer=0))
    refusal = room.refused(room.record(onlooker, match, c.StartDeal(dealer=0), expected=1), slug="forbidden")
    assert not refusal.extra
    told = room.refused(room.record(keeper, match, c.StartDeal(dealer=0), expected=1), slug="lost-race")
    assert told.extra == {"current_version": 2}


def test_of_two_concurrent_results_one_is_recorded_and_both_are_reported(room, match):
    one, other = room.token("scorer"), room.token("scorer")
    answers = room.at_once(
        room.record(one, match, c.EnterResult(entry=ODD, deal=1)),
        room.record(other, match, c.EnterResult(entry=EVEN, deal=1)),
    )
    assert outcomes(answers) == (1, ["already-entered"])
    (refusal,) = (each for each in answers if isinstance(each, Refusal))
    assert refusal.extra["recorded"] == totals(room, match)


def test_two_processes_that_begin_one_deal_at_once_begin_it_once(room, match, beside):
    there = DeskRoom.__new__(DeskRoom)
    there.__dict__ |= room.__dict__ | {"process": beside, "services": beside.services}
    keeper = room.token("scorer")
    for number in range(1, 4):
        begin = c.StartDeal(dealer=0)
        answers = room.at_once(*(each.record(keeper, match, begin) for each in (room, there, room, there)))
        assert outcomes(answers) == (1, ["misfit"] * 3)
        assert len(room.match_of(match).deals) == number
        room.write(keeper, match, c.EnterResult(entry=ODD, deal=number))


def test_one_key_sent_to_two_processes_is_recorded_once(room, match, beside):
    keeper = room.token("scorer")
    request = request_of(keeper, "once")
    sent = (partial(record, each, keeper, match, ENTERED, request) for each in (room.services, beside.services) * 2)
    answers = room.at_once(*sent)
    assert len({(each.first, each.last) for each in answers}) == 1
    assert totals(room, match) == (19, 0)


def test_a_repeat_during_the_first_append_gets_the_same_answer(room, match):
    keeper = room.token("scorer")
    room.write(keeper, match, ENTERED)  # its device has an id
    again = partial(room.record, keeper, match, c.EnterResult(entry=EVEN, deal=2), key="once")
    with psycopg.connect(room.url) as held:
        held.execute("select position from logs where club_id = %s for update", [room.id])

        async def let_go():
            logs = room.recorder.appends._logs
            while not any(each._sent or each._waiting for each in logs.values()):
                await asyncio.sleep(0)
            for _ in range(20):  # turns for the second, which is decided on the first
                await asyncio.sleep(0)
            held.rollback()

        *answers, _ = room.at_once(again(), again(), let_go)
    assert len({(each.first, each.last) for each in answers}) == 1, [(each.first, each.last) for each in answers]


def test_a_strict_table_takes_one_of_two_concurrent_calls(room):
    match = room.match(recording="strict")
    keeper = room.token("scorer")
    before = room.write(keeper, match, c.StartDeal(dealer=1, depth="plays")).last
    now = room.match_of(match)
    calls = [c.RecordFacts(facts=(each,)) for each in now.setup.game.legal(now.deals[-1].table)[:2]]
    answers = room.at_once(*(room.record(keeper, match, each) for each in calls))
    assert outcomes(answers) == (1, ["misfit"]), "the other one is out of place by then"
    assert room.match_of(match).version == before + 1


def test_a_table_closes_its_door_with_the_match(room, match):
    director = room.token("director")
    loaded = room.to_write(director, match)
    room.do(room.services.tables.codes, [loaded])
    room.write(director, match, ENTERED)
    assert room.do(room.services.tables.door_of, str(match)) is not None
    room.write(director, match, c.VoidMatch("it never was"))
    assert room.do(room.services.tables.door_of, str(match)) is None
