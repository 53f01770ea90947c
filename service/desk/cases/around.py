"""The surroundings of a case while something is decided in it: the time, the people, the rulings in its matches."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from domain.case import commands as c
from domain.case.appeals import is_owed, may_hear
from domain.case.state import Appeal, Case, side_in
from domain.club.rights import rights_of
from domain.club.state import Club
from domain.log.actor import DIRECTORS, RANKS, Strength
from domain.log.strength import strictest
from domain.match.said import Ruling
from domain.match.state import Match
from domain.match.windows import window
from service.desk.cases import lookup
from service.desk.cases.settled import settled_in
from service.desk.moments import moment_of
from service.store import cases, times
from service.store.acts import signed_in_since
from service.store.kinds import CASE
from service.store.loaded import AnyLoaded, LoadedCase, LoadedMatch
from service.store.streams import Streams

HEARS: Final = frozenset(RANKS) - {"spectator", "player", "scorer"}


async def with_around(streams: Streams, loaded: AnyLoaded, command: Any, at: datetime) -> Any:
    """A command on a case with what stands around it now; any other as it is."""
    if loaded.kind is not CASE or not isinstance(command, c.CommandOnCase) or isinstance(command, c.OpenCase):
        return command
    around = await around_of(streams, loaded, at, _named(command))
    if isinstance(command, c.LodgeAppeal):
        around = msgspec.structs.replace(around, appeals=await _appeals(streams, loaded, command.match))
    return msgspec.structs.replace(command, around=around)


async def around_of(streams: Streams, loaded: LoadedCase, at: datetime, named: Iterable[str] = ()) -> c.Around:
    """The surroundings of a case at a moment; `named` are the people whom somebody names."""
    case = loaded.state
    club = await streams.club(loaded.club)
    assert club is not None
    people = {each: known(club.state, loaded, each) for each in named if club.state.whom(each) in club.state.players}
    first = [each.version for each in case.statements[:1]]
    matches = await _matches(streams, case)
    rulings = [each for match in matches for each in await _rulings(streams, case, match, at)]
    bare = c.Around(
        at=at,
        times=await times.times_of(streams.pool, loaded.club, loaded.stream, first) if first else {},
        people=people,
        rulings=tuple(rulings),
        owed=tuple(each.version for each in case.appeals for own in matches if _owes(own, each)),
        settled=await settled_in(streams, loaded.club, case),
        allowed=tuple(sorted({each for match in matches for each in allowed_in(case, match)})),
        asks=await _asked(streams, club.state, matches),
    )
    here = await signed_in_since(streams.pool, loaded.club, _morning(club.state, at))
    others = [each for each in here if _free(case, known(club.state, loaded, each))]
    hearers = [each for each in club.state.grants if _hears(club.state, loaded, each, bare)]
    return msgspec.structs.replace(bare, others=tuple(sorted(others)), hearers=tuple(sorted(hearers)))


async def _appeals(streams: Streams, loaded: LoadedCase, match: str) -> tuple[Appeal, ...]:
    """The appeals of other cases about a match."""
    others = await lookup.about_match(streams, loaded.club, match)
    return tuple(appeal for each in others if each.stream != loaded.stream for appeal in each.state.appeals)


def known(club: Club, loaded: LoadedCase, person: str) -> c.NamedPerson:
    """A person as the club knows him, beside a case."""
    cups = {each.tournament for each in loaded.state.places()}
    held = rights_of(club, loaded.club, club.whom(person), "own device")
    directs = any(each.role in DIRECTORS and (each.tournament is None or each.tournament in cups) for each in held)
    return c.NamedPerson(club.ids_of(person), club.close_to(person), directs)


def allowed_in(case: Case, loaded: LoadedMatch) -> frozenset[str]:
    """The people of a table whom every other side allows to direct there, on a deal of the case or on the match."""
    match, found = loaded.match, set[str]()
    deals = {each.deal for each in case.places() if each.match == loaded.stream} | {None}
    for ruler in {each.ruler for each in match.consents if each.deal in deals}:
        own = side_in(match.setup.sides, (ruler,))
        given = {each.side for each in match.consents if each.ruler == ruler and each.deal in deals}
        if given >= set(range(len(match.setup.sides))) - {own}:
            found.add(ruler)
    return frozenset(found)


def _named(command: c.CommandOnCase) -> tuple[str, ...]:
    match command:
        case c.AssignRuler() | c.RecuseRuler() | c.HearWitness():
            return (command.person,)
        case c.HearAppeal():
            return command.panel
        case _:
            return ()


def _free(case: Case, person: c.NamedPerson) -> bool:
    """Tells who directs here and belongs to no side."""
    return person.directs and not case.parties & {*person.ids, *person.close}


def _hears(club: Club, loaded: LoadedCase, person: str, around: c.Around) -> bool:
    """Tells who may hear an appeal against a ruling of the case: holds a role, is near to nobody, has not ruled."""
    held = rights_of(club, loaded.club, person, "own device")
    return any(each.role in HEARS for each in held) and may_hear(loaded.state, known(club, loaded, person), around)


def _owes(loaded: LoadedMatch, appeal: Appeal) -> bool:
    """Tells whether the changed ruling of an appeal is still to be made in this match."""
    return appeal.match == loaded.stream and is_owed(appeal, loaded.match)


async def _matches(streams: Streams, case: Case) -> list[LoadedMatch]:
    ids = dict.fromkeys(each.match for each in case.places() if each.match is not None)
    found = [await streams.match(each) for each in ids]
    return [each for each in found if each is not None and isinstance(each.state, Match)]


async def _rulings(streams: Streams, case: Case, loaded: LoadedMatch, at: datetime) -> list[c.Ruled]:
    """The rulings on deals of a match that were made in this case, or on a deal that it is about."""
    match, deals = loaded.match, {each.deal for each in case.places() if each.match == loaded.stream}
    made = [(deal, each) for deal in match.deals for each in deal.rulings if deal.number in deals or None in deals]
    if not made:
        return []
    rows = {each.version: each for each in await cases.rulings(streams.pool, loaded.club, loaded.stream)}
    moment = await moment_of(streams, loaded, at)
    return [
        c.Ruled(
            match=loaded.stream,
            version=each.version,
            deal=deal.number,
            person=rows[each.version].actor,
            at=rows[each.version].at,
            accepted=_sides(case, match, each),
            instance=each.instance,
            superseded=each is not deal.rulings[-1],
            late=window(match, deal, moment) in ("T3", "sealed"),
        )
        for deal, each in made
        if each.version in rows
    ]


def _sides(case: Case, match: Match, ruling: Ruling) -> tuple[int, ...]:
    """The sides of the case that accepted a ruling in a match."""
    own = (match.setup.sides[side] for side in ruling.accepted)
    return tuple(case.sides.index(each) for each in own if each in case.sides)


async def _asked(streams: Streams, club: Club, matches: Iterable[LoadedMatch]) -> Strength | None:
    """The least strength that is asked for at the matches of a case."""
    asked = []
    for each in matches:
        cup = each.match.setup.tournament
        found = None if cup is None else await streams.tournament(cup)
        plan = None if found is None else found.tournament.plan
        asked.append(club.settings.confirms if plan is None else strictest(plan.plays_on, plan.final))
    return strictest(*asked)


def _morning(club: Club, now: datetime) -> datetime:
    """The beginning of the day in the club's time zone."""
    return now.astimezone(ZoneInfo(club.settings.zone)).replace(hour=0, minute=0, second=0).astimezone(UTC)
