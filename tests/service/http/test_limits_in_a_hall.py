"""In a hall behind one address nobody is refused for his neighbours, and limits that would do so are found out."""

import pytest

from service.http import limits
from service.http.senders import sender_of
from tests.service.http.test_limits import hall, taken

valid = limits._valid


def a_hall_with_an_attacker_is_never_refused(seconds):
    clock, _, ask = hall(150)
    for second in range(seconds):
        flood = taken(ask(2_500 if second == 0 else 300)) + taken(ask(100, token="invented"))
        flood += taken(ask(50, cookie=f"invented{second}"))
        assert flood <= (2_000 if second == 0 else 100)
        for phone in range(150):
            assert ask(2, token=f"t{phone}") == [0, 0]
            assert ask(1, token=f"t{phone}", method="POST") == [0]
        clock.now += 1
    assert taken(ask(1, sender="192.0.2.2")) == 1, "another address has its own"


@pytest.mark.parametrize("seconds", [4, pytest.param(20, marks=pytest.mark.extended)])
def test_a_hall_behind_the_address_of_an_attacker_is_never_refused(seconds):
    a_hall_with_an_attacker_is_never_refused(seconds)


async def as_one_credential(request, doors):
    """A good token is told from an attacker, and not from its neighbours."""
    return None if await valid(request, doors) is None else sender_of(request.scope)


async def as_strangers(request, doors):
    """Nobody is told from an attacker."""
    await valid(request, doors)


@pytest.mark.parametrize("bug", [as_one_credential, as_strangers])
def test_a_limit_that_counts_tokens_by_address_fails_this_test(monkeypatch, bug):
    monkeypatch.setattr(limits, "_valid", bug)
    with pytest.raises(AssertionError):
        a_hall_with_an_attacker_is_never_refused(4)
