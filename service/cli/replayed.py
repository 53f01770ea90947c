"""The table at one event, as lines for a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from domain import codec, english
from domain.cards.facts import Fact
from domain.cards.seats import lettered, seat_name
from domain.games import fact_union
from domain.log.event import JsonObject

if TYPE_CHECKING:
    from projections.match_view import MatchView
    from service.cli.past_clerk import ReplayView


def table(found: "ReplayView") -> Iterator[str]:
    """The sides, the event, the table, the legal facts, the findings."""
    view, event = found.view, found.event
    seats = sum(len(side.seats) for side in view.sides)
    sides = [" & ".join(name or "(name removed)" for name in side.names) for side in view.sides]
    standing = " - ".join(f"{name} {total}" for name, total in zip(sides, view.totals, strict=True))
    end = "finished" if view.status == "finished" else f"to {view.target}" if view.target else "open"
    yield f"{standing}   {view.title}, {end}"
    struck = f", superseded by {event.superseded_by}" if event.superseded_by else ""
    yield f"event {event.version} of {found.last}: {fact_line(view.game, event.type, event.data, seats)}"
    yield f"         {event.recorded_at} by {event.actor or 'the club'} ({event.role}){struck}"
    if event.note:
        yield f"         {event.note}"
    if view.table is None:
        yield "no deal has begun"
        return
    yield from _deal(view.table, view, sides, seats)
    for finding in view.findings:
        proof = f", shown by event {finding.proof}" if finding.proof else ""
        place = f"{finding.rule} {finding.code or ''} at event {finding.version}{proof}"
        sure = "proven" if finding.grade == "P" else "not proven"
        slip = f": {finding.explained_by}" if finding.explained_by else ""
        yield f"finding  {place}: {lettered(finding.detail, seats)} ({sure}{lettered(slip, seats)})"


def _deal(at: JsonObject, view: "MatchView", sides: list[str], seats: int) -> Iterator[str]:
    deal = view.deals[-1]
    yield f"deal     {at['deal']}, phase {at['phase']}, dealer {seat_name(deal.dealer, seats)}, {deal.status}"
    if deal.depth == "summary":
        yield "result   entered without cards" if deal.in_force else "result   not entered yet"
    else:
        yield from _play(at, sides, seats)
    if deal.in_force:
        yield f"score    {' - '.join(str(score) for score in deal.in_force)}"


def _play(at: JsonObject, sides: list[str], seats: int) -> Iterator[str]:
    known = [note["said"] for note in at["notes"]] + ([f"stock {at['stock']}"] if at["stock"] else [])
    if known:
        yield f"known    {lettered(', '.join(known), seats)}"
    if at["calls"]:
        yield "calls    " + " ".join(f"{seat_name(call['seat'], seats)}:{call['call']}" for call in at["calls"])
    for figure in at["figures"]:
        owners = [seat_name(seat, seats) for seat in range(seats)] if figure["by"] == "seat" else sides
        yield "counted  " + ", ".join(f"{owner} {told}" for owner, told in zip(owners, figure["said"], strict=True))
    for label, name in (("trick", "trick"), ("last", "last_trick")):
        if at[name]:
            yield f"{label:<9}" + " ".join(_lying(play, seats) for play in at[name])
    if at["layout"]:
        yield from _layout(at["layout"])
    for seat, hand in enumerate(at["hands"]):
        yield f"{'hand':<9}{seat_name(seat, seats)}  {' '.join(hand) if hand is not None else 'not recorded'}"
    if at["to_act"] is not None:
        yield f"to act   {seat_name(at['to_act'], seats)}"
    if at["legal"]:
        yield "legal    " + ", ".join(word(fact) for fact in at["legal"])


def _lying(play: JsonObject, seats: int) -> str:
    return f"{seat_name(play['seat'], seats)}:{play['card']}"


def _layout(laid: JsonObject) -> Iterator[str]:
    """The squares row by row: a card that covers another has a plus behind it, one face down is `??`, the gap `--`."""
    for name, row in zip(laid["rows"], laid["cells"], strict=True):
        yield f"{'layout':<9}{name}  " + " ".join(f"{_square(square):<3}" for square in row).rstrip()
    yield f"{'':<12}" + " ".join(f"{name:<3}" for name in laid["columns"]).rstrip()


def _square(square: JsonObject | None) -> str:
    if square is None:
        return "."
    card = {"face_down": "??", "empty": "--"}.get(square["state"], square["card"])
    return f"{card}+" if square["state"] == "covering" else str(card)


def fact_line(game: str, kind: str, data: JsonObject, seats: int) -> str:
    """An event in a few words: a fact by its seat and sentence, anything else by its name."""
    if "do" not in data:
        return kind
    fact: Fact = codec.convert(data, fact_union())
    return f"{seat_name(fact.seat, seats)} {lettered(english.sentence(game, fact.said()), seats)}"


def word(fact: JsonObject) -> str:
    """A fact as it is written for the API, without its seat: `play SA`, `bid 3`."""
    return " ".join(str(value) for name, value in fact.items() if name != "seat" and value is not None)
