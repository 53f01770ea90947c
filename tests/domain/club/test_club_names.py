"""Names of people: validation and search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.club.names import LONGEST, Called, checked_name, near, readable_name
from domain.club.state import Club, Player
from domain.log.decider import Refusal


def club(*names, **more):
    return Club(players={str(at): Player(str(at), name, False, **more) for at, name in enumerate(names)})


def reasons(known, typed, earlier=False):
    return [each.reason for each in near(known, typed, earlier)]


WRONG = {
    "200 letters": "x" * 200,
    "one letter too many": "x" * 81,
    "nothing": "",
    "blanks": "     ",
    "ideographic blanks": "\u3000\u3000",
    "blanks that are letters": "\u3164\u115f",
    "joiners alone": "\u200d\u200c",
    "an override of direction": "\u202eAnnie",
    "an isolate": "\u2066Annie",
    "two lines": "Annie\nBenny",
    "NUL": "An\x00nie",
    "half a sign": "\ud800",
}


@pytest.mark.parametrize("what", WRONG)
def test_what_nobody_is_called_is_no_name(what):
    with pytest.raises(Refusal) as refused:
        checked_name(WRONG[what])
    assert refused.value.slug == "malformed"


RIGHT = [
    "Annie",
    "نیما\u200cرضا",
    "דוד לוי",
    "<script>alert(1)</script>",
    "Åsa & Per",
    "\U0001f600" * 80,
    "O",
    "x" * 80,
]


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_is_kept_as_it_is_without_blanks_around_it(name):
    assert checked_name(f"  {name} ") == name


@pytest.mark.parametrize("name", [*RIGHT, "Dana\u00a0Berg", *WRONG.values()])
def test_what_is_readable_of_a_name_is_a_name_or_nothing(name):
    found = readable_name(name)
    assert found is None or checked_name(found) == found
    assert (found == name) is (name in RIGHT)


def test_invisible_characters_are_removed_from_a_name():
    assert readable_name("\u202eDana\u00a0\u200b Berg\n") == "Dana Berg"
    assert readable_name("x" * 200) == "x" * 80
    assert readable_name("\u3164") is None


@pytest.mark.parametrize(
    ("known", "typed", "reason"),
    [
        ("Annie", "ANNIE", "same"),
        ("Annie", "Ａｎｎｉｅ", "same"),
        ("Annie", "An\u200dnie", "accents"),
        ("Åsa Lind", "Asa Lind", "accents"),
        ("Benny King", "King, Benny", "order"),
        ("Benny", "Bennny", "spelling"),
        ("Anna Berg", "Anne Berg", "spelling"),
        ("Benny King", "Bennny", "part"),
        ("Benny King", "Benny", "part"),
        ("Benny", "Jenny", None),
        ("Player 1", "Player 2", None),
        ("Annie", "Benny", None),
        ("Li", "Lu", None),
    ],
)
def test_a_name_may_mean_whoever_is_called_nearly_so(known, typed, reason):
    assert reasons(club(known), typed) == ([] if reason is None else [reason])
    assert reasons(club(typed), known) == ([] if reason is None else [reason])


def test_an_earlier_name_is_resolved_for_authorised_callers_only():
    known = club("Nora Field", earlier=("Nora Hill",))
    assert reasons(known, "Nora Hill", earlier=True) == ["earlier"]
    assert [each.id for each in Called(known, earlier=True).search("hill")] == ["0"]
    assert Called(known, earlier=False).search("hill") == ()


def test_the_nearest_comes_first_and_five_are_the_most():
    known = club(*(f"Benny {chr(65 + at)}berg" for at in range(9)), "Bennny", "BENNY")
    assert reasons(known, "Benny") == ["same", "spelling", "part", "part", "part"]


def test_who_was_merged_is_found_once_and_under_both_names():
    known = club("Benny King", "Bennny")
    merged = Club(players=known.players, merged={"1": "0"})
    assert [(each.player, each.reason) for each in near(merged, "Bennny", True)] == [("0", "earlier")]
    assert [each.id for each in Called(merged, True).search("Bennny")] == ["0"]


NAMES = st.text(min_size=1, max_size=LONGEST)


@given(NAMES, NAMES)
def test_what_is_near_is_near_both_ways_and_finds_itself(one, other):
    assert reasons(club(one), other) == reasons(club(other), one)
    assert reasons(club(one), one) == ["same"]
    assert len(Called(club(one), False).search(one)) == 1
