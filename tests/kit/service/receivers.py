"""A webhook receiver: a real HTTP server that records deliveries and answers as a test configures it."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec


class Delivery(msgspec.Struct, frozen=True):
    """One received delivery: headers in lower case, and the raw body."""

    headers: dict[str, str]
    body: bytes

    @property
    def id(self):
        return self.headers["webhook-id"]

    @property
    def events(self):
        return json.loads(self.body)["events"]

    @property
    def positions(self):
        return [event["position"] for event in self.events]


class Receiver:
    """Answers 204, or the next of `answers`: a status, or a status and headers; nothing while `hold` is cleared."""

    def __init__(self, port=0, tls=None):
        self.got, self.answers, self.hold = [], [], threading.Event()
        self.hold.set()
        self.server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # clients that do not trust the certificate hang up
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook"

    def _handler(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append(Delivery({name.lower(): value for name, value in self.headers.items()}, body))
                receiver.hold.wait()
                said = receiver.answers.pop(0) if receiver.answers else 204
                status, headers = said if isinstance(said, tuple) else (said, {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        return Handler

    @property
    def positions(self):
        """The positions of all received events, in order."""
        return [position for each in self.got for position in each.positions]

    @property
    def once(self):
        """The received events in order, without repetitions: delivery is at least once."""
        return list({event["position"]: event for each in self.got for event in each.events}.values())


@contextmanager
def receiving(port=0, tls=None):
    """Run a receiver."""
    receiver = Receiver(port, tls)
    thread = threading.Thread(target=receiver.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hold.set()
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()
