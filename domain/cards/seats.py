"""Seats round the table: who sits where, who comes next, who is eldest."""

import re
from typing import Final

NAMES: Final[dict[int, tuple[str, ...]]] = {2: ("A", "B"), 4: ("N", "E", "S", "W")}


def left_of(seat: int, seats: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % seats


def eldest(dealer: int, seats: int) -> int:
    """The seat that opens: at the dealer's left, the non-dealer of two (ALL.1)."""
    return left_of(dealer, seats)


def seat_name(seat: int, seats: int) -> str:
    """A B for two, N E S W for four (CTN 14)."""
    return NAMES[seats][seat]


def lettered(sentence: str, seats: int) -> str:
    """A sentence that counts seats (`seat 1`), for people who call them by letter (`seat B`)."""
    return re.sub(r"\bseat (\d)", lambda found: f"seat {seat_name(int(found[1]), seats)}", sentence)
