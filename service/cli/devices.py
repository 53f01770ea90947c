"""Commands on devices: list what they are called, erase it."""

from datetime import UTC
from uuid import UUID

import rich_click as click

from domain import codec
from service.cli.terminal import Unable, on_database, settings


@click.group()
def device() -> None:
    """List what devices are called, and erase it.

    In the log a device is an id; what it calls itself stands beside the log.

    \b
    lurch device list
    lurch device erase 5b0c0a1e-…
    """


@device.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a device.")
def list_devices(as_json: bool) -> None:
    """List the devices that have a name: id, since when (UTC), name."""
    from service.store import devices

    rows = on_database(settings(), devices.all_devices)
    if not rows and not as_json:
        click.echo("there is no device yet: a program says what it is called in X-Lurch-Device")
    for row in rows:
        if as_json:
            click.echo(codec.encode_plain(row))
            continue
        click.echo(f"{row.id}  {row.given_at.astimezone(UTC):%Y-%m-%d %H:%M}  {row.name or '(no name)'}")


@device.command("erase")
@click.argument("device_id", type=click.UUID)
def erase(device_id: UUID) -> None:
    """Erase what a device is called and whose it is, by its id; the id stays in the log and leads nowhere."""
    from service.store import devices

    if not on_database(settings(), lambda pool: devices.erase(pool, str(device_id))):
        raise Unable("there is no such device: see lurch device list")
    click.echo("erased")
