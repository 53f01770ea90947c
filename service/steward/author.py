"""The author of the steward's records, and the requests that he makes."""

from domain.club.devices import Devices
from service.desk.requests import Request, own_request
from service.store.log import By, Device


def because_of(cause: str | None) -> By:
    """The service itself, because of a stream."""
    return By(actor=None, role="director", cause=cause, on=Device("program", "steward"))


def steward_request(devices: Devices, cause: str | None, name: str) -> Request:
    """The request for what follows from a stream, idempotent by its name. The id of its command is made with a key of
    the club: or whoever sent the name before, as a key of his own, would keep the steward from recording it."""
    return own_request(because_of(cause), devices.holder("steward", name).hex())
