"""Addresses under which phones reach the service: never what a request calls it, never loopback for others."""

from ipaddress import ip_address
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104  # the names of listening everywhere, which somebody else chose


class Reached(Protocol):
    """The settings that say where the service is reached."""

    @property
    def host(self) -> str:
        """The address that it listens on."""

    @property
    def port(self) -> int:
        """The port that it listens on."""

    @property
    def address(self) -> str | None:
        """The address for phones, as it was set or chosen."""

    @property
    def cert(self) -> str | None:
        """The certificate with which it serves over TLS itself."""

    @property
    def plain_roles(self) -> bool:
        """Tells whether high roles are given without TLS."""

    @property
    def tls(self) -> bool:
        """Tells whether browsers reach it over TLS."""

    @property
    def alone(self) -> bool:
        """Tells whether it listens on loopback only."""


def parts_of(address: str) -> SplitResult:
    """The parts of an address that a client named; all are empty where it is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def is_loopback(host: str) -> bool:
    """Tells a name or address that means the same machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        name = host.lower().rstrip(".")
        return name == "localhost" or name.endswith(".localhost")


def phone_address(settings: Reached) -> str | None:
    """The address that links for phones begin with, without a slash at the end; None where nobody has said it and
    several are possible. Loopback only where the service listens on nothing else, and phones cannot reach it."""
    if settings.address:
        given = settings.address.rstrip("/")
        if settings.alone or not is_loopback(urlsplit(given).hostname or ""):
            return given  # any other would lead a phone to itself
    if settings.tls:
        return None  # what stands before the service has a name that only its owner knows
    if settings.alone:
        return _http(settings.host, settings.port)
    own = own_addresses(settings)
    return own[0] if len(own) == 1 else None


def own_addresses(settings: Reached) -> tuple[str, ...]:
    """The addresses of this machine under which phones may reach the service."""
    if settings.tls or settings.alone:
        return ()
    if settings.host not in EVERYWHERE:
        return (_http(settings.host, settings.port),)
    import psutil  # noqa: PLC0415  # every command reads settings, few ask for the network

    found = (each.address for own in psutil.net_if_addrs().values() for each in own)
    return tuple(sorted({_http(each, settings.port) for each in found if _outward(each)}))


def at_this_machine(settings: Reached) -> str:
    """The address at which a browser on this machine finds the service: over TLS, its own or that of a proxy before it,
    only by the name that the certificate vouches for. In a container nothing but the proxy reaches its port."""
    if settings.address and (settings.cert is not None or settings.address.startswith("https:")):
        return settings.address.rstrip("/")
    plain = _http("127.0.0.1" if settings.host in EVERYWHERE else settings.host, settings.port)
    return plain if settings.cert is None else plain.replace("http:", "https:", 1)


def unreachable(settings: Reached) -> bool:
    """Tells a service that no phone reaches: it listens on this machine only, and nothing stands before it."""
    return settings.alone and not settings.tls and not settings.address


def phones_reach(settings: Reached) -> bool:
    """Tells that phones reach the service, under an address that is known."""
    return phone_address(settings) is not None and not unreachable(settings)


def overheard(settings: Reached) -> bool:
    """Tells that others in the network could listen to what a link for phones leads to."""
    return not settings.tls and not unreachable(settings)


def _outward(text: str) -> bool:
    """Tells an IPv4 address that another machine can have been told."""
    try:
        address = ip_address(text)
    except ValueError:  # of another kind: a card's hardware address
        return False
    return address.version == 4 and not (address.is_loopback or address.is_link_local)


def _http(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
