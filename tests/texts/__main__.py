"""`python -m tests.texts` (`make texts`) writes docs/texts.md; `--check` writes nothing and names what is missing."""

import sys

from tests.texts.document import FILE, differences, gathered, written

if "--check" in sys.argv[1:]:
    found = differences(FILE.read_text(), gathered())
    sys.exit("\n".join([*found, "`make texts` writes it"]) if found else 0)
FILE.write_text(written(gathered()))
