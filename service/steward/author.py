"""The author of the steward's records."""

from service.store.log import By, Device


def because_of(cause: str | None) -> By:
    """The service itself, because of a stream."""
    return By(actor=None, role="director", cause=cause, on=Device("program", "steward"))
