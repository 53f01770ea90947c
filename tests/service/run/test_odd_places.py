"""A data directory may have any name that a folder has."""

import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from service.run.restoring import started
from service.run.settings import SettingsError, load


@pytest.mark.extended
@pytest.mark.parametrize("name", ["Club, Bäsel", 'a"b'])
def test_a_server_starts_in_a_folder_with_a_comma_or_a_quote(name):
    near = Path(tempfile.mkdtemp(prefix="lurch-test-"))
    near.chmod(0o755)
    try:
        with started(near / name) as database, psycopg.connect(database.url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
    finally:
        shutil.rmtree(near)


def test_a_folder_name_that_is_not_utf_8_is_refused():
    with pytest.raises(SettingsError, match=r"^LURCH_DATA_DIR has bytes that are no UTF-8: choose a name"):
        load({"LURCH_DATA_DIR": "/club/\udcff"})
    assert load({"LURCH_DATA_DIR": "/club/Bäsel\u200b🂡"}).data_dir
