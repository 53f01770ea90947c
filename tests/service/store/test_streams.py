"""What a process remembers of streams: every club, and the matches and tournaments that were used last."""

from domain.club.state import Club
from service.store.log import Head
from service.store.streams import CLUB, KEPT, MATCH, Loaded, Streams, fresh


def kept(streams, loaded):
    streams.keep(loaded)
    return streams.kept(loaded.stream)


def test_many_clubs_take_no_room_from_matches():
    streams = Streams(None)
    for number in range(KEPT + 1):
        streams.keep(fresh(f"club {number}", f"club {number}", CLUB))
    match = fresh("club 1", "match", MATCH)
    assert kept(streams, match) is match
    streams.keep(fresh("club 1", "another", MATCH))
    assert streams.kept("match") is match


def test_the_match_that_was_used_longest_ago_is_forgotten_and_no_club():
    streams = Streams(None)
    streams.keep(fresh("club", "club", CLUB))
    for number in range(KEPT + 1):
        streams.keep(fresh("club", f"match {number}", MATCH))
    assert streams.kept("match 0") is None
    assert streams.kept("match 1") is not None
    assert streams.kept("club") is not None


def test_an_older_club_does_not_take_the_place_of_a_newer_one():
    streams = Streams(None)
    newer = Loaded("club", "club", Club(2, "New", True), Head(2), CLUB)
    streams.keep(newer)
    assert kept(streams, Loaded("club", "club", Club(1, "Old", True), Head(1), CLUB)) is newer
