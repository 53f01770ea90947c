"""A PostgreSQL that is too old is told in one line, and nothing is made there."""

import psycopg
import pytest

from service.run import migrate
from tests.kit.service.more_databases import one_more

TABLES = "select count(*) from pg_tables where schemaname = 'public'"


def test_a_server_that_is_too_old_is_refused_and_left_unchanged(database, monkeypatch):
    with one_more(database) as empty:
        with psycopg.connect(empty.owner_url) as connection:
            major = connection.info.server_version // 10_000
        monkeypatch.setattr(migrate, "OLDEST", major + 1)  # not every machine has an old one
        with pytest.raises(migrate.SchemaError) as told:
            migrate.upgrade(empty.owner_url, empty.url)
        assert str(told.value) == (
            f"LURCH_DATABASE_URL leads to PostgreSQL {major}, and Lurch needs {major + 1} or newer: bring the server "
            "to a newer version, or name another one. Nothing was changed"
        )
        with psycopg.connect(empty.owner_url) as connection:
            assert connection.execute(TABLES).fetchone() == (0,)
