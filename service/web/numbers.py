"""Numbers in the address of a page."""

from service.http.caller import AnyRequest


def number_in(request: AnyRequest, name: str, most: int) -> int | None:
    """A number from 1 in the address; nothing where it is none."""
    text = request.query_params.get(name, "")
    known = text.isascii() and text.isdecimal() and len(text) < 7
    return int(text) if known and 1 <= int(text) <= most else None
