"""`python -m tests.kit.fuzz.harness READER CORPUS… [options of libFuzzer]`: one reader under coverage, in a process."""

import sys

import atheris

NOTATION = ["domain.notation", "domain.match"]
ROOMS = {"ctn": NOTATION, "history": [*NOTATION, "domain.codec"]}  # what is watched: a reader's own rooms start sooner

with atheris.instrument_imports(include=ROOMS.get(sys.argv[1], ["domain.exchange"])):
    from tests.kit.fuzz.readers import READERS


def main():
    """Run until libFuzzer ends: 0 when nothing was found, else the input that was a fault is written."""
    reader = READERS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, lambda data: reader.read(data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
