"""The rows of webhooks: made, found, claimed by one process at a time, saved after an attempt."""

from datetime import datetime, timedelta
from typing import Final

import msgspec
from psycopg.rows import args_row

from service.store.pool import Connection, Parameters, Pool

MOST: Final = 10  # webhooks of a club
SHOWN: Final = 50  # attempts of a webhook
CLAIM: Final = timedelta(seconds=60)  # longer than any attempt takes
PUT_BACK: Final = timedelta(days=3650)  # no clock that is put right was further ahead
LOSSES: Final = 3  # times that other processes were faster at all that was due; then the next round


class Webhook(msgspec.Struct, frozen=True):
    """A row of a webhook."""

    club: str
    id: str
    url: str
    secret: str
    types: list[str] | None
    created_at: datetime
    position: int
    pending: int | None
    failures: int
    failing_since: datetime | None
    next_try_at: datetime
    claimed_until: datetime | None
    last_status: int | None
    last_error: str | None
    disabled_at: datetime | None
    disabled_because: str | None
    maker: str | None = None


class Attempt(msgspec.Struct, frozen=True):
    """One attempt to deliver: the delivery's id, its events, the answer or error."""

    message: str
    at: datetime
    first: int | None
    last: int | None
    events: int
    milliseconds: int
    status: int | None
    error: str | None


_NAMES: Final = tuple(name for name in Webhook.__struct_fields__ if name not in ("club", "id", "maker"))
_COLUMNS: Final = ", ".join(["w.club_id::text", "w.id::text", *(f"w.{name}" for name in _NAMES), "w.maker::text"])
_HERE: Final = "w.club_id = %(club)s and w.id = %(id)s"


async def _rows(pool: Pool, statement: str, given: Parameters) -> list[Webhook]:
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(Webhook))
        await cursor.execute(statement, given)
        found: list[Webhook] = await cursor.fetchall()
        return found


async def create(
    pool: Pool,
    club: str,
    name: str,
    url: str,
    secret: str,
    types: list[str] | None,
    at: datetime,
    key: str | None,
    fingerprint: bytes,
    maker: str | None = None,
) -> Webhook | None:
    """Make a webhook for events from now on; None if the club has enough, or the key is there already."""
    statement = f"""insert into webhooks as w (club_id, id, url, secret, types, created_at, position, next_try_at,
            command_id, fingerprint, maker)
        select l.club_id, %(id)s, %(url)s, %(secret)s, %(types)s, %(at)s, l.position, %(at)s, %(key)s, %(print)s,
            %(maker)s
        from logs l where l.club_id = %(club)s and l.log = 0
            and (select count(*) from webhooks o where o.club_id = %(club)s) < %(most)s
        on conflict (club_id, command_id) do nothing returning {_COLUMNS}"""  # noqa: S608  # the columns are ours
    given = {
        "club": club,
        "id": name,
        "url": url,
        "secret": secret,
        "types": types,
        "at": at,
        "key": key,
        "print": fingerprint,
        "most": MOST,
        "maker": maker,
    }
    found = await _rows(pool, statement, given)
    return found[0] if found else None


async def made_with(pool: Pool, club: str, key: str) -> tuple[Webhook, bytes] | None:
    """The webhook that was made under an idempotency key, and the fingerprint of that request."""
    async with pool.connection() as connection:
        statement = f"select w.fingerprint, {_COLUMNS} from webhooks w where w.club_id = %s and w.command_id = %s"  # noqa: S608  # as above
        row = await (await connection.execute(statement, [club, key])).fetchone()
    return None if row is None else (Webhook(*row[1:]), bytes(row[0]))


async def of_club(pool: Pool, club: str) -> list[Webhook]:
    """The webhooks of a club, the oldest first."""
    statement = f"select {_COLUMNS} from webhooks w where w.club_id = %(club)s order by w.created_at, w.id"  # noqa: S608  # as above
    return await _rows(pool, statement, {"club": club})


async def find(pool: Pool, club: str, name: str) -> Webhook | None:
    """A webhook of a club."""
    found = await _rows(pool, f"select {_COLUMNS} from webhooks w where {_HERE}", {"club": club, "id": name})  # noqa: S608  # as above
    return found[0] if found else None


async def delete(pool: Pool, club: str, name: str) -> bool:
    """Delete a webhook and its attempts; False when there is none."""
    statement = f"delete from webhooks w where {_HERE} returning {_COLUMNS}"  # noqa: S608  # as above
    return bool(await _rows(pool, statement, {"club": club, "id": name}))


async def enable(
    pool: Pool, club: str, name: str, skip: bool, at: datetime, maker: str | None = None
) -> Webhook | None:
    """Try again at once, with `skip` from the end of the log. A claim on it is lost, and `maker` answers for it from
    now on (None: the owner of the service)."""
    statement = f"""update webhooks w set disabled_at = null, disabled_because = null, failures = 0,
            failing_since = null, next_try_at = %(at)s, claimed_until = null, maker = %(maker)s::uuid,
            position = case when %(skip)s then l.position else w.position end,
            pending = case when %(skip)s then null else w.pending end
        from logs l where l.club_id = w.club_id and l.log = 0 and {_HERE} returning {_COLUMNS}"""  # noqa: S608  # as above
    found = await _rows(pool, statement, {"club": club, "id": name, "skip": skip, "at": at, "maker": maker})
    return found[0] if found else None


# no pause is longer than an hour, nor any claim than a minute: what is further ahead is of a clock that was put back
_FREE: Final = """w.disabled_at is null
        and (w.next_try_at <= %(at)s or w.next_try_at < %(put_back)s and w.next_try_at > %(at)s
            + case when w.failures = 0 then interval '1 minute' else interval '61 minutes' end)
        and (w.claimed_until is null or w.claimed_until <= %(at)s
            or w.claimed_until < %(put_back)s and w.claimed_until > %(at)s + interval '10 minutes')"""
_DUE: Final = f"""select w.club_id::text, w.id::text from webhooks w join logs l on l.club_id = w.club_id and l.log = 0
    where w.position < l.position and {_FREE}
    order by w.next_try_at limit %(most)s"""  # noqa: S608  # fixed words
_CLAIM: Final = f"""update webhooks w set claimed_until = %(until)s from logs l
    where w.club_id = %(club)s and w.id = any(%(ids)s::uuid[]) and {_FREE}
        and l.club_id = %(club)s and l.log = 0 and w.position < l.position
    returning {_COLUMNS}"""  # noqa: S608  # as above


async def claim(pool: Pool, at: datetime, most: int) -> list[Webhook]:
    """Claim webhooks that are due and free, the longest waiting first, until the claim ends. Who is due is read of all
    clubs, then each club's are claimed by a statement of their own, so that a club may live on any machine."""
    for _ in range(LOSSES):
        due, claimed = await _due(pool, at, most), dict[str, Webhook]()
        for club in dict.fromkeys(club for club, _ in due):
            ids = [name for each, name in due if each == club]
            given: Parameters = {"club": club, "ids": ids, "at": at, "put_back": at + PUT_BACK, "until": at + CLAIM}
            claimed |= {hook.id: hook for hook in await _rows(pool, _CLAIM, given)}
        if claimed or not due:
            return [claimed[name] for _, name in due if name in claimed]
    return []


async def _due(pool: Pool, at: datetime, most: int) -> list[tuple[str, str]]:
    """The club and id of each webhook that is due and free, the longest waiting first."""
    async with pool.connection() as connection:
        rows = await (
            await connection.execute(_DUE, {"at": at, "put_back": at + PUT_BACK, "most": most}, prepare=True)
        ).fetchall()
    return [(row[0], row[1]) for row in rows]


async def begin(pool: Pool, hook: Webhook, upto: int) -> Webhook | None:
    """Write down the end of a delivery before it is sent; None if the claim was lost."""
    statement = f"""update webhooks w set pending = %(upto)s where {_HERE} and w.claimed_until = %(claim)s
        returning {_COLUMNS}"""  # noqa: S608  # as above
    given: Parameters = {"upto": upto, "club": hook.club, "id": hook.id, "claim": hook.claimed_until}
    found = await _rows(pool, statement, given)
    return found[0] if found else None


_SAVE: Final = f"""update webhooks w set claimed_until = null, position = %(position)s, pending = %(pending)s,
        failures = %(failures)s, failing_since = %(failing_since)s, next_try_at = %(next_try_at)s,
        last_status = %(last_status)s, last_error = %(last_error)s, disabled_at = %(disabled_at)s,
        disabled_because = %(disabled_because)s
    where {_HERE} and w.claimed_until = %(claim)s returning 1"""  # noqa: S608  # as above


async def save(pool: Pool, before: Webhook, now: Webhook, attempt: Attempt | None) -> bool:
    """Save the webhook after an attempt and end its claim; False, and nothing written, if the claim was lost."""
    given = {name: getattr(now, name) for name in _NAMES}
    given |= {"club": before.club, "id": before.id, "claim": before.claimed_until}
    async with pool.connection() as connection, connection.transaction():
        if await (await connection.execute(_SAVE, given)).fetchone() is None:
            return False
        if attempt is not None:
            await _add_attempt(connection, before.club, before.id, attempt)
    return True


async def release(pool: Pool, hook: Webhook) -> None:
    """End a claim early, so that another process can take the webhook at once."""
    statement = f"update webhooks w set claimed_until = null where {_HERE} and w.claimed_until = %(claim)s"  # noqa: S608  # as above
    async with pool.connection() as connection:
        await connection.execute(statement, {"club": hook.club, "id": hook.id, "claim": hook.claimed_until})


async def add_attempt(pool: Pool, hook: Webhook, attempt: Attempt) -> None:
    """Add an attempt that changes nothing, such as a ping."""
    async with pool.connection() as connection, connection.transaction():
        await _add_attempt(connection, hook.club, hook.id, attempt)


async def _add_attempt(connection: Connection, club: str, name: str, attempt: Attempt) -> None:
    """Add an attempt under the next number, and delete the oldest by theirs."""
    here = {"club": club, "id": name}
    numbered = f"update webhooks w set attempts = w.attempts + 1 where {_HERE} returning w.attempts"  # noqa: S608  # as above
    row = await (await connection.execute(numbered, here)).fetchone()
    if row is None:
        return
    await connection.execute(
        "insert into webhook_deliveries (club_id, webhook_id, number, message, at, first_position, last_position,"
        " events, milliseconds, status, error) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [club, name, row[0], *msgspec.structs.astuple(attempt)],
    )
    await connection.execute(
        "delete from webhook_deliveries where club_id = %s and webhook_id = %s and number <= %s",
        [club, name, row[0] - SHOWN],
    )


async def attempts(pool: Pool, club: str, name: str) -> list[Attempt]:
    """The last attempts, the newest first."""
    statement = """select message, at, first_position, last_position, events, milliseconds, status, error
        from webhook_deliveries where club_id = %s and webhook_id = %s order by number desc"""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(Attempt))
        await cursor.execute(statement, [club, name])
        found: list[Attempt] = await cursor.fetchall()
        return found
