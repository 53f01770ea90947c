"""Compression by the framework's means: of every answer that is worth it, but of no stream that goes on and no secret.

A secret and a text of somebody else's in one compressed answer could be told from its length."""

from typing import Final

from litestar.config.compression import CompressionConfig
from litestar.datastructures.headers import MutableScopeHeaders
from litestar.middleware.compression import CompressionMiddleware
from litestar.types import Message, Scope, Send

ONE_TIME_SECRET: Final = {"one_time_secret": True}  # `opt` of a route whose answer holds a link or secret that works
EVENTS: Final = "text/event-stream"


class Compressing(CompressionMiddleware):
    """The framework's compression, except of a stream of events: each must leave at once."""

    def create_compression_send_wrapper(self, send: Send, compression_encoding: str, scope: Scope) -> Send:
        """Looks at the answer's own type, whatever the route is called."""
        compressed = super().create_compression_send_wrapper(send, compression_encoding, scope)
        chosen = compressed

        async def told(message: Message) -> None:
            nonlocal chosen
            if message["type"] == "http.response.start":
                kind = MutableScopeHeaders.from_message(message).get("content-type", "")
                chosen = send if kind.startswith(EVENTS) else compressed
            await chosen(message)

        return told


COMPRESSION: Final = CompressionConfig(
    backend="gzip", gzip_compress_level=6, exclude_opt_key=next(iter(ONE_TIME_SECRET)), middleware_class=Compressing
)
