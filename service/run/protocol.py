"""The bytes of HTTP: uvicorn with limits that it lacks, and whole answers where it writes heads by themselves."""

import asyncio
import logging
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS: Final = 20.0
HEADER_BYTES: Final = 32_768
KNOWN: Final = ("socket", "peername", "sockname", "sslcontext")  # what uvicorn asks of a connection
OF_A_BODY: Final = (b"content-length", b"transfer-encoding")
_HEAD: Final = b"HTTP/1.1 "
FAULTS: Final = logging.getLogger("uvicorn.error.faults")  # of ours: what somebody sends fills no log
_LONG: Final = 65_536  # bytes: what is longer is not copied


def _refusal(line: str, slug: str, title: str, detail: str) -> bytes:
    """An answer that is given before there is a request: a problem like every other."""
    body = msgspec.json.encode({"type": f"/problems/{slug}", "title": title, "status": int(line[:3]), "detail": detail})
    head = f"HTTP/1.1 {line}\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
    return b"%bcontent-length: %d\r\n\r\n%b" % (head.encode(), len(body), body)


_NO_REQUEST: Final = _refusal(
    "400 Bad Request", "malformed", "The request cannot be read", "these bytes are no HTTP request with one host"
)
_TOO_LONG: Final = _refusal(
    "431 Request Header Fields Too Large", "too-large", "Too large", "address and headers are longer than 32 KiB"
)


class WholeAnswers(asyncio.Transport):
    """A connection on which the head of an answer goes with the first part of its body. uvicorn writes them one by one,
    and each would be a call of the system, a packet, and a waking of whoever reads."""

    def __init__(self, connection: asyncio.Transport) -> None:
        super().__init__({name: connection.get_extra_info(name) for name in KNOWN})
        self._connection = connection
        self._head = b""
        self._turn: asyncio.Handle | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send; a head is held until something follows it, or until the next turn of the loop."""
        if self._head and len(data) > _LONG:
            self._send_head()
        elif self._head:
            data, self._head = self._head + data, b""
        elif data[: len(_HEAD)] == _HEAD:
            self._head = bytes(data)
            if self._turn is None:
                self._turn = asyncio.get_running_loop().call_soon(self._turned)
            return
        self._connection.write(data)

    def close(self) -> None:
        """Close, once everything is sent."""
        self._send_head()
        self._connection.close()

    def abort(self) -> None:
        """Close at once."""
        self._head = b""
        self._connection.abort()

    def lost(self) -> None:
        """Send nothing more: there is nobody."""
        self._head = b""
        if self._turn is not None:
            self._turn.cancel()

    def is_closing(self) -> bool:
        """Tells whether it is closed, or about to be."""
        return self._connection.is_closing()

    def pause_reading(self) -> None:
        """Read no more for now."""
        self._connection.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        self._connection.resume_reading()

    def _turned(self) -> None:
        self._turn = None
        self._send_head()

    def _send_head(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._connection.write(head)


class RefusedError(Exception):
    """Raised inside the parser, which then stops: no handler runs."""


class PatientProtocol(HttpToolsProtocol):
    """A request must arrive within a time, its head within a size and with one host; uvicorn asks for none of it."""

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited from now."""
        self._answers = WholeAnswers(transport)
        super().connection_made(self._answers)
        self.logger = FAULTS
        self._late: asyncio.TimerHandle | None = None
        self._answer = _NO_REQUEST
        self._begun = 0
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more, and nothing sent."""
        self._disarm()
        self._answers.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A header that does not end is never told as one, so the bytes of an open head count by themselves.
        Empty lines between two requests begin none, and yet stop uvicorn's own clock."""
        begun = self._begun
        super().data_received(data)
        if self._heading and self._begun == begun:
            self._open += len(data)
            if self._open > HEADER_BYTES:
                self._refuse(_TOO_LONG)
        elif self._late is None and self.cycle.response_complete:
            self._arm()

    def on_message_begin(self) -> None:
        """A request has begun."""
        self._begin()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """The address counts."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Each header counts. What comes behind a body is none: it would stand behind what a proxy has said."""
        self._count(len(name) + len(value))
        if self._heading:
            self._hosts += name.lower() == b"host"
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """One host, or none from a client older than HTTP/1.1 (RFC 9112, 3.2); where another protocol is asked for no
        body, which the parser would take for the next request."""
        if self._hosts > 1 or (not self._hosts and self.parser.get_http_version() == "1.1"):
            raise RefusedError
        if self.parser.should_upgrade() and any(name in OF_A_BODY and value != b"0" for name, value in self.headers):
            raise RefusedError
        self._heading = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is here."""
        self._disarm()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Called by uvicorn when the parser has stopped."""
        self._refuse(self._answer)

    def _refuse(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _begin(self) -> None:
        self._begun += 1
        self._head = self._open = self._hosts = 0
        self._heading = True
        self._arm()

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > HEADER_BYTES:
            self._answer = _TOO_LONG
            raise RefusedError

    def _arm(self) -> None:
        self._disarm()
        self._late = asyncio.get_running_loop().call_later(REQUEST_SECONDS, self.transport.abort)

    def _disarm(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
