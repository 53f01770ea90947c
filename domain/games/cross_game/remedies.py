"""Cross Game: a trick's card points that pass after a revoke, and a pair that was announced without right."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from domain.cards.card import SUITS, suit_index
from domain.game.remedy import NO_WINNER, Lacking, Remedied, Remedy, Wrong, either
from domain.games.cross_game.options import AnnouncementMade
from domain.games.cross_game.scoring import CrossGameResult, announcement, contract_scores, cross_points
from domain.games.cross_game.state import Playing, Scored
from domain.log.message import Message

TRICK_GOES: Final = "trick-with-points"
CREDIT_PAIR: Final = "void-announcement"
PHRASES: Final[Mapping[str, str]] = {
    "remedy.trick": "trick {trick} passes to {other:seat} with {n} card point"
    "|trick {trick} passes to {other:seat} with {n} card points",
    "remedy.nothing": "{seat:seat} took no trick from there on: nothing passes",
    "remedy.pair": "the pair in {suit:suit} is void, and its {points} go to {other:seat}",
}
UNCOUNTED: Final = Lacking("the card points of both: the result was entered in cross points")


class Trick(msgspec.Struct, frozen=True):
    """A trick that was taken: its number from 1, who won it, its card points."""

    number: int
    winner: int
    points: int


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """A trick, or a pair (CG.7, CG.8, CG.9)."""
    result = wrong.result
    if key not in (TRICK_GOES, CREDIT_PAIR) or not isinstance(result, CrossGameResult):
        return None
    if len(result.card_points) != 2 or result.bidder is None or result.bid is None:
        return UNCOUNTED
    one = _trick_passes if key == TRICK_GOES else _pair_credited
    return either([one(wrong, result, place) for place in wrong.places], (1 - wrong.seat,), (wrong.seat,))


def _trick_passes(wrong: Wrong, result: CrossGameResult, place: int) -> Remedy:
    """The trick passes if the offender won it, else the best one that he took later."""
    table, seat = wrong.tables[place], wrong.seat
    if not isinstance(table, Playing):
        return NO_WINNER
    taken = [each for each in _tricks(wrong) if each.number > sum(table.tricks)]
    if not taken:
        return NO_WINNER
    own = [each for each in taken if each.winner == seat]
    if taken[0].winner != seat and not isinstance(wrong.tables[-1], Scored):
        return Lacking("the tricks after it: the record stops before the end of the deal")
    if not own:
        return Remedied(result, Message("remedy.nothing", {"seat": seat}))
    best = own[0] if taken[0].winner == seat else max(own, key=lambda each: each.points)
    values = {"trick": best.number, "other": 1 - seat, "n": best.points}
    points = _moved(result.card_points, seat, best.points)
    tricks = _moved(result.tricks, seat, 1) if result.tricks else ()
    return _scored(result, points, result.announcements, tricks, Message("remedy.trick", values))


def _pair_credited(wrong: Wrong, result: CrossGameResult, place: int) -> Remedy:
    """The announcement is void, and the other player has its points."""
    suit, seat = _suit_announced(wrong, place), wrong.seat
    last = wrong.tables[-1]
    play = last.play if isinstance(last, Scored) else last
    if suit is None or not isinstance(play, Playing) or play.order is None:
        return Lacking("which pair was announced")
    points = announcement(suit, play.order.trump)
    counted = points if (seat, suit) in play.shown else 0
    bonus = tuple(
        had - counted if at == seat else had + points for at, had in enumerate(result.announcements or (0, 0))
    )
    values = {"suit": SUITS[suit], "points": points, "other": 1 - seat}
    return _scored(result, result.card_points, bonus, result.tricks, Message("remedy.pair", values))


def _suit_announced(wrong: Wrong, place: int) -> int | None:
    """The suit of the announcement at a place, or of the one that the card there belongs to."""
    fact, table = wrong.facts[place], wrong.tables[place]
    if isinstance(fact, AnnouncementMade):
        return suit_index(fact.suit)
    if not isinstance(table, Playing):
        return None
    if table.pending is not None:
        return table.pending
    card = getattr(fact, "card", None)
    return None if card is None else card // 13


def _scored(
    result: CrossGameResult, points: tuple[int, ...], bonus: tuple[int, ...], tricks: tuple[int, ...], says: Message
) -> Remedied:
    """The deal with other card points or announcements (CG.8, CG.9)."""
    bidder, bid = result.bidder, result.bid
    assert bidder is not None and bid is not None
    extra = bonus or (0, 0)
    made = tuple(cross_points(card + more) for card, more in zip(points, extra, strict=True))
    turns = (made[bidder] >= bid) != (result.cross_points[bidder] >= bid)
    after = msgspec.structs.replace(
        result,
        scores=contract_scores(bidder, bid, made),
        cross_points=made,
        card_points=points,
        announcements=bonus,
        tricks=tricks,
    )
    return Remedied(after, says, turns)


def _moved(figures: tuple[int, ...], seat: int, n: int) -> tuple[int, ...]:
    return tuple(each - n if at == seat else each + n for at, each in enumerate(figures))


def _tricks(wrong: Wrong) -> Iterator[Trick]:
    """The tricks that the record has whole, in order."""
    before: Playing | None = None
    for table in wrong.tables:
        play = table.play if isinstance(table, Scored) else table
        if not isinstance(play, Playing):
            continue
        if before is not None and play.tricks != before.tricks:
            winner = int(play.tricks[1] > before.tricks[1])
            yield Trick(sum(play.tricks), winner, play.points[winner] - before.points[winner])
        before = play
