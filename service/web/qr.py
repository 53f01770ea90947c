"""QR codes as pictures inside a page."""

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=512)
def picture(text: str) -> Markup:
    """A QR code as SVG, black on white in both themes."""
    made = segno.make(text, error="m", micro=False)
    return Markup(made.svg_inline(scale=1, border=4, dark="#000", light="#fff", svgclass="qr", omitsize=True))  # noqa: S704  # drawn by the library


def qr(text: str, title: str) -> Markup:
    """The QR code of a text, with what it is said to be."""
    return Markup('<div class="scan" role="img" aria-label="{}">{}</div>').format(title, picture(text))
