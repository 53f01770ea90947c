"""The command line: `lurch`. Exit status 0, 1 (a rule is broken, or a line is malformed), 2 (usage, or the
service's surroundings do not fit), 3 (a file cannot be opened or is not text); of several the highest."""

import sys
from typing import NoReturn

import rich_click as click

from service.cli import draws, log, notation, records, serving, tokens

VERSION = "0.1.0"
NO_DATABASE = (
    records.score, notation.check, notation.fmt, records.games, records.deal,
    draws.bracket, draws.schedule, draws.movement,
)  # fmt: skip
WITH_DATABASE = (
    serving.serve, serving.demo, serving.migrate, serving.owner_link, tokens.token,
    log.import_file, log.export, log.replay, log.verify, log.rebuild,
)  # fmt: skip


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="lurch")
def cli() -> None:
    """Lurch keeps the score of card games and can prove it.

    \b
    lurch serve                            run the service
    lurch demo                             the same, with a demo club
    lurch score examples/notation.ctn      score a record, no database needed
    lurch check examples/notation.ctn      what a record says and its facts do not
    lurch deal parity --count 3            random complete deals
    lurch movement individual 12           who sits where, with partners that change

    Exit status: 0; 1 a rule is broken or a line is malformed; 2 usage or surroundings; 3 a file cannot be
    opened or is not text.
    """


for command in (*NO_DATABASE, *WITH_DATABASE):
    cli.add_command(command)


def main() -> None:
    """The entry point: whatever stops a command is one line on standard error."""
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "lurch"
        stop(f"{error.format_message()} (see {path} --help)", error.exit_code)
    except click.ClickException as error:
        stop(error.format_message(), error.exit_code)
    except click.Abort:
        stop("stopped", 130)


def stop(message: str, status: int) -> NoReturn:
    """Say why on one line, and leave."""
    click.echo(f"lurch: {' '.join(message.split())}", err=True)
    sys.exit(status)
