"""Pages of a tournament for everybody: pairings, standings, bracket, crosstable; each follows by itself."""

from collections.abc import Hashable, Sequence
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.log.decider import Refusal
from domain.match.opening import find_game
from projections.tournaments.bracket import WIDTH, bracket_view, champion_of, parts_of
from projections.tournaments.rounds import ByeView, PairingView, RoundView
from projections.tournaments.standings import CrossRow, crosstable_view, standings_view, why_view
from projections.tournaments.view import EntryView, rounds_on
from service.desk.delays import stream_seen
from service.desk.tournament_bodies import from_zero
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest
from service.languages.spoken import translate
from service.live.feed import Feed
from service.store.callers import Caller
from service.web.following import Draw, followed, stream_of_page, told_as
from service.web.labels import bracket_labelled, parts_labelled
from service.web.numbers import number_in
from service.web.tournaments.byes import bye_text
from service.web.tournaments.frame import Frame, clock_of, frame_of, shown
from service.web.tournaments.results import result_of


class Mine(msgspec.Struct, frozen=True):
    """The player who asked to be found, with the match or the bye of the rounds that are shown."""

    name: str
    bye: ByeView | None = None
    pairing: PairingView | None = None
    first: bool = False
    against: str = ""
    result: str = ""


class Whereabouts(msgspec.Struct, frozen=True):
    """A player by name, with the table, or the bye in words."""

    name: str
    where: str


def stage_in(request: AnyRequest, frame: Frame) -> int:
    """The stage that the address asks for, else the one that is on; from 0."""
    asked = number_in(request, "stage", max(frame.state.at, 0) + 1)
    wanted = from_zero(asked)
    return max(frame.state.at, 0) if wanted is None else wanted


@get("/tournaments/{tournament_id:uuid}", include_in_schema=False, query=("me", "round"))
async def round_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The rounds that are on, or the one that was asked for, by table and by name; at the end the places."""
    frame = await frame_of(request, tournament_id)
    rounds = frame.view.rounds
    chosen = number_in(request, "round", len(rounds))
    wanted = (rounds[chosen - 1],) if chosen else rounds_on(frame.view)
    clocks = [await clock_of(frame, each) for each in wanted]
    return shown(
        frame,
        "round",
        "round",
        found=list(zip(wanted, clocks, strict=True)),
        chosen=chosen,
        at=[rounds.index(each) + 1 for each in wanted],
        mine=mine_of(frame, wanted),
        names=by_name(frame, wanted),
        by_name=entries_by_name(frame),
    )


def entries_by_name(frame: Frame) -> list[EntryView]:
    """The entries as a list to choose from."""
    return sorted(frame.view.entries, key=lambda each: each.name.casefold())


def mine_of(frame: Frame, rounds: Sequence[RoundView]) -> Mine | None:
    """The match that is open of the player who asked to be found, else the last one, else a bye."""
    if not frame.me or not rounds:
        return None
    byes = (bye for round_ in rounds for bye in round_.byes)
    found = Mine(frame.names[frame.me], next((bye for bye in byes if bye.entry == frame.me), None))
    for each in _open_last(rounds):
        for place, side in enumerate(each.sides):
            if frame.me in side.entries:
                against, result = each.sides[1 - place].name, result_of(each, place)
                found = Mine(found.name, found.bye, each, side.deals_first, against, result)
    return found


def _open_last(rounds: Sequence[RoundView]) -> list[PairingView]:
    """The pairings of rounds, those that are open behind the others."""
    pairings = [each for round_ in rounds for each in round_.pairings]
    return sorted(pairings, key=lambda each: each.status == "open")


def by_name(frame: Frame, rounds: Sequence[RoundView]) -> list[Whereabouts]:
    """Everybody in the rounds by name, with the table; of two matches that which is open."""
    found = {bye.entry: bye_text(bye.kind) for round_ in rounds for bye in round_.byes}
    table = translate("table {table}")
    for each in _open_last(rounds):
        found |= {entry: table.format(table=each.table) for side in each.sides for entry in side.entries}
    named = [Whereabouts(frame.names[entry], where) for entry, where in found.items()]
    return sorted(named, key=lambda each: each.name.casefold())


@get("/tournaments/{tournament_id:uuid}/standings", include_in_schema=False, query=("me", "stage"))
async def standings_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The standings of a stage."""
    frame = await frame_of(request, tournament_id)
    number = stage_in(request, frame)
    table = None
    if frame.state.stages[number].begun:
        table = standings_view(frame.state, number, frame.names, frame.beside)
    return shown(frame, "standings", "standings", table=table)


@get("/tournaments/{tournament_id:uuid}/standings/{entry:uuid}", include_in_schema=False, query=("me", "stage"))
async def why_page(request: AnyRequest, tournament_id: FromPath[UUID], entry: FromPath[UUID]) -> Response[str]:
    """The working of an entry's place."""
    frame = await frame_of(request, tournament_id)
    number = stage_in(request, frame)
    if str(entry) not in frame.state.stages[number].order:
        raise Refusal("not-found", "this player is not in this stage")
    why = why_view(frame.state, number, str(entry), frame.names)
    return shown(frame, "why", "standings", why=why, stage=number + 1)


@get("/tournaments/{tournament_id:uuid}/bracket", include_in_schema=False, query=("me", "stage", "part"))
async def bracket_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The bracket as a picture, and round by round."""
    frame = await frame_of(request, tournament_id)
    asked = from_zero(number_in(request, "stage", len(frame.state.stages)))
    begun = [at for at, stage in enumerate(frame.state.stages) if stage.begun]
    brackets = [at for at in reversed(begun) if frame.state.stages[at].format.bracket]
    places = brackets if asked is None else [asked]
    found = None
    if places and frame.state.stages[places[0]].begun:
        found = bracket_labelled(bracket_view(frame.state, places[0], frame.names, frame.beside))
    parts = parts_labelled(parts_of(found)) if found else ()
    part = number_in(request, "part", len(parts))
    crop = parts[part - 1].crop if part else f"0 0 {found.width} {found.height}" if found else ""
    return shown(
        frame,
        "bracket",
        "bracket",
        bracket=found,
        width=WIDTH,
        crop=crop,
        parts=parts,
        part=part,
        champion=champion_of(found) if found else "",
    )


@get("/tournaments/{tournament_id:uuid}/crosstable", include_in_schema=False, query=("me", "stage"))
async def crosstable_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Each entry's rounds with opponents and results."""
    frame = await frame_of(request, tournament_id)
    asked = from_zero(number_in(request, "stage", len(frame.state.stages)))
    tabled = [at for at, stage in enumerate(frame.state.stages) if stage.begun and stage.format.tiebreaks]
    number = asked if asked is not None else tabled[-1] if tabled else None
    rows: tuple[CrossRow, ...] = ()
    if number is not None and number in tabled:
        rows = crosstable_view(frame.state, number, frame.names, frame.beside)
    return shown(frame, "crosstable", "crosstable", rows=rows, ranks={row.entry: row.rank for row in rows})


@get("/tournaments/{tournament_id:uuid}/paper", include_in_schema=False)
async def paper_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Everything for paper: the rounds that are on, standings, crosstables and brackets, each on a page of its own."""
    frame = await frame_of(request, tournament_id)
    begun = [at for at, stage in enumerate(frame.state.stages) if stage.begun]
    formats = {at: frame.state.stages[at].format for at in begun}
    return shown(
        frame,
        "paper",
        "paper",
        rounds=rounds_on(frame.view),
        tables=[standings_view(frame.state, at, frame.names, frame.beside) for at in begun],
        crossed=[crosstable_view(frame.state, at, frame.names, frame.beside) for at in begun if formats[at].tiebreaks],
        brackets=[
            found
            for at in begun
            if formats[at].bracket
            and (found := bracket_labelled(bracket_view(frame.state, at, frame.names, frame.beside)))
        ],
        games={stage.setup.game: find_game(stage.setup.game).title for stage in frame.state.stages},
        width=WIDTH,
    )


@stream_of_page("/tournaments/{tournament_id:uuid}/live")
async def live(request: AnyRequest, tournament_id: FromPath[UUID]) -> AnyResponse:
    """Says the version, again whenever it has changed: the page then reads itself anew."""
    frame = await frame_of(request, tournament_id)
    stream = frame.loaded.stream

    async def now(feed: Feed, caller: Caller) -> tuple[Hashable, Draw]:
        known = frame.services.streams.kept(stream) or await frame.services.streams.load(stream) or frame.loaded
        fresh = await stream_seen(frame.services, caller, known)
        told = await told_as(frame.services, fresh.head.version)
        return told, lambda: told

    return followed(request, frame.services, frame.caller, frame.loaded.club, stream, now, steward=True)
