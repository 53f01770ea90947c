"""QR codes as pictures inside a page."""

import segno
from markupsafe import Markup


def qr(text: str, title: str) -> Markup:
    """The QR code of a text, dark on light in both themes."""
    made = segno.make(text, error="m", micro=False)
    drawn = made.svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    return Markup('<div class="qr" role="img" aria-label="{}">{}</div>').format(title, Markup(drawn))  # noqa: S704  # drawn by a library from bits
