"""Addresses in a table's QR code and for typing its code."""

from service.desk.addresses import phone_address, unreachable
from service.http.caller import AnyRequest


def scanned_at(request: AnyRequest, secret: str) -> str | None:
    """The address in a table's QR code; None while no address is set under which phones reach the service. The secret
    stands behind #, so that a browser sends it to nobody by itself."""
    address = phone_address(request.app.state.settings)
    return None if address is None else f"{address}/t#{secret}"


def only_here(request: AnyRequest) -> bool:
    """Tells whether the service answers this machine alone, so that no phone reaches it."""
    return unreachable(request.app.state.settings)


def typed_at(request: AnyRequest) -> str:
    """The address where a code is typed, as people read it."""
    address = phone_address(request.app.state.settings)
    return "/t" if address is None else f"{address.partition('://')[2]}/t"
