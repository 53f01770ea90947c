"""A proxy that buffers an event stream, headers included, until it has ended, as some networks do."""

import asyncio
import threading
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

STREAM, END = b"text/event-stream", b"0\r\n\r\n"


class HoldingProxy:
    """Forwards everything but event streams; `held` counts the streams that it has buffered."""

    def __init__(self, host, port):
        self.host, self.port, self.held, self.open = host, port, 0, 0

    async def serve(self, reader, writer):
        self.open += 1
        behind, to_behind = await asyncio.open_connection(self.host, self.port)
        pipes = [asyncio.create_task(self._asked(reader, to_behind)), asyncio.create_task(self._told(behind, writer))]
        await asyncio.wait([*pipes, self.stopping], return_when=asyncio.FIRST_COMPLETED)
        for pipe in pipes:
            pipe.cancel()
        await asyncio.gather(*pipes, return_exceptions=True)
        for each in (writer, to_behind):
            each.close()
            with suppress(OSError):
                await each.wait_closed()
        self.open -= 1

    async def _asked(self, reader, writer):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()

    async def _told(self, reader, writer):
        kept = b""
        while data := await reader.read(65_536):
            self.held += not kept and STREAM in data
            kept += data
            if STREAM in kept and not kept.endswith(END):
                continue
            writer.write(kept)
            kept = b""
            await writer.drain()

    async def run(self, up):
        self.loop, self.stopped = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self.stopping = asyncio.create_task(self.stopped.wait())
        up.set()
        await self.stopping
        server.close()
        while self.open:
            await asyncio.sleep(0.01)


@contextmanager
def holding(url):
    """Run a buffering proxy in front of the service at this address."""
    place, up = urlsplit(url), threading.Event()
    proxy = HoldingProxy(place.hostname, place.port)
    thread = threading.Thread(target=lambda: asyncio.run(proxy.run(up)))
    thread.start()
    assert up.wait(60)
    try:
        yield proxy
    finally:
        proxy.loop.call_soon_threadsafe(proxy.stopped.set)
        thread.join()
