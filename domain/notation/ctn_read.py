"""Reading CTN: each match becomes the events that record it, through the same decisions as at a table.

Reading is lax and record mode throughout: what is against the rules is recorded and found by the audit;
what is not CTN is named with line, column and token, and the rest of the file is still read.
"""

from collections.abc import Iterator

import msgspec

from domain.games import all_games
from domain.log.decider import New, Refusal
from domain.log.event import Json
from domain.match.state import State
from domain.notation.read_figures import FigureReader, sums_of
from domain.notation.read_play import PlayReader
from domain.notation.read_rulings import RulingReader
from domain.notation.read_sheet import Difference, ReadingSheet
from domain.notation.read_tricks import TrickReader
from domain.notation.tags import SEAL, MatchTags, deal_faults, deal_tags, match_faults, match_tags
from domain.notation.tokens import NotationProblem, Token, groups, tokens
from domain.notation.words import is_number, play_word, read_card

_NO_HANDS = "[Detail full] needs [Hands] or a layout"


class ReadMatch(msgspec.Struct, frozen=True):
    """A match read from CTN: tags, events and the state that they give, unreadable tokens, differences, seal."""

    tags: MatchTags | None
    events: list[New]
    state: State
    problems: list[NotationProblem]
    differences: list[Difference]
    seal: str | None = None


def loads(text: str) -> list[ReadMatch]:
    """Every match of a CTN text."""
    return [MatchReader(group).read() for group in groups(tokens(text))]


class MatchReader:
    """Reads one match: its tags, then deal after deal."""

    def __init__(self, group: list[Token]) -> None:
        self.seals = [token for token in group if token.kind == "tag" and token.name == SEAL]
        self.group = [token for token in group if token not in self.seals]
        self.sheet = ReadingSheet()

    def read(self) -> ReadMatch:
        """The whole match."""
        head, rest = _head(self.group)
        found = None
        try:
            found = match_tags(_tags(head) + self.seals[-1:])
            self.sheet.do(found.command)
        except Refusal as refusal:
            self.sheet.problem(next(iter((*head, *rest, *self.seals))), refusal.detail)
            return self._result(found)
        self._faults(match_faults(_tags(head)))
        self._comments(head)
        while rest:
            rest = self._deal(rest, found)
        return self._result(found)

    def _result(self, found: MatchTags | None) -> ReadMatch:
        sheet = self.sheet
        seal = self.seals[-1].text if self.seals else None
        return ReadMatch(found, sheet.events, sheet.state, sheet.problems, sheet.differences, seal)

    def _deal(self, rest: list[Token], match: MatchTags) -> list[Token]:
        """Read one deal: its tags, then its text up to the next `Deal` tag. Returns the tokens that follow it."""
        opening = rest[0]
        if not _opens_deal(opening):
            self.sheet.problem(opening, 'expected [Deal "n"]')
            return _up_to_deal(rest[1:])[1]
        head, body = _head(rest[1:])
        text, left = _up_to_deal(body)
        try:
            self._faults(deal_faults(_tags(head), self.sheet.match.setup))
            deal = self._start(_tags([opening, *head]), text, match)
        except Refusal as refusal:
            self.sheet.problem(opening, refusal.detail)
            return left
        self._comments(head)
        deal.read(text)
        deal.close(opening)
        return left

    def _start(self, tags: list[Token], text: list[Token], match: MatchTags) -> "DealReader":
        found = deal_tags(tags, self.sheet.match.setup, match, _has_play(text, match.language))
        command = found.command
        if command.dealer is None and not self.sheet.match.deals and command.depth != "summary":
            self.sheet.problem(tags[0], "[Dealer] is missing: who dealt the first deal")
        self._faults((tag, _NO_HANDS) for tag in tags if (tag.name, tag.text, command.deal) == ("Detail", "full", None))
        self.sheet.do(command)
        self.sheet.differ("deal", tags[0].text.lstrip("0") or "0", str(self.sheet.deal.number))
        return DealReader(self.sheet, match.language, found.entry)

    def _faults(self, faults: Iterator[tuple[Token, str]]) -> None:
        for token, detail in faults:
            self.sheet.problem(token, detail)

    def _comments(self, head: list[Token]) -> None:
        """The comments among tags."""
        for token in head:
            if token.kind == "comment":
                self.sheet.comment(token.text)


def marks_of_games() -> frozenset[str]:
    """The marks of the stretches of every game, which say nothing where they are not the deal's own."""
    return frozenset(mark for game in all_games().values() for mark in game.script.sections(game.options()))


class DealReader:
    """Reads the text of one deal: each token goes to the reader of its kind."""

    def __init__(self, sheet: ReadingSheet, language: str, entry: Json) -> None:
        self.sheet = sheet
        tricks = TrickReader(sheet)
        self.figures = FigureReader(sheet, entry)
        self.play = PlayReader(sheet, language, tricks, self.figures)
        self.rulings = RulingReader(sheet, tricks)
        self.marks = marks_of_games() | {*sheet.sections}

    def read(self, text: list[Token]) -> None:
        """Read the whole text; a malformed run of tokens is named as a problem and passed over."""
        for run in _runs(text):
            try:
                self._run(run)
            except Refusal as refusal:
                self.sheet.problem(run[0], refusal.detail)

    def close(self, opening: Token) -> None:
        """Enter and check the figures that are still open at the end of the deal."""
        self.figures.close(opening)

    def _run(self, run: list[Token]) -> None:
        if _is_recorded(run[0]):
            self.figures.recorded(run)
        else:
            self._one(run[0])

    def _one(self, token: Token) -> None:
        if token.kind == "comment":
            self.sheet.comment(token.text)
        elif token.kind == "bang":
            self.figures.enter()
            self.rulings.line(token.text)
        elif token.kind == "tag":
            self.sheet.problem(token, "a tag stands before the text of its deal")
        elif token.kind == "bad":
            what = "a comment that is not closed" if token.text[0] == "{" else 'not a tag: [Name "value"]'
            self.sheet.problem(token, what)
        else:
            self._word(token)

    def _word(self, token: Token) -> None:
        text = token.text
        sums = sums_of(text)
        if text in self.marks:
            return
        if text == "=void":
            self.figures.void()
        elif sums:
            self.figures.sum(sums)
        else:
            self.play.word(token)


def _head(group: list[Token]) -> tuple[list[Token], list[Token]]:
    """Split a match after the tags that open it; comments among them belong to them."""
    own = (token.kind == "comment" or (token.kind == "tag" and token.name != "Deal") for token in group)
    end = next((place for place, each in enumerate(own) if not each), len(group))
    return group[:end], group[end:]


def _tags(head: list[Token]) -> list[Token]:
    return [token for token in head if token.kind == "tag"]


def _opens_deal(token: Token) -> bool:
    return token.kind == "tag" and token.name == "Deal"


def _up_to_deal(body: list[Token]) -> tuple[list[Token], list[Token]]:
    """Split the tokens at the next `Deal` tag."""
    stop = next((at for at, token in enumerate(body) if _opens_deal(token)), len(body))
    return body[:stop], body[stop:]


def _is_recorded(token: Token) -> bool:
    return token.kind == "word" and token.text == "R"


def _runs(text: list[Token]) -> Iterator[list[Token]]:
    """The tokens of a deal one by one, but `R` with the words behind it on its line, up to a sum or `=void`."""
    run: list[Token] = []
    for token in text:
        more = token.kind == "word" and token.text[0] != "="
        if run and not (_is_recorded(run[0]) and more and token.line == run[0].line):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _has_play(body: list[Token], language: str) -> bool:
    """Tell a deal with cards in play from one of results only."""
    for token in body:
        word = play_word(token.text) if token.kind == "word" and token.text != "R" else None
        if word is not None and (word.dark or word.square or read_card(word.card, language) is not None):
            return True
        if token.kind == "word" and is_number(token.text):
            return True
    return False
