"""Devices in the log: each is known by an id that the service gives. Old events hold what a device called itself: it is
told by an id too, the same for the same words, made with a key of the club."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

CHANCE: Final = 8  # bytes
MARKED: Final = 4096  # ids of devices that are remembered
_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Devices(msgspec.Struct, frozen=True):
    """The devices of a club: the key that makes their ids, and their names by id for those who may know."""

    key: bytes
    names: Mapping[str, str] = {}

    def new_id(self, chance: bytes) -> str:
        """A new id from eight bytes of chance. Half of it is a mark of the key: nothing that a device calls itself can
        be taken for one."""
        return self._marked(chance)

    def issued(self, device: str) -> bool:
        """Tells whether a device in the log is an id that the service gave, not words of an old event."""
        if not _ID.fullmatch(device):
            return False
        return self._marked(bytes.fromhex(device.replace("-", ""))[:CHANCE]) == device

    def public_id(self, device: str | None) -> str | None:
        """A device of an event as everybody may know it."""
        if device is None or self.issued(device):
            return device
        return _as_id(self._digest(b"words", device.encode()))

    def name_of(self, device: str | None) -> str | None:
        """The name of a device of an event, as far as it is known here."""
        if device is None:
            return None
        return self.names.get(device) if self.issued(device) else device

    def holder(self, *parts: str) -> bytes:
        """A mark of the holder of an id: it finds the id, and tells nothing without the key."""
        return self._digest(b"holder", *(part.encode() for part in parts))

    def _marked(self, chance: bytes) -> str:
        return _marked_id(self.key, bytes([*chance[:6], chance[6] & 0x0F | 0x80, chance[7]]))

    def _digest(self, *parts: bytes) -> bytes:
        return _digest(self.key, *parts)


@lru_cache(MARKED)
def _marked_id(key: bytes, plain: bytes) -> str:
    """The id whose first half is `plain` and whose other half marks the key; asked again for each event of a device."""
    return _as_id(plain + _digest(key, b"id", plain)[CHANCE:])


def _digest(key: bytes, *parts: bytes) -> bytes:
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(key, framed, hashlib.sha256)


def _as_id(raw: bytes) -> str:
    """Sixteen bytes as a UUID of version 8."""
    marked = bytes([*raw[:6], raw[6] & 0x0F | 0x80, raw[7], raw[8] & 0x3F | 0x80, *raw[9:16]]).hex()
    return "-".join((marked[:8], marked[8:12], marked[12:16], marked[16:20], marked[20:]))
