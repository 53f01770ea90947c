"""Pages of the entries of a tournament: all of them, and one with each of its rounds."""

from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.log.decider import Refusal
from projections.tournaments.rounds import PairingView
from projections.tournaments.standings import StandingRow, standings_view
from projections.tournaments.view import EntryView
from service.http.caller import AnyRequest
from service.web.tournaments.byes import bye_text
from service.web.tournaments.frame import Frame, frame_of, shown
from service.web.tournaments.results import result_of


class Opponent(msgspec.Struct, frozen=True):
    """An entry met in a match."""

    id: str
    name: str


class Met(msgspec.Struct, frozen=True):
    """A round of an entry with its match: the opponents, the partner of that round, and the result as the entry has
    it."""

    round: str
    pairing: PairingView
    others: tuple[Opponent, ...]
    partner: str | None
    first: bool
    result: str


class Free(msgspec.Struct, frozen=True):
    """A round of an entry without a match: the bye in words, and the reason."""

    round: str
    bye: str
    why: str
    pairing: None = None


@get("/tournaments/{tournament_id:uuid}/entries", include_in_schema=False, query=("me",))
async def entries_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The entries with seed and rating."""
    frame = await frame_of(request, tournament_id)
    return shown(frame, "entries", "entries", ordered=by_seed(frame))


def by_seed(frame: Frame) -> list[EntryView]:
    """The entries by seed, then as they came."""
    return sorted(frame.view.entries, key=lambda each: (each.seed is None, each.seed or 0))


@get("/tournaments/{tournament_id:uuid}/entries/{entry:uuid}", include_in_schema=False, query=("me",))
async def entry_page(request: AnyRequest, tournament_id: FromPath[UUID], entry: FromPath[UUID]) -> Response[str]:
    """One entry with its rounds."""
    frame = await frame_of(request, tournament_id)
    wanted = str(entry)
    found = next((each for each in frame.view.entries if each.id == wanted), None)
    if found is None:
        raise Refusal("not-found", "this player is not in this tournament")
    return shown(
        frame,
        "entry",
        "entries",
        entry=found,
        history=history_of(frame, wanted),
        rank=rank_of(frame, wanted),
    )


def rank_of(frame: Frame, entry: str) -> StandingRow | None:
    """An entry's row in the standings of the stage that is on."""
    if frame.state.at < 0:
        return None
    rows = standings_view(frame.state, frame.state.at, frame.names, frame.beside).rows
    return next((row for row in rows if row.entry == entry), None)


def history_of(frame: Frame, entry: str) -> list[Met | Free]:
    """The rounds of an entry, each with its match or the reason for having none."""
    found: list[Met | Free] = []
    several = len(frame.view.stages) > 1
    for each in frame.view.rounds:
        stage = frame.view.stages[each.stage]
        label = f"{stage.name}, {each.round}" if several else str(each.round)
        found += [
            _met(frame, label, pairing, place, entry)
            for pairing in each.pairings
            for place, side in enumerate(pairing.sides)
            if entry in side.entries
        ]
        found += [Free(label, bye_text(bye.kind), bye.why) for bye in each.byes if bye.entry == entry]
    return found


def _met(frame: Frame, label: str, pairing: PairingView, place: int, entry: str) -> Met:
    """A round of an entry, who sits at this place of the pairing."""
    side, against = pairing.sides[place], pairing.sides[1 - place]
    return Met(
        label,
        pairing,
        others=tuple(Opponent(each, frame.names[each]) for each in against.entries),
        partner=next((frame.names[each] for each in side.entries if each != entry), None),
        first=side.deals_first,
        result=result_of(pairing, place),
    )
