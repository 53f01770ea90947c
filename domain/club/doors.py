"""Codes of tables: what is scanned and what is typed, both derived from a secret of the service, the match and a
counter, so that they can be shown again and are kept nowhere."""

import base64
import hashlib
import hmac
from typing import Final

import msgspec

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"  # no I, L or O: they are read as digits
LENGTH: Final = 6
SECRET: Final = 16  # bytes of what is scanned
SECRET_TEXT: Final = 26  # letters of it as text


class DoorKey(msgspec.Struct, frozen=True):
    """The secret of the service from which every code is made."""

    key: bytes

    def secret(self, match: str, counter: int) -> str:
        """The secret that a table's QR code holds: 128 bits as text."""
        raw = self._digest(b"scan", match.encode(), str(counter).encode())[:SECRET]
        return base64.b32encode(raw).decode().rstrip("=").lower()

    def code(self, match: str, counter: int) -> str:
        """The six letters that a phone without a camera types."""
        number = int.from_bytes(self._digest(b"type", match.encode(), str(counter).encode()))
        found = ""
        for _ in range(LENGTH):
            number, at = divmod(number, len(LETTERS))
            found += LETTERS[at]
        return found

    def mark(self, shown: str) -> bytes:
        """A mark of a code or a secret: it finds a door, and tells nothing without the key."""
        return self._digest(b"mark", shown.encode())

    def _digest(self, *parts: bytes) -> bytes:
        framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return hmac.digest(self.key, framed, hashlib.sha256)


def read_code(typed: str) -> str | None:
    """A code as it was typed, in small letters and with spaces or dashes too; None for what cannot be one."""
    letters = "".join(typed.split()).replace("-", "").upper()
    return letters if len(letters) == LENGTH and all(each in LETTERS for each in letters) else None


def read_secret(scanned: str) -> str | None:
    """A secret as it was scanned; None for what cannot be one."""
    text = scanned.strip().removeprefix("#").lower()
    return text if len(text) == SECRET_TEXT and text.isascii() and text.isalnum() else None
