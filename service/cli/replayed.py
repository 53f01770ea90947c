"""The table at one event, as lines for a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from domain import codec
from domain.seats import lettered, seat_name

if TYPE_CHECKING:
    from service.clerk import Replayed


def table(found: "Replayed") -> Iterator[str]:
    """Who plays, the event, the table, what was legal, what the record proves."""
    view, event = found.view, found.event
    seats = sum(len(side.seats) for side in view.sides)
    sides = [" & ".join(name or "(name removed)" for name in side.names) for side in view.sides]
    standing = " - ".join(f"{name} {total}" for name, total in zip(sides, view.totals, strict=True))
    end = "finished" if view.status == "finished" else f"to {view.target}" if view.target else "open"
    yield f"{standing}   {view.title}, {end}"
    struck = f", superseded by {event.superseded_by}" if event.superseded_by else ""
    yield f"event {event.version} of {found.last}: {said(event.type, event.data, seats)}"
    yield f"         {event.recorded_at} by {event.actor or 'the club'} ({event.role}){struck}"
    if event.note:
        yield f"         {event.note}"
    if view.table is None:
        yield "no deal has begun"
        return
    yield from _deal(codec.plain(view.table), view, seats)
    for finding in view.findings:
        proof = f", proven by event {finding.proof}" if finding.proof else ""
        place = f"{finding.rule} {finding.code or ''} at event {finding.version}{proof}"
        yield f"finding  {place}: {lettered(finding.detail, seats)}"


def _deal(at: dict[str, Any], view: Any, seats: int) -> Iterator[str]:
    deal = view.deals[-1]
    yield f"deal     {at['deal']}, phase {at['phase']}, dealer {seat_name(deal.dealer, seats)}, {deal.status}"
    if deal.depth == "summary":
        yield "result   entered without cards" if deal.in_force else "result   not entered yet"
    else:
        yield from _play(at, seats)
    if deal.in_force:
        yield f"score    {' - '.join(str(score) for score in deal.in_force)}"


def _play(at: dict[str, Any], seats: int) -> Iterator[str]:
    known = [f"{name} {at[name]}" for name in ("trumps", "tops", "parity", "stock", "trumper") if at.get(name)]
    if known:
        yield f"known    {', '.join(known)}"
    if at["calls"]:
        yield "calls    " + " ".join(f"{seat_name(call['seat'], seats)}:{call['call']}" for call in at["calls"])
    for label, name in (("tricks", "tricks"), ("points", "cross_points"), ("points", "points")):
        if at.get(name):
            yield f"{label:<9}" + ", ".join(f"{seat_name(seat, seats)} {n}" for seat, n in enumerate(at[name]))
    for label, name in (("trick", "trick"), ("last", "last_trick")):
        if at[name]:
            yield f"{label:<9}" + " ".join(f"{seat_name(play['seat'], seats)}:{play['card']}" for play in at[name])
    if at.get("squares"):
        yield "layout   " + ", ".join(f"{each['card']} {each['cell']}" for each in at["squares"])
    for seat, hand in enumerate(at["hands"]):
        yield f"{'hand':<9}{seat_name(seat, seats)}  {' '.join(hand) if hand is not None else 'not recorded'}"
    if at["to_act"] is not None:
        yield f"to act   {seat_name(at['to_act'], seats)}"
    if at["legal"]:
        yield "legal    " + ", ".join(word(fact) for fact in at["legal"])


def said(kind: str, data: dict[str, Any], seats: int) -> str:
    """An event in a few words: a fact by its seat and word, anything else by its name."""
    if "do" not in data:
        return kind
    return f"{seat_name(data['seat'], seats)} {word(data)}"


def word(fact: dict[str, Any]) -> str:
    """A fact without its seat: `play SA`, `declare trump S`."""
    return " ".join(str(value) for name, value in fact.items() if name != "seat" and value is not None)
