"""The kept corpus: small texts that each reach what the others do not, and every one that was a fault once."""

from pathlib import Path

KEPT = Path(__file__).parents[2] / "data" / "fuzz"


def kept(reader):
    """The texts of a reader, by name."""
    return sorted((KEPT / reader).iterdir())
