"""Signals that end the service: a closed terminal stops it as Ctrl-C does, and no signal breaks a stop off."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def signals_to_stop() -> tuple[signal.Signals, ...]:
    """The signals that stop the service in order; a closed terminal stops none that `nohup` started."""
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return (signal.SIGTERM, signal.SIGINT)
    return (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def end_with_terminal() -> None:
    """Take the end of the terminal for SIGTERM: uvicorn knows of that one."""
    for each in set(signals_to_stop()) - {signal.SIGTERM, signal.SIGINT}:
        signal.signal(each, lambda _, __: signal.raise_signal(signal.SIGTERM))


@contextmanager
def undisturbed() -> Iterator[None]:
    """A stop that takes its moment however often it is asked for: it ends by itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.signal(each, signal.SIG_IGN) for each in signals_to_stop()}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
