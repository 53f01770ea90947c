"""A copy comes back where a link leads, and a disk of its own is told before anything is read into it."""

from pathlib import Path

import pytest

from service.copies.frames import CopyError
from service.run.restoring import put_in_place


def put(place):
    with put_in_place(place) as beside:
        (beside / "log").touch()


@pytest.mark.parametrize("there", [True, False])
def test_what_comes_back_lies_where_the_link_leads_and_the_link_stays(tmp_path, there):
    disk, link = tmp_path / "disk" / "lurch", tmp_path / "data"
    disk.parent.mkdir()
    if there:
        disk.mkdir()
    link.symlink_to(disk)
    put(link)
    assert link.is_symlink()
    assert [each.name for each in disk.iterdir()] == ["log"]
    assert [each.name for each in disk.parent.iterdir()] == ["lurch"]
    with pytest.raises(CopyError, match="holds something"):
        put(link)


def test_a_place_that_cannot_be_written_is_named_with_advice(tmp_path):
    parent = tmp_path / "file"
    parent.touch()
    said = rf"^nothing can be made in {parent} \(Not a directory\).* choose a place in a folder of yours"
    with pytest.raises(CopyError, match=said), put_in_place(parent / "data"):
        pytest.fail("it was begun")


def test_a_mount_point_is_refused_before_anything_is_restored(tmp_path, monkeypatch):
    place = tmp_path / "disk"
    place.mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda self: self == place)
    with pytest.raises(CopyError, match="choose a folder in it"), put_in_place(place):
        pytest.fail("it was begun")
    put(place / "data")
    assert [each.name for each in place.iterdir()] == ["data"]
