"""Starting without a network: the worker's script, and the shell of a table that it keeps, the same for everybody."""

import hashlib
from functools import cache
from typing import Final

from litestar import Response, get

from domain import codec
from service.http.answers import AnyResponse
from service.http.code import CODE
from service.store.callers import NOBODY
from service.web.kept import FILES, STATIC, static_url
from service.web.render import TEMPLATES, page

SHELL: Final = "/shell"
STAMPED: Final = ("mark.svg", "app.css", "waits.js", "offline.js", "suits.js", "shell.js", "live.js", "ended.js")
HEADERS: Final = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}


@cache
def kept_files() -> tuple[str, ...]:
    """The addresses that a browser keeps: those that pages name under their stamps, and what scripts import."""
    looks = sorted(name for name in FILES if name.startswith("look/"))
    imported = sorted(name for name in FILES if name.startswith("kept/") and name.endswith(".js"))
    return (*map(static_url, (*STAMPED, *looks)), *(f"/static/{name}" for name in (*imported, "boards.js")))


@cache
def text() -> str:
    """The script with what it keeps; another version of any of that is another script, so that browsers fetch it."""
    begun = TEMPLATES.get_template("shell.html").render(caller=NOBODY, unasked=True)
    told = hashlib.sha256(f"{CODE} {begun}".encode())
    for each in kept_files():
        told.update((STATIC / each.removeprefix("/static/").partition("?")[0]).read_bytes())
    values = {"VERSION": told.hexdigest()[:12], "SHELL": SHELL, "FILES": kept_files()}
    lines = [f"const {name} = {codec.encode_plain(value).decode()};\n" for name, value in values.items()]
    return "".join(lines) + (STATIC / "worker.js").read_text(encoding="utf-8")


@get("/worker.js", include_in_schema=False, sync_to_thread=False)
def script() -> AnyResponse:
    """The worker, at the root so that it may start every table."""
    return Response(text(), media_type="text/javascript", headers=HEADERS)


@get(SHELL, include_in_schema=False, sync_to_thread=False)
def shell() -> AnyResponse:
    """The page of a table without a network: it asks nobody who is looking."""
    return page("shell.html", NOBODY, unasked=True)
