"""Tournament files of the command line: each FILE is read, and an unreadable one named with its place."""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import rich_click as click

from domain.exchange import trf
from service.cli.printing import say

UNREADABLE = 3


class OpenedFile(msgspec.Struct, frozen=True):
    """A FILE, and the tournament in it; None after an error line."""

    name: str
    tournament: trf.TournamentFile | None


def open_files(names: tuple[str, ...], as_json: bool) -> Iterator[OpenedFile]:
    """Each file in the order given; one that cannot be read is named, and the others follow."""
    for path in names:
        name = path.encode(errors="replace").decode()
        try:
            found = trf.loads(_text(path))
        except trf.BadFile as bad:
            _say(name, bad, as_json)
            yield OpenedFile(name, None)
            continue
        for each in found.warnings:
            say(f"{name}:{each.line}:{each.column}: warning: {each.message}", err=True)
        yield OpenedFile(name, found)


def _text(name: str) -> str:
    """The text of a file in UTF-8, else in Latin-1, whose letters of one byte keep every column in its place."""
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
    say(f"{name}:{bad.line}:{bad.column}: {bad.message}", err=True)
    if as_json:
        error = {"code": "bad_file", "line": bad.line, "column": bad.column, "message": bad.message}
        click.echo(msgspec.json.encode({"file": name, "error": error}))
