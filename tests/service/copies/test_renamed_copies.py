"""Names that a hand has given in a folder of copies are passed over, and stop no copy."""

from datetime import UTC, datetime

import pytest

from service.copies.changes import Changes, newest_of
from service.copies.folder import KeptCopies
from service.copies.taking import named
from service.run import doctor
from service.run.settings import Settings

MADE = datetime(2026, 11, 23, 4, tzinfo=UTC)


@pytest.mark.parametrize("name", ["lurch-2026-11-31-040000.lurch", "lurch-2026-00-00-999999.lurch"])
def test_a_copy_of_a_day_that_is_none_stops_nothing(tmp_path, name):
    for each in (name, named(MADE)):
        (tmp_path / each).touch()
    assert KeptCopies(tmp_path, "", "0.1.0").made() == [MADE]
    settings = Settings(database_url="postgresql://lurch@127.0.0.1:1/lurch", backup_dir=str(tmp_path), port=0)
    assert {each.what: each.well for each in doctor.examined(settings)}["database"] is False
    assert "cannot be read back" in doctor._copies(settings, None)[1]


@pytest.mark.parametrize("name", ["7-1-2 (Kopie)", "7-1-3.old", "7-1-", "7-1-x", "7-1-\u0664"])
def test_changes_go_on_beside_a_folder_that_was_copied_by_hand(tmp_path, name):
    for each in ("7-1-2", name):
        (tmp_path / each).mkdir()
    found = newest_of(tmp_path, "7-1")
    assert found is not None
    assert found.folder.name == "7-1-2"


def test_a_base_of_a_day_that_is_none_is_no_base(tmp_path):
    for each in ("base-2026-11-23-040000", "base-2026-11-31-040000"):
        (tmp_path / each).mkdir()
    assert [each.made for each in Changes(tmp_path).bases()] == [MADE]
