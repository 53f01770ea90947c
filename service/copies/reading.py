"""Read a copy back: whole, before anything is made of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from service.copies.frames import END, MANIFEST, ROWS, CopyError, frames
from service.copies.manifest import FORMAT, Ending, Manifest, TableRows

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError)


class _Format(msgspec.Struct, frozen=True):
    """Only the format: what is in a newer one nobody here can know."""

    format: int


def checked(place: Path, passphrase: str | None = None, rests: Callable[[], None] = lambda: None) -> Manifest:
    """The manifest of a copy, every frame of which was read and is what was written; after each it `rests`. Raises
    CopyError, OSError."""
    counted: dict[str, int] = {}
    manifest, ending = None, None
    with place.open("rb") as file:
        for frame in frames(file, passphrase):
            rests()
            match frame.kind:
                case kind if kind == MANIFEST and manifest is None:
                    manifest = manifest_of(frame.content)
                case kind if kind == ROWS and manifest is not None:
                    rows = rows_of(frame.content)
                    counted[rows.table] = counted.get(rows.table, 0) + rows.text.count(b"\n")
                case kind if kind == END:
                    ending = _ending_of(frame.content)
                case kind:
                    raise CopyError(f"this copy holds something that this version does not know ({kind!r})")
    if manifest is None or ending is None:
        raise CopyError("this copy does not say what is in it: choose another one")
    full = {name: counted.get(name, 0) for name in manifest.rows}
    if not manifest.rows == ending.rows == full or set(counted) - set(full):
        raise CopyError("this copy does not hold as many rows as it says: choose another one")
    return manifest


def tables(place: Path, passphrase: str | None = None) -> Iterator[TableRows]:
    """The rows of a copy, in the order in which they go back. Raises CopyError, OSError."""
    with place.open("rb") as file:
        for frame in frames(file, passphrase):
            if frame.kind == ROWS:
                yield rows_of(frame.content)


def manifest_of(content: bytes) -> Manifest:
    """The manifest. Raises CopyError for that of a newer format."""
    try:
        found = msgspec.json.decode(content, type=_Format).format
        if found > FORMAT:
            raise CopyError(f"this copy has format {found}, and this program knows {FORMAT}: use a newer Lurch")
        return msgspec.json.decode(content, type=Manifest)
    except UNREADABLE:
        raise CopyError("this copy does not say what is in it: choose another one") from None


def _ending_of(content: bytes) -> Ending:
    try:
        return msgspec.json.decode(content, type=Ending)
    except UNREADABLE:
        raise CopyError("this copy does not say how it ends: choose another one") from None


def rows_of(content: bytes) -> TableRows:
    """Some rows of a table. Raises CopyError."""
    try:
        return msgspec.msgpack.decode(content, type=TableRows)
    except UNREADABLE:
        raise CopyError("rows of this copy cannot be read: choose another one") from None
