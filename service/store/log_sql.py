"""The statements of the log: an append in its forms, events with their private parts, a stream to be folded."""

from typing import Final

OPEN: Final = 0  # the log that everybody reads: positions, feeds, webhooks, lists
CLOSED: Final = 1  # the one that is read by those whom a case concerns

_INSERT_ONE: Final = """
, added as (
    insert into events (club_id, stream_id, version, log, position, type, schema, data, actor, role, seat, device,
                        device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    select %(club)s, %(stream)s, %(version)s + 1, head.log, base + 1, %(type)s, %(schema)s, %(text)s, %(actor)s,
           %(role)s, %(seat)s, %(device)s, %(clock)s, %(at)s, %(command)s, 0, %(fingerprint)s, %(cause)s, %(prev)s,
           %(hash)s
    from head
    returning 1
)"""
_INSERT: Final = """
, added as (
    insert into events (club_id, stream_id, version, log, position, type, schema, data, actor, role, seat, device,
                        device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    select %(club)s, new.stream, new.version, head.log, base + ord, new.type, new.schema, new.data, new.actor, new.role,
           new.seat, new.device, new.clock, new.at, new.command, new.place, decode(new.fingerprint, 'hex'), new.cause,
           decode(new.prev_hash, 'hex'), decode(new.hash, 'hex')
    from head, rows from (json_to_recordset(%(events)s::json) as (
        stream uuid, version int, type text, schema smallint, data text, actor text, role text, seat smallint,
        device text, clock timestamptz, at timestamptz, command text, place int, fingerprint text, cause text,
        prev_hash text, hash text)) with ordinality
        as new (stream, version, type, schema, data, actor, role, seat, device, clock, at, command, place, fingerprint,
                cause, prev_hash, hash, ord)
    returning 1
)"""
_INSERT_FILED: Final = """
, added as (
    insert into events (club_id, stream_id, version, log, position, type, schema, data, actor, role, seat, device,
                        device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    select %(club)s, own.stream, own.version + new.ord, head.log, base + own.behind + new.ord, new.type, new.schema,
           new.data, own.actor, own.role, own.seat, own.device, own.clock, own.at, own.command, new.ord - 1,
           decode(own.fingerprint, 'hex'), own.cause, decode(new.before, 'hex'), decode(new.hash, 'hex')
    from head, json_to_recordset(%(filed)s::json) as own (
        stream uuid, behind int, version int, actor text, role text, seat smallint, device text, clock timestamptz,
        at timestamptz, command text, fingerprint text, cause text, types text[], schemas smallint[], texts text[],
        before text[], hashes text[]),
        unnest(own.types, own.schemas, own.texts, own.before, own.hashes) with ordinality
        as new (type, schema, data, before, hash, ord)
    returning 1
)"""
_PRIVATE: Final = """
, kept as (
    insert into private (club_id, stream_id, version, salt, data)
    select %(club)s, own.stream, own.version, decode(own.salt, 'hex'), own.data
    from head, json_to_recordset(%(private)s::json) as own (stream uuid, version int, salt text, data text)
    returning 1
)"""
_HEAD: Final = """with head as (
    update logs set position = position + %(n)s where club_id = %(club)s and log = %(log)s
    returning log, position - %(n)s as base
)"""
_HEAD_AT: Final = """with head as (
    update logs set position = position + %(n)s
    where club_id = %(club)s and log = %(log)s and position = %(ends)s returning log, position - %(n)s as base
)"""
_FOUND: Final = """with head as (
    insert into logs (club_id, log, position) values (%(club)s, %(log)s, %(n)s) returning log, 0::bigint as base
)
, beside as (
    insert into logs (club_id, log, position) select %(club)s, 1 - log, 0 from head
)"""
_TELL: Final = " select base, (select count(*) from added), {} from head"
_WITHOUT, _WITH = _TELL.format("0"), _TELL.format("(select count(*) from kept)")
STATEMENTS: Final = {
    (founding, one, private): "".join(
        (
            _FOUND if founding else _HEAD,
            _INSERT_ONE if one else _INSERT,
            *((_PRIVATE, _WITH) if private else (_WITHOUT,)),
        )
    )
    for founding in (False, True)
    for one in (False, True)
    for private in (False, True)
}
MANY: Final = STATEMENTS[False, False, True]
PAGE: Final = "".join((_HEAD, _INSERT_FILED, _PRIVATE, _WITH))  # streams of a file
ON_NO_NEWS: Final = "".join((_HEAD_AT, _INSERT, _PRIVATE, _WITH))
STANDING: Final = """
select (select max(version) from events e where e.club_id = %(club)s and e.stream_id = each.stream),
       exists (select from events e
               where e.club_id = %(club)s and e.command_id = each.command and e.command_index = 0)
from unnest(%(streams)s::uuid[], %(commands)s::text[]) with ordinality as each (stream, command, ord) order by ord"""
KNOWN_KEYS: Final = """
select each.command, e.position, e.hash from unnest(%(commands)s::text[]) as each (command)
    join events e on e.club_id = %(club)s and e.command_id = each.command and e.command_index = 0"""
_COLUMNS: Final = """e.club_id::text, e.stream_id::text, e.version, e.position, e.type, e.schema, e.data, e.actor,
    e.role, e.seat, e.device, e.device_clock, e.recorded_at, e.command_id, e.cause, coalesce(p.data, r.data), p.salt,
    e.prev_hash, e.hash"""
JOINED: Final = f"""select {_COLUMNS} from events e
    left join private p on (p.club_id, p.stream_id, p.version) = (e.club_id, e.stream_id, e.version)
    left join remains r on (r.club_id, r.stream_id, r.version) = (e.club_id, e.stream_id, e.version)"""  # noqa: S608  # the columns are ours
LINES: Final = "string_agg(type || '/' || schema || ' ' || data, e'\\n' order by version)"  # of a stream
_ENDS: Final = """(select max(version) from events where club_id = %(club)s and stream_id = %(club)s) as club,
       (select position from logs where club_id = %(club)s and log = 1) as closed"""
# one stream has a statement of its own: for one alone, that of several takes three times as long to plan
FOLDING: Final = f"""
select {_ENDS},
       {LINES}, max(version), max(recorded_at),
       (select hash from events where club_id = %(club)s and stream_id = %(stream)s and version <= %(upto)s
        order by version desc limit 1)
from events where club_id = %(club)s and stream_id = %(stream)s and version > %(after)s and version <= %(upto)s"""  # noqa: S608
# its arrays are told by a query each: the server would else think that a plan for any number of streams costs more than
# one for these, and plan anew at every look, which takes longer than the look
FOLDING_NEWS: Final = f"""
select ends.*, news.* from (select {_ENDS}) as ends left join (
    select chosen.stream::text, own.lines, own.last, own.at,
           (select hash from events where club_id = %(club)s and stream_id = chosen.stream and version = own.last)
    from unnest((select %(streams)s::uuid[]), (select %(afters)s::int[]), (select %(uptos)s::int[]))
        as chosen (stream, after, upto), lateral (
        select {LINES} as lines, max(version) as last, max(recorded_at) as at
        from events where club_id = %(club)s and stream_id = chosen.stream
            and version > chosen.after and version <= chosen.upto
    ) as own where own.lines is not null
) as news on true"""  # noqa: S608
