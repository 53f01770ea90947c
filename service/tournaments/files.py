"""Tournaments as files: entries and results, report files, archives; what HTTP and the command line share."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from domain import registry
from domain.decider import New, Refusal
from domain.event import instant
from domain.game import ALL
from domain.match.events import ScoreStated
from domain.match.sight import open_at
from domain.match.stated import apart, has_words
from domain.tournament import commands as c
from domain.tournament import trf
from domain.tournament.directing import Orders
from domain.tournament.exchange import entries, results, trf_in, trf_plan
from domain.tournament.exchange.archive import (
    Archive,
    Member,
    Stream,
    match_ids,
    read_archive,
    sealed,
    unique_names,
)
from domain.tournament.exchange.faults import MOST_SAID, Fault, FaultyError
from domain.tournament.exchange.rebuild import rebuilt
from domain.tournament.state import Tournament
from domain.upcast import UPCASTERS
from projections.event_view import hide
from projections.tournaments.view import calling, tournament_view
from service.api.access import viewer_in
from service.auth import Caller
from service.recording import Done, Person, Recorder, Request, new_id, own_request
from service.store import log
from service.streams import TOURNAMENT, Loaded, LoadedClub

GAME: Final = "parity"  # what a report file is taken to be about, which says nothing of cards


class Taken(msgspec.Struct, frozen=True):
    """What came of a file: the tournament, and what of the file was left out."""

    done: Done
    left_out: tuple[str, ...] = ()


def refusal_of(wrong: FaultyError) -> Refusal:
    """What is wrong with a text, as an answer: the first place in words, all of them in a list."""
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
        raise FaultyError([Fault(line, column, "this is not UTF-8: save the table as UTF-8")]) from None


def trf_text(data: bytes) -> str:
    """A report file as text: UTF-8, or what programs wrote before."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_trf(data: bytes, game: str) -> tuple[trf.Tournament, c.Announce, tuple[tuple[str, ...], ...], bool]:
    """A report file, and what it is as a tournament of a game. Raises FaultyError, Refusal."""
    try:
        file = trf.loads(trf_text(data))
    except trf.BadFile as bad:
        raise FaultyError([Fault(bad.line, bad.column, bad.message)]) from None
    return file, *trf_plan.plan_of(file, game)


class Files:
    """Reads and writes tournaments over one recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.streams = recorder, recorder.streams

    async def enter(self, loaded: Loaded, data: bytes, request: Request) -> Done:
        """The entries of a table, all or none. Raises FaultyError, Refusal."""
        before = await self._before(loaded.club, request)
        if before is not None:
            return before
        lines = entries.read_entries(text_of(data))
        club = await self.recorder.club(loaded.club)
        ids = [new_id() for _ in lines]
        known = entries.people_of(club.state, lines)
        trial = [tuple(each or f"{at}.{seat}" for seat, each in enumerate(own)) for at, own in enumerate(known)]
        entries.commands_of(loaded.tournament, lines, trial, ids)  # what cannot be entered registers nobody
        named = tuple(
            tuple(Person(each) if each else cell.text for each, cell in zip(own, line.people, strict=True))
            for own, line in zip(known, lines, strict=True)
        )
        players = await self.recorder.players(loaded.club, named, request)
        asked = entries.commands_of(loaded.tournament, lines, players, ids)
        return await self._ordered(loaded, asked, request)

    async def report(self, loaded: Loaded, data: bytes, request: Request) -> Done:
        """The results of a table, all or none; what stands there is passed over. Raises FaultyError, Refusal."""
        before = await self._before(loaded.club, request)
        if before is not None:
            return before
        club = await self.recorder.club(loaded.club)
        state = loaded.tournament
        asked = results.read_results(state, text_of(data), calling(state, _names(club)))
        return await self._ordered(loaded, asked, request)

    async def take_trf(self, club: str, data: bytes, game: str, request: Request) -> Taken:
        """A report file as a new tournament. Raises FaultyError, Refusal."""
        file, plan, people, fixed = read_trf(data, game)
        told = trf_plan.left_out(file)
        before = await self._before(club, request)
        if before is not None:
            return Taken(before, told)
        ids = [new_id() for _ in people]
        trial = [tuple(f"{at}.{seat}" for seat, _ in enumerate(own)) for at, own in enumerate(people)]
        trf_in.replayed(file, plan, fixed, ids, trial, _fresh())
        players = await self.recorder.players(club, people, request)
        news = trf_in.replayed(file, plan, fixed, ids, players, _fresh())
        return Taken(await self.recorder.import_match(club, news, request, new_id(), TOURNAMENT), told)

    async def take_archive(self, club: str, data: bytes, request: Request) -> Done:
        """An archive as a tournament of this club, with its matches; the same archive again is answered with what it
        became. Raises FaultyError, Refusal."""
        archive = read_archive(data)
        trial = rebuilt(archive, club)
        _check_shown(club, trial.tournament, trial.events, archive)
        there = await self.streams.tournament(trial.tournament)
        if there is not None and there.head.version >= len(trial.events):
            return Done(there, there.head.version + 1, there.head.version)
        await self._before(club, request)
        names = unique_names(archive.people)
        sides = await self.recorder.players(club, tuple((name,) for name in names.values()), request)
        players = {old: side[0] for old, side in zip(names, sides, strict=True)}
        whole = rebuilt(archive, club, players)
        for stream, news in whole.matches.items():  # before the tournament, or the steward would open them anew
            await self.recorder.import_match(club, news, own_request(request.by, f"archive {stream}"), stream)
        begun = request if request.chosen else own_request(request.by, f"archive {whole.tournament}")
        return await self.recorder.import_match(club, whole.events, begun, whole.tournament, TOURNAMENT)

    async def archive(self, loaded: Loaded, caller: Caller, notes: bool) -> Archive:
        """A tournament with everything that belongs to it. Raises Refusal where a hand is on that the caller may not
        see: what is not whole could not be rebuilt."""
        club = await self.recorder.club(loaded.club)
        own = await log.read_stream(self.streams.pool, loaded.club, loaded.stream)
        known = match_ids((each.event.type, msgspec.json.decode(each.event.text)) for each in own)
        matches = []
        people = {player for entry in loaded.tournament.entries.values() for player in _everybody(entry)}
        for stream in known:
            found = await self.streams.match(stream)
            if found is None:
                continue
            people |= {player for side in found.match.setup.sides for player in side}
            stored = await log.read_stream(self.streams.pool, loaded.club, stream)
            _check_open(found, stored, caller)
            matches.append(_stream(stream, stored, notes))
        names = _names(club)
        return sealed(
            Archive(
                club=club.state.name, people={player: names.get(player) for player in sorted(people)},
                tournament=_stream(loaded.stream, own, notes), matches=tuple(matches),
            )
        )  # fmt: skip

    async def _before(self, club: str, request: Request) -> Done | None:
        """The first answer to a request that is repeated. Raises Refusal for a key that was used otherwise."""
        return await self.recorder.answered(club, request) if request.chosen else None

    async def _ordered(self, loaded: Loaded, asked: Sequence[c.TournamentCommand], request: Request) -> Done:
        if not asked:
            return Done(loaded, loaded.head.version + 1, loaded.head.version)
        return await self.recorder.tournament(loaded.stream, Orders(tuple(asked)), request)


def _fresh() -> Iterator[str]:
    while True:
        yield new_id()


def _names(club: LoadedClub) -> dict[str, str | None]:
    return {player.id: player.name for player in club.state.players.values()}


def _everybody(entry: Any) -> set[str]:
    """Who plays for an entry, and who did before."""
    return {player for own in (entry.players, *entry.before) for player in own}


def _stream(stream: str, stored: Sequence[log.Stored], notes: bool) -> Stream:
    return Stream(stream, tuple(_member(each, notes) for each in stored))


def _member(each: log.Stored, notes: bool) -> Member:
    event, schema, text = each.event, each.event.schema, each.event.text.encode()
    if isinstance(event.data, ScoreStated) and has_words(event.data) and not notes:
        bare, _ = apart(event.data, None)
        schema, text = UPCASTERS.current(event.type), registry.write_event(bare)
    return Member(
        version=event.version, type=event.type, schema=schema, recorded_at=instant(event.recorded_at),
        actor=event.actor, role=event.role, data=msgspec.Raw(text), private=event.private if notes else None,
    )  # fmt: skip


def _check_open(found: Loaded, stored: Sequence[log.Stored], caller: Caller) -> None:
    """Raises Refusal where an event holds what the caller has not seen while its deal is on."""
    viewer = viewer_in(caller, found)
    if viewer == ALL:
        return
    for each in stored:
        data = msgspec.json.decode(each.event.text)
        if not open_at(found.match, each.event.version) and hide(each.event, data, viewer):
            raise Refusal("forbidden", "a deal is on whose hands you may not see: ask a director for the archive")


def _check_shown(club: str, stream: str, events: Sequence[New], archive: Archive) -> None:
    """Raises Refusal for a tournament that no page could show."""
    state = TOURNAMENT.fold(TOURNAMENT.initial, [(at, new.event) for at, new in enumerate(events, start=1)])
    assert isinstance(state, Tournament)
    try:
        tournament_view(stream, club, state, archive.people)
    except (LookupError, ValueError, TypeError) as error:
        raise Refusal("malformed", f"the archive cannot be taken: tournament: {error}") from None
