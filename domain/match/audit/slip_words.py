"""The words of a slip, in English: entries as they would be read out, seats by number, places in the deal."""

from domain import english
from domain.cards.card import SUIT_SIGNS, Card
from domain.cards.facts import Fact
from domain.match.audit.finding import Course
from domain.match.audit.slip_kinds import Slip
from domain.match.audit.walk import card_of


def words_of(course: Course, slip: Slip) -> str:
    """The slip in one clause."""
    facts, key = course.facts, course.game.key
    match slip.kind:
        case "mistyped":
            return _mistyped(key, facts[slip.places[0]], slip.what)
        case "cards exchanged":
            one, other = (_short(card_of(facts[place])) for place in slip.places)
            return f"{one} and {other} exchanged in their trick: {_places(slip)}"
        case "entries exchanged":
            return f"two entries of seat {facts[slip.places[0]].seat} exchanged: {_places(slip)}"
        case "too many":
            return f"an entry too many at place {slip.places[0]}: {_entry(key, facts[slip.places[0]])}"
        case "missing":
            return f"an entry missing before place {slip.places[0]}: {_entry(key, slip.what)}"
        case "start":
            return _started(*slip.what)


def _mistyped(key: str, was: Fact, now: Fact) -> str:
    written, meant = card_of(was), card_of(now)
    others = [name for name in type(was).__struct_fields__ if name not in ("seat", "card")]
    same = all(getattr(was, name) == getattr(now, name) for name in others)
    if same and was.seat == now.seat and written is not None and meant is not None:
        return f"{_short(written)} was written for {_short(meant)}"
    if same and written == meant:
        return f"seat {was.seat} was written for seat {now.seat}: {_entry(key, was)}"
    return f"“{_entry(key, was)}” was written for “{_entry(key, now)}”"


def _started(what: str, *values: object) -> str:
    match what:
        case "dealer":
            return f"seat {values[0]} was the dealer"
        case "red":
            return f"seat {values[0]} played red"
        case "option":
            return f"the option {values[0]} was {values[1]}"
    one, other = (_short(value) if isinstance(value, Card) else "the gap" for value in values)
    return f"{one} and {other} exchanged in the deal"


def _entry(key: str, fact: Fact) -> str:
    return f"seat {fact.seat} {english.sentence(key, fact.said())}"


def _places(slip: Slip) -> str:
    return f"places {slip.places[0]} and {slip.places[1]}"


def _short(card: Card | None) -> str:
    """A card as it is written: the sign of its suit and its rank."""
    if card is None:
        return "an unseen card"
    sign = SUIT_SIGNS.get(card.suit)
    return f"{sign}{'10' if card.rank == 'T' else card.rank}" if sign else str(card)
