"""The address under which phones reach the service. It is set, never taken from a request."""

from typing import Final, Protocol

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


class Addressed(Protocol):
    """Settings that say where the service listens."""

    @property
    def host(self) -> str:
        """The address that it listens on."""

    @property
    def port(self) -> int:
        """The port that it listens on."""

    @property
    def address(self) -> str | None:
        """The address that it was told."""


def phone_address(settings: Addressed) -> str | None:
    """The address for links and QR codes; None while nobody has said it. A loopback address only where nobody but this
    machine is served."""
    if settings.address:
        return settings.address.rstrip("/")
    return f"http://{settings.host}:{settings.port}" if on_loopback(settings) else None


def on_loopback(settings: Addressed) -> bool:
    """Tells whether only this machine is served."""
    return settings.host in LOOPBACK
