"""Which signals stop the service."""

import signal

import pytest

from service.run.signals import signals_to_stop


@pytest.fixture
def hung_up():
    """Whatever a test has done about the end of the terminal is taken back."""
    before = signal.getsignal(signal.SIGHUP)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hung_up")
def test_the_end_of_the_terminal_stops_what_runs_in_it_and_nothing_that_nohup_started():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    assert set(signals_to_stop()) == {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert set(signals_to_stop()) == {signal.SIGTERM, signal.SIGINT}
