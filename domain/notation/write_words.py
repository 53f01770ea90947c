"""Words of CTN gathered into lines."""

import re
import textwrap

WIDTH = 250


class LineWriter:
    """Words gathered into lines of at most `WIDTH` characters."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.words: list[str] = []
        self.held: list[str] = []

    def add(self, word: str) -> None:
        """One more word, unless it is empty."""
        self.words += [*self.held, word] if word else self.held
        self.held = []

    def glue(self, mark: str) -> None:
        """A mark on the last word."""
        words = self.held or self.words
        if words and words[-1][0] != "{":
            words[-1] += mark
        elif words:
            words.append(mark)

    def remark(self, comment: str) -> None:
        """A comment on the last word, one with the comment that stands there."""
        words = self.held or self.words
        if words and words[-1][0] == "{":
            words[-1] = f"{words[-1][:-1]} {comment[1:]}"
        else:
            words.append(comment)

    def hold(self, word: str) -> None:
        """An announcement that the next lead may show by itself."""
        self.held.append(word)

    def release(self, shown: bool) -> None:
        """The lead is here: an announcement that it shows is not written twice."""
        held, self.held = self.held, []
        bare = held and re.fullmatch("[A-Z]:![A-Z]", held[-1])
        self.words += held[:-1] if shown and bare else held

    def line(self, text: str) -> None:
        """A line of its own, however long."""
        self.lines.append(" ".join(text.split()))

    def end(self) -> None:
        """A new line."""
        self.words += self.held
        self.held = []
        if self.words:
            text = " ".join(self.words)
            self.lines += textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
        self.words = []
