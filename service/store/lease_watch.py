"""Leases as one process sees them, by its own monotonic clock and no other: what was seen, and what follows from it.

A row that stood still for eight seconds may be taken. A holder beats every two, and stops by itself after five seconds
without success: three before anybody else may begin.
"""

from typing import Final

import msgspec

BEAT_SECONDS: Final = 2.0
STOP_SECONDS: Final = 5.0
STILL_SECONDS: Final = 8.0


class LeaseRow(msgspec.Struct, frozen=True):
    """The row of a lease: who holds it (nobody, where it was given back), its number, and how often it beat."""

    holder: str | None
    number: int
    beat: int


class OthersLease(msgspec.Struct, frozen=True):
    """A lease of somebody else: its row when it was last asked for, and since when it stands still."""

    row: LeaseRow | None
    since: float

    def seen(self, row: LeaseRow | None, now: float) -> "OthersLease":
        """The same after another look, whose answer came at `now`."""
        return self if row == self.row else OthersLease(row, now)

    def may_take(self, now: float) -> bool:
        """Tells whether the lease may be taken: nobody has it, or its row stood still for long enough."""
        return self.row is None or self.row.holder is None or now - self.since >= STILL_SECONDS


class OwnLease(msgspec.Struct, frozen=True):
    """A lease of one's own: its number, and when the last beat that succeeded was sent off."""

    number: int
    sent: float

    def is_good(self, now: float) -> bool:
        """Tells whether the holder may still act."""
        return now - self.sent < STOP_SECONDS
