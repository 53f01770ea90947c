"""A long club comes back whole: what was copied, restored elsewhere and verified is the same, event by event."""

import psycopg
import pytest

from service.store import copying
from tests.conftest import new_database
from tests.kit.service.more_databases import one_more
from tests.service.cli.test_import_side_by_side import histories, imported
from tests.service.copies.test_copies import every_row, lurch

pytestmark = pytest.mark.extended
LONG = 20_000
ENDED = {"tokens", "choices"}


@pytest.fixture(scope="module")
def source():
    """A database with one club, of so many events."""
    with new_database() as database:
        imported(database, "House", histories(560), 1)
        yield database


def heads_and_events(database):
    with psycopg.connect(database.owner_url) as connection:
        return copying.heads(connection), copying.counts(connection)["events"]


def test_a_club_of_twenty_thousand_events_is_copied_restored_and_verified_whole(source, tmp_path):
    heads, events = heads_and_events(source)
    assert events >= LONG
    assert len({club for club, *_ in heads}) == 1
    done = lurch(source, "backup", str(tmp_path))
    assert done.exit_code == 0, done.output
    (place,) = tmp_path.glob("*.lurch")
    with one_more(source) as elsewhere:
        done = lurch(elsewhere, "restore", str(place))
        assert f"{events:,} events, all verified" in done.output
        assert heads_and_events(elsewhere) == (heads, events)
        for table in sorted(set(copying.KEPT) - ENDED):
            assert every_row(elsewhere, table) == every_row(source, table), table
        assert lurch(elsewhere, "verify").output == f"{events} events, every chain holds\n"
