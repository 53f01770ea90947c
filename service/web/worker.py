"""Starting without a network: the worker's script, and the shell of a table that it keeps, the same for everybody."""

import hashlib
from functools import cache
from typing import Final

from litestar import Response, get

from domain import codec
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest
from service.http.code import CODE
from service.languages.known import ENGLISH, known
from service.languages.spoken import speaking
from service.store.callers import NOBODY
from service.web.kept import FILES, STATIC, static_url
from service.web.look import look_url
from service.web.render import TEMPLATES, page
from service.web.script_texts import texts_url

SHELL: Final = "/shell"
STAMPED: Final = ("mark.svg", "waits.js", "offline.js", "suits.js", "shell.js", "live.js", "ended.js", "early.js")
HEADERS: Final = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}


@cache
def kept_files(language: str) -> tuple[str, ...]:
    """The addresses that a browser keeps: those that pages name under their stamps, and what scripts import."""
    with speaking(language):
        texts = texts_url()
    imported = sorted(name for name in FILES if name.startswith("kept/") and name.endswith(".js"))
    return (
        look_url(),
        texts,
        *map(static_url, STAMPED),
        *(f"/static/{name}" for name in (*imported, "boards.js", "keys.js")),
    )


@cache
def text(language: str) -> str:
    """The script with what it keeps; another version of any of that is another script, so that browsers fetch it."""
    with speaking(language):
        begun = TEMPLATES.get_template("shell.html").render(caller=NOBODY, unasked=True)
    told = hashlib.sha256(f"{CODE} {begun}".encode())
    for each in kept_files(language):
        told.update(each.encode())  # with its stamp
        if each.startswith("/static/"):
            told.update((STATIC / each.removeprefix("/static/").partition("?")[0]).read_bytes())
    values = {"VERSION": told.hexdigest()[:12], "SHELL": shell_url(language), "FILES": kept_files(language)}
    lines = [f"const {name} = {codec.encode_plain(value).decode()};\n" for name, value in values.items()]
    return "".join(lines) + (STATIC / "worker.js").read_text(encoding="utf-8")


def shell_url(language: str) -> str:
    """The shell's address: a browser asks for it without its cookies."""
    return SHELL if language == ENGLISH else f"{SHELL}?language={language}"


@get("/worker.js", include_in_schema=False, sync_to_thread=False, query=("language",))
def script(request: AnyRequest) -> AnyResponse:
    """The worker, at the root so that it may start every table."""
    return Response(text(known(request.query_params.get("language"))), media_type="text/javascript", headers=HEADERS)


@get(SHELL, include_in_schema=False, sync_to_thread=False, query=("language",))
def shell(request: AnyRequest) -> AnyResponse:
    """The page of a table without a network: it asks nobody who is looking."""
    with speaking(request.query_params.get("language")):
        return page("shell.html", NOBODY, unasked=True)
