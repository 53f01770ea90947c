"""Listeners: clients of an event stream, as an EventSource is: cut off, they come back with the last id."""

import json
import threading

import httpx


class Listener(threading.Thread):
    """Follows one address of events; keeps every event's id and data, and how often it was cut off."""

    def __init__(self, url, token, last=None, until_cut=False):
        super().__init__()
        self.url, self.token, self.last, self.until_cut = url, token, last, until_cut
        self.events = []
        self.connections = 0
        self.opened, self.leave = threading.Event(), threading.Event()
        self.end = None

    def run(self):
        with httpx.Client(timeout=httpx.Timeout(10, read=40)) as self.client:
            while not self.leave.is_set():
                try:
                    self._follow()
                    self.end = "closed"
                except httpx.TransportError as error:
                    self.end = type(error).__name__
                if self.until_cut:
                    return
                self.leave.wait(0.02)

    def _follow(self):
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        if self.last is not None:
            headers["Last-Event-ID"] = str(self.last)
        with self.client.stream("GET", self.url, headers=headers) as self.response:
            if self.response.status_code != 200:
                assert self.response.status_code == 503
                return
            self.connections += 1
            number = None
            for line in self.response.iter_lines():
                if self.leave.is_set():
                    return
                self.opened.set()
                if line.startswith("id:"):
                    number = int(line[3:])
                elif line.startswith("data:"):
                    self.events.append((number, json.loads(line[5:])))
                    self.last = number

    def ids(self):
        return [number for number, _ in self.events]
