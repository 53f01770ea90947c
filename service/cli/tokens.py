"""Commands on tokens: create, list, revoke."""

from datetime import UTC
from typing import TYPE_CHECKING
from uuid import UUID

import rich_click as click

from domain import codec
from domain.log.actor import Role
from service.cli.printing import say
from service.cli.terminal import Unable, on_database, settings

if TYPE_CHECKING:
    from service.store.pool import Pool
    from service.store.tokens import TokenRow

ROLES = ("owner", "secretary", "director", "deputy", "scorer", "player", "spectator")


@click.group()
def token() -> None:
    """Create, list and revoke the tokens of people and devices.

    \b
    lurch token create --role director --name "desk tablet"
    lurch token create --role deputy --name "hall 2" --tournament 01939f5e-…
    lurch token create --role scorer --name "table 4" --match 01939f5e-…
    lurch token create --role player --name "Annie's phone" --player Annie
    lurch token list
    """


@token.command("create")
@click.option("--role", type=click.Choice(ROLES), required=True)
@click.option("--name", required=True, help="Whose it is, or which device.")
@click.option("--club", help="The club's name or id; a new name founds one. Needed where there are several.")
@click.option("--public", is_flag=True, help="A club that is founded can be read by everybody.")
@click.option("--tournament", type=click.UUID, help="The one tournament of a deputy's, or a scorer's, token.")
@click.option("--match", type=click.UUID, help="Bind a scorer's token to one match.")
@click.option("--player", help="The member, by name or id, whose token it is: it sees as its seat sees.")
def create(
    role: Role,
    name: str,
    club: str | None,
    public: bool,
    tournament: UUID | None,
    match: UUID | None,
    player: str | None,
) -> None:
    """Print a new token, alone, on standard output; it is shown this one time."""
    if role == "player" and player is None:
        raise click.UsageError("whose token? say with --player NAME which member may confirm with it")
    if (role == "deputy") != (tournament is not None and role != "scorer"):
        raise click.UsageError("a deputy is for one tournament: say which with --tournament ID, and only then")
    if match is not None and role != "scorer":
        raise click.UsageError("--match is for a scorer")
    from service.cli import clerk
    from service.cli.clubs import club_there
    from service.desk import tokens
    from service.desk.recording import Recorder
    from service.desk.requests import own_request
    from service.desk.roles import Scope, scope_in
    from service.store.streams import Streams

    async def make(pool: "Pool") -> str:
        if (player or tournament or match) and await club_there(Streams(pool), club) is None:
            raise Unable("there is no such club, and so nobody and nothing in it: say which with --club")
        where = await clerk.club_named(pool, club, public)
        person = None if player is None else await clerk.player_named(pool, where, player)
        recorder = Recorder(Streams(pool))
        scope = Scope(str(tournament) if tournament else None, str(match) if match else None)
        wanted = tokens.WantedToken(role, name, person, await scope_in(recorder.streams, where, scope))
        made = await tokens.make(recorder, where, wanted, own_request(clerk.CLERK), None)
        return made.secret

    click.echo(on_database(settings(), make))


@token.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a token.")
def list_tokens(as_json: bool) -> None:
    """List the tokens without themselves: id, role, last use (UTC), name."""
    from service.desk import tokens
    from service.desk.recording import Recorder
    from service.store.streams import Streams

    async def of_every_club(pool: "Pool") -> "list[TokenRow]":
        recorder = Recorder(Streams(pool))
        found = [row for club in await recorder.streams.clubs() for row in await tokens.listed(recorder, club)]
        return sorted(found, key=lambda row: row.created_at)

    rows = on_database(settings(), of_every_club)
    if not rows and not as_json:
        click.echo("there is no token yet: lurch token create --role scorer --name …")
    for row in rows:
        if as_json:
            click.echo(codec.encode_plain(row))
            continue
        used = f"used {row.last_used.astimezone(UTC):%Y-%m-%d %H:%M}" if row.last_used else "never used"
        say(f"{row.id}  {row.role:9}  {'revoked' if row.revoked_at else used:21}  {row.name}")


@token.command("revoke")
@click.argument("token_id", type=click.UUID)
def revoke(token_id: UUID) -> None:
    """Revoke a token by its id, with those that were made with it; what is running hears of it at once."""
    from service.cli import clerk
    from service.desk import tokens
    from service.desk.recording import Recorder
    from service.desk.requests import own_request
    from service.store.streams import Streams
    from service.store.tokens import with_those_made

    async def end(pool: "Pool") -> bool:
        found = await with_those_made(pool, str(token_id))
        if not found or found[0].revoked_at is not None:
            return False
        await tokens.revoke(Recorder(Streams(pool)), found[0].club, str(token_id), own_request(clerk.CLERK))
        return True

    if not on_database(settings(), end):
        raise Unable("there is no such token that is still good: see lurch token list")
    click.echo("revoked")
