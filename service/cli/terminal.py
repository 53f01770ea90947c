"""Tools of all commands at a terminal: settings, text files, progress, and errors in one line."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import rich_click as click

from domain.log.decider import Refusal
from service.cli.printing import say
from service.run.settings import Settings, SettingsError, load

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from service.store.patience import Work
    from service.store.pool import Pool

Item = TypeVar("Item")
Answer = TypeVar("Answer")
PATIENCE = 1.0  # seconds before a bar is worth its line


class Unable(click.ClickException):
    """The command cannot be done as it was given, or not here: one line, exit status 2."""

    exit_code = 2


def settings() -> Settings:
    """The settings, or one line and exit status 2."""
    try:
        return load()
    except SettingsError as error:
        raise click.UsageError(str(error)) from None


def read_text(name: str) -> str | None:
    """The text of a file, `-` for standard input; None after an error line."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        say(f"lurch: {name} is not text in UTF-8 (byte {error.start})", err=True)
    except (OSError, ValueError) as error:
        say(f"lurch: {name} cannot be opened: {getattr(error, 'strerror', None) or error}", err=True)
    return None


def is_ctn(name: str, text: str) -> bool:
    """Tell notation from histories: by the name, else by the first character (histories begin with a brace)."""
    if name.endswith((".ctn", ".jsonl")):
        return name.endswith(".ctn")
    return text.lstrip()[:1] in ("[", "%", ";")


class Progress:
    """A bar on standard error for work that lasts; none without a terminal, or beside output that scrolls by."""

    def __init__(self, label: str, total: int | None, scrolls: bool = False) -> None:
        self.label, self.total = label, total
        self.silent = not sys.stderr.isatty() or (scrolls and sys.stdout.isatty())
        self._shown: tuple[Bar, TaskID] | None = None
        self._done = 0
        self._began = 0.0

    def __enter__(self) -> "Progress":
        self._began = time.monotonic()
        return self

    def _show(self) -> None:
        if not self.silent and self._shown is None and time.monotonic() - self._began > PATIENCE:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._shown = bar, bar.add_task(self.label, total=self.total)
            bar.start()

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()

    def step(self, count: int = 1) -> None:
        """Count more items as done."""
        self._done += count
        self._show()
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=self._done)


def with_progress(items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
    """The items, with a bar while they are worked on; their lines go to standard output meanwhile."""
    with Progress(label, total, scrolls=True) as bar:
        for item in items:
            yield item
            bar.step()


class one_line_errors:  # noqa: N801  # reads as a word in a `with`
    """Errors that stop a command in one line, with exit status 2; a traceback only for faults of Lurch itself."""

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raises Unable for an error that the person at the terminal can mend."""
        if isinstance(error, Refusal):
            raise Unable(error.detail) from None
        if isinstance(error, OSError):
            raise Unable(": ".join(str(part) for part in (error.filename, error.strerror or error) if part)) from None
        cause = getattr(error, "orig", None) or error  # SQLAlchemy wraps what the database said
        kinds = [each.__name__ for each in type(cause).__mro__]
        told = next((_TOLD[kind] for kind in kinds if kind in _TOLD), None)
        if told is None and not _FOREIGN.isdisjoint(kinds):
            told = (str(cause).strip() or kinds[0]).splitlines()[0]
        if told is not None:
            raise Unable(told) from None


# by name, of a class or of one that it is made from, since the classes would have to be imported
_TOLD = {
    "AdminShutdown": "the database was stopped meanwhile, by whoever had started it: give the command again",
    "BusyError": "somebody else writes here all the time: try again in a moment",
    "ReadOnlySqlTransaction": "the database can only be read now, and this command writes: try again when that is over",
}
_FOREIGN = frozenset(
    (
        *("SettingsError", "EmbeddedError", "SchemaError", "OperationalError", "InsufficientPrivilege"),
        *("CopyError", "UnderWayError", "WorkerError", "WorkersError", "AuditorError", "UnreadableLogError"),
    )
)


def on_database(chosen: Settings, act: "Callable[[Pool], Work[Answer]]") -> Answer:
    """Run a coroutine with a pool on the database, which is started if it does not run."""
    from service.run.database import ready
    from service.run.logs import configure
    from service.run.pool import make_pool

    async def inside(url: str) -> Answer:
        configure()
        async with make_pool(url, 2) as pool:
            return await act(pool)

    with one_line_errors(), ready(chosen) as database:
        return asyncio.run(inside(database.url))
