"""A data directory may have any name that a folder has."""

import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from service.run.restoring import started
from service.run.settings import SettingsError, load

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


def test_a_name_of_bytes_that_are_no_text_is_refused_with_the_name_of_its_setting():
    with pytest.raises(SettingsError, match=r"^LURCH_DATA_DIR has bytes that are no UTF-8: choose a name"):
        load({"LURCH_DATA_DIR": "/club/\udcff"})
    assert load({"LURCH_DATA_DIR": "/club/Bäsel\u200b🂡"}).data_dir
