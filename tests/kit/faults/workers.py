"""A service of several workers: the workers that run, the one that answers a client, the holder of a lease."""

import socket
import sys
from contextlib import contextmanager, suppress

import httpx
import psutil
import psycopg

from tests.kit.faults.processes import Serving, until

WORKER = "service.run.worker"
ON_PROCESSORS = """
import sys
from service.cli import main
from service.run import workers
processors, *sys.argv = sys.argv[1:]
workers.processors = lambda: int(processors)
workers.WITHIN_SECONDS = 600.0
main()
"""


class Several(Serving):
    """`lurch serve --workers N` on a data directory, pretending one processor for each worker by default."""

    def __init__(self, data, count=2, processors=None, **environment):
        super().__init__(data, **environment)
        self.count, self.processors = count, processors or count

    def start(self, command=None):
        """Start the parent, which starts its workers."""
        serve = (sys.executable, "-c", ON_PROCESSORS, str(self.processors), "lurch", "serve", "--workers")
        return super().start(command or (*serve, str(self.count)))

    def end(self):
        """Kill the parent and wait for the workers, which end when they miss it."""
        super().end()
        until(self._is_free)

    def _is_free(self):
        with socket.socket() as trial, suppress(OSError):
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("127.0.0.1", self.port))
            return True
        return False

    def workers(self):
        """Return the running workers, the oldest first."""
        found = []
        with suppress(psutil.NoSuchProcess):
            for each in psutil.Process(self.process.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if WORKER in each.cmdline() and each.status() != psutil.STATUS_ZOMBIE:
                        found.append(each)
        return sorted(found, key=lambda each: each.create_time())

    def all_answer(self):
        """Wait until every requested worker accepts connections."""
        until(lambda: len(self.workers()) == self.count)
        for worker in self.workers():
            with self.client_of(worker):
                pass
        return self

    def who_serves(self):
        """Return the worker that answers a new connection."""
        with OneConnection(self.url) as client:
            assert client.get("/health/live").status_code == 200
            (serving,) = [each for each in self.workers() if self.serves(each, client)]
            return serving

    def serves(self, worker, client):
        """Return True if a client that has sent a request is connected to this worker."""
        port = client.port()
        with suppress(psutil.NoSuchProcess):
            return any(each.raddr and each.raddr.port == port for each in worker.net_connections("tcp"))
        return False

    @contextmanager
    def client_of(self, worker, **more):
        """Yield a client whose one connection leads to this worker."""

        def found():
            client = OneConnection(self.url, **more)
            with suppress(httpx.TransportError):
                if client.get("/health/live").status_code == 200 and self.serves(worker, client):
                    return client
            client.close()
            return None

        client = until(found)
        try:
            yield client
        finally:
            client.close()

    def is_there(self, worker):
        """Return True if a worker still runs."""
        with suppress(psutil.NoSuchProcess):
            return worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE
        return False

    def holder(self, name):
        """Wait for a worker that holds a lease and return it."""

        def found():
            row = self.lease(name)
            held = [each for each in self.workers() if row and row[0] and row[0].endswith(f" {each.pid}")]
            return held[0] if held else None

        return until(found)

    def lease(self, name):
        """Return the row of a lease (holder, number, beat), or None before it was taken first."""
        with psycopg.connect(self.embedded().url("lurch_app")) as connection:
            return connection.execute("select holder, number, beat from leases where name = %s", [name]).fetchone()


class OneConnection(httpx.Client):
    """A client that keeps one connection."""

    def __init__(self, url, **more):
        super().__init__(base_url=url, timeout=30, limits=httpx.Limits(max_connections=1), **more)

    def get(self, *given, **more):
        """Send a GET request and remember the socket of the connection."""
        with self.stream("GET", *given, **more) as answer:
            answer.read()
            self._socket = answer.extensions["network_stream"].get_extra_info("socket")
        return answer

    def port(self):
        """Return the client's port of the connection."""
        return self._socket.getsockname()[1]
