"""Merging two ids of one person and splitting them again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.club import commands as c
from domain.club import events as e
from domain.club.decide import decide, seat_players
from domain.club.rights import rights_of
from domain.club.state import Club, EventWithPrivate, fold
from domain.log.actor import Actor
from domain.log.decider import Refusal

SECRETARY = Actor("secretary", "club", "zoe")
OWNER = Actor("owner")
PEOPLE = ("annie", "benny", "cleo", "dag", "eve")


class Known(tuple):
    """A person named by id."""

    id = property(lambda self: self[0])


def after(club, *events):
    """The club after these events."""
    pairs = [each if isinstance(each, tuple) else (each, None) for each in events]
    return fold(club, [(club.version + at, EventWithPrivate(*pair)) for at, pair in enumerate(pairs, start=1)])


def founded(*people):
    """Return a club with these people, each named like the id with a capital."""
    registered = [(e.PlayerRegistered(each, False), {"name": each.capitalize()}) for each in people]
    return after(Club(), e.ClubFounded("House", True), *registered)


def done(club, command, actor=SECRETARY):
    """The club after a command."""
    return after(club, *((new.event, new.private) for new in decide(club, command, actor)))


def merged(club, *pairs):
    """The club after merges, each `other` into `player`."""
    for player, other in pairs:
        club = done(club, c.MergePlayers(player, other))
    return club


def refused(club, command, slug, actor=SECRETARY):
    with pytest.raises(Refusal) as raised:
        decide(club, command, actor)
    assert raised.value.slug == slug
    return raised.value.detail


@pytest.fixture
def club():
    return founded(*PEOPLE)


def test_what_one_did_counts_for_the_other_and_is_parted_again(club):
    one = merged(club, ("annie", "benny"))
    assert (one.whom("benny"), one.ids_of("benny")) == ("annie", ("annie", "benny"))
    two = done(one, c.PartPlayers("annie", "benny"))
    assert (two.whom("benny"), two.ids_of("annie"), two.merged) == ("benny", ("annie",), {})


def test_the_same_merge_twice_is_made_once(club):
    one = merged(club, ("annie", "benny"))
    assert decide(one, c.MergePlayers("annie", "benny"), SECRETARY) == []


def test_splitting_the_middle_of_a_chain_takes_its_own_merges_along(club):
    chain = merged(club, ("benny", "annie"), ("cleo", "benny"))
    assert chain.ids_of("annie") == ("cleo", "annie", "benny")
    parted = done(chain, c.PartPlayers("cleo", "benny"))
    assert (parted.ids_of("annie"), parted.ids_of("cleo")) == (("benny", "annie"), ("cleo",))
    end = done(chain, c.PartPlayers("cleo", "annie"))
    assert (end.ids_of("annie"), end.ids_of("cleo")) == (("annie",), ("cleo", "benny"))


def test_three_make_no_ring_and_nobody_is_merged_twice_or_with_himself(club):
    chain = merged(club, ("benny", "annie"), ("cleo", "benny"))
    assert "one person already" in refused(chain, c.MergePlayers("annie", "cleo"), "misfit")
    assert "one person already" in refused(chain, c.MergePlayers("cleo", "annie"), "misfit")
    assert "merged with somebody else before" in refused(chain, c.MergePlayers("dag", "annie"), "misfit")
    assert "merged with somebody else before" in refused(chain, c.MergePlayers("annie", "dag"), "misfit")
    assert "one and the same" in refused(chain, c.MergePlayers("dag", "dag"), "malformed")


def test_of_two_secretaries_who_merge_crosswise_the_second_is_told(club):
    one = merged(club, ("annie", "benny"))
    assert "one person already" in refused(one, c.MergePlayers("benny", "annie"), "misfit")


def test_people_of_the_same_match_or_tournament_are_not_merged(club):
    assert "sat in one match" in refused(club, c.MergePlayers("annie", "benny", matches=("m",)), "misfit")
    assert "not over" in refused(club, c.MergePlayers("annie", "benny", tournaments=("t",)), "misfit")


def test_an_erased_person_is_neither_merged_nor_parted(club):
    one = merged(club, ("annie", "benny"))
    gone = after(one, e.PersonErased("annie", "asked", 1, ()), e.PersonErased("cleo", "asked", 1, ()))
    assert "erased" in refused(gone, c.MergePlayers("dag", "cleo"), "misfit")
    assert "erased" in refused(gone, c.MergePlayers("cleo", "dag"), "misfit")
    assert "erased" in refused(gone, c.MergePlayers("dag", "benny"), "misfit")
    assert "erased" in refused(gone, c.PartPlayers("annie", "benny"), "misfit")


def test_only_who_is_merged_is_parted(club):
    one = merged(club, ("annie", "benny"))
    assert "not merged" in refused(one, c.PartPlayers("annie", "cleo"), "misfit")
    assert "other way round" in refused(one, c.PartPlayers("benny", "annie"), "misfit")
    refused(one, c.PartPlayers("annie", "nobody"), "malformed")
    refused(one, c.MergePlayers("nobody", "annie"), "malformed")


@pytest.mark.parametrize("role", ["director", "deputy", "scorer", "player", "spectator"])
def test_a_secretary_merges_and_nobody_below(club, role):
    actor = Actor(role, "club", "zoe")
    refused(club, c.MergePlayers("annie", "nobody"), "forbidden", actor)
    refused(club, c.PartPlayers("annie", "nobody"), "forbidden", actor)


def test_roles_of_the_merged_person_end_and_do_not_return(club):
    held = done(club, c.GrantRole("benny", "director"), OWNER)
    assert "(director)" in refused(held, c.MergePlayers("annie", "benny"), "confirm-needed")
    one = done(held, c.MergePlayers("annie", "benny", knowingly=True))
    assert one.held("annie") == one.held("benny") == ()
    two = done(one, c.PartPlayers("annie", "benny"))
    assert two.held("benny") == ()


def test_roles_of_the_first_stay(club):
    held = done(club, c.GrantRole("annie", "director"), OWNER)
    assert merged(held, ("annie", "benny")).held("annie") == held.held("annie") != ()


def test_the_last_secretary_is_merged_away_by_the_owner_only(club):
    held = done(club, c.GrantRole("benny", "secretary"), OWNER)
    away = c.MergePlayers("annie", "benny", knowingly=True)
    assert "last secretary" in refused(held, away, "forbidden")
    assert done(held, away, OWNER).whom("benny") == "annie"


def test_only_the_device_of_the_first_person_acts_for_both(club):
    one = merged(club, ("annie", "benny"))
    assert rights_of(one, "club", "benny", "own device") == ()
    (right,) = rights_of(one, "club", "annie", "own device")
    assert (right.person, right.also) == ("annie", ("benny",))


def test_names_and_ids_of_the_second_seat_the_first(club):
    one = merged(club, ("annie", "benny"))
    sides, news = seat_players(one, (("benny",), ("ANNIE",), (Known(["benny"]),)), ())
    assert (sides, news) == ((("annie",), ("annie",), ("annie",)), [])


def test_merged_people_with_one_name_lose_their_distinguishing_suffix(club):
    twice = after(club, (e.PlayerRegistered("benny2", True), {"name": "benny"}))
    with pytest.raises(Refusal, match="two people are called"):
        seat_players(twice, (("Benny",), ("Cleo",)), ())
    sides, _ = seat_players(merged(twice, ("benny", "benny2")), (("Benny",), ("Cleo",)), ())
    assert sides == (("benny",), ("cleo",))


def test_close_people_are_close_under_every_id(club):
    near = after(club, (e.FriendDeclared(), {"people": ["benny", "cleo"]}))
    one = merged(near, ("annie", "benny"), ("dag", "cleo"))
    assert set(one.close_to("annie")) == {"dag", "cleo"}
    assert set(one.close_to("cleo")) == {"annie", "benny"}


def test_a_log_that_makes_a_ring_is_folded_without_it(club):
    ring = after(
        club,
        e.PlayersMerged("benny", "annie"),
        e.PlayersMerged("cleo", "benny"),
        e.PlayersMerged("annie", "cleo"),
        e.PlayersMerged("dag", "dag"),
        e.PlayersMerged("eve", "annie"),
    )
    assert [ring.whom(each) for each in PEOPLE] == ["cleo", "cleo", "cleo", "dag", "eve"]


STEP = st.tuples(st.sampled_from(["merge", "part", "grant"]), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE))


@given(st.lists(STEP, max_size=25))
def test_whatever_is_merged_and_parted_everybody_is_exactly_one_person(steps):
    club = founded(*PEOPLE)
    for what, one, other in steps:
        if what == "merge":
            command = c.MergePlayers(one, other, knowingly=True)
        else:
            command = c.PartPlayers(one, other) if what == "part" else c.GrantRole(other, "director")
        try:
            club = done(club, command, OWNER)
        except Refusal:
            continue
        if what == "merge":
            assert club.whom(other) == club.whom(one)
        firsts = {club.whom(each) for each in PEOPLE}
        assert {each for first in firsts for each in club.ids_of(first)} == set(PEOPLE)
        assert sum(len(club.ids_of(first)) for first in firsts) == len(PEOPLE), "nobody is two people"
        assert all(club.whom(first) == first for first in firsts)
        assert set(club.grants) <= firsts, "roles are held by whoever counts"
        for each in PEOPLE:
            ((seated,),), _ = seat_players(club, ((each,),), ())
            assert seated == club.whom(each)
    for each in tuple(club.merged):
        club = done(club, c.PartPlayers(club.whom(each), each), OWNER)
    assert all(club.ids_of(each) == (each,) for each in PEOPLE), "parting all of them leaves what was"
