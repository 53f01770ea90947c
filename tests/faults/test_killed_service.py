"""kill -9 of the service: what it has acknowledged is there, once, and the next start needs no repair."""

import psycopg
import pytest

from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import kill_all, tell, until
from tests.kit.faults.scorers import all_answers, append_elsewhere, batches, more, results, scoring


def test_kill_9_of_the_service_loses_nothing_that_was_acknowledged(service, club_there):
    club = club_there
    common = club.open_match(service.url)
    own = [club.open_match(service.url, names) for names in (("Carla", "Dora"), ("Emil", "Fritz"))]
    works = [results(common), results(common), *map(batches, own)]
    with listening(*followers(club, service.url, common)) as listeners:
        with scoring(club, [service.url], works) as scorers:
            for count, with_postgres in enumerate((False, True), 1):
                more(club, 40)
                until(lambda: [each.connections for each in listeners] == [count] * 2)  # noqa: B023  # asked at once
                everything = service.postgres() if with_postgres else []
                service.kill()
                kill_all(everything)
                service.start().ready()
            more(club, 20)
        have_heard_everything(club, common, listeners)
    club.check()
    assert [listener.connections for listener in listeners] == [3, 3]
    tell(f"{club.acknowledged()} acknowledged; answers and faults: {dict(all_answers(scorers))}")


@pytest.mark.extended
def test_events_that_were_not_followed_are_followed_after_a_restart(service, club_there):
    """The service ends before it has followed, as between two moments of it: nobody asks for a list afterwards."""
    club = club_there
    match = club.open_match(service.url)
    until(lambda: booked(club) == club.positions()[-1])
    service.kill()
    server = service.embedded()
    server.start()
    append_elsewhere(club, match)
    head = club.positions()[-1]
    server.stop()
    service.start().ready()
    until(lambda: booked(club) == head)


def booked(club):
    """The position up to which the club's books are kept, which come last."""
    with psycopg.connect(club.database_url) as connection:
        row = connection.execute("select position from books where club_id = %s", [club.id]).fetchone()
    return row and row[0]
