"""Cross Game: card points, announcements and the contract, for full play and entered results alike."""

from typing import Annotated, TypeAlias

import msgspec

from domain.cards import Suit
from domain.game import EntryError, EntryField, Result

CrossPoints: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=6)]
CardPoints: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=120)]
Announced: TypeAlias = Annotated[tuple[Suit, ...], msgspec.Meta(max_length=4)]


class CrossGameResult(Result, frozen=True, omit_defaults=True):
    """Scores, with cross points before the contract, card points, announcements and the contract."""

    cross_points: tuple[int, ...] = ()
    card_points: tuple[int, ...] = ()
    announcements: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    bidder: int | None = None
    bid: int | None = None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The contract and what was made: cross points, or card points with the suits announced; a deal
    that both passed is `{"void": true}`."""

    bidder: Annotated[int, msgspec.Meta(ge=0, le=1)] | None = None
    bid: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None
    cross_points: tuple[CrossPoints, CrossPoints] | None = None
    card_points: tuple[CardPoints, CardPoints] | None = None
    announcements: tuple[Announced, Announced] | None = None
    trumps: Suit | None = None
    void: bool = False


def cross_points(total: int) -> int:
    """One for each full 33 (CG.8)."""
    return total // 33


def announcement(suit: int | str, trump: int | str) -> int:
    """20 for king and queen, 40 in trumps (CG.7)."""
    return 40 if suit == trump else 20


def contract_scores(bidder: int, bid: int, points: tuple[int, ...]) -> tuple[int, ...]:
    """The bidder adds what he made, or loses his bid; the other adds what he made (CG.9, CG.g9)."""
    return tuple(-bid if seat == bidder and made < bid else made for seat, made in enumerate(points))


def passed_out() -> CrossGameResult:
    """Both passed: void, nobody scores (CG.3, CG.g6)."""
    return CrossGameResult(scores=(0, 0), void=True)


def score_entry(entry: Entry) -> CrossGameResult:
    """An entered deal. Raises EntryError with the invariant that is broken."""
    if entry.void:
        if entry != Entry(void=True):
            raise EntryError("CG.g6", 'a passed-out deal is `{"void": true}` and nothing else')
        return passed_out()
    if entry.bidder is None or entry.bid is None:
        raise EntryError("CG.3", "name the `bidder` (0 or 1) and the `bid` (1 to 6)")
    if (entry.cross_points is None) == (entry.card_points is None):
        raise EntryError("CG.8", "give either `cross_points` or `card_points`")
    if entry.cross_points is not None:
        if entry.announcements is not None or entry.trumps is not None:
            raise EntryError("CG.8", "announcements and trumps go with card_points")
        if not 2 <= sum(entry.cross_points) <= 6:
            raise EntryError("CG.i4", f"both together make 2 to 6 cross points, not {sum(entry.cross_points)}")
        scores = contract_scores(entry.bidder, entry.bid, entry.cross_points)
        return CrossGameResult(scores=scores, cross_points=entry.cross_points, bidder=entry.bidder, bid=entry.bid)
    return _score_points(entry, entry.bidder, entry.bid, entry.card_points or (0, 0))


def _score_points(entry: Entry, bidder: int, bid: int, points: tuple[int, ...]) -> CrossGameResult:
    if sum(points) != 120:
        raise EntryError("CG.i1", f"both together make 120 card points, not {sum(points)}")
    suits = entry.announcements or ((), ())
    shown = [suit for own in suits for suit in own]
    if len(shown) != len(set(shown)):
        raise EntryError("CG.i3", "a suit can be announced once")
    if shown and entry.trumps is None:
        raise EntryError("CG.7", "name the `trumps`: a pair in trumps counts 40")
    bonus = tuple(sum(announcement(suit, entry.trumps or "") for suit in own) for own in suits)
    made = tuple(cross_points(card + extra) for card, extra in zip(points, bonus, strict=True))
    return CrossGameResult(
        scores=contract_scores(bidder, bid, made), cross_points=made, card_points=points,
        announcements=bonus, bidder=bidder, bid=bid,
    )  # fmt: skip


def form() -> tuple[EntryField, ...]:
    """Bidder, bid, and the cross points of each."""
    taps = tuple(range(7))
    return (
        EntryField("bidder", "Who bid?", "seat", (0, 1)),
        EntryField("bid", "How much was bid?", "choice", (1, 2, 3, 4, 5, 6)),
        EntryField("cross_points.0", "cross points", "choice", taps, seat=0),
        EntryField("cross_points.1", "cross points", "choice", taps, seat=1),
    )
