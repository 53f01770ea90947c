"""Command that invites a person from a shell."""

from typing import TYPE_CHECKING
from uuid import UUID

import rich_click as click

from domain.log.actor import Role
from service.cli.terminal import Unable, on_database, one_line_errors, settings

if TYPE_CHECKING:
    from service.store.pool import Pool

ROLES = ("secretary", "director", "deputy", "scorer", "player")


@click.command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="player", help="The role that the link gives.")
@click.option("--club", help="The club's name or id. Needed where there are several.")
@click.option("--tournament", type=click.UUID, help="The tournament of a deputy.")
def invite(name: str, role: Role, club: str | None, tournament: UUID | None) -> None:
    """Print a link that signs NAME in, alone: good once, for a day.

    Whom the club does not know is registered as a member.

    \b
    lurch invite "Dee" --role director --club "Thursday club"
    """
    if (role == "deputy") != (tournament is not None):
        raise click.UsageError("a deputy is for one tournament: say which with --tournament ID, and only then")
    from service.cli import invitation_clerk
    from service.desk.addresses import overheard, phone_address
    from service.desk.chosen_address import known_address
    from service.run.serve import with_tls

    with one_line_errors():
        chosen = with_tls(settings())

    async def make(pool: "Pool") -> str:
        import msgspec

        here = msgspec.structs.replace(chosen, address=await known_address(pool, chosen))
        address = phone_address(here)
        if address is None:
            raise Unable("several addresses are possible: say with LURCH_ADDRESS where phones reach the service")
        open_ = overheard(here) and not here.plain_roles
        given = None if tournament is None else str(tournament)
        return f"{address}/sign-in#{await invitation_clerk.invite(pool, club, name, role, given, open_)}"

    click.echo(on_database(chosen, make))
