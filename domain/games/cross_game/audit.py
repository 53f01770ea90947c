"""Cross Game: what a breach rests on, and the pairs that were not announced in time."""

from collections.abc import Iterator

from domain.cards.card import CARDS, suit_index
from domain.cards.facts import CardDrawn, CardPlayed
from domain.game.judgement import Breach, Late
from domain.game.replay import START, Replay, places
from domain.games.cross_game.options import PAIRED, AnnouncementMade, pair_of
from domain.games.cross_game.state import Playing


def orders(replay: Replay, place: int) -> tuple[int, ...]:
    """The first lead, which makes trumps; before it the auction, which says who leads (CG.4)."""
    first = _first_lead(replay)
    return (first,) if first is not None and first < place else replay.calls_to(place)


def _first_lead(replay: Replay) -> int | None:
    return next((place for place, fact in enumerate(replay.facts) if isinstance(fact, CardPlayed)), None)


def rests_on(replay: Replay, place: int, breach: Breach) -> tuple[int, ...] | None:
    """The answers of this game's own; None for what every game has."""
    fact = replay.facts[place]
    if breach.code == "WTA":
        return places(place, range(place))
    if breach.code == "KQF" and isinstance(fact, AnnouncementMade):
        return _announced(replay, place, fact)
    if breach.code == "KQF" and isinstance(fact, CardPlayed | CardDrawn) and fact.card is not None:
        return _shown(replay, place, int(fact.card))
    return None


def _shown(replay: Replay, place: int, card: int) -> tuple[int, ...]:
    """A card that shows a false announcement: the offence is the announcement. Or a lead of another card."""
    table = replay.tables[place]
    made = [
        (at, fact)
        for at, fact in enumerate(replay.facts[:place])
        if isinstance(fact, AnnouncementMade) and suit_index(fact.suit) == card // 13
    ]
    if isinstance(table, Playing) and table.pending is not None and not table.cards and not _is_pair(table, card):
        last = max(at for at in range(place) if isinstance(replay.facts[at], AnnouncementMade))
        return places(place, (last,))
    if not made:
        return places(place, replay.calls_to(place))
    at = made[-1][0]
    led = next((each for each in range(at + 1, place) if isinstance(replay.facts[each], CardPlayed)), at)
    return (at, *sorted({led, place} - {at}))


def _is_pair(table: Playing, card: int) -> bool:
    return table.pending is not None and bool(pair_of(table.pending) >> card & 1)


def _announced(replay: Replay, place: int, fact: AnnouncementMade) -> tuple[int, ...]:
    """A pair announced out of turn, a second time, or without holding both."""
    table = replay.tables[place]
    assert isinstance(table, Playing)
    suit = suit_index(fact.suit)
    cards = [13 * suit + rank for rank in PAIRED]
    grounds: set[int] = set()
    if fact.seat != table.turn or table.cards:
        grounds |= {*replay.trick_to(place), *replay.trick_before(place), *orders(replay, place)}
    earlier = [
        at
        for at, each in enumerate(replay.facts[:place])
        if isinstance(each, AnnouncementMade) and (suit_index(each.suit) == suit or table.pending is not None)
    ]
    for at in earlier[-1:]:
        grounds |= {at, *_next_play(replay, at, place)}
    for card in cards:
        grounds |= set(replay.named(card, 0, place))
    if replay.known:
        grounds |= {START, *_brought(replay, cards, place)}
    return places(place, grounds)


def _next_play(replay: Replay, at: int, place: int) -> tuple[int, ...]:
    return tuple(each for each in range(at + 1, place) if isinstance(replay.facts[each], CardPlayed))[:1]


def _brought(replay: Replay, cards: list[int], place: int) -> Iterator[int]:
    """With cards known: the tricks that decided who drew each of these cards (CG.g3), and what made trumps in them."""
    found = {at for card in cards for seat in (0, 1) for at in replay.came(card, seat, place)}
    yield from found
    if found:
        yield from orders(replay, place)


def hindsight(replay: Replay) -> tuple[Late, ...]:
    """Pairs that were led from without being announced: they lapse (LAP)."""
    last = replay.tables[-1]
    base = getattr(getattr(last, "play", last), "base", None)
    if base is None or base.auction.options.announce != "declared":
        return ()
    return tuple(_lapsed(replay, base.known))


def _lapsed(replay: Replay, known: bool) -> Iterator[Late]:
    for place, fact in enumerate(replay.facts):
        if not isinstance(fact, CardPlayed) or fact.card % 13 not in PAIRED:
            continue
        table = replay.tables[place]
        if not isinstance(table, Playing) or table.cards or table.turn != fact.seat or table.pending is not None:
            continue
        suit, pair = fact.card // 13, pair_of(fact.card // 13)
        if any(suit == shown for _, shown in table.shown) or not table.hands[fact.seat] >> fact.card & 1:
            continue
        other = (pair & ~(1 << fact.card)).bit_length() - 1
        grounds = _both_held(replay, place, fact, other, known)
        if grounds:
            detail = f"seat {fact.seat} led {fact.card} with {CARDS[other]} in hand and announced nothing: it lapses"
            yield Late(grounds, Breach("CG.g7", "LAP", detail))


def _both_held(replay: Replay, place: int, fact: CardPlayed, other: int, known: bool) -> tuple[int, ...]:
    """That the other card of the pair was in hand too: by the deal, or by its own play later, with no draw between."""
    table = replay.tables[place]
    later = next((at for at in replay.named(other, place + 1) if isinstance(replay.facts[at], CardPlayed)), None)
    if known:
        if not table.hands[fact.seat] >> other & 1:
            return ()
        own = replay.own(fact.seat, place)
        return places(
            place, (START,), own, _brought(replay, [other, int(fact.card)], place), () if later is None else (later,)
        )
    if later is None or replay.facts[later].seat != fact.seat or table.left > 16 or table.seen >> other & 1:
        return ()
    return places(place, (later,))
