"""House rules as defaults of a match or tournament."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import codec
from domain.club.commands import AdoptHouseRules, ChangeSettings
from domain.club.decide import decide
from domain.club.settings import decides_the_table, settings_of
from domain.club.state import Club, EventWithPrivate, Player, fold
from domain.game.race import Race
from domain.games import all_games, find
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.decide import decide as decide_match
from domain.match.house import Host, HouseRules, may_open
from domain.match.opening import options_in, race_in, read_options
from domain.match.state import NoMatch
from projections.games import option_views

SECRETARY = Actor("secretary")
VALUES = {
    "name": st.sampled_from(["Thursday", "Friday"]),
    "public": st.booleans(),
    "zone": st.sampled_from(["UTC", "Europe/Vienna", "Asia/Tokyo"]),
    "games": st.sampled_from([(), ("parity",), ("garbo", "parity")]),
    "opens": st.sampled_from(["director", "scorer", "member", "anybody"]),
    "confirms": st.sampled_from(["own device", "pin", "table", "scorer"]),
}


def after(club, command, actor=SECRETARY):
    news = decide(club, command, actor)
    return fold(
        club, [(club.version + at, EventWithPrivate(new.event, new.private)) for at, new in enumerate(news, start=1)]
    )


@st.composite
def chosen(draw, game):
    """Draw some options of a game, not all of which are compatible."""
    views = [each for each in option_views(game) if not any(decides_the_table(game, each.name, v) for v in each.values)]
    return {each.name: draw(st.sampled_from(each.values)) for each in views if draw(st.booleans())}


def possible(game, options):
    try:
        read_options(game, options)
    except Refusal:
        return False
    return True


@given(st.data())
def test_explicit_settings_win_and_the_house_rules_fill_the_rest(data):
    game = data.draw(st.sampled_from(list(all_games().values())))
    house, said = data.draw(chosen(game)), data.draw(chosen(game))
    if not (possible(game, house) and possible(game, said)):
        return
    found = options_in(game, said, HouseRules(3, house))
    assert possible(game, found)
    assert {name: found[name] for name in said} == said
    assert found.items() <= {**house, **said}.items()
    if possible(game, {**house, **said}):
        assert found == {**house, **said}


RACES = st.fixed_dictionaries(
    {},
    optional={
        "target": st.sampled_from([21, 60, 100]),
        "win_by": st.integers(1, 5),
        "deals": st.integers(1, 20),
        "cap": st.sampled_from([60, 120]),
        "best_of": st.sampled_from([1, 3]),
        "lurch": st.sampled_from([None, {"lines": (50, 20), "win_points": (1, 2, 3)}]),
    },
)


def race_or_none(game, given_, house):
    try:
        return race_in(game, game.options(), given_, house)
    except Refusal:
        return None


@given(RACES, RACES)
def test_a_valid_race_stays_valid_under_house_rules_unless_target_dependent(said, rules):
    game = find("parity")
    if race_or_none(game, rules, None) is None or race_or_none(game, said, None) is None:
        return
    race = race_or_none(game, said, HouseRules(3, {}, rules))
    if race is None:  # a cap or lines that do not go with the target of the house, which is not dropped unsaid
        assert {"cap", "lurch"} & said.keys()
        assert "target" not in said
        return
    plain = codec.plain(race)
    for name, value in said.items():
        assert plain[name] == value
    if not said:
        assert race == race_in(game, game.options(), rules, None)


def test_house_lines_and_caps_incompatible_with_the_target_are_dropped():
    game = find("parity")
    house = HouseRules(3, {}, {"target": 60, "cap": 80, "lurch": {"lines": [50], "win_points": [1, 2]}})
    assert race_in(game, game.options(), {}, house).lurch.lines == (50,)
    other = race_in(game, game.options(), {"target": 100}, house)
    assert (other.target, other.cap) == (100, None)
    assert race_in(game, game.options(), {"target": 70}, house).cap == 80


def test_a_match_pins_the_version_of_its_house_rules():
    opening = c.OpenMatch(game="parity", options={}, race={}, sides=(("a",), ("b",)))
    host = Host(rules=HouseRules(7, {"open_hands": False}, {"target": 33}))
    plain = decide_match(NoMatch(), opening, Actor("scorer"))[0].event
    ruled = decide_match(NoMatch(), c.OpenMatch(**{**fields(opening), "host": host}), Actor("scorer"))[0].event
    assert (plain.house, ruled.house, ruled.race.target) == (None, 7, 33)
    assert isinstance(plain.race, Race)
    assert b"house" not in codec.encode(plain), "what was written before reads the same"


def fields(command):
    return {name: getattr(command, name) for name in command.__struct_fields__}


@given(st.fixed_dictionaries({}, optional=VALUES), st.fixed_dictionaries({}, optional=VALUES))
def test_a_change_sets_what_it_gives_and_nothing_else(first, second):
    club = after(Club(version=1, name="Club"), ChangeSettings(**first))
    before = settings_of(club)
    later = after(club, ChangeSettings(**second))
    assert settings_of(later) == {**before, **second}
    assert after(later, ChangeSettings(**second)) == later, "what stands already is no event"


@given(st.fixed_dictionaries({}, optional=VALUES), st.fixed_dictionaries({}, optional=VALUES))
def test_a_later_change_from_the_same_page_overwrites_nothing_unseen(first, second):
    begun = Club(version=1, name="Club")
    club = after(begun, ChangeSettings(**first, seen=1))
    changed = {name for name in first if settings_of(begun)[name] != first[name]}
    contested = {name for name in changed & second.keys() if first[name] != second[name]}
    try:
        later = after(club, ChangeSettings(**second, seen=1))
    except Refusal as refusal:
        assert refusal.slug == "lost-race"
        assert refusal.extra["changed"].keys() == contested
        assert all(each == {"now": first[n], "yours": second[n]} for n, each in refusal.extra["changed"].items())
    else:
        assert not contested
        assert settings_of(later) == {**settings_of(begun), **first, **second}


@pytest.mark.parametrize("role", ["director", "deputy", "scorer", "player", "spectator"])
def test_only_secretaries_and_the_owner_change_anything(role):
    club = Club(version=1, name="Club")
    for command in (ChangeSettings(zone="Asia/Tokyo"), AdoptHouseRules("parity", {}, {"target": 60})):
        with pytest.raises(Refusal) as refused:
            decide(club, command, Actor(role))
        assert refused.value.slug == "forbidden"
    assert decide(club, ChangeSettings(zone="Asia/Tokyo"), Actor("owner"))


def test_house_rules_that_are_the_games_own_are_kept_as_none():
    club = after(Club(version=1, name="Club"), AdoptHouseRules("parity", {}, {"target": 60, "deals": None}))
    assert club.rules["parity"] == HouseRules(2, {}, {"target": 60})
    assert after(club, AdoptHouseRules("parity", {}, {"target": 60})) == club
    assert after(club, AdoptHouseRules("parity", {}, {})).rules["parity"] == HouseRules(3, {}, {})


@pytest.mark.parametrize("game", list(all_games()))
def test_who_sits_where_is_no_rule_of_the_house(game):
    for view in option_views(find(game)):
        for value in view.values:
            if decides_the_table(find(game), view.name, value):
                with pytest.raises(Refusal) as refused:
                    decide(Club(version=1), AdoptHouseRules(game, {view.name: value}, {}), SECRETARY)
                assert "each match" in refused.value.detail


MEMBER, VISITOR = Actor("player", person="m", strength="own device"), Actor("player", person="v", strength="own device")
BY_CODE = Actor("player", person="m", match="x", strength="table", by_code=True)
OPENERS = {
    "director": [Actor("director"), Actor("owner")],
    "scorer": [Actor("scorer")],
    "member": [MEMBER, Actor("secretary")],
    "anybody": [VISITOR, BY_CODE, Actor("scorer", match="x"), Actor("deputy", tournament="t")],
}


@pytest.mark.parametrize("opens", OPENERS)
def test_the_clubs_minimum_role_and_those_above_open_matches(opens):
    host = Host(opens, frozenset({"m"}))
    allowed = list(OPENERS).index(opens)
    for at, own in enumerate(OPENERS.values()):
        for actor in own:
            assert may_open(host, actor) is (at <= allowed), actor
    assert not may_open(host, Actor("spectator"))


def test_a_deputy_opens_the_matches_of_the_own_tournament():
    assert may_open(Host(), Actor("deputy", tournament="t"), "t")
    assert not may_open(Host(), Actor("deputy", tournament="t"), "u")


def test_a_merged_person_is_a_member_under_either_id():
    from service.desk.house import host_of

    club = Club(version=1, players={"a": Player("a", "A", False), "b": Player("b", "B", True)}, merged={"b": "a"})
    assert host_of(club, Actor("player", person="b"), "parity").members == {"a", "b"}
