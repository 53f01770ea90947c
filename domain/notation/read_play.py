"""The words of play: calls, cards and draws become facts, and marks say what was odd about them."""

import itertools
import re

from domain.cards import Card
from domain.decider import Refusal
from domain.facts import CardDrawn, CardPlayed, Fact, TotalCalled
from domain.game import ALL
from domain.match import commands as c
from domain.notation.read_figures import Figures
from domain.notation.read_sheet import Sheet
from domain.notation.read_tricks import Tricks
from domain.notation.tokens import Token
from domain.notation.words import (
    CallWord,
    CardWord,
    call_word,
    card_word,
    draw_word,
    is_number,
    read_card,
    seat_of,
    spellings,
)

_MARK = re.compile(r"(\^[A-Z][A-Z0-9]{1,3}|~|>[A-Z](?:-?\d+)?|!\d+|=-?\d+)\Z")


class Play:
    """The play of one deal, its cards written in `language`."""

    def __init__(self, sheet: Sheet, language: str, tricks: Tricks, figures: Figures) -> None:
        self.sheet = sheet
        self.language = language
        self.tricks = tricks
        self.figures = figures

    def word(self, token: Token) -> None:
        """One word. Raises Refusal."""
        text = token.text
        if text[0] == "+":
            self._draw(token)
        elif _MARK.match(text):
            self._mark(token, text, self._last_fact())
        elif is_number(text):
            self.tricks.number = text[:-1]
        elif text == "-":
            self.sheet.record(self._call_fact(self._turn(), "-"))
        else:
            self._call_or_card(token)

    def _call_or_card(self, token: Token) -> None:
        call = call_word(token.text)
        word = card_word(token.text)
        if call and (word is None or self._card(word) is None):
            self._called(token, call)
            return
        if word is None:
            raise Refusal("malformed", "neither a card nor a call")
        card = self._card(word)
        if card is None:
            raise Refusal("malformed", f"{word.card!r} is not a card")
        self._played(token, word, card)

    def _card(self, word: CardWord) -> Card | None:
        return read_card(word.card, self.language, self._led())

    def _led(self) -> Card | None:
        view = self.sheet.game.view(self.sheet.deal.table, ALL)
        return view.trick[0].card if view.trick else None

    def _turn(self) -> int:
        seat = self.sheet.game.to_act(self.sheet.deal.table)
        if seat is None:
            raise Refusal("misfit", "the deal is complete: nothing more can be played")
        return seat

    def _seat(self, name: str) -> int:
        seat = seat_of(name, self.sheet.seats)
        if seat is None:
            raise Refusal("malformed", f"{name} is no seat of this game")
        return seat

    # ------------------------------------------------------------------ calls

    def _called(self, token: Token, word: CallWord) -> None:
        seat = self._seat(word.seat)
        if self.sheet.deal.depth == "summary":
            known = (each for each in spellings(word.call) if self._known(each))
            self.figures.call(seat, next(known, word.call))
            return
        self.sheet.record(self._call_fact(seat, word.call))
        self._marks(token, word.marks)

    def _known(self, call: str) -> bool:
        return any(kind.of_call(0, call) for kind in self.sheet.game.facts)

    def _call_fact(self, seat: int, call: str) -> Fact:
        """The fact that a call states, by what the table waits for. Raises Refusal."""
        game, table = self.sheet.game, self.sheet.deal.table
        made = [kind.of_call(seat, each) for each in spellings(call) for kind in game.facts]
        stated = [fact for fact in made if fact is not None]
        for fact in stated:
            if not any(breach.misfit for breach in game.breaches(table, fact)):
                return fact
        if stated:
            raise Refusal("misfit", game.breaches(table, stated[0])[0].detail)
        raise Refusal("malformed", f"{call!r} is no call of {game.title}")

    # ------------------------------------------------------------------ cards

    def _played(self, token: Token, word: CardWord, card: Card) -> None:
        turn = self._turn()
        seat = turn if word.seat is None else self._seat(word.seat)
        if any(mark[0] == "!" for mark in word.marks):
            self._announced(seat, card)
        before = self.sheet.deal.table
        self.tricks.open(before)
        self.tricks.check(word.number, token.text)
        self.sheet.record(CardPlayed(seat, card))
        self.tricks.add(before)
        shown = self.sheet.game.shows(before, self.sheet.deal.table)
        for mark in word.marks:
            if mark[0] == "!":
                self.sheet.differ("!", mark[1:], str(shown or 0), token.text)
        self._marks(token, word.marks)

    def _announced(self, seat: int, card: Card) -> None:
        """With physical cards an announcement is a fact of its own, before the lead, if it is not there yet."""
        game, deal = self.sheet.game, self.sheet.deal
        facts = (fact for _, fact in reversed(deal.facts))
        before = list(itertools.takewhile(lambda fact: not isinstance(fact, CardPlayed), facts))
        for kind in game.facts:
            fact = kind.of_call(seat, f"!{card.suit}")
            if fact is None or fact in before:
                continue
            if not any(breach.misfit for breach in game.breaches(deal.table, fact)):
                self.sheet.record(fact)

    def _draw(self, token: Token) -> None:
        word = draw_word(token.text)
        seat = seat_of(word.seat, self.sheet.seats) if word else None
        card = read_card(word.call, self.language) if word else None
        if word is None or seat is None or (card is None and word.call != "??"):
            raise Refusal("malformed", "a draw is +seat:card, like +A:H7 or +A:??")
        self.sheet.record(CardDrawn(seat, card))
        self._marks(token, word.marks)

    # ------------------------------------------------------------------ marks

    def _marks(self, token: Token, marks: tuple[str, ...]) -> None:
        """The marks of a word: what it was, whether it was withdrawn, what was said with it."""
        at = self._last_fact()
        for mark in sorted(marks, key=lambda mark: mark[0] != "^"):
            if mark[0] != "!":
                self._mark(token, mark, at)

    def _mark(self, token: Token, mark: str, at: tuple[int, Fact]) -> None:
        """A mark on the token before: an irregularity, withdrawn, a total called, a trick checked."""
        version, fact = at
        if mark[0] == "^":
            self.sheet.do(c.NoteIrregularity(code=mark[1:], at=version))
        elif mark == "~":
            self.sheet.do(c.UndoLast(withdrawn=True))
        elif mark[0] == "=":
            # of a number that no total can be, a few figures are enough to refuse it
            self.sheet.record(TotalCalled(fact.seat, int(mark[1:8])))
        elif mark[0] == ">":
            taken = self.tricks.taken()
            if taken is not None:
                self.sheet.differ(">", mark[1], taken, token.text)

    def _last_fact(self) -> tuple[int, Fact]:
        remarks = self.sheet.game.remarks
        facts = [each for each in self.sheet.deal.facts if type(each[1]) not in remarks]
        if not facts:
            raise Refusal("malformed", "a mark stands behind the token that it is about")
        return facts[-1]
