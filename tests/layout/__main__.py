"""Format templates, stylesheets and scripts; with --check only report what is not formatted."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Final

import cssbeautifier
import jsbeautifier

from tests.layout.writing import STEP, WIDTH, written

SERVICE: Final = Path(__file__).parents[2] / "service"


def ours() -> Iterator[Path]:
    """Yield every template, stylesheet and script of the service that is not vendored."""
    for found in sorted(SERVICE.rglob("*")):
        if found.suffix in (".html", ".css", ".js") and "vendor" not in found.parts:
            yield found


def laid_out(kind: str, source: str) -> str:
    """Return a source formatted by the suffix of its file."""
    if kind == ".html":
        return written(source)
    if kind == ".css":
        options = cssbeautifier.default_options()
        options.newline_between_rules = False
    else:
        options = jsbeautifier.default_options()
        options.space_after_anon_function = True
        options.brace_style = "collapse,preserve-inline"
        options.wrap_line_length = WIDTH
        options.max_preserve_newlines = 2
    options.indent_size = STEP
    options.end_with_newline = True
    text: str = (cssbeautifier if kind == ".css" else jsbeautifier).beautify(source, options)
    return text


def faults(kind: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and message of everything that is not formatted, and of every line that is too long."""
    try:
        formatted = laid_out(kind, source).splitlines()
        if formatted != source.splitlines() or not source.endswith("\n"):
            lines = enumerate(zip_longest(formatted, source.splitlines()), 1)
            first = next((number for number, (new, old) in lines if new != old), len(formatted))
            yield first, "is not formatted: `make format` does it"
    except ValueError as error:
        yield 1, f"cannot be formatted: {error}"
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > WIDTH:
            yield number, f"has {len(line)} columns: {WIDTH} are the most, break it by hand"


def main(check: bool) -> int:
    """Format every file unless `check`, print what is left as path:line: message, and return 1 if there is any."""
    left = 0
    for path in ours():
        source = path.read_text()
        if not check:
            with suppress(ValueError):  # reported below
                path.write_text(laid_out(path.suffix, source))
            source = path.read_text()
        for line, fault in faults(path.suffix, source):
            left += 1
            sys.stdout.write(f"{path.relative_to(SERVICE.parent)}:{line}: {fault}\n")
    return min(left, 1)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
