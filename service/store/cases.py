"""Cases in the closed log: which are about a match or a tournament, and the calls of the last hour."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from domain.match.events import Settlement
from service.store.people_secrets import AHEAD, mark
from service.store.pool import Parameter, Parameters, Pool

WINDOW: Final = timedelta(hours=1)
ENDLESS: Final = datetime.max.replace(tzinfo=UTC)
MOST_PLACE: Final = 10  # calls of one side of a table in that time
MOST_CALLER: Final = 20  # calls of one person, or device, in that time
_ABOUT: Final = """select distinct stream_id::text from events where club_id = %s and log = 1
    and type in ('CaseOpened', 'CaseJoined') and ((data::jsonb -> 'place') ->> '{}') = %s"""
_OF_MATCH: Final = _ABOUT.format("match")
_OF_TOURNAMENT: Final = _ABOUT.format("tournament")
_APPEALED: Final = """select distinct data::jsonb ->> 'match' from events l where club_id = %(club)s and log = 1
    and type = 'AppealLodged' and recorded_at <= %(at)s
    and not exists (select 1 from events h where h.club_id = %(club)s and h.stream_id = l.stream_id
        and h.type = 'AppealHeard' and (h.data::jsonb ->> 'appeal')::int = l.version and h.recorded_at <= %(at)s)"""
_ALL: Final = "select stream_id::text from events where club_id = %s and log = 1 and type = 'CaseOpened'"
_OF_CLUB: Final = """with own as (select stream_id, position, exists (select 1 from events c
            where c.club_id = %(club)s and c.stream_id = o.stream_id and c.type = 'CaseClosed'
            and not exists (select 1 from events r where r.club_id = %(club)s and r.stream_id = c.stream_id
                and r.type = 'CaseReopened' and r.version > c.version))
        and not exists (select 1 from events a where a.club_id = %(club)s and a.stream_id = o.stream_id
            and (a.type = 'AppealLodged' and not exists (select 1 from events h where h.club_id = %(club)s
                    and h.stream_id = a.stream_id and h.type = 'AppealHeard'
                    and (h.data::jsonb ->> 'appeal')::int = a.version)
                or a.type = 'AppealHeard' and a.data::jsonb ->> 'outcome' = 'changed')) as over
        from events o where club_id = %(club)s and log = 1 and type = 'CaseOpened'),
    newest as (select stream_id, position, over from own where over order by position desc limit %(limit)s)
    select stream_id::text from (select * from own where not over union all select * from newest) as chosen
    order by over, position desc"""
_DISPUTES: Final = """select e.stream_id::text, e.version, e.actor, coalesce(p.data, r.data) from events e
    left join private p using (club_id, stream_id, version) left join remains r using (club_id, stream_id, version)
    where e.club_id = %s and e.log = 0 and e.type = 'ResultDisputed' and e.position > %s and e.position <= %s
    order by e.position"""
_OUTCOMES: Final = """select e.stream_id::text, e.version, e.actor, coalesce(p.data, r.data), e.data from events e
    left join private p using (club_id, stream_id, version) left join remains r using (club_id, stream_id, version)
    where e.club_id = %s and e.log = 0 and e.type = 'OutcomeDisputed' and e.position > %s and e.position <= %s
    order by e.position"""
_RULINGS: Final = """select version, actor, recorded_at from events
    where club_id = %s and stream_id = %s and type = 'RulingMade' order by version"""
_SETTLEMENTS: Final = """select data from events
    where club_id = %s and stream_id = %s and type = 'DisputeSettled' order by version"""
_NEWS: Final = """select distinct stream_id::text from events
    where club_id = %s and log = 0 and position > %s and position <= %s and type in ('DisputeSettled', 'RulingMade',
        'RulingAccepted', 'OutcomeReported', 'OutcomeWithdrawn', 'OutcomeUpheld')"""
_DISPUTED: Final = """select distinct stream_id::text from events d
    where club_id = %(club)s and stream_id = any(%(matches)s::uuid[]) and type = 'ResultDisputed'
    and position <= %(upto)s and not exists (select 1 from events s
        where s.club_id = %(club)s and s.stream_id = d.stream_id
        and s.type = 'DisputeSettled' and (s.data::jsonb ->> 'version')::int = d.version and s.position <= %(upto)s)"""
_OF_DISPUTES: Final = """select distinct stream_id::text from events e where club_id = %(club)s and log = 1
    and type in ('CaseOpened', 'CaseJoined') and data::jsonb ->> 'matter' = 'dispute'
    and not exists (select 1 from events c where c.club_id = %(club)s and c.stream_id = e.stream_id
        and c.type = 'CaseClosed' and not exists (select 1 from events r where r.club_id = %(club)s
            and r.stream_id = c.stream_id and r.type = 'CaseReopened' and r.version > c.version))"""
_CALL: Final = """with late as (select place, caller, at from case_calls where at > %(from)s
        and (place = %(place)s or caller = %(caller)s)),
    full_since as (select min(at) as at from (
        select at, row_number() over (partition by 1 order by at desc) as n, %(most_place)s as most
            from late where place = %(place)s
        union all
        select at, row_number() over (partition by 1 order by at desc), %(most_caller)s
            from late where caller = %(caller)s) as counted where n = most),
    added as (insert into case_calls (at, place, caller)
        select %(at)s, %(place)s, %(caller)s where (select at from full_since) is null returning 1)
    select (select count(*) from added), (select at from full_since)"""


class CallsWait(Exception):
    """Too many calls of one side of a table, or of one person: the next one is heard in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = max(1, int(seconds + 0.999))


class DisputeRow(msgspec.Struct, frozen=True):
    """A dispute in a match: its stream and version, who began it, and the words beside it."""

    match: str
    version: int
    actor: str | None
    words: str | None


class OutcomeRow(msgspec.Struct, frozen=True):
    """A dispute of a result that a tournament was told of: its stream and version, who began it, the words beside it,
    the stage and the name of the match in the plan."""

    tournament: str
    version: int
    actor: str | None
    words: str | None
    stage: int
    fixture: str


class RulingRow(msgspec.Struct, frozen=True):
    """A ruling in a match: its version, who made it, and when."""

    version: int
    actor: str | None
    at: datetime


async def about_match(pool: Pool, club: str, match: str) -> list[str]:
    """The cases that were opened or joined for a match."""
    return await _streams(pool, _OF_MATCH, [club, match])


async def about_tournament(pool: Pool, club: str, tournament: str) -> list[str]:
    """The cases that were opened or joined for a tournament's matches and fixtures."""
    return await _streams(pool, _OF_TOURNAMENT, [club, tournament])


async def under_appeal(pool: Pool, club: str, at: datetime = ENDLESS) -> frozenset[str]:
    """The matches of a club with a ruling against which an appeal was lodged, and not decided by then."""
    async with pool.connection() as connection:
        cursor = await connection.execute(_APPEALED, {"club": club, "at": at}, prepare=True)
        return frozenset(row[0] for row in await cursor.fetchall())


async def of_club(pool: Pool, club: str, limit: int) -> list[str]:
    """The cases of a club that are heard, an appeal or its changed ruling included, and so many of the newest that are
    over."""
    return await _streams(pool, _OF_CLUB, {"club": club, "limit": limit})


async def all_of_club(pool: Pool, club: str) -> list[str]:
    """Every case of a club."""
    return await _streams(pool, _ALL, [club])


async def disputes(pool: Pool, club: str, after: int, upto: int) -> list[DisputeRow]:
    """The disputes that began in matches of a club between two positions of its open log."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_DISPUTES, [club, after, upto], prepare=True)).fetchall()
    return [DisputeRow(row[0], row[1], row[2], _note(row[3])) for row in rows]


async def outcomes_disputed(pool: Pool, club: str, after: int, upto: int) -> list[OutcomeRow]:
    """The disputes that began in tournaments of a club between two positions of its open log."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_OUTCOMES, [club, after, upto], prepare=True)).fetchall()
    told = [(row, msgspec.json.decode(row[4])) for row in rows]
    return [OutcomeRow(row[0], row[1], row[2], _note(row[3]), data["stage"], data["fixture"]) for row, data in told]


async def rulings(pool: Pool, club: str, match: str) -> list[RulingRow]:
    """The rulings in a match."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_RULINGS, [club, match], prepare=True)).fetchall()
    return [RulingRow(*row) for row in rows]


async def settlements(pool: Pool, club: str, match: str) -> dict[int, Settlement]:
    """The settlements of those disputes in a match that are over, by the version at which each began."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_SETTLEMENTS, [club, match], prepare=True)).fetchall()
    told = [msgspec.json.decode(row[0]) for row in rows]
    return {data["version"]: data["how"] for data in told}


async def disputed(pool: Pool, club: str, matches: Sequence[str], upto: int | None = None) -> list[str]:
    """Those of these matches in whose record a dispute is open, now or as of a position of the open log."""
    values = {"club": club, "matches": list(matches), "upto": 2**62 if upto is None else upto}
    async with pool.connection() as connection:
        return [row[0] for row in await (await connection.execute(_DISPUTED, values, prepare=True)).fetchall()]


async def settling(pool: Pool, club: str, after: int, upto: int) -> list[str]:
    """The matches and tournaments of a club in which something that may end a dispute was said between two positions of
    its open log."""
    return await _streams(pool, _NEWS, [club, after, upto])


async def of_disputes(pool: Pool, club: str) -> list[str]:
    """The cases of a club that hear a dispute and are open."""
    return await _streams(pool, _OF_DISPUTES, {"club": club})


async def count_call(pool: Pool, club: str, place: str, caller: str, at: datetime) -> None:
    """Count a call from a place by somebody. Raises CallsWait where there were too many in the last hour; two at once
    are counted one after the other."""
    whose = mark(club, caller)
    values = {"from": at - WINDOW, "place": place, "caller": whose, "at": at}
    values |= {"most_place": MOST_PLACE, "most_caller": MOST_CALLER}
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"case calls {club}"])
        await connection.execute("delete from case_calls where at <= %s or at > %s", [at - WINDOW, at + AHEAD])
        row = await (await connection.execute(_CALL, values)).fetchone()
    if row is not None and not row[0]:
        raise CallsWait((row[1] + WINDOW - at).total_seconds())


async def _streams(pool: Pool, statement: str, values: Sequence[Parameter] | Parameters) -> list[str]:
    async with pool.connection() as connection:
        return [row[0] for row in await (await connection.execute(statement, values, prepare=True)).fetchall()]


def _note(text: str | None) -> str | None:
    words = None if text is None else msgspec.json.decode(text)
    return words.get("note") if isinstance(words, dict) else None
