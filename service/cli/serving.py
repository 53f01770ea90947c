"""Commands that run the service: serve, open, demo, migrate, owner-link."""

import rich_click as click

from service.cli.terminal import on_database, one_line_errors, settings


@click.command()
@click.option(
    "--cert", type=click.Path(), help="Serve over TLS: the certificate, with what stands between it and its authority."
)
@click.option("--key", type=click.Path(), help="The certificate's key.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that answer, where one core is not enough: one for each core. More stand by for one that ends.",
)
def serve(cert: str | None, key: str | None, workers: int) -> None:
    """Serve the pages and the API; stop with Ctrl-C.

    \b
    LURCH_HOST, LURCH_PORT     where to serve (127.0.0.1, 8000)
    LURCH_DATA_DIR             where the embedded database keeps its files
    LURCH_DATABASE_URL         a PostgreSQL of your own instead of the embedded one
    LURCH_MIGRATE_URL          its owner's login, for migrations
    LURCH_CERT, LURCH_KEY      the files of --cert and --key
    LURCH_ALLOWED_HOSTS        the names that the service answers to, with commas
    LURCH_ADDRESS              the address under which phones reach it, https://… or http://…
    LURCH_PLAIN_ROLES          1: secretaries and the owner sign in without TLS too
    LURCH_SECURE_COOKIES       1 behind TLS
    LURCH_TRUSTED_PROXIES      the networks of proxies that say for whom they speak
    LURCH_METRICS              who reads /metrics: off, local, on, or a secret
    LURCH_LOG                  json: each line of the log is JSON, for a program
    LURCH_TRACES               1: send traces by OpenTelemetry, an extra
    LURCH_LIMITS               0: no limits on requests, to measure with
    LURCH_BACKUP_DIR           a folder for a copy each night, on another disk
    LURCH_BACKUP_PASSPHRASE_FILE
                               a file with the passphrase that copies are encrypted with
    LURCH_BACKUP_DAYS          how long copies are kept, said to who erases a person
    LURCH_WEBHOOK_PRIVATE      1: webhooks may lead into the club's own network
    """
    from service.run.serve import run, with_tls

    with one_line_errors():
        chosen = with_tls(settings(), cert, key)
        if workers == 1:
            run(chosen)
        else:
            from service.run.workers import run as run_workers

            run_workers(chosen, workers)


@click.command("open")
@click.option("--phones", is_flag=True, help="Let phones of this network reach it; without it this machine alone.")
def open_(phones: bool) -> None:
    """Open Lurch in the browser, signed in as its owner; start it first if it does not run.

    What is started goes on until Ctrl-C. Settings are those of `lurch serve`. While the browser starts, whoever else
    is signed in to this machine could read the link there, which is good once.
    """
    import msgspec

    from service.run.opening import open_lurch
    from service.run.serve import with_tls
    from service.store import leases
    from service.store.tokens import make_link

    with one_line_errors():
        chosen = with_tls(settings())
        if phones:
            chosen = msgspec.structs.replace(chosen, host="0.0.0.0")  # noqa: S104  # asked for
        open_lurch(
            chosen,
            lambda: on_database(chosen, make_link),
            lambda name: on_database(chosen, lambda pool: leases.holder_of(pool, name)),
        )


@click.command()
def demo() -> None:
    """Serve a demo club, in a data directory of its own unless LURCH_DATA_DIR is set.

    It is loaded once, by importing the example matches as `lurch import` does; again does no harm.
    """
    from service.cli.demo import load_demo, own_data
    from service.run.serve import run, with_tls

    with one_line_errors():
        run(own_data(with_tls(settings())), load_demo)


@click.command()
def migrate() -> None:
    """Bring the database to the schema of this version; serve does so by itself."""
    from service.run.database import ready

    with one_line_errors(), ready(settings()):
        click.echo("the database is up to date")


@click.command("owner-link")
def owner_link() -> None:
    """Print a sign-in link for the owner, alone: good once, for 15 minutes."""
    from service.run.serve import REFUSED, is_refused, link_with, with_tls
    from service.store.tokens import make_link

    with one_line_errors():
        chosen = with_tls(settings())
    click.echo(link_with(chosen, on_database(chosen, make_link)))
    if is_refused(chosen):
        click.echo(REFUSED, err=True)
