"""A data directory may have any name that a folder has."""

import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from service.run.restoring import started

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize("name", ["Club, Bäsel", 'a"b'])
def test_a_server_starts_where_a_comma_would_part_its_folder_in_two(name):
    near = Path(tempfile.mkdtemp(prefix="lurch-test-"))
    near.chmod(0o755)
    try:
        with started(near / name) as database, psycopg.connect(database.url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
    finally:
        shutil.rmtree(near)
