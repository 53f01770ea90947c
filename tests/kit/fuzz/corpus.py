"""The kept corpus: small texts with distinct coverage, and every input that was a fault."""

from pathlib import Path

KEPT = Path(__file__).parents[2] / "data" / "fuzz"


def kept(reader):
    """Return the corpus files of a reader, sorted by name."""
    return sorted((KEPT / reader).iterdir())
