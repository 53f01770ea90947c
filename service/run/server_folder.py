"""The folder of an embedded server: made, owned by the server's user, and within its reach.

As root the server runs as `nobody`, for PostgreSQL refuses to be root; that user may not pass every parent."""

import hashlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Final

from service.run.binaries import EmbeddedError, runner

PARTING: Final = frozenset(',"')  # in a list of folders or of hosts


class ServerFolder:
    """The places of one server, and its user's way to them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.data = root / "pg"
        self.runner = runner()
        self._door: int | None = None

    @property
    def sockets(self) -> Path:
        """The socket's directory, ours alone; in the temp directory when the path would be too long, or be taken for
        several."""
        near = self.root / "run"
        if len(os.fsencode(near)) <= 80 and not set(str(near)) & PARTING:
            return near
        name = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"lurch-{name}"

    @property
    def socket(self) -> Path:
        """The socket, there while a server listens."""
        return self.sockets / ".s.PGSQL.5432"

    @property
    def handles(self) -> tuple[int, ...]:
        """The open handles that the server's processes need for `seen`."""
        return () if self._door is None else (self._door,)

    def make(self) -> None:
        """Make the folder, if it is not there, and open it to the server's user. Raises EmbeddedError."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.sockets.mkdir(mode=0o700, exist_ok=True)
            self._check_ours()
            self.own(self.root, self.sockets)
        except OSError as error:
            raise EmbeddedError(
                f"the data directory {self.root} cannot be used ({error.strerror}): set LURCH_DATA_DIR"
            ) from None
        self._open_door()

    def _check_ours(self) -> None:
        """In the temp directory anybody may have made a folder of that name before us. Raises EmbeddedError."""
        if self.sockets.parent == self.root or os.name != "posix":
            return
        found = self.sockets.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (os.geteuid(), self.runner.uid):
            raise EmbeddedError(f"{self.sockets} is not ours: delete it, or set LURCH_DATA_DIR to a shorter path")
        self.sockets.chmod(0o700)

    def own(self, *places: Path) -> None:
        """As root: what the server writes to belongs to its user; no parent is touched."""
        if self.runner.uid is None or self.runner.gid is None:
            return
        for place in places:
            os.chown(place, self.runner.uid, self.runner.gid)

    def own_all(self) -> None:
        """As root: files that were laid there belong to the server's user."""
        self.own(self.data, *self.data.rglob("*"))

    def seen(self, place: Path) -> str:
        """A place as the server's processes name it."""
        if self._door is None or not place.is_relative_to(self.root):
            return str(place)
        return f"/proc/self/fd/{self._door}/{place.relative_to(self.root)}"

    def remove_lock_files(self) -> None:
        """A foreign process with the old number counts as alive for PostgreSQL: both files must go, and the socket,
        which would look like an open one. Safe only after no process of the old server is left."""
        for place in (self.data / "postmaster.pid", self.sockets / f"{self.socket.name}.lock", self.socket):
            place.unlink(missing_ok=True)

    def _open_door(self) -> None:
        """As root, behind a parent that `nobody` cannot pass: the server gets our open handle on the
        directory and names its files through that. No parent is opened for it, and the place stays as set."""
        if self.runner.uid is None or self._door is not None or self._passable():
            return
        if not sys.platform.startswith("linux"):
            raise EmbeddedError(f"the user `nobody` cannot reach {self.root}: set LURCH_DATA_DIR to another place")
        self._door = os.open(self.root, os.O_PATH | os.O_DIRECTORY)

    def _passable(self) -> bool:
        parents = [parent.stat() for parent in self.root.parents]
        return all(found.st_mode & 0o001 or found.st_uid == self.runner.uid for found in parents)
