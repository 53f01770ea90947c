"""Tournaments as files: entries and results, report files, archives; what HTTP and the command line share."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain import registry
from domain.club.state import Club, same_name
from domain.exchange import entries, results, trf, trf_in, trf_plan
from domain.exchange.archive import (
    ArchivedEvent,
    ArchivedStream,
    TournamentArchive,
    match_ids,
    read_archive,
    unique_names,
    with_digest,
)
from domain.exchange.faults import MOST_SAID, FaultyError, TextFault
from domain.exchange.rebuild import rebuilt
from domain.games import stand_in
from domain.log.decider import New, Refusal
from domain.log.event import instant
from domain.log.upcast import UPCASTERS
from domain.match.events import ScoreStated
from domain.match.sight import seen
from domain.match.stated import has_words, words_apart
from domain.tournament import commands as c
from domain.tournament.orders import Orders
from domain.tournament.state import Entry, Tournament
from projections.tournaments.view import calling, tournament_view
from service.desk.access import viewer_in
from service.desk.delays import seen_now
from service.desk.filing import FiledStream, file_all
from service.desk.recording import Recorder
from service.desk.requests import Done, DoneTournament, KnownPerson, Request, own_request
from service.desk.showing import names_of
from service.desk.tournaments import as_entered
from service.store import log
from service.store.callers import Caller
from service.store.ids import new_id
from service.store.kinds import TOURNAMENT
from service.store.loaded import AnyLoaded, LoadedMatch, LoadedTournament

GAME: Final = stand_in(1).key  # what a report file is taken to be about, which says nothing of cards


class TakenFile(msgspec.Struct, frozen=True):
    """The outcome of a file: the tournament, and what of the file was left out."""

    done: DoneTournament
    left_out: tuple[str, ...] = ()


def refusal_of(wrong: FaultyError) -> Refusal:
    """The faults of a text, as an answer: the first place in words, all of them in a list."""
    first, *more = wrong.faults
    detail = f"line {first.line}, column {first.column}: {first.message}" if first.line else first.message
    if more:
        detail += f"; and {len(more)} more like it"
    places = [(f"{each.line}:{each.column}", each.message) for each in wrong.faults[:MOST_SAID]]
    return Refusal("malformed", detail, errors=places)


def text_of(data: bytes) -> str:
    """A table as text. Raises FaultyError for what is not UTF-8, where it is not."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        raise FaultyError([TextFault(line, column, "this is not UTF-8: save the table as UTF-8")]) from None


def trf_text(data: bytes) -> str:
    """A report file as text: UTF-8, or what programs wrote before."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_trf(data: bytes, game: str) -> tuple[trf.TournamentFile, c.Announce, tuple[tuple[str, ...], ...], bool]:
    """A report file, and what it is as a tournament of a game. Raises FaultyError, Refusal."""
    try:
        file = trf.loads(trf_text(data))
    except trf.BadFile as bad:
        raise FaultyError([TextFault(bad.line, bad.column, bad.message)]) from None
    return file, *trf_plan.plan_of(file, game)


class Files:
    """Reads and writes tournaments over one recorder. What takes seconds for a large file, to read it and to try it, is
    done beside the event loop: others record meanwhile."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.streams = recorder, recorder.streams

    async def enter(
        self, loaded: LoadedTournament, data: bytes, request: Request, meant: Mapping[str, str] | None = None
    ) -> DoneTournament:
        """The entries of a table, all or none; `meant` says who is meant by a name. Raises FaultyError, Refusal."""
        before = await self.recorder.answered(loaded.club, request)
        if before is not None:
            return before
        lines = entries.read_entries(text_of(data))
        club = await self.recorder.club(loaded.club)
        ids = [new_id() for _ in lines]
        known = entries.people_of(club.state, lines, meant)
        trial = as_entered(
            club.state,
            loaded.tournament,
            (tuple(each or f"{at}.{seat}" for seat, each in enumerate(own)) for at, own in enumerate(known)),
        )
        entries.commands_of(loaded.tournament, lines, trial, ids)  # what cannot be entered registers nobody
        named = tuple(
            tuple(KnownPerson(each) if each else cell.text for each, cell in zip(own, line.people, strict=True))
            for own, line in zip(known, lines, strict=True)
        )
        players = await self.recorder.players(loaded.club, named, request)
        asked = entries.commands_of(loaded.tournament, lines, as_entered(club.state, loaded.tournament, players), ids)
        return await self._ordered(loaded, asked, request)

    async def report(self, loaded: LoadedTournament, data: bytes, request: Request) -> DoneTournament:
        """The results of a table, all or none; what stands there is passed over. Raises FaultyError, Refusal."""
        before = await self.recorder.answered(loaded.club, request)
        if before is not None:
            return before
        club = await self.recorder.club(loaded.club)
        state = loaded.tournament
        asked = results.read_results(state, text_of(data), calling(state, names_of(club)))
        return await self._ordered(loaded, asked, request)

    async def take_trf(self, club: str, data: bytes, game: str, request: Request) -> TakenFile:
        """A report file as a new tournament, in one statement: its ids are others each time, so that nobody could go on
        with half of it. Raises FaultyError, Refusal."""
        file, plan, people, fixed = await asyncio.to_thread(read_trf, data, game)
        plan = msgspec.structs.replace(plan, house=(await self.recorder.club(club)).state.rules)
        told = trf_plan.left_out(file)
        before = await self.recorder.answered(club, request)
        if before is not None:
            return TakenFile(before, told)
        ids = [new_id() for _ in people]
        trial = [tuple(f"{at}.{seat}" for seat, _ in enumerate(own)) for at, own in enumerate(people)]
        await asyncio.to_thread(trf_in.events_of_file, file, plan, fixed, ids, trial, _fresh())
        _check_apart((await self.recorder.club(club)).state, (name for own in people for name in own))
        players = await self.recorder.players(club, people, request)
        news = await asyncio.to_thread(trf_in.events_of_file, file, plan, fixed, ids, players, _fresh())
        done = await self.recorder.import_match(club, news, request, new_id(), TOURNAMENT, whole=True)
        return TakenFile(done, told)

    async def take_archive(self, club: str, data: bytes, request: Request) -> DoneTournament:
        """An archive as a tournament of this club, with its matches; the same archive again is answered with what it
        became. Raises FaultyError, Refusal."""
        archive = await asyncio.to_thread(read_archive, data)
        trial = await asyncio.to_thread(rebuilt, archive, club)
        await asyncio.to_thread(_check_shown, club, trial.tournament, trial.events, archive)
        there = await self.streams.tournament(trial.tournament)
        if there is not None and there.head.version >= len(trial.events):
            return Done(there, there.head.version + 1, there.head.version)
        await self.recorder.answered(club, request)
        names = unique_names(archive.people)
        _check_apart((await self.recorder.club(club)).state, names.values())
        sides = await self.recorder.players(club, tuple((name,) for name in names.values()), request)
        players = {old: side[0] for old, side in zip(names, sides, strict=True)}
        found = await asyncio.to_thread(rebuilt, archive, club, players)
        # before the tournament, or the steward would open them anew
        await file_all(
            self.recorder,
            club,
            [
                FiledStream(news, own_request(request.by, f"archive {stream}"), stream)
                for stream, news in found.matches.items()
            ],
        )
        begun = request if request.chosen else own_request(request.by, f"archive {found.tournament}")
        # by half it would be told what came of its matches, and could not be completed
        return await self.recorder.import_match(
            club, found.events, begun, found.tournament, TOURNAMENT, whole=there is None
        )

    async def archive(self, loaded: LoadedTournament, caller: Caller, notes: bool) -> TournamentArchive:
        """A tournament with everything that belongs to it. Raises Refusal where a hand is on that the caller may not
        see: what is not whole could not be rebuilt."""
        club = await self.recorder.club(loaded.club)
        await self._check_whole(loaded, caller)
        own = await log.read_stream(self.streams.pool, loaded.club, loaded.stream)
        known = match_ids((each.event.type, msgspec.json.decode(each.event.text)) for each in own)
        matches = []
        people = {player for entry in loaded.tournament.entries.values() for player in _everybody(entry)}
        for stream in known:
            found = await self.streams.match(stream)
            if found is None:
                continue
            people |= {player for side in found.match.setup.sides for player in side}
            await self._check_whole(found, caller)
            stored = await log.read_stream(self.streams.pool, loaded.club, stream)
            _check_open(found, stored, caller)
            matches.append(_stream(stream, stored, notes))
        names = names_of(club)
        return with_digest(
            TournamentArchive(
                club=club.state.name,
                people={player: names.get(player) for player in sorted(people)},
                tournament=_stream(loaded.stream, own, notes),
                matches=tuple(matches),
            )
        )

    async def _check_whole(self, loaded: AnyLoaded, caller: Caller) -> None:
        """Raises Refusal where something is held back of which the caller may be told later only."""
        now = await self.streams.load(loaded.stream)
        shown = None if now is None else await seen_now(self.streams, caller, now, self.recorder.clock())
        if now is not None and shown is not None and min(shown.head.version, loaded.head.version) < now.head.version:
            raise Refusal("forbidden", "a table is on of which you may not see all yet: ask a director for the archive")

    async def _ordered(
        self, loaded: LoadedTournament, asked: Sequence[c.TournamentCommand], request: Request
    ) -> DoneTournament:
        if not asked:
            return Done(loaded, loaded.head.version + 1, loaded.head.version)
        return await self.recorder.tournament(loaded.stream, Orders(tuple(asked)), request)


def _check_apart(club: Club, names: Iterable[str]) -> None:
    """Raises Refusal for two people of a file who are one person of the club."""
    bearers, first = club.bearers(), dict[str, str]()
    for name in names:
        for person in bearers.get(same_name(name), ()):
            other = first.setdefault(person, name)
            if other != name:
                told = f"{other[:80]!r} and {name[:80]!r} are two people in the file, and one in this club"
                raise Refusal("malformed", f"{told}: part them here, or take the file into another club")


def _fresh() -> Iterator[str]:
    while True:
        yield new_id()


def _everybody(entry: Entry) -> set[str]:
    """The players of an entry, with those before a substitution."""
    return {player for own in (entry.players, *entry.before) for player in own}


def _stream(stream: str, stored: Sequence[log.Stored], notes: bool) -> ArchivedStream:
    return ArchivedStream(stream, tuple(_member(each, notes) for each in stored))


def _member(each: log.Stored, notes: bool) -> ArchivedEvent:
    event, schema, text = each.event, each.event.schema, each.event.text.encode()
    if isinstance(event.data, ScoreStated) and has_words(event.data) and not notes:
        bare, _ = words_apart(event.data, None)
        schema, text = UPCASTERS.current(event.type), registry.write_event(bare)
    return ArchivedEvent(
        version=event.version,
        type=event.type,
        schema=schema,
        recorded_at=instant(event.recorded_at),
        actor=event.actor,
        role=event.role,
        data=msgspec.Raw(text),
        private=event.private if notes else None,
    )


def _check_open(found: LoadedMatch, stored: Sequence[log.Stored], caller: Caller) -> None:
    """Raises Refusal where an event holds what the caller has not seen while its deal is on."""
    viewer = viewer_in(caller, found)
    for event in (each.event for each in stored):
        if seen(event.data, viewer, found.match, event.version) != event.data:
            raise Refusal("forbidden", "a deal is on whose hands you may not see: ask a director for the archive")


def _check_shown(club: str, stream: str, events: Sequence[New], archive: TournamentArchive) -> None:
    """Raises Refusal for a tournament that no page could show."""
    state = TOURNAMENT.fold(TOURNAMENT.initial, [(at, new.event) for at, new in enumerate(events, start=1)])
    assert isinstance(state, Tournament)
    try:
        tournament_view(stream, club, state, archive.people)
    except (LookupError, ValueError, TypeError) as error:
        raise Refusal("malformed", f"the archive cannot be taken: tournament: {error}") from None
