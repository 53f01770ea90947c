"""Command on the health of a service: what it stands on, and what to do about what is wrong."""

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from service import VERSION
from service.cli.terminal import one_line_errors, settings

if TYPE_CHECKING:
    from service.run.doctor import Diagnosis


@click.command()
@click.option("--bundle", type=click.Path(path_type=Path, dir_okay=False), help="Write the findings to a file to send.")
@click.option("--mend", is_flag=True, help="Make new passwords where those of the embedded database are lost.")
def doctor(bundle: Path | None, mend: bool) -> None:
    """Look at disk, port, data, secrets, schema, roles, clock, a sample of the log, and copies.

    \b
    lurch doctor
    lurch doctor --bundle findings.json
    lurch doctor --mend

    One line each, with what to do where something is wrong, and then exit status 1. Nothing is migrated, and nothing is
    mended without --mend: that gives a database whose secrets.json is lost new passwords while the service is stopped,
    and closes a secrets.json that others may read. The file holds the findings and the names of the settings that are
    set: no name of a person, no card, no secret.
    """
    from service.run.doctor import examined
    from service.run.mending import mend as mended

    chosen, found = settings(), list["Diagnosis"]()
    with one_line_errors():
        for done in mended(chosen) if mend else ():
            click.echo(f"mended: {done}")
        for each in examined(chosen):
            found.append(each)
            click.echo(f"{'ok ' if each.well else '!! '} {each.what + ':':10} {each.says}")
        if bundle is not None:
            _write(bundle, found)
    sys.exit(0 if all(each.well for each in found) else 1)


def _write(place: Path, found: "list[Diagnosis]") -> None:
    told = [{"what": each.what, "well": each.well, "says": _unnamed(each.says)} for each in found]
    document = {
        "lurch": VERSION,
        "platform": sys.platform,
        "set": sorted(name for name in os.environ if name.startswith("LURCH_")),
        "findings": told,
    }
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)


def _unnamed(says: str) -> str:
    """A finding without the names of people that stand in paths: their homes, and where their sticks are."""
    home = str(Path.home())
    told = says.replace(f"{home}/", "~/") if home.count("/") > 1 else says
    return re.sub(r"(/home|/Users|/media)/[^/]+/", r"\1/~/", told)
