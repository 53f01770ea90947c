"""Watchers: ask for the health of a service all the time, and remember what it said."""

import threading
import time
from contextlib import contextmanager

import httpx


class Watcher(threading.Thread):
    """Asks one address over and over; keeps each status, what was said, and how long the answer took."""

    def __init__(self, url, stop):
        super().__init__()
        self.url, self.stop = url, stop
        self.seen = []

    def run(self):
        with httpx.Client(timeout=20) as client:
            while not self.stop.wait(0.05):
                begun = time.monotonic()
                answer = client.get(self.url)
                self.seen.append((answer.status_code, answer.json(), time.monotonic() - begun))

    def statuses(self):
        return {status for status, _, _ in self.seen}

    def slowest(self):
        return max(seconds for _, _, seconds in self.seen)


@contextmanager
def watching(url):
    """Watchers of /health/live and /health/ready for as long as the block runs."""
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
