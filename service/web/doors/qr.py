"""QR codes as pictures in a page."""

from functools import lru_cache

import segno
from markupsafe import Markup

from service.desk.addresses import on_loopback, phone_address
from service.http.caller import AnyRequest


@lru_cache(maxsize=512)
def picture(text: str) -> Markup:
    """A QR code as SVG, black on white in both themes."""
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(scale=1, border=4, dark="#000", light="#fff", svgclass="qr", omitsize=True))  # noqa: S704  # drawn by the library


def scanned_at(request: AnyRequest, secret: str) -> str | None:
    """What a table's QR code says; None while nobody has said under which address phones reach the service. The secret
    stands behind #, so that a browser sends it to nobody by itself."""
    address = phone_address(request.app.state.settings)
    return None if address is None else f"{address}/t#{secret}"


def only_here(request: AnyRequest) -> bool:
    """Tells whether the service answers this machine alone, so that no phone reaches it."""
    settings = request.app.state.settings
    return not settings.address and on_loopback(settings)


def typed_at(request: AnyRequest) -> str:
    """Where a code is typed, as people read it."""
    address = phone_address(request.app.state.settings)
    return "/t" if address is None else f"{address.partition('://')[2]}/t"
