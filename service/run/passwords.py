"""The passwords of an embedded server's roles: made once, kept in a 0600 file beside the data."""

import os
import secrets
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from service.run.binaries import EmbeddedError

NAME: Final = "secrets.json"


class Passwords(msgspec.Struct, frozen=True):
    """The passwords of the three roles."""

    postgres: str
    lurch_owner: str
    lurch_app: str


def make_passwords(root: Path, data: Path) -> None:
    """Make passwords at the first start: a full disk or kill -9 must not leave half of them for ever. Raises
    EmbeddedError where there are data already: new passwords would not open them."""
    place = root / NAME
    if place.exists():
        return
    if data.exists():
        raise EmbeddedError(f"{place} is missing, and with it the passwords of the database in {data}: {_MEND}")
    put_in_place(root, new_passwords())


def new_passwords() -> Passwords:
    """Three that nobody guesses."""
    return Passwords(*(secrets.token_urlsafe(24) for _ in range(3)))


def put_in_place(root: Path, made: Passwords) -> None:
    """Keep passwords in the file that every start reads."""
    write_private(root / "secrets.new", msgspec.json.encode(made))
    (root / "secrets.new").rename(root / NAME)


def read_passwords(root: Path) -> Passwords:
    """The passwords of a data directory. Raises EmbeddedError."""
    place = root / NAME
    try:
        return msgspec.json.decode(place.read_bytes(), type=Passwords)
    except OSError as error:
        raise EmbeddedError(f"{place} cannot be read ({error.strerror}): {_MEND}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise EmbeddedError(f"{place} is cut short or was changed: {_MEND}") from None


_MEND: Final = (
    "put it back from a copy of the data directory, or stop the service and let `lurch doctor --mend` make new ones"
)


def write_private(place: Path, content: bytes) -> None:
    """A file that its owner alone may read."""
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def private_end(place: Path) -> BinaryIO:
    """The end of such a file, to write on there: what PostgreSQL logs may name people."""
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    place.chmod(0o600)  # of a Lurch of before everybody could read it
    return os.fdopen(handle, "ab")
