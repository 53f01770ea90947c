"""Files beside the data are for their owner alone, and nobody else's folder is taken for our own."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import psycopg
import pytest

from service.run.binaries import EmbeddedError
from service.run.embedded import Embedded
from service.run.restoring import started
from service.run.server_folder import ServerFolder


@pytest.fixture
def far():
    """A folder whose path is too long for a socket, and that sockets' place in the temp directory."""
    near = Path(tempfile.mkdtemp(prefix="lurch-test-"))
    near.chmod(0o755)
    folder = ServerFolder(near / ("long" * 20))
    yield folder
    shutil.rmtree(near)
    if folder.sockets.is_symlink():
        folder.sockets.unlink()
    shutil.rmtree(folder.sockets, ignore_errors=True)


def test_the_database_log_and_the_socket_folder_are_private(far):
    far.sockets.mkdir(mode=0o700)
    far.sockets.chmod(0o777)  # others could write to it
    failed = pytest.raises(psycopg.errors.UndefinedTable)
    with started(far.root) as database, psycopg.connect(database.url) as connection, failed:
        assert stat.S_IMODE(far.sockets.stat().st_mode) == 0o700
        connection.execute("select 'Hedda Quist' from nothing")
    log = far.root / "postgres.log"
    assert "Hedda Quist" in log.read_text(), "what failed is told with its words"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives a folder away")
@pytest.mark.parametrize("how", ["folder", "link"])
def test_a_socket_folder_of_another_user_is_refused(far, tmp_path, how):
    if how == "folder":
        far.sockets.mkdir()
        os.chown(far.sockets, 12345, 12345)
    else:
        far.sockets.symlink_to(tmp_path)
    with pytest.raises(EmbeddedError, match="is not ours"):
        Embedded(far.root).start()
    assert (tmp_path if how == "link" else far.sockets).stat().st_uid in (0, 12345)
    assert not far.data.exists()
