"""The silence of a server that lives: how long it has answered nothing, however often it was asked."""

import time
from typing import Final

QUESTIONS: Final = 4  # so many must stay unanswered too: a machine that slept was not asked


class Silence:
    """The time for which a server has said nothing. That it starts, recovers or ends is saying something."""

    began: float
    questions: int

    def __init__(self) -> None:
        self.broken()

    def broken(self) -> None:
        """It has said something."""
        self.began, self.questions = time.monotonic(), 0

    def longer_than(self, seconds: float) -> bool:
        """Tells whether it lasts, and not for want of asking."""
        return self.questions >= QUESTIONS and time.monotonic() - self.began >= seconds
