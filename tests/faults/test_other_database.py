"""A database of one's own (LURCH_DATABASE_URL) goes away and comes back: it is waited for, and nothing is lost."""

import pytest

from service.run.embedded import Embedded
from tests.kit.faults.processes import data_directory, kill_all, postgres_of, serving, tell, until
from tests.kit.faults.scorers import Club, all_answers, batches, more, results, scoring
from tests.kit.faults.watchers import watching

pytestmark = pytest.mark.extended


@pytest.fixture
def database():
    """A server that the service knows by its address only."""
    with data_directory() as root:
        server = Embedded(root)
        server.start()
        yield server
        server.stop()


def test_a_database_that_is_not_ours_is_waited_for_and_not_started(database):
    urls = {"LURCH_DATABASE_URL": database.url("lurch_app"), "LURCH_MIGRATE_URL": database.url("lurch_owner")}
    with data_directory() as data, serving(data, **urls) as service:
        club = Club(urls["LURCH_DATABASE_URL"])
        match = club.open_match(service.url)
        own = club.open_match(service.url, ("Carla", "Dora"))
        works = [results(match), results(match), batches(own)]
        with watching(service.url) as (live, ready), scoring(club, [service.url], works) as scorers:
            for crash in (True, False):
                more(club, 20)
                if crash:
                    kill_all(postgres_of(database.root))
                else:
                    database.stop()
                until(lambda: ready.seen[-1][0] == 503)
                assert postgres_of(database.root) == postgres_of(data) == []
                database.start()
                until(lambda: ready.seen[-1][0] == 200)
            more(club, 20)
        club.check()
        answers = all_answers(scorers)
        assert set(answers) <= {200, 201, 409, 503}, answers
        assert live.statuses() == {200}
        tell(f"{club.acknowledged()} acknowledged; answers {dict(answers)}")
        assert not data.exists()
