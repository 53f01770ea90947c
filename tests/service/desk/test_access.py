"""Access: what somebody may not see is not there, who may write is judged, and what is shown is made for a kind."""

from uuid import uuid4

import pytest

from domain.game.protocol import ALL
from domain.log.actor import DIRECTORS, Right
from domain.log.decider import Refusal
from domain.match import commands as c
from service.desk import access
from service.store.callers import NOBODY, Caller
from service.store.ids import new_id
from tests.kit.service.desk_room import ODD

NOTHING = ("not-found", "there is nothing here, or nothing that you may see")


def told(refusal):
    return refusal.slug, refusal.detail


def everybody(room):
    """Callers to whom a private club has nothing to show."""
    return NOBODY, room.token("director", club=new_id()), room.by_code(room.match("Cleo", "Dag"))


def test_a_private_match_is_refused_like_an_unknown_one(room):
    match = room.match()
    nowhere = room.refused(access.match_for, room.services, room.token("owner", club=None), uuid4())
    assert told(nowhere) == NOTHING
    for caller in everybody(room):
        assert told(room.refused(access.match_for, room.services, caller, match)) == NOTHING
        assert told(room.refused(access.match_to_write, room.services, caller, match)) == NOTHING
        assert told(room.refused(access.club_for, room.services, caller, room.uuid)) == NOTHING


def test_a_public_club_is_readable_by_all_and_writable_by_known_callers(open_room):
    match = open_room.match()
    loaded, club = open_room.do(access.match_for, open_room.services, NOBODY, match)
    assert (loaded.stream, club.club) == (str(match), open_room.id)
    assert open_room.refused(access.match_to_write, open_room.services, NOBODY, match).slug == "unauthorised"
    stranger = open_room.token("director", club=new_id())
    assert open_room.to_write(stranger, match).stream == str(match), "what may be written is decided with it"


def test_a_table_code_opens_its_table_and_nothing_else(room):
    match, other = room.match(), room.match("Cleo", "Dag")
    phone = room.by_code(match)
    assert room.do(access.match_for, room.services, phone, match)[0].stream == str(match)
    assert room.to_write(phone, match).stream == str(match)
    for asked in (access.match_for, access.match_to_write):
        assert told(room.refused(asked, room.services, phone, other)) == NOTHING
    assert told(room.refused(access.club_for, room.services, phone, room.uuid)) == NOTHING


def test_each_way_in_finds_its_own_kind_of_stream_alone(room):
    owner, match = room.token("owner", club=None), room.match()
    assert told(room.refused(access.tournament_for, room.services, owner, match)) == NOTHING
    assert told(room.refused(access.match_for, room.services, owner, room.uuid)) == NOTHING
    assert told(room.refused(access.club_for, room.services, owner, match)) == NOTHING


@pytest.mark.parametrize(
    ("right", "tournament", "says"),
    [
        (Right("deputy", "club", tournament="cup"), "cup", None),
        (Right("deputy", "club", tournament="cup"), "another", "the role `deputy` may not do this here"),
        (Right("deputy", "club", tournament="cup"), None, "the role `deputy` may not do this here"),
        (Right("director", "club"), "cup", None),
        (Right("director", "club", match="table 1"), None, "the role `director` may not do this here"),
        (Right("director", "another"), None, "the role `spectator` may not do this here"),
        (Right("owner"), "cup", None),
        (Right("scorer", "club"), None, "the role `scorer` may not do this here"),
    ],
)
def test_a_role_counts_where_it_reaches(right, tournament, says):
    caller = Caller(True, rights=(right,))
    if says is None:
        access.require(caller, "club", DIRECTORS, tournament)
        return
    with pytest.raises(Refusal) as refusal:
        access.require(caller, "club", DIRECTORS, tournament)
    assert told(refusal.value) == ("forbidden", says)


def test_an_unknown_caller_is_unauthorised_before_roles_are_checked():
    with pytest.raises(Refusal) as refusal:
        access.require(Caller(False, rights=(Right("owner"),)), "club", DIRECTORS)
    assert refusal.value.slug == "unauthorised"


def test_directors_are_one_kind_until_one_of_them_plays(room):
    annie, dora, dag = (room.member(name) for name in ("Annie", "Dora", "Dag"))
    for each in (annie, dora, dag):
        room.granted(each, "director")
    match = room.match_of(room.match(annie, "Benny"))
    one, other, plays = (access.kind_of(room.person(each), room.id, match, "here") for each in (dora, dag, annie))
    assert one == other
    assert plays != one
    assert annie in plays.people
    assert not one.people, "who directs and does not play is not told apart"


def test_a_caller_sees_nothing_of_other_clubs_and_tables(room):
    match = room.match_of(room.match())
    here, elsewhere = Right("spectator", room.id), Right("director", "another")
    caller = Caller(True, "token", "Dora's", "token 1", rights=(here, elsewhere))
    kind = access.kind_of(caller, room.id, match, "here")
    assert {each.club for each in kind.rights} == {room.id}
    assert (kind.id, kind.name, kind.holder) == (None, None, None)
    assert access.kind_of(room.by_code("there"), room.id, match, "here") == NOBODY
    assert access.kind_of(room.by_code("here"), room.id, match, "here") != NOBODY


def test_friends_count_where_they_sit(room):
    annie, carla = room.member("Annie"), room.member("Carla")
    match = room.match_of(room.match(annie, "Benny"))
    caller = Caller(True, rights=(Right("director", room.id),), close=(annie, carla))
    assert access.kind_of(caller, room.id, match, "here").close == (annie,)


def test_a_player_sees_only_the_own_hand_despite_other_roles(room):
    annie, benny = room.granted(room.member("Annie"), "director"), room.member("Benny")
    dora = room.granted(room.member("Dora"), "director")
    stream = room.match(annie, benny)
    loaded = room.to_write(room.person(annie), stream)
    viewers = [access.viewer_in(room.person(each), loaded) for each in (annie, benny, dora)]
    assert viewers == [0, 1, ALL]
    assert access.viewer_in(room.by_code(stream, annie), loaded) is None
    program = Caller(True, rights=(Right("scorer", room.id),), close=(annie,))
    assert access.viewer_in(program, loaded) is None
    assert access.viewer_in(room.token("scorer"), loaded) == ALL
    assert access.viewer_in(room.token("spectator"), loaded) is None


def test_who_belongs_to_a_table(room):
    annie, carla = room.member("Annie"), room.member("Carla")
    stream = room.match(annie, "Benny")
    loaded = room.to_write(room.token("scorer"), stream)
    there = [room.person(annie), room.by_code(stream), room.token("director")]
    others = [room.person(carla), room.by_code(room.match("Cleo", "Dag")), room.token("spectator"), NOBODY]
    assert [access.belongs(each, loaded) for each in (*there, *others)] == [True] * 3 + [False] * 4


def test_a_spectator_of_a_delayed_match_gets_its_delayed_state(room):
    match = room.match(delay="deal")
    scorer, spectator = room.token("scorer"), room.token("spectator")
    room.write(scorer, match, c.StartDeal(dealer=0))
    behind, _ = room.do(access.match_for, room.services, spectator, match)
    there, _ = room.do(access.match_for, room.services, scorer, match)
    assert (behind.head.version, there.head.version) == (1, 2)
    assert not behind.match.deals
    held = room.do(access.club_for, room.services, spectator, room.uuid)
    assert held.upto is not None
    assert room.do(access.club_for, room.services, scorer, room.uuid).upto is None
    room.write(scorer, match, c.EnterResult(entry=ODD, deal=1))
    assert room.do(access.match_for, room.services, spectator, match)[0].match.deals
