"""Which signals stop the service."""

import asyncio
import signal
from contextlib import ExitStack

import pytest

from service.run.database import Database
from service.run.settings import Settings
from service.run.signals import signals_to_stop
from service.run.workers import Workers, bound


@pytest.fixture
def hung_up():
    """Whatever a test has done about the end of the terminal is taken back."""
    before = signal.getsignal(signal.SIGHUP)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hung_up")
def test_a_hangup_stops_the_service_unless_nohup_started_it():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    assert set(signals_to_stop()) == {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert set(signals_to_stop()) == {signal.SIGTERM, signal.SIGINT}


def test_workers_stopped_before_their_start_start_nothing(monkeypatch):
    begun = []

    async def start(self, listener):
        begun.append(listener)
        raise OSError("none is to be started")

    monkeypatch.setattr(Workers, "_start", start)
    with ExitStack() as ends:
        listeners = [ends.enter_context(each) for each in bound("127.0.0.1", 0, 2)]
        workers = Workers(Database("postgresql:///nobody", "postgresql:///nobody"), Settings(), listeners, "")
        workers.stop()
        asyncio.run(asyncio.wait_for(workers.serve(), 60))
    assert begun == []
