"""The address that a request comes from: the one that is connected, or whom a trusted proxy says that it speaks for.

Nothing else reads the address of a client, and no header of anybody else counts."""

from litestar.types import Scope

from service.desk.addresses import is_loopback
from service.desk.proxies import Headers, Network, is_forwarded, is_trusted, networks, sender
from service.http.caller import AnyRequest


def _connected(scope: Scope) -> str:
    """The address that is connected."""
    client = scope.get("client")
    return client[0] if client else ""


def _headers(scope: Scope) -> Headers:
    return list(scope["headers"])


def _trusted(scope: Scope) -> tuple[Network, ...]:
    return networks(scope["app"].state.settings.trusted_proxies)


def sender_of(scope: Scope) -> str:
    """The address that a request comes from; nothing where it is not known."""
    return sender(_connected(scope), _headers(scope), _trusted(scope))


def address(request: AnyRequest) -> str:
    """The address of the sender of a request."""
    return sender_of(request.scope)


def from_here(request: AnyRequest) -> bool:
    """Tells a request from this machine: over no network, and passed on by nobody unless a trusted proxy says so."""
    if is_forwarded(_headers(request.scope)) and not is_trusted(_connected(request.scope), _trusted(request.scope)):
        return False
    return is_loopback(address(request))


def by_tls(request: AnyRequest) -> bool:
    """Tells a request that came over TLS: to the service itself, or to a trusted proxy that says so. The nearest one
    says it last."""
    said = ",".join(request.headers.getall("x-forwarded-proto", [])).rpartition(",")[2].strip().lower()
    trusted = said == "https" and is_trusted(_connected(request.scope), _trusted(request.scope))
    return trusted or request.scope["scheme"] == "https"
