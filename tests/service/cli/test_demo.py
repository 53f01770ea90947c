"""The demo club: matches and tournaments, played once however often it is started."""

from service.cli import clerk
from service.cli.demo import CLUB, load_demo
from service.desk.tournament_reading import rows_of
from service.run.wiring import make_services
from tests.conftest import with_pool


def test_the_demo_club_has_three_tournaments_however_often_it_is_loaded(database):
    async def act(pool):
        for _ in range(2):
            await load_demo(pool)
        services = make_services(pool)
        club = await services.streams.club(await clerk.club_named(pool, CLUB))
        return {row.name: (row.status, row.entries) for row in (await rows_of(services, club, 50, "")).rows}

    assert with_pool(database, act) == {
        "Autumn cup": ("finished", 8),
        "Thursday Swiss": ("on", 13),
        "Winter evening": ("announced", 12),
    }
