"""Variables that libpq reads are of other servers: the embedded one is found past them, and never ended for them."""

import psycopg
import pytest

from service.run.embedded import Embedded
from service.run.holders import servers
from service.run.migrate import upgrade
from tests.conftest import embedded

ASKED = "select pg_backend_pid() > 0"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PGPORT", "5999"),
        *(
            pytest.param(*each, marks=pytest.mark.extended)
            for each in (("PGHOSTADDR", "192.0.2.1"), ("PGHOST", "db.invalid"), ("PGCHANNELBINDING", "require"))
        ),
    ],
)
def test_the_embedded_server_is_found_past_the_variables_of_another(monkeypatch, name, value):
    with embedded() as database:
        before = servers(database.embedded.data)
        monkeypatch.setenv(name, value)
        Embedded(database.embedded.root).start()
        assert servers(database.embedded.data) == before, "a server that was well was ended"
        upgrade(database.owner_url, database.url)
        with psycopg.connect(database.url) as connection:
            assert connection.execute(ASKED).fetchone() == (True,)
