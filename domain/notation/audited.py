"""Files as matches for the audit: CTN in record mode, and each line of a history as a match of one deal, taken as it
stands, breaches and all."""

from collections.abc import Iterator
from typing import Final

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.game.protocol import ALL
from domain.game.race import Race
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.state import Deal, Match, NoMatch
from domain.notation import history
from domain.notation.ctn_read import loads

PLAYERS: Final = ("first", "second", "third", "fourth")  # stand-ins: a history names nobody


class ReadForAudit(msgspec.Struct, frozen=True):
    """A match of a file: its place in it, the match, the names by side, and what could not be read."""

    source: str
    match: Match | None
    names: tuple[tuple[str, ...], ...] = ()
    errors: tuple[str, ...] = ()


def matches_of(name: str, text: str, ctn: bool, hands_known: bool = True) -> Iterator[ReadForAudit]:
    """Every match of a text, in order. Without `hands_known` typed hands and layouts are left out of account, so that
    only the plays speak."""
    if ctn:
        yield from _of_notation(name, text, hands_known)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _of_history(f"{name}:{number}", line, hands_known)


def _of_notation(name: str, text: str, hands_known: bool) -> Iterator[ReadForAudit]:
    for number, read in enumerate(loads(text), start=1):
        errors = tuple(f"line {each.line}, column {each.column}: {each.detail}" for each in read.problems)
        names = read.tags.names if read.tags is not None else ()
        match = read.state if isinstance(read.state, Match) else None
        if match is not None and not hands_known:
            match = _unseen([new.event for new in read.events])
        yield ReadForAudit(f"{name}#{number}", match, names, errors)


def _of_history(source: str, line: str, hands_known: bool) -> ReadForAudit:
    try:
        read = history.read(line)
    except history.MalformedError as error:
        return ReadForAudit(source, None, (), (f"column {error.column}: {error.detail}",))
    sides = read.game.sides(read.options)
    names = tuple(tuple(PLAYERS[seat] for seat in seats) for seats in sides)
    given = msgspec.Raw(codec.encode(read.given))
    raw = msgspec.Raw(codec.encode(read.deal))
    opened = e.MatchOpened(read.game.key, read.game.version, given, Race(deals=1), names, "record", "full")
    begun = e.DealStarted(1, read.dealer, "full", raw)
    events: list[e.MatchEvent] = [opened, begun, *read.facts]
    return ReadForAudit(source, _folded(events) if hands_known else _unseen(events), names)


def _folded(events: list[e.MatchEvent]) -> Match:
    folded = fold(NoMatch(), enumerate(events, start=1))
    assert isinstance(folded, Match)
    return folded


def _unseen(events: list[e.MatchEvent]) -> Match:
    """The match as if nobody had written down who held what: what the table showed of a card is named instead."""
    seen = _folded(events)
    shown = {version: fact for deal in seen.deals for version, fact in _shown(seen, deal)}
    bare: list[e.MatchEvent] = []
    for version, event in enumerate(events, start=1):
        if isinstance(event, e.DealStarted):
            bare.append(msgspec.structs.replace(event, deal=e.UNKNOWN, depth="plays"))
        else:
            bare.append(shown.get(version, event))
    return _folded(bare)


def _shown(match: Match, deal: Deal) -> Iterator[tuple[int, Fact]]:
    """The facts of a deal that name no card because the stock is known, with the card that lay on the table."""
    game = match.setup.game
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    for version, fact in deal.facts:
        if type(fact) in game.remarks:
            continue
        table = game.evolve(table, fact)
        if getattr(fact, "card", fact) is None and not fact.hides:
            view = game.view(table, ALL)
            lying = [each.card for each in view.trick or view.last_trick if each.seat == fact.seat]
            if lying:
                yield version, msgspec.structs.replace(fact, card=lying[-1])
