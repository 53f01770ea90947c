"""The evening of people once more: with one tablet and no phone, and with a director who plays. What is tapped is
counted; who may sign and decide is shown over HTTP in tests/service/web/test_evenings.py."""

import pytest

from tests.browser.test_evening_of_people import add, enter, evening, invited, paired, typed_in
from tests.conftest import with_pool
from tests.kit.logs import verify

__all__ = ["evening"]
pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(300)]


def members(hand, evening):
    """Four who play and one who watches."""
    for name in ("Annie Ash", "Bennny King", "Carla Moss", "Dora Dahl", "Dee Lund"):
        add(hand, evening, name)


def played(tablet, door):
    """A table's code is typed on the tablet, its result entered, and both sides say yes, with a tap each."""
    code = f"{door['code'][:3]} {door['code'][3:]}"
    typed_in(tablet, code, "I keep the score")
    enter(tablet)
    tablet.begin()
    for side in (0, 1):
        tablet.tap(f"[data-key=confirm{side}]:has-text('through the scorer')")
        tablet.page.wait_for_selector(f"[data-key=confirm{side}]", state="detached")
    assert tablet.taps == 2


def test_one_tablet_and_no_phone_play_a_round(evening, database):
    director, tablet = evening.phone(), evening.phone()
    director.comes_in(evening.from_a_shell("Sue Rye", "secretary"))
    members(director, evening)
    secretary, director = director, evening.phone()
    director.comes_in(invited(secretary, evening, "Dee Lund", "director"))
    cup = paired(director, evening)
    doors = evening.read(director, f"{cup}/doors")["items"]
    for door in doors:
        played(tablet, door)
    director.page.goto(f"{cup}/director")
    director.sees("text=Round 1 is over")
    for door in doors:
        (deal,) = evening.read(director, f"/matches/{door['match']}")["deals"]
        assert {each["strength"] for each in deal["signatures"]} == {"scorer"}
    assert with_pool(database, verify)[1] == ""


def test_a_playing_director_appoints_a_deputy_who_rules_at_that_table(evening, database):
    secretary, annie, benny, dee = (evening.phone() for _ in range(4))
    secretary.comes_in(evening.from_a_shell("Sue Rye", "secretary"))
    members(secretary, evening)
    annie.comes_in(invited(secretary, evening, "Annie Ash", "director"))
    dee.comes_in(invited(secretary, evening, "Dee Lund"))
    cup = paired(annie, evening)
    first, _ = evening.read(annie, f"{cup}/doors")["items"]
    table = f"/matches/{first['match']}"
    typed_in(benny, f"{first['code'][:3]} {first['code'][3:]}", "Bennny King")
    annie.page.goto(table)
    enter(annie)
    benny.sees("td:has-text('21')")
    benny.tap(".more > summary")
    benny.tap("button:has-text('Dispute it')")
    annie.sees("text=Deal 1 is disputed")
    annie.sees("text=You play at this table")
    assert annie.page.locator("button:has-text('The result stands')").count() == 0

    annie.page.goto(f"{cup}/director")
    annie.begin()
    annie.tap("summary:has-text('Appoint a deputy')")
    annie.tap("button:has-text('Dee Lund')")
    assert annie.taps == 2
    annie.page.wait_for_load_state()
    dee.page.goto(table)
    dee.tap("button:has-text('The result stands')")
    annie.page.goto(table)
    annie.page.wait_for_selector("text=is disputed", state="detached")
    assert evening.read(annie, table)["disputes"] == []
    assert with_pool(database, verify)[1] == ""
