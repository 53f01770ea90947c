"""The demo club tells a story, the same at each telling, played once however often it is started."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.games import all_games
from projections.lists import MATCHES, MatchRow
from service.cli import clerk
from service.cli.demo import CLUB, load_demo
from service.desk.cases.lookup import about_match
from service.desk.standings import history_of, season_of
from service.desk.tournament_reading import rows_of
from service.run.wiring import make_services
from service.store import log
from service.store.callers import NOBODY
from tests.conftest import with_pool

TODAY = datetime(2026, 11, 26, 21, 30, tzinfo=UTC)


class Story:
    """What there is to see in the demo club."""

    def __init__(self, services, club):
        self.services, self.club = services, club

    @classmethod
    async def read(cls, pool):
        services = make_services(pool)
        return cls(services, await services.streams.club(await clerk.club_named(pool, CLUB)))


@pytest.fixture(scope="module")
def told(database):
    """The demo club, loaded twice; how long its log was after each time."""

    async def act(pool):
        lengths = []
        for later in (0, 1):
            await load_demo(pool, TODAY + timedelta(days=later))
            lengths.append(dict(await log.clubs(pool))[await clerk.club_named(pool, CLUB)])
        return lengths

    return with_pool(database, act)


def seen(database, look):
    async def act(pool):
        return await look(await Story.read(pool))

    return with_pool(database, act)


def test_a_second_start_adds_nothing(told):
    assert told[0] == told[1] > 5000


def test_tonight_has_a_bracket_in_semi_finals_and_a_third_swiss_round(told, database):
    async def look(story):
        rows = (await rows_of(story.services, NOBODY, story.club, 50, "")).rows
        found = {row.name: row for row in rows}
        tonight = [
            (await story.services.streams.tournament(found[name].id)).tournament.stage
            for name in ("Autumn cup", "Thursday Swiss")
        ]
        return {row.name: row.status for row in rows}, *tonight

    statuses, cup, swiss = seen(database, look)
    assert (statuses["Autumn cup"], statuses["Winter evening"], statuses["Harvest cup"]) == (
        "on",
        "announced",
        "finished",
    )
    assert sorted(set(cup.pairings) - set(cup.decided)) == ["W2.1", "W2.2"]
    assert (len(swiss.rounds), sorted(swiss.disputed)) == (3, ["R3.1"])


def test_every_game_is_played_tonight_and_a_dispute_waits_with_one_statement(told, database):
    async def look(story):
        streams, club = story.services.streams, story.club.club
        await story.services.lists.reach(club)
        rows = (await story.services.lists.rows(MATCHES, club, MatchRow, "", 500)).rows
        disputed = next(row for row in rows if row.disputed)
        return rows, [each.state for each in await about_match(streams, club, disputed.id)]

    rows, (case,) = seen(database, look)
    assert {row.game for row in rows if row.status == "open" and row.opened_at > "2026-11-26T19"} == set(all_games())
    assert (case.is_open, [each.side for each in case.statements]) == (True, [0])


def test_ratings_have_a_history_of_several_months(told, database):
    async def look(story):
        season = await season_of(story.services, story.club, None, None, None)
        marta = next(id for id, each in story.club.state.players.items() if each.name == "Marta Lindqvist")
        return season, [await history_of(story.services, story.club, marta, key) for key in ("cross_game", "parity")]

    season, histories = seen(database, look)
    assert (season.season, season.finished, season.tournaments) == ("2026/27", 5, 8)
    months = {step.when[:7] for each in histories for step in each.history}
    assert len(months) >= 4
    assert [row.name for row in season.rows][:2] == ["Marta Lindqvist", "Tom Hargreaves"]
