"""An event of a file as it will stand in the log: written once, where it was read, and carried as text from there."""

import msgspec


class WrittenEvent(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An event: its type, the canonical JSON of its public part and, of one that is hidden or has a private part, the
    JSON of that part."""

    type: str
    text: str
    private: str | None = None
