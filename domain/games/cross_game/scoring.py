"""Cross Game: card points, announcements and the contract, from full play and entered without cards alike."""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec

from domain.cards.card import Suit
from domain.game.sheet import EntryError, EntryField, Result
from domain.game.shown import Figure
from domain.games.cross_game.state import Auction, PassedOut, Playing, Scored, State

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

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks, and cross points before the contract."""
        told = (("tricks", self.tricks), ("cross_points", self.cross_points))
        return tuple(Figure(label, values) for label, values in told if values)

    @property
    def seats_named(self) -> Mapping[str, int]:
        """The bidder."""
        return {} if self.bidder is None else {"bidder": self.bidder}


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
        scores=contract_scores(bidder, bid, made),
        cross_points=made,
        card_points=points,
        announcements=bonus,
        bidder=bidder,
        bid=bid,
    )


TAPS: Final = tuple(range(7))
FORM: Final = (
    EntryField("bidder", "Who bid?", "seat", (0, 1)),
    EntryField("bid", "How much was bid?", "choice", (1, 2, 3, 4, 5, 6)),
    EntryField("cross_points.0", "cross points", "choice", TAPS, seat=0),
    EntryField("cross_points.1", "cross points", "choice", TAPS, seat=1),
)


def bonuses(state: Playing) -> tuple[int, ...]:
    """Announcement points by seat (CG.7)."""
    trump = state.order.trump if state.order else -1
    totals = [0, 0]
    for seat, suit in state.shown:
        totals[seat] += announcement(suit, trump)
    return tuple(totals)


def total_of(state: Playing) -> tuple[int, ...]:
    """Card points and announcements by seat so far (CG.8)."""
    return tuple(card + bonus for card, bonus in zip(state.points, bonuses(state), strict=True))


def made(state: Playing) -> tuple[int, ...]:
    """Cross points by seat so far, before the contract."""
    return tuple(cross_points(total) for total in total_of(state))


def score(state: State) -> CrossGameResult | None:
    """The score of a complete deal, a void one included."""
    if isinstance(state, PassedOut):
        return passed_out()
    if not isinstance(state, Scored):
        return None
    play = state.play
    points = made(play)
    return CrossGameResult(
        scores=contract_scores(play.base.bidder, play.base.bid, points),
        cross_points=points,
        card_points=play.points,
        announcements=bonuses(play),
        tricks=play.tricks,
        bidder=play.base.bidder,
        bid=play.base.bid,
    )


def cross_points_of(state: State, result: Result | None) -> tuple[int, ...] | None:
    """The cross points of the result; while the deal is on, those made so far."""
    if isinstance(result, CrossGameResult) and result.cross_points:
        return result.cross_points
    if isinstance(state, Auction | PassedOut):
        return (0, 0)
    return made(state.play if isinstance(state, Scored) else state)
