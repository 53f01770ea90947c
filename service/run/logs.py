"""Logs go to standard error, an entry a line for people, or as JSON for a program; never with what variables or rows
held."""

import logging
import re
import sys
import traceback
from contextlib import suppress
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from service.run.settings import LogForm

ADDED: Final[tuple[Processor, ...]] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
# what stands behind these words may be a whole row, in lines of any look, up to a hint or another traceback; those of
# a group of errors are drawn in a tree
ROW: Final = re.compile(
    r"^([ |]*)(DETAIL|CONTEXT):.*?(?=^[ |]*(?:HINT:|Traceback |The above exception |During handling )|\Z)",
    re.MULTILINE | re.DOTALL,
)
# the same where asyncio names the error of a task in one line, as Python would write it in a program
QUOTED_ROW: Final = re.compile(r"\\n(DETAIL|CONTEXT):.*")


class LastingLogger(structlog.PrintLogger):
    """Writes entries, whether anybody still takes them or not: a terminal that was closed, or a program that read along
    and has ended, ends no work of ours."""

    def msg(self, message: str) -> None:
        """Write an entry."""
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = fatal = failure = err = error = critical = exception = msg


def without_rows(text: str) -> str:
    """A text without what the database tells of a row that it did not take: there stand cards, names and secrets."""
    return QUOTED_ROW.sub(r"\\n\1: left out", ROW.sub(r"\1\2: left out\n", text)).rstrip("\n")


class _WithoutRows(logging.Formatter):
    """A line of a library for people, as Python writes it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line and its traceback."""
        return without_rows(super().format(record))


def _tell_of_no_row(_: WrappedLogger, __: str, entry: EventDict) -> EventDict:
    """An entry whose texts tell of no row."""
    return {name: without_rows(value) if isinstance(value, str) else value for name, value in entry.items()}


def _traceback(out: TextIO, error: ExcInfo) -> None:
    """A traceback for people, as Python writes it."""
    print("\n" + without_rows("".join(traceback.format_exception(*error))), file=out)


def configure(form: LogForm = "lines") -> None:
    """Set the logging of the process up; standard output stays for answers. What libraries say goes the same way."""
    as_json = form == "json"
    structlog.configure(
        processors=[*ADDED, *(_json() if as_json else (_tell_of_no_row, *_lines()))],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: LastingLogger(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_for_libraries(as_json)], level=logging.WARNING, force=as_json)


def _lines() -> list[Processor]:
    """An entry for people; tracebacks as Python writes them."""
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_traceback)]


def _json() -> list[Processor]:
    """An entry for a program: `event`, `level`, `timestamp`, the values beside it, and `exception` as text."""
    return [structlog.processors.format_exc_info, _tell_of_no_row, structlog.processors.JSONRenderer(default=str)]


def _for_libraries(as_json: bool) -> logging.Handler:
    """The handler for what the libraries log by Python's own means."""
    handler = logging.StreamHandler(sys.stderr)
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processors=[drop, *_json()], foreign_pre_chain=ADDED)
        if as_json
        else _WithoutRows("%(levelname)s: %(message)s")
    )
    return handler
