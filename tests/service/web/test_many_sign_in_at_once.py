"""A password or PIN that was not looked at, because too many were at that moment, is no wrong one."""

import pytest

from service.desk import hashing
from tests.service.web.test_passwords_and_pins import PASSWORD, by_password, club, player_with, tried

__all__ = ["club"]
TOO_MANY = "too many people sign in at this moment"


@pytest.fixture(autouse=True)
def _forgotten(club):
    """No wrong secret of another test counts in this one."""
    club.rows("delete from secret_failures")


def test_a_sign_in_refused_by_overload_succeeds_later(club, monkeypatch):
    player_with(club, "Patient", password=PASSWORD)
    with monkeypatch.context() as full:
        full.setattr(hashing, "MOST_OF_DEVICE", 0)
        for _ in range(4):
            answer = by_password(club, "Patient", PASSWORD)
            assert (answer.status_code, TOO_MANY in answer.text) == (429, True)
    assert by_password(club, "Patient", PASSWORD).status_code == 303


def test_a_pin_that_nobody_looked_at_counts_as_none(club, monkeypatch):
    person, browser = player_with(club, "Pinned", pin="2468")
    with monkeypatch.context() as full:
        full.setattr(hashing, "MOST_OF_DEVICE", 0)
        assert {tried(club, browser, person, "2468") for _ in range(4)} == {"too-many-requests"}
    assert tried(club, browser, person, "2468") != "too-many-requests"
    assert club.rows("select count(*) from secret_failures where not cleared") == [(0,)]


def test_a_wrong_password_counts_although_others_were_sent_away(club, monkeypatch):
    player_with(club, "Pressed", password=PASSWORD)
    assert by_password(club, "Pressed", "not the password").status_code == 403
    with monkeypatch.context() as full:
        full.setattr(hashing, "MOST_OF_DEVICE", 0)
        assert by_password(club, "Pressed", PASSWORD).status_code == 429
    assert TOO_MANY not in by_password(club, "Pressed", PASSWORD).text
