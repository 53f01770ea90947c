"""The manifest of a base: every file with size and hash, and a hash of that.

PostgreSQL's own program for this ends with a segmentation fault in the wheel of the embedded server; the file is
described in its documentation (Backup Manifest Format).
"""

import hashlib
from pathlib import Path
from typing import Final, Literal

import msgspec

NAME: Final = "backup_manifest"
UNLISTED: Final = (NAME, "pg_wal")  # changes follow each other by their own checks


class Listed(msgspec.Struct, rename="pascal"):
    """A file: its path, its size in bytes, its SHA-256."""

    size: int
    checksum: str = ""
    checksum_algorithm: Literal["SHA256"] = msgspec.field(name="Checksum-Algorithm", default="SHA256")
    path: str | None = None
    encoded: str | None = msgspec.field(name="Encoded-Path", default=None)

    @property
    def name(self) -> str:
        """The path; one that is no UTF-8 stands there in hexadecimal."""
        return (
            self.path if self.path is not None else bytes.fromhex(self.encoded or "").decode(errors="surrogateescape")
        )


class BaseManifest(msgspec.Struct, rename="pascal"):
    """The list, and the hash of its lines before the last."""

    files: list[Listed]
    own: str = msgspec.field(name="Manifest-Checksum")


def fault_of(base: Path) -> str | None:
    """The fault of a base, or None: a file that is missing, changed or too much, or a link, which may lead
    anywhere. Raises OSError."""
    try:
        text = (base / NAME).read_bytes()
        manifest = msgspec.json.decode(text, type=BaseManifest)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return f"{NAME} is missing or cut short"
    lines = text.rstrip(b"\n").rpartition(b"\n")[0] + b"\n"
    if hashlib.sha256(lines).hexdigest() != manifest.own:
        return f"{NAME} was changed"
    listed = {each.name: each for each in manifest.files}
    places = sorted(base.rglob("*"))
    if links := [each for each in places if each.is_symlink()]:
        return f"{links[0].relative_to(base)} is a link"
    there = {str(each.relative_to(base)) for each in places if each.is_file()}
    more = sorted(each for each in there - listed.keys() if each.split("/")[0] not in UNLISTED)
    if more:
        return f"{more[0]} does not belong to it"
    return next((wrong for each in listed.values() if (wrong := _fault_in(base, each))), None)


def _fault_in(base: Path, listed: Listed) -> str | None:
    place = base / listed.name
    if not place.is_file():
        return f"{listed.name} is missing"
    with place.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    whole = (place.stat().st_size, digest) == (listed.size, listed.checksum)
    return None if whole else f"{listed.name} was changed or cut short"
