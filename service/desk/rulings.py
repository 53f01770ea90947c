"""Rulings at the desk: what is offered for a breach, what one would move, and who was faster when two rule at once."""

import asyncio
import time
from typing import Final
from uuid import UUID

import msgspec

from domain.club.names import Names
from domain.log.decider import Refusal, decided
from domain.match import commands as c
from domain.match.audit.catalogue import catalogue
from domain.match.audit.equity import Equity, equity
from domain.match.audit.findings import deal_findings
from domain.match.audit.remedies import OPEN, offered
from domain.match.rights import check_any
from domain.match.rulings import least_procedural
from domain.match.starting import deal_named
from domain.match.state import Deal, Match, race_of, ruling_in_force
from domain.match.windows import window
from domain.solve.search import SpentError
from domain.standings.ratings import RatedMatch
from domain.tournament.hearing import MatchPlace
from domain.tournament.moved_record import MovedRecord, moved_record
from domain.tournament.posting import place_of_match
from domain.tournament.state import Tournament
from projections import rulings as view
from projections.tournaments.moves import Moved, preview
from projections.tournaments.view import calling
from service.desk.access import actor_at, check_known, match_for
from service.desk.cases.ruled_in import is_named
from service.desk.matches import record
from service.desk.moments import moment_of
from service.desk.on_stream import actor_on
from service.desk.requests import DoneMatch, Request
from service.desk.services import Services
from service.desk.showing import names_of
from service.store import log
from service.store.callers import Caller
from service.store.kinds import MATCH
from service.store.loaded import LoadedClub, LoadedMatch

PATIENCE: Final = 5.0  # seconds for a question of best play
AT_ONCE: Final = asyncio.Semaphore(1)  # such questions: one core is left to everybody else
LAST: Final = 2**62  # behind everything that was played


async def rule(services: Services, caller: Caller, match: UUID, command: c.Rule, request: Request) -> DoneMatch:
    """A ruling. Raises Refusal; of two directors at once the second is told who has ruled, and what to look at."""
    try:
        return await record(services, caller, match, command, request)
    except Refusal as refusal:
        if refusal.slug not in ("changed", "lost-race"):
            raise
        loaded = await services.streams.match(str(match))
        deal = None if loaded is None else _deal(loaded.match, command.deal)
        last = None if deal is None else ruling_in_force(deal)
        if loaded is None or deal is None or last is None or last.version == command.supersedes:
            raise
        who = await _who_ruled(services, loaded, last.version)
        said = f"{who or 'another director'} has ruled on deal {deal.number} meanwhile: look at it"
        raise Refusal("changed", f"{said}; a ruling in its place names it", ruling=last.version, by=who) from None


def _deal(match: Match, number: int | None) -> Deal | None:
    """The deal of that number, the last one where none is named; None where there is none."""
    wanted = len(match.deals) if number is None else number
    return match.deals[wanted - 1] if 1 <= wanted <= len(match.deals) else None


async def _who_ruled(services: Services, loaded: LoadedMatch, version: int) -> str | None:
    """The name of whoever made the ruling at a version."""
    found = await log.read_stream(services.streams.pool, loaded.club, loaded.stream, version - 1, version)
    actor = found[0].event.actor if found else None
    names = names_of(await services.recorder.club(loaded.club))
    return None if actor is None else names.get(actor)


async def _for_ruler(services: Services, caller: Caller, match: UUID) -> tuple[LoadedMatch, LoadedClub]:
    """A match for somebody who might rule on it. Raises Refusal."""
    loaded, club = await match_for(services, caller, match)
    check_known(caller)
    named = await is_named(services.streams, loaded, actor_at(caller, loaded))
    check_any(loaded.match, c.Rule(code="OTH", named=named), actor_at(caller, loaded))
    return loaded, club


async def remedies_of(
    services: Services, caller: Caller, match: UUID, deal: int, code: str, at: int | None
) -> view.RemediesView:
    """The remedies for a breach, side by side. Raises Refusal."""
    loaded, _ = await _for_ruler(services, caller, match)
    state = loaded.match
    here = deal_named(state, deal)
    moment = await moment_of(services.streams, loaded, services.recorder.clock())
    found = offered(state, here, code, at, window(state, here, moment))
    known, last = catalogue(state.setup.game).get(code), ruling_in_force(here)
    shown = tuple(view.remedy_view(state, here, each, each.key in OPEN) for each in found.effects)
    title = None if known is None else known.title
    offence = found.offence
    return view.RemediesView(
        deal=here.number,
        code=code,
        title=title,
        rule=rule_of(state, here, code, at),
        at=at,
        seat=None if offence is None else offence.seat,
        side=None if offence is None else offence.side,
        established=offence is not None and offence.established,
        second=offence is not None and offence.second,
        mutual=offence is not None and offence.mutual,
        default=found.default,
        reason=view.offered_reason(title, found, shown),
        procedural=found.procedural,
        least=least_procedural(state),
        supersedes=None if last is None else last.version,
        now=view.race_under(state, here.number),
        remedies=shown,
    )


def rule_of(match: Match, deal: Deal, code: str, at: int | None) -> str | None:
    """The ledger number of a finding of that code, at that entry where it is named."""
    found = (each for each in deal_findings(match, deal) if each.code == code and at in (None, each.version))
    return next((each.rule for each in found), None)


async def equity_of(services: Services, caller: Caller, match: UUID, deal: int, at: int) -> Equity:
    """Best play before a breach and after it, worked out beside the event loop, in five seconds at most. Raises
    Refusal."""
    loaded, _ = await _for_ruler(services, caller, match)
    here = deal_named(loaded.match, deal)
    places = {version: place for place, (version, _) in enumerate(here.facts)}
    if at not in places:
        raise Refusal("misfit", f"entry {at} is no fact in force in deal {here.number}")
    async with AT_ONCE:
        return await asyncio.to_thread(equity, loaded.match, here, places[at], tick=_until(PATIENCE))


def _until(seconds: float) -> "Clock":
    return Clock(time.monotonic() + seconds)


class Clock:
    """Ends the work on a question when its time is up."""

    def __init__(self, ends: float) -> None:
        self.ends = ends

    def __call__(self) -> None:
        """A tick of the work. Raises SpentError."""
        if time.monotonic() > self.ends:
            raise SpentError


async def preview_of(
    services: Services, caller: Caller, match: UUID, command: c.Rule, request: Request
) -> view.RulingPreview:
    """Decide a ruling and tell everything that it would move; nothing is written. Raises Refusal."""
    loaded, club = await _for_ruler(services, caller, match)
    state = loaded.match
    here = deal_named(state, command.deal)
    last = ruling_in_force(here)
    meant = msgspec.structs.replace(
        command,
        deal=here.number,
        supersedes=None if last is None else last.version,
        exceptional=True,
        note=command.note or "preview",
        named=await is_named(services.streams, loaded, actor_at(caller, loaded)),
        moment=await moment_of(services.streams, loaded, services.recorder.clock()),
    )
    news, _ = decided(MATCH.decide, state, meant, actor_on(loaded, request.actor, meant))
    after = MATCH.fold(state, [(version, new.event) for version, new in enumerate(news, start=state.version + 1)])
    assert isinstance(after, Match)
    ruled = after.deals[here.number - 1].rulings[-1]
    now, under = view.race_under(state, here.number), view.race_under(after, here.number)
    names = names_of(club)
    held = await _tournament(services, loaded)
    moved = None if held is None else moved_record(held[0], held[1], after)
    shown = _moves(held, moved, names)
    return view.RulingPreview(
        version=state.version,
        deal=here.number,
        remedy=ruled.remedy,
        scores=ruled.scores,
        now=now,
        under=under,
        winner_moves=(now.finished, now.winner) != (under.finished, under.winner),
        tournament=state.setup.tournament,
        contested=moved is not None and moved.contested,
        pairings=shown[0],
        places=shown[1],
        repairs=() if held is None or moved is None else view.repairs_view(held[0], moved, names),
        ratings=await _ratings(services, loaded, club, after, None if moved is None else (held, moved)),
    )


def _moves(
    held: tuple[Tournament, MatchPlace] | None, moved: MovedRecord | None, names: Names
) -> tuple[tuple[Moved, ...], tuple[Moved, ...]]:
    """Pairings and places that move by themselves."""
    if held is None or moved is None:
        return (), ()
    found = preview(held[0], moved.state, (), calling(moved.state, names))
    return found.pairings, found.places


async def _tournament(services: Services, loaded: LoadedMatch) -> tuple[Tournament, MatchPlace] | None:
    """The tournament of a match and its place there; None for a match of its own, or whose pairing was taken back."""
    if loaded.match.setup.tournament is None:
        return None
    await services.steward.catch_up(loaded.club)
    found = await services.streams.tournament(loaded.match.setup.tournament)
    where = None if found is None else place_of_match(found.tournament, loaded.stream)
    if found is None or where is None:
        return None
    return found.tournament, MatchPlace(found.stream, *where)


async def _ratings(
    services: Services,
    loaded: LoadedMatch,
    club: LoadedClub,
    after: Match,
    moved: tuple[tuple[Tournament, MatchPlace] | None, MovedRecord] | None,
) -> tuple[view.RatingMove, ...]:
    """The ratings that move: by the result in the tournament where the match is of one, else by the match's own."""
    game = loaded.match.setup.game.key
    book, _ = await services.books.of(loaded.club)
    was = await book.result(loaded.stream)
    now = _rated(loaded, after, was, moved)
    if was == now:
        return ()
    return view.rated_moves(await book.before(game, was), "players", was, now, names_of(club))


def _rated(
    loaded: LoadedMatch,
    after: Match,
    was: RatedMatch | None,
    moved: tuple[tuple[Tournament, MatchPlace] | None, MovedRecord] | None,
) -> RatedMatch | None:
    """The match as it would be rated; None for one that is not over."""
    winner: int | None
    if moved is not None and moved[0] is not None:
        place = moved[0][1]
        told = moved[1].state.stages[place.stage].decided.get(place.fixture)
        if told is None or told.how != "played":
            return None
        winner = told.winner
    else:
        race = race_of(after)
        if not race.finished:
            return None
        winner = race.winner
    if was is not None:
        return msgspec.structs.replace(was, winner=winner)
    return RatedMatch(LAST, loaded.stream, after.setup.game.key, "", after.setup.sides, winner)
