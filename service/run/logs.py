"""Logs go to standard error, an entry a line for people, or as JSON for a program; never with what variables or rows
held."""

import logging
import re
import sys
import traceback
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from service.run.settings import LogForm

ADDED: Final[tuple[Processor, ...]] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
# what stands behind these words may be a whole row, in lines of any look, up to a hint or another traceback
ROW: Final = re.compile(
    r"^(DETAIL|CONTEXT):.*?(?=^HINT:|^Traceback |^The above exception |^During handling |\Z)", re.MULTILINE | re.DOTALL
)


def without_rows(text: str) -> str:
    """A text without what the database tells of a row that it did not take: there stand cards, names and secrets."""
    return ROW.sub(r"\1: left out\n", text).rstrip("\n")


def _tell_of_no_row(_: WrappedLogger, __: str, entry: EventDict) -> EventDict:
    """An entry whose texts tell of no row."""
    return {name: without_rows(value) if isinstance(value, str) else value for name, value in entry.items()}


def _traceback(out: TextIO, error: ExcInfo) -> None:
    """A traceback for people, as Python writes it."""
    print("\n" + without_rows("".join(traceback.format_exception(*error))), file=out)


def configure(form: LogForm = "lines") -> None:
    """Set the logging of the process up; standard output stays for answers. As JSON, libraries speak it too."""
    as_json = form == "json"
    structlog.configure(
        processors=[*ADDED, *(_json() if as_json else (_tell_of_no_row, *_lines()))],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    if as_json:
        logging.basicConfig(handlers=[_for_libraries()], level=logging.WARNING, force=True)


def _lines() -> list[Processor]:
    """An entry for people; tracebacks as Python writes them."""
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_traceback)]


def _json() -> list[Processor]:
    """An entry for a program: `event`, `level`, `timestamp`, the values beside it, and `exception` as text."""
    return [structlog.processors.format_exc_info, _tell_of_no_row, structlog.processors.JSONRenderer(default=str)]


def _for_libraries() -> logging.Handler:
    """The handler for what the libraries log by Python's own means."""
    handler = logging.StreamHandler(sys.stderr)
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[drop, *_json()], foreign_pre_chain=ADDED))
    return handler
