"""Forgetting a person outside the log: sign-ins, seats at tables, tokens, names of devices, rows of kept views.

One function takes all of it in the transaction in which the private rows go; whoever adds a table that tells of people
adds its statement here."""

import re
from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from domain.club.devices import Devices
from domain.club.private_parts import STRUCK
from service.store.forks import drop_naming
from service.store.people_secrets import mark
from service.store.pool import Connection, Pool
from service.store.sign_ins import EMPTY

_SIGN_INS: Final = """select hash, sign_ins.id from sign_in_people as people join sign_ins using (hash)
where people.club_id = %s and player = any(%s::uuid[])"""
_TOKENS: Final = """select id::text from tokens
where club_id = %s and (player = any(%s::uuid[]) or maker = any(%s::uuid[]))"""
_ALONE: Final = """select device from events where club_id = %s and device = any(%s)
group by device having bool_and(coalesce(actor = any(%s), false))"""


async def forget_person(
    connection: Connection,
    club: str,
    ids: Sequence[str],
    name: re.Pattern[str] | None,
    forms: Collection[tuple[str, int]],
) -> None:
    """Take everything out that tells of people by these ids: whose device it was, where they are signed in, what they
    made. `name` finds their names in labels of others; `forms` are the kept views of today, whose rows are emptied by
    the event itself. Again it does no harm."""
    own = [club, list(ids)]
    rows = await (await connection.execute(_SIGN_INS, own)).fetchall()
    sign_ins = [bytes(row[0]) for row in rows]
    tokens = [row[0] for row in await (await connection.execute(_TOKENS, [*own, list(ids)])).fetchall()]
    holders = [*(f"sign-in {row[1]}" for row in rows), *(f"token {each}" for each in tokens)]
    await _forget_devices(connection, club, ids, holders, name)
    await connection.execute("delete from sign_in_people where club_id = %s and player = any(%s::uuid[])", own)
    for table in ("table_seats", "table_asks", "invitations", "secrets_of_people", "languages_of_people"):
        await connection.execute(f"delete from {table} where club_id = %s and player = any(%s::uuid[])", own)  # noqa: S608  # names of our own
    marks = [mark(club, each) for each in ids]
    await connection.execute("delete from secret_failures where whom = any(%s)", [marks])
    await connection.execute("delete from case_calls where caller = any(%s)", [marks])
    await connection.execute(EMPTY, [sign_ins])
    await connection.execute("delete from tokens where id = any(%s::uuid[])", [tokens])
    await _strike_labels(connection, club, name)
    await drop_naming(connection, club, ids, name)
    old = "delete from views where club_id = %s and key = any(%s) and (projection, abs(version)) not in (select * from "
    today = "unnest(%s::text[], %s::int[]))"
    await connection.execute(old + today, [*own, [each[0] for each in forms], [each[1] for each in forms]])


async def _forget_devices(
    connection: Connection, club: str, ids: Sequence[str], holders: Sequence[str], name: re.Pattern[str] | None
) -> None:
    """Erase what devices are called and whose they are: those of the person's sign-ins and tokens, those on which
    nobody else recorded anything, and those that bear the name."""
    key = await (await connection.execute("select key from device_keys where club_id = %s", [club])).fetchone()
    rows = await (
        await connection.execute("select id::text, holder, name from devices where club_id = %s", [club])
    ).fetchall()
    if key is None or not rows:
        return
    marks, named = Devices(bytes(key[0])), {row[0]: row[2] or "" for row in rows}
    held = [row[0] for row in rows if row[1] in {marks.holder(each, row[2] or "") for each in holders}]
    bearing = [id_ for id_, called in named.items() if name is not None and name.search(called)]
    alone = await (await connection.execute(_ALONE, [club, list(named), list(ids)])).fetchall()
    gone = [*held, *bearing, *(row[0] for row in alone)]
    await connection.execute(
        "update devices set name = null, holder = null where club_id = %s and id = any(%s::uuid[])", [club, gone]
    )


async def _strike_labels(connection: Connection, club: str, name: re.Pattern[str] | None) -> None:
    """Strike the name out of what tokens and sign-ins of others are called."""
    if name is None:
        return
    tokens = await (await connection.execute("select id::text, name from tokens where club_id = %s", [club])).fetchall()
    for token, called in tokens:
        if name.search(called):
            await connection.execute("update tokens set name = %s where id = %s", [name.sub(STRUCK, called), token])
    sign_ins = await (
        await connection.execute(
            "select hash, name from sign_ins where hash in (select hash from sign_in_people where club_id = %s)"
            " or hash in (select hash from table_seats where club_id = %s) or club_id = %s",
            [club, club, club],
        )
    ).fetchall()
    for digest, called in sign_ins:
        if name.search(called):
            await connection.execute(
                "update sign_ins set name = %s where hash = %s", [name.sub(STRUCK, called), digest]
            )


class HeldRows(msgspec.Struct, frozen=True):
    """The numbers of rows beside the log that are a person's: sign-ins, seats at tables, tokens."""

    sign_ins: int
    seats: int
    tokens: int


async def held_by(pool: Pool, club: str, ids: Sequence[str]) -> HeldRows:
    """Counts what would be forgotten of a person."""
    statement = """select
        (select count(*) from sign_in_people where club_id = %(club)s and player = any(%(ids)s::uuid[])),
        (select count(*) from table_seats where club_id = %(club)s and player = any(%(ids)s::uuid[])),
        (select count(*) from tokens where club_id = %(club)s
            and (player = any(%(ids)s::uuid[]) or maker = any(%(ids)s::uuid[])))"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, {"club": club, "ids": list(ids)})).fetchone()
    return HeldRows(*(row or (0, 0, 0)))
