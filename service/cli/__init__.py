"""The command line, `lurch`: a door for a terminal.

Exit status 0, 1 (a rule is broken, or a line is malformed), 2 (usage, or the
service's surroundings do not fit), 3 (a file cannot be opened or is not text); of several the highest.

`lurch --help` loads the module of every command. Modules of the database, the service and progress bars take most of
the start, so a command imports them in its function.
"""

import importlib
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

import rich_click as click

from service import VERSION

OWN_PROCESS: Final = "own"  # to a command: nothing but it runs in this process

# a command's name, and the module and attribute that hold it: a module is loaded when one of its commands is asked for
NO_DATABASE: Final = {
    "score": "records:score",
    "check": "notation:check",
    "audit": "audits:audit",
    "fmt": "notation:fmt",
    "games": "records:games",
    "deal": "records:deal",
    "standings": "standings:standings",
    "solve": "solving:solve",
    "pair": "pairing:pairs",
    "bracket": "draws:bracket",
    "schedule": "draws:schedule",
    "movement": "movements:movement",
    "simulate": "simulate:simulate",
}
WITH_DATABASE: Final = {
    "serve": "serving:serve",
    "open": "serving:open_",
    "demo": "serving:demo",
    "migrate": "serving:migrate",
    "tls": "tls:tls",
    "owner-link": "serving:owner_link",
    "invite": "invitations:invite",
    "token": "tokens:token",
    "device": "devices:device",
    "members": "members:members",
    "cases": "cases:cases",
    "erase": "erasing:erase",
    "import": "log:import_file",
    "export": "log:export",
    "replay": "log:replay",
    "backup": "copies:backup",
    "restore": "copies:restore",
    "erased": "copies:erased_again",
    "rollback": "copies:rollback",
    "doctor": "doctoring:doctor",
    "move": "copies:move",
    "push": "pushing:push",
    "old-machine-is-gone": "copies:old_machine_is_gone",
    "verify": "log:verify",
    "rebuild": "log:rebuild",
    "tournament": "tournaments:tournament",
}
COMMANDS: Final = NO_DATABASE | WITH_DATABASE


class Commands(click.RichGroup):
    """Loads a command when it is asked for: what needs no database starts without the modules that do."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, by name."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, from its module."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        found: click.Command = getattr(importlib.import_module(f"service.cli.{module}"), attribute)
        return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="lurch")
def cli() -> None:
    """Lurch keeps the score of card games and can prove it.

    \b
    lurch open                             start it, and open it in the browser
    lurch serve                            run the service
    lurch demo                             the same, with a demo club
    lurch score examples/notation.ctn      score a record, no database needed
    lurch check examples/notation.ctn      what a record says and its facts do not
    lurch deal parity --count 3            random complete deals
    lurch pair evening.trf                 who meets whom in the next round of a tournament file
    lurch standings evening.trf            who is where in a tournament file
    lurch tournament list                  the club's events: show, export and import them
    lurch solve deals.jsonl --at 12        what best play gives from there
    lurch movement individual 12           who sits where, with partners that change

    Exit status: 0; 1 a rule is broken or a line is malformed; 2 usage or surroundings; 3 a file cannot be
    opened or is not text.
    """


def main() -> None:
    """The entry point; an error that stops a command is one line on standard error."""
    _open_what_is_closed()
    _write_every_letter()
    try:
        sys.exit(cli.main(standalone_mode=False, obj=OWN_PROCESS) or 0)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "lurch"
        stop(f"{error.format_message()} (see {path} --help)", error.exit_code)
    except click.ClickException as error:
        stop(error.format_message(), error.exit_code)
    except click.Abort:
        stop("stopped", 130)
    except UnicodeEncodeError:
        if all(map(str.isprintable, sys.argv)):
            raise
        stop("a name in this command has bytes that are no text in UTF-8: give it another, or rename the file", 2)
    except BrokenPipeError:
        sys.exit(1)  # as click ends it
    except OSError as error:  # mostly of the answer: a disk that is full
        stop(": ".join(str(part) for part in (error.filename, error.strerror or error) if part), 2)
    finally:
        _give_up_the_rest()


def stop(message: str, status: int) -> NoReturn:
    """Print the error on one line, and leave."""
    from service.cli.printing import say

    with suppress(OSError):
        say(f"lurch: {' '.join(message.split())}", err=True)
    sys.exit(status)


def _open_what_is_closed() -> None:
    """Take nothing for what whoever started this has closed (`<&-`, `2>&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # until we end


def _write_every_letter() -> None:
    """Write a letter that a terminal does not know by its number, instead of ending there."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _give_up_the_rest() -> None:
    """Throw away what could not be written: Python would try once more as it ends, and tell of it beside the error."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(io.UnsupportedOperation):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
