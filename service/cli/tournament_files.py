"""What commands on tournament files share: reading each FILE, and saying where one cannot be read."""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import rich_click as click

from domain.tournament import trf

UNREADABLE = 3


class Opened(msgspec.Struct, frozen=True):
    """A FILE, and the tournament in it; None when it was said already why there is none."""

    name: str
    tournament: trf.Tournament | None


def opened(names: tuple[str, ...], as_json: bool) -> Iterator[Opened]:
    """Each file in the order given; one that cannot be read is named, and the others follow."""
    for path in names:
        name = path.encode(errors="replace").decode()
        try:
            found = trf.loads(_text(path))
        except trf.BadFile as bad:
            _say(name, bad, as_json)
            yield Opened(name, None)
            continue
        for each in found.warnings:
            click.echo(f"{name}:{each.line}:{each.column}: warning: {each.message}", err=True)
        yield Opened(name, found)


def _text(name: str) -> str:
    """UTF-8, or what programs wrote before: a letter a byte, which keeps every column in its place."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise trf.BadFile(0, 0, f"cannot be opened: {why}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _say(name: str, bad: trf.BadFile, as_json: bool) -> None:
    click.echo(f"{name}:{bad.line}:{bad.column}: {bad.message}", err=True)
    if as_json:
        error = {"code": "bad_file", "line": bad.line, "column": bad.column, "message": bad.message}
        click.echo(msgspec.json.encode({"file": name, "error": error}))
