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
    """`lurch serve --workers N` over a data directory, on a machine with a processor for each unless told."""

    def __init__(self, data, count=2, processors=None, **environment):
        super().__init__(data, **environment)
        self.count, self.processors = count, processors or count

    def start(self, command=None):
        """The parent, with its workers."""
        serve = (sys.executable, "-c", ON_PROCESSORS, str(self.processors), "lurch", "serve", "--workers")
        return super().start(command or (*serve, str(self.count)))

    def end(self):
        """End it whole: workers have groups of their own, and end once they miss their parent."""
        super().end()
        until(self._is_free)

    def _is_free(self):
        with socket.socket() as trial, suppress(OSError):
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("127.0.0.1", self.port))
            return True
        return False

    def workers(self):
        """The workers that run, the oldest first."""
        found = []
        with suppress(psutil.NoSuchProcess):
            for each in psutil.Process(self.process.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if WORKER in each.cmdline() and each.status() != psutil.STATUS_ZOMBIE:
                        found.append(each)
        return sorted(found, key=lambda each: each.create_time())

    def all_answer(self):
        """Wait until there are as many as were asked for, and each takes who connects."""
        until(lambda: len(self.workers()) == self.count)
        for worker in self.workers():
            with self.client_of(worker):
                pass
        return self

    def who_serves(self):
        """The worker that answers somebody who connects now."""
        with OneConnection(self.url) as client:
            assert client.get("/health/live").status_code == 200
            (serving,) = [each for each in self.workers() if self.serves(each, client)]
            return serving

    def serves(self, worker, client):
        """Tells whether a client that has asked something is connected to a worker."""
        port = client.port()
        with suppress(psutil.NoSuchProcess):
            return any(each.raddr and each.raddr.port == port for each in worker.net_connections("tcp"))
        return False

    @contextmanager
    def client_of(self, worker, **more):
        """A client whose one connection is answered by this worker."""

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
        """Tells whether a worker still runs."""
        with suppress(psutil.NoSuchProcess):
            return worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE
        return False

    def holder(self, name):
        """The worker that has a lease, as its row says."""

        def found():
            row = self.lease(name)
            held = [each for each in self.workers() if row and row[0] and row[0].endswith(f" {each.pid}")]
            return held[0] if held else None

        return until(found)

    def lease(self, name):
        """The row of a lease: holder, number, beat; none where nobody has taken it yet."""
        with psycopg.connect(self.embedded().url("lurch_app")) as connection:
            return connection.execute("select holder, number, beat from leases where name = %s", [name]).fetchone()


class OneConnection(httpx.Client):
    """A client that keeps one connection."""

    def __init__(self, url, **more):
        super().__init__(base_url=url, timeout=30, limits=httpx.Limits(max_connections=1), **more)

    def get(self, *given, **more):
        """The same; its connection's own port is known afterwards."""
        with self.stream("GET", *given, **more) as answer:
            answer.read()
            self._socket = answer.extensions["network_stream"].get_extra_info("socket")
        return answer

    def port(self):
        """Our end of the connection."""
        return self._socket.getsockname()[1]
