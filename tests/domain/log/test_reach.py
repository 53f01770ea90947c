"""What a stream belongs to, and whose rights cover it."""

from domain.log.actor import Actor, Reach, Right

SCORER, DIRECTOR, CUP = Right("scorer", match="m1"), Right("director"), Right("deputy", tournament="t1")
ACTOR = Actor(rights=(SCORER, DIRECTOR, CUP))


def reaching(*places):
    return ACTOR.reaching_any(places).rights


def test_one_place_is_reached_as_ever():
    for place in (Reach("m1", "t1"), Reach("m2"), Reach(None, "t1"), Reach()):
        assert reaching(place) == ACTOR.reaching(place.match, place.tournament).rights


def test_each_right_for_one_of_several_places_counts_once():
    assert reaching(Reach("m1"), Reach("m2", "t1")) == (SCORER, DIRECTOR, CUP)
    assert reaching(Reach("m2"), Reach("m3", "t2")) == (DIRECTOR,)


def test_what_is_about_nothing_is_reached_by_nobody():
    assert reaching() == ()


def test_an_actor_of_one_role_without_rights_stays_as_it_is():
    alone = Actor(role="owner")
    assert alone.reaching_any([]) is alone
