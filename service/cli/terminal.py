"""What the commands share at a terminal: settings, text files, progress, and errors in one line."""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import rich_click as click

from domain.decider import Refusal
from service.settings import Settings, SettingsError, load

Item = TypeVar("Item")
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
    """A file's text, `-` for standard input; None after one line of why not."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        click.echo(f"lurch: {name} is not text in UTF-8 (byte {error.start})", err=True)
    except (OSError, ValueError) as error:
        click.echo(f"lurch: {name} cannot be opened: {getattr(error, 'strerror', None) or error}", err=True)
    return None


def is_ctn(name: str, text: str) -> bool:
    """Whether a text is notation: by its name, else by its first character (histories begin with a brace)."""
    if name.endswith((".ctn", ".jsonl")):
        return name.endswith(".ctn")
    return text.lstrip()[:1] in ("[", "%", ";")


class Progress:
    """A bar on standard error for what lasts; nothing when nobody looks, or output scrolls by anyway."""

    def __init__(self, label: str, total: int | None, scrolls: bool = False) -> None:
        self.label, self.total = label, total
        self.silent = not sys.stderr.isatty() or (scrolls and sys.stdout.isatty())
        self._bar: Any = None
        self._task: Any = None
        self._done = 0
        self._began = 0.0

    def __enter__(self) -> "Progress":
        self._began = time.monotonic()
        return self

    def _show(self) -> None:
        if not self.silent and self._bar is None and time.monotonic() - self._began > PATIENCE:
            from rich.console import Console  # noqa: PLC0415  # most commands end before a bar is due
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
            from rich.progress import Progress as Bar  # noqa: PLC0415

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self.label, total=self.total)
            self._bar.start()

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self, count: int = 1) -> None:
        """So many more are done."""
        self._done += count
        self._show()
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)


def counted(items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
    """The items, with a bar while they are worked on; their lines go to standard output meanwhile."""
    with Progress(label, total, scrolls=True) as bar:
        for item in items:
            yield item
            bar.step()


class guarded:  # noqa: N801  # reads as a word in a `with`
    """What stops a command is said in one line, with exit status 2; no traceback for what is not our fault."""

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Raises Unable for what the person at the terminal can mend."""
        if isinstance(error, Refusal):
            raise Unable(error.detail) from None
        if isinstance(error, OSError):
            raise Unable(": ".join(str(part) for part in (error.filename, error.strerror or error) if part)) from None
        if type(error).__name__ in _FOREIGN:
            raise Unable((str(error).strip() or type(error).__name__).splitlines()[0]) from None


_FOREIGN = frozenset(
    {
        "EmbeddedError", "SchemaError", "OperationalError", "SilentError", "PoolTimeout", "InsufficientPrivilege",
        "AdminShutdown",
    }
)  # fmt: skip


def on_database(chosen: Settings, act: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
    """Do something with a pool on the database, which is started for it if it does not run."""
    from service.database import make_pool, ready  # noqa: PLC0415  # score, deal and games start without this weight
    from service.logs import configure  # noqa: PLC0415  # as below

    async def inside(url: str) -> Any:
        configure()
        async with make_pool(url, 2) as pool:
            return await act(pool)

    with guarded(), ready(chosen) as database:
        return asyncio.run(inside(database.url))
