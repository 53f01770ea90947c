"""The clerk, the use cases of the command line on the database: the same commands as of every other door."""

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from domain import registry
from domain.cards.seats import seat_name
from domain.game.protocol import ALL
from domain.log.decider import New, Refusal
from domain.match.capacity import check_length
from domain.match.events import MatchOpened, ScoreStated
from domain.match.state import Match
from domain.notation.ctn_read import loads
from domain.notation.history import MalformedError
from domain.notation.match_history import events_of, lines_of, places_of
from projections.event_view import EventView, event_view
from projections.match_view import MatchView, match_view
from service.desk.as_of import as_of
from service.desk.auditing import reported_of
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.desk.showing import names_of
from service.projector import Projector
from service.store import log
from service.store.device_book import DeviceBook
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.streams import LoadedClub, LoadedMatch, Streams

CLERK = By(actor=None, role="owner", on=Device("program", "lurch"))


class FileResult(msgspec.Struct, frozen=True):
    """The result for one match of a file: its id and players, or the place and the fault."""

    text: str
    good: bool = True
    match: str | None = None
    line: int | None = None
    column: int | None = None


OnResult = Callable[[FileResult], None]


async def club_named(pool: Pool, name: str | None, public: bool = False) -> str:
    """The club of that name, founded if there is none; without a name the only one. Raises Refusal."""
    streams = Streams(pool)
    found = [club for club in await streams.clubs() if name is None or club.state.name == name]
    if len(found) == 1:
        return found[0].club
    if found:
        raise Refusal("malformed", "there are several clubs: say which with --club")
    return await Recorder(streams).found_club(name or "My club", public, CLERK)


async def match_of_club(pool: Pool, club: str, match: str) -> str:
    """The id of a match, checked to be the club's. Raises Refusal."""
    found = await find_match(pool, match)
    if found.loaded.club != club:
        raise Refusal("not-found", f"the club has no match {match}")
    return match


async def player_named(pool: Pool, club: str, name: str) -> str:
    """The id of a person by name or id. Raises Refusal: nobody, or several of that name."""
    loaded = await Streams(pool).club(club)
    assert loaded is not None
    people = (player.id for player in loaded.state.players.values() if name in (player.id, player.name))
    found = list(dict.fromkeys(map(loaded.state.whom, people)))
    if len(found) != 1:
        reason = f"{len(found)} people are called {name!r}: give the id" if found else f"the club knows no {name!r}"
        raise Refusal("not-found", f"{reason} (GET /api/v1/clubs/{club}/players lists them)")
    return found[0]


async def import_ctn(
    pool: Pool, club_name: str, public: bool, text: str, told: OnResult, recorder: Recorder | None = None
) -> None:
    """Record every match of a CTN text; one that was imported before is left as it is. A `recorder` has a clock of its
    own."""
    club = await club_named(pool, club_name, public)
    recorder = recorder or Recorder(Streams(pool))
    for place, script in enumerate(loads(text), start=1):
        for fault in script.problems:
            where = f"line {fault.line}, column {fault.column}: {fault.token}: {fault.detail}"
            told(FileResult(where, False, line=fault.line, column=fault.column))
        if isinstance(script.state, Match) and script.tags is not None:
            told(await _import_match(recorder, club, script.events, script.tags.names, place))


async def import_histories(
    pool: Pool,
    club_name: str,
    public: bool,
    text: str,
    told: OnResult,
    names: Sequence[str] = (),
    recorder: Recorder | None = None,
) -> None:
    """Record every deal of a history file as a match of one deal. Players without `names` are called by the letter of
    their seat."""
    club = await club_named(pool, club_name, public)
    recorder = recorder or Recorder(Streams(pool))
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            sides = _seated(places_of(line), names)
            news = events_of(line, sides)
        except MalformedError as error:
            told(FileResult(f"line {number}, column {error.column}: {error}", False, line=number, column=error.column))
        except Refusal as refusal:
            place = f", action {refusal.extra['fact']}" if "fact" in refusal.extra else ""
            said = refusal.extra.get("about", refusal.detail)
            told(FileResult(f"line {number}{place}: {refusal.rule}: {said}", False, line=number))
        else:
            told(await _import_match(recorder, club, news, sides, number))


def _seated(places: tuple[tuple[int, ...], ...], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The names by side and seat. Raises Refusal when they do not fill the table."""
    seats = sum(len(side) for side in places)
    if names and len(names) != seats:
        raise Refusal("malformed", f"this game has {seats} seats, and {len(names)} names were given")
    return tuple(tuple(names[seat] if names else f"Seat {seat_name(seat, seats)}" for seat in side) for side in places)


async def _import_match(
    recorder: Recorder, club: str, news: list[New], names: tuple[tuple[str, ...], ...], place: int
) -> FileResult:
    content = b"\0".join(map(_content, news))
    request = own_request(CLERK, f"import-{place}-{hashlib.sha256(content).hexdigest()}")
    before = await recorder.imported(club, news, request)
    if before is not None:
        return FileResult(f"{before.loaded.stream}  {_versus(names)}  (imported before)", match=before.loaded.stream)
    try:
        check_length(len(news))
    except Refusal as refusal:
        return FileResult(f"{_versus(names)}: {refusal.detail}", False)
    sides = await recorder.players(club, names, request)
    first = news[0]
    assert isinstance(first.event, MatchOpened)
    opened = msgspec.structs.replace(first, event=msgspec.structs.replace(first.event, sides=sides))
    done = await recorder.import_match(club, [opened, *news[1:]], request)
    return FileResult(f"{done.loaded.stream}  {_versus(names)}", match=done.loaded.stream)


def _content(new: New) -> bytes:
    """The bytes that identify an event of a file, so that a second import is recognised. A private line counts as part
    of the event, where it once stood, so that older imports are recognised too."""
    event, private = new.event, new.private
    if isinstance(event, ScoreStated) and private and "line" in private:
        event = msgspec.structs.replace(event, stated=msgspec.Raw(msgspec.json.encode(private["line"])))
        private = {name: words for name, words in private.items() if name != "line"} or None
    return registry.write_event(event) + msgspec.json.encode(private)


def _versus(names: tuple[tuple[str, ...], ...]) -> str:
    return " - ".join(" & ".join(side) for side in names)


class FoundMatch(msgspec.Struct, frozen=True):
    """A match with its club."""

    loaded: LoadedMatch
    club: LoadedClub

    @property
    def names(self) -> dict[str, str | None]:
        """The names of the players by id."""
        return names_of(self.club)


async def find_match(pool: Pool, match: str) -> FoundMatch:
    """A match by its id. Raises Refusal for an unknown id."""
    streams = Streams(pool)
    loaded = await streams.match(match)
    if loaded is None:
        raise Refusal("not-found", f"there is no match {match}: the pages and `lurch import` show the ids")
    club = await streams.club(loaded.club)
    assert club is not None
    return FoundMatch(loaded, club)


async def export_histories(pool: Pool, match: str) -> str:
    """A match's deals as histories, one a line. Raises Refusal for an unknown match, or hands that nobody recorded."""
    found = await find_match(pool, match)
    return "".join(f"{line}\n" for line in lines_of(found.loaded.match))


class ReplayView(msgspec.Struct, frozen=True):
    """The table at one event: the view of a director, the event, and the number of events."""

    view: MatchView
    event: EventView
    last: int


class Audited(msgspec.Struct, frozen=True):
    """A match of the log, now or as it was, with the names by side, and the figures by which somebody reported it to
    its tournament beside the record."""

    match: Match
    names: tuple[tuple[str | None, ...], ...]
    reported: tuple[int, int] | None = None


async def audited(pool: Pool, match: str, moment: str | None) -> Audited:
    """A match to be audited, as of a version or a time. Raises Refusal for an unknown id or moment."""
    found = await find_match(pool, match)
    state: Match | None = found.loaded.match
    if moment is not None:
        state = await Streams(pool).match_at(found.loaded, as_of(moment))
    if state is None:
        raise Refusal("not-found", "the match had not begun then")
    names = names_of(found.club)
    reported = await reported_of(Streams(pool), found.loaded, moment)
    return Audited(state, tuple(tuple(names[player] for player in side) for side in state.setup.sides), reported)


async def replay(pool: Pool, match: str, at: int | None) -> ReplayView:
    """The table at an event, by default the last one. Raises Refusal for an unknown event."""
    found = await find_match(pool, match)
    last = found.loaded.head.version
    version = last if at is None else at
    if not 1 <= version <= last:
        raise Refusal("not-found", f"the match has the events 1 to {last}, not {version}")
    stored = await log.read_stream(pool, found.loaded.club, match, version - 1, version)
    past = await Streams(pool).match_at(found.loaded, version)
    assert past is not None
    devices = await DeviceBook(pool).of(found.loaded.club, names=True)
    event = event_view(stored[0].event, ALL, found.loaded.match, stored[0].hash, notes=True, devices=devices)
    opened = frozenset(deal.number for deal in found.loaded.match.deals)
    return ReplayView(match_view(match, found.loaded.club, past, found.names, ALL, opened, opened), event, last)


async def events_to_fold(pool: Pool) -> int:
    """The number of events in all open logs together, of which kept views are made."""
    return sum(position for _, position in await log.clubs(pool))


async def rebuild(pool: Pool, told: Callable[[int], None] = lambda _: None) -> int:
    """Fold the kept views of every club again; `told` is called with the number of events read."""
    clubs = await log.clubs(pool)
    for club, _ in clubs:
        await Projector(pool).rebuild(club, told)
    return len(clubs)
