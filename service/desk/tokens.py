"""Tokens as every door makes, lists and ends them: a row and an event, and good only while both stand.

The row comes first and gives nothing alone; the event makes it good. It ends with an event, then in the row. So
whatever breaks in between leaves a token that is no good, and none that nobody wrote down."""

from datetime import UTC, datetime

import msgspec

from domain.club.commands import GrantToken, RevokeTokens
from domain.log.actor import Role
from domain.log.decider import Refusal, decided
from service.desk.on_stream import actor_on
from service.desk.recording import Recorder
from service.desk.requests import BusyError, Request
from service.desk.roles import Scope
from service.store import tokens as rows
from service.store.ids import new_id
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub
from service.store.tokens import TokenRow


class WantedToken(msgspec.Struct, frozen=True):
    """A token to be made: its role and name, the person that it acts for, and what the role is for."""

    role: Role
    name: str
    person: str | None = None
    scope: Scope = Scope()


class MadeToken(msgspec.Struct, frozen=True):
    """A new token with its secret, which is shown this once."""

    row: TokenRow
    secret: str


async def make(recorder: Recorder, club: str, wanted: WantedToken, request: Request, with_: str | None) -> MadeToken:
    """Makes a token, `with_` another one or by a person. Raises Refusal, also for a request that was answered before:
    a secret is shown once."""
    pool = recorder.streams.pool
    if await recorder.answered(club, request) is not None:
        raise _shown_before()
    loaded = await recorder.club(club)
    scope, person = wanted.scope, None if wanted.person is None else loaded.state.whom(wanted.person)
    command = GrantToken(new_id(), wanted.role, person, scope.tournament, scope.match)
    actor = actor_on(loaded, request.actor)
    _, acting = decided(CLUB.decide, loaded.state, command, actor)  # refused, it leaves no row
    row = TokenRow(
        *(command.token, wanted.name, wanted.role, club, person, scope.match, datetime.now(UTC), None, None),
        *(scope.tournament, acting.person, with_, True, acting.role == "owner"),
    )
    secret = rows.new_secret()
    await rows.insert(pool, row, secret)
    try:
        done = await recorder.on_stream(club, CLUB, command, request)
    except (Refusal, BusyError):
        await rows.forget_token(pool, row.id)
        raise
    if row.id not in done.loaded.state.tokens:  # the same request was on its way twice, and the other one was first
        await rows.forget_token(pool, row.id)
        raise _shown_before()
    return MadeToken(row, secret)


async def listed(recorder: Recorder, club: LoadedClub) -> list[TokenRow]:
    """The tokens of a club; those that never became good are left out."""
    found = await rows.list_tokens(recorder.streams.pool, club.club)
    return [row for row in found if row.revoked_at is not None or is_good(row, club)]


def is_good(row: TokenRow, club: LoadedClub) -> bool:
    """Tells a token that has not ended."""
    return row.revoked_at is None and (not row.recorded or row.id in club.state.tokens)


async def revoke(recorder: Recorder, club: str, token: str, request: Request) -> TokenRow:
    """Ends a token, with those that were made with it. Raises Refusal."""
    pool = recorder.streams.pool
    found = await rows.with_those_made(pool, token)
    if not found or found[0].club != club:
        raise Refusal("not-found", "the club has no such token")
    await recorder.on_stream(club, CLUB, RevokeTokens(tuple(row.id for row in found)), request)
    await rows.revoke_tokens(pool, [row.id for row in found])
    return next(row for row in await rows.with_those_made(pool, token) if row.id == token)


def _shown_before() -> Refusal:
    return Refusal("misfit", "this token was made before, and its secret was shown once: revoke it, and make another")
