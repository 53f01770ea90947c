"""Answers: JSON by our own encoder, and texts to be kept as files."""

from typing import Any, Final, TypeAlias

from litestar import MediaType, Response

from domain import codec
from service.http.caller import AnyRequest

AnyResponse: TypeAlias = Response[Any]
MINIMAL: Final = {"Preference-Applied": "return=minimal"}
NO_STORE: Final = {"Cache-Control": "no-store"}
CSV = "text/csv; charset=utf-8"
MARK = "\ufeff"  # spreadsheets take a table without it for the letters of their own country


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> AnyResponse:
    """An answer as JSON, written by our own encoder (cards are text)."""
    return Response(
        codec.encode_plain(value),
        status_code=status,
        media_type=MediaType.JSON,
        headers={**NO_STORE, **(headers or {})},
    )


def prefers_minimal(request: AnyRequest) -> bool:
    """True for a request that asks for a short answer (RFC 7240); other preferences are passed over."""
    asked = ",".join(request.headers.getall("prefer", []))
    return any(each.partition(";")[0].replace(" ", "").lower() == "return=minimal" for each in asked.split(","))


def as_file(text: str | bytes, media: str, name: str) -> AnyResponse:
    """A text to be kept as a file; the framework adds the character set of a text."""
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media.partition("; charset")[0], headers=headers)
