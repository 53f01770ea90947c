"""The texts of scripts in the language of the page, as a script before all others; in English it brings none."""

import hashlib
from functools import cache

from litestar import Response, get

from domain import codec
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest
from service.languages.catalogues import script_texts
from service.languages.known import known
from service.languages.spoken import current
from service.web.kept import FOR_EVER, STATIC

ADDRESS = "/texts.js"


@cache
def text(code: str) -> str:
    """The script with the texts of a language."""
    texts = codec.encode_plain(script_texts(code)).decode()
    return f"const TEXTS = {texts};\n" + (STATIC / "worded.js").read_text(encoding="utf-8")


@cache
def stamp(code: str) -> str:
    """Its stamp, which changes with its content."""
    return hashlib.sha256(text(code).encode()).hexdigest()[:10]


def texts_url() -> str:
    """Its address in the language that is spoken now, with its stamp."""
    return f"{ADDRESS}?language={current()}&v={stamp(current())}"


@get(ADDRESS, include_in_schema=False, sync_to_thread=False, query=("language", "v"))
def script(request: AnyRequest) -> AnyResponse:
    """The script of a language: kept for ever under its own stamp, asked for again under another."""
    code = known(request.query_params.get("language"))
    kept = FOR_EVER if request.query_params.get("v") == stamp(code) else "no-cache"
    return Response(text(code), media_type="text/javascript", headers={"Cache-Control": kept})
