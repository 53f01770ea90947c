"""Devices in the log: each is known by an id that the service gives. Old events hold what a device called itself: it is
told by an id too, the same for the same words, made with a key of the club."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Final

import msgspec

CHANCE: Final = 8  # bytes
_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Devices(msgspec.Struct, frozen=True):
    """How the devices of a club are told: its key, and what they are called by id, for those who may know."""

    key: bytes
    names: Mapping[str, str] = {}

    def fresh(self, chance: bytes) -> str:
        """A new id from eight bytes of chance. Half of it is a mark of the key: nothing that a device calls itself can
        be taken for one."""
        return self._marked(chance)

    def gave(self, device: str) -> bool:
        """Whether a device in the log is an id that the service gave, not words of an old event."""
        if not _ID.fullmatch(device):
            return False
        return self._marked(bytes.fromhex(device.replace("-", ""))[:CHANCE]) == device

    def told(self, device: str | None) -> str | None:
        """A device of an event as everybody may know it."""
        if device is None or self.gave(device):
            return device
        return _as_id(self._digest(b"words", device.encode()))

    def called(self, device: str | None) -> str | None:
        """What a device of an event is called, as far as that is known here."""
        if device is None:
            return None
        return self.names.get(device) if self.gave(device) else device

    def holder(self, *parts: str) -> bytes:
        """What is kept of whom an id was given to: it is found by it, and tells nobody without the key."""
        return self._digest(b"holder", *(part.encode() for part in parts))

    def _marked(self, chance: bytes) -> str:
        plain = bytes([*chance[:6], chance[6] & 0x0F | 0x80, chance[7]])
        return _as_id(plain + self._digest(b"id", plain)[CHANCE:])

    def _digest(self, *parts: bytes) -> bytes:
        framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return hmac.digest(self.key, framed, hashlib.sha256)


def _as_id(raw: bytes) -> str:
    """Sixteen bytes as a UUID of version 8."""
    marked = bytes([*raw[:6], raw[6] & 0x0F | 0x80, raw[7], raw[8] & 0x3F | 0x80, *raw[9:16]]).hex()
    return "-".join((marked[:8], marked[8:12], marked[12:16], marked[16:20], marked[20:]))
