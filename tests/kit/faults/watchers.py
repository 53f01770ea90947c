"""Threads that poll the health endpoints of a service and keep every answer."""

import threading
from contextlib import contextmanager

import httpx


class Watcher(threading.Thread):
    """Polls one address and keeps the status and the body of each answer in `seen`."""

    def __init__(self, url, stop):
        super().__init__()
        self.url, self.stop = url, stop
        self.seen = []

    def run(self):
        with httpx.Client(timeout=60) as client:
            while not self.stop.wait(0.05):
                answer = client.get(self.url)
                self.seen.append((answer.status_code, answer.json()))

    def statuses(self):
        return {status for status, _ in self.seen}


@contextmanager
def watching(url):
    """Watch /health/live and /health/ready while the block runs; yields both watchers."""
    stop = threading.Event()
    both = [Watcher(f"{url}/health/{what}", stop) for what in ("live", "ready")]
    for watcher in both:
        watcher.start()
    try:
        yield both
    finally:
        stop.set()
        for watcher in both:
            watcher.join()
