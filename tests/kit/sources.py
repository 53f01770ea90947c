"""Source text as a syntax tree."""

import ast
from concurrent.futures import ThreadPoolExecutor


def parsed(source):
    """Return the syntax tree of a module.

    Python 3.11 loses count of its recursion depth in a thread that runs greenlets, as Playwright does, and refuses to
    parse there; another thread parses instead.
    """
    try:
        return ast.parse(source)
    except (SystemError, RecursionError):
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(ast.parse, source).result()
