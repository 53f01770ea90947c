"""The file of a copy: a line that says what it is, then frames, each with its hash, and a last one that says so.

A frame is its kind (one byte), the length of what it holds (four bytes), the SHA-256 of number, kind and content, and
the content, gzipped. Encrypted, the first frame tells how the key is made of the passphrase, and each content is sealed
with its number and kind, so that no frame is left out, changed or moved unseen.
"""

import gzip
import hashlib
import io
import secrets
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC: Final = b"LURCH COPY 1\n"
LARGEST: Final = 64_000_000  # bytes that a frame may say it has
STEP: Final = 16_384  # bytes that are packed before a rest
AS_GZIP: Final = 16 + zlib.MAX_WBITS
UNPACKED: Final = 4 * LARGEST  # bytes that its content may come to: a small frame may hold any number
HEAD: Final = struct.Struct(">cI32s")
MANIFEST, ROWS, KEY, END = b"M", b"R", b"K", b"E"
COST: Final = 2**15
DEAREST: Final = 8 * COST  # a kilobyte of memory each


class CopyError(Exception):
    """A file that is no whole copy, or no copy for this program; the message says what to do."""


class Frame(msgspec.Struct, frozen=True):
    """A frame: its kind, and its content."""

    kind: bytes
    content: bytes


class KeyFrame(msgspec.Struct, frozen=True):
    """The salt and the cost with which the key is made of the passphrase."""

    salt: bytes
    cost: int


def _key(passphrase: str, salt: bytes, cost: int) -> AESGCM:
    return AESGCM(Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(passphrase.encode()))


def _bound(number: int, kind: bytes) -> bytes:
    return number.to_bytes(12, "big") + kind


class FrameWriter:
    """Writes the frames of a copy, encrypted where there is a passphrase; between its steps it `rests`."""

    def __init__(self, file: BinaryIO, passphrase: str | None = None, rests: Callable[[], None] = lambda: None) -> None:
        self._file, self._number, self._lock, self._rests = file, 0, None, rests
        file.write(MAGIC)
        if passphrase is not None:
            key = KeyFrame(secrets.token_bytes(16), COST)
            self._write(KEY, msgspec.json.encode(key))
            self._lock = _key(passphrase, key.salt, key.cost)

    def put(self, kind: bytes, content: bytes) -> None:
        """One more frame."""
        packer, packed = zlib.compressobj(5, wbits=AS_GZIP), bytearray()
        for start in range(0, len(content), STEP):
            packed += packer.compress(content[start : start + STEP])
            self._rests()
        self._write(kind, bytes(packed + packer.flush()))

    def _write(self, kind: bytes, packed: bytes) -> None:
        bound = _bound(self._number, kind)
        held = packed if self._lock is None else self._lock.encrypt(bound[:12], packed, bound)
        self._file.write(HEAD.pack(kind, len(held), hashlib.sha256(bound + held).digest()) + held)
        self._number += 1


def is_encrypted(file: BinaryIO) -> bool:
    """Tells whether a copy needs a passphrase, from its first frame."""
    return file.read(len(MAGIC)) == MAGIC and file.read(1) == KEY


def frames(file: BinaryIO, passphrase: str | None = None) -> Iterator[Frame]:
    """The frames of a copy in order, to its last. Raises CopyError for a file that is cut, changed, goes on behind its
    end, or needs another passphrase."""
    if file.read(len(MAGIC)) != MAGIC:
        raise CopyError("this file is no copy that this version of Lurch reads: choose one that `lurch backup` made")
    lock, number = None, 0
    while True:
        kind, held = _held(file, number)
        bound = _bound(number, kind)
        number += 1
        if kind == KEY:
            if passphrase is None:
                raise CopyError("this copy is encrypted: give its passphrase (LURCH_BACKUP_PASSPHRASE_FILE)")
            key = _key_of(held)
            lock = _key(passphrase, key.salt, key.cost)
            continue
        yield Frame(kind, _opened(held, lock, bound))
        if kind == END:
            if file.read(1):
                raise CopyError("this copy goes on behind its last frame: choose another one")
            return


def _held(file: BinaryIO, number: int) -> tuple[bytes, bytes]:
    head = file.read(HEAD.size)
    if len(head) < HEAD.size:
        raise CopyError("this copy is cut off, its last frame is missing: choose another one")
    kind, length, digest = HEAD.unpack(head)
    held = file.read(length) if length <= LARGEST else b""
    if len(held) < length <= LARGEST:
        raise CopyError("this copy is cut off, its last frame is missing: choose another one")
    if hashlib.sha256(_bound(number, kind) + held).digest() != digest:
        raise CopyError(f"frame {number} of this copy is not what was written: choose another one")
    return kind, held


def _key_of(held: bytes) -> KeyFrame:
    try:
        found = msgspec.json.decode(held, type=KeyFrame)
    except msgspec.MsgspecError:
        raise CopyError("this copy does not say how its key is made: choose another one") from None
    if found.cost > DEAREST or found.cost < 2 or found.cost & (found.cost - 1):
        raise CopyError("this copy asks for more work than this version does: use a newer Lurch")
    return found


def _opened(held: bytes, lock: AESGCM | None, bound: bytes) -> bytes:
    try:
        packed = held if lock is None else lock.decrypt(bound[:12], held, bound)
        content = gzip.GzipFile(fileobj=io.BytesIO(packed)).read(UNPACKED + 1)
    except InvalidTag:
        raise CopyError("this passphrase does not open this copy") from None
    except (OSError, EOFError, zlib.error) as error:
        raise CopyError(f"a frame of this copy cannot be unpacked ({error}): choose another one") from None
    if len(content) > UNPACKED:
        raise CopyError("a frame of this copy holds more than any that was written: choose another one")
    return content
