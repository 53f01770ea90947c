"""Source text as a syntax tree."""

import ast
from concurrent.futures import ThreadPoolExecutor


def parsed(source):
    """The tree of a module, parsed in a thread of its own: Python 3.11 loses count of its depth where greenlets have
    run, as a browser's do, and says "recursion depth mismatch"."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(ast.parse, source).result()
