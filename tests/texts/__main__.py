"""`python -m tests.texts` (`make texts`) writes docs/texts.md."""

from tests.texts.document import FILE, gathered, written

FILE.write_text(written(gathered()))
