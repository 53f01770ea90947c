"""`python -m tests.kit.fuzz.harness READER CORPUS… [options of libFuzzer]`: one reader under coverage, in a process."""

import sys

import atheris

from service.heap import settle
from tests.kit.fuzz.rooms import unwatched

with atheris.instrument_imports(include=["domain"], exclude=unwatched(sys.argv[1])):
    from tests.kit.fuzz.readers import READERS


def main():
    """Run libFuzzer on one reader. It exits with 0 if nothing was found and otherwise writes the failing input."""
    reader = READERS[sys.argv.pop(1)]
    settle()
    atheris.Setup(sys.argv, lambda data: reader.read(data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
