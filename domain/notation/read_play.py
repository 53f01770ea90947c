"""The words of play: calls, cards and draws become facts, and marks say what was odd about them."""

import itertools
import re

import msgspec

from domain.cards.card import CARD_OF, Card
from domain.cards.facts import CardDrawn, CardPlayed, Fact, TotalCalled
from domain.game.protocol import ALL
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.notation.claims import claim_of
from domain.notation.read_figures import FigureReader
from domain.notation.read_sheet import ReadingSheet
from domain.notation.read_tricks import TrickReader
from domain.notation.tokens import Token
from domain.notation.words import (
    CallWord,
    PlayWord,
    RestWord,
    call_word,
    draw_word,
    is_number,
    play_word,
    read_card,
    read_run,
    rest_word,
    seat_of,
    spellings,
)

_MARK = re.compile(r"(\^[A-Z][A-Z0-9]{1,3}|~|>[A-Z](?:-?\d+)?|!\d+|=-?\d+)\Z")


class PlayReader:
    """The play of one deal, its cards written in `language`."""

    def __init__(self, sheet: ReadingSheet, language: str, tricks: TrickReader, figures: FigureReader) -> None:
        self.sheet = sheet
        self.language = language
        self.tricks = tricks
        self.figures = figures
        self.given: int | None = None
        self.lost = False

    def word(self, token: Token) -> None:
        """One word. Raises Refusal."""
        text = token.text
        if self.lost:
            self._unseen(token)
        elif text[0] == "+":
            self._draw(token)
        elif _MARK.match(text):
            self._mark(token, text, self._last_fact())
        elif is_number(text):
            self.tricks.number = text[:-1]
        elif text == "-":
            before = self.sheet.deal.table
            self.sheet.record(self._stated(self._turn(), "-"))
            self.tricks.after(before)
        else:
            self._call_or_play(token)

    def _unseen(self, token: Token) -> None:
        """Take a card that nobody saw, or a word behind one: the deal goes on with its result only, and the word is
        kept as a comment."""
        if not self.sheet.deal.paused:
            self.sheet.do(c.PauseRecording())
        self.lost = True
        self.sheet.comment(token.text)

    def _call_or_play(self, token: Token) -> None:
        rest = rest_word(token.text)
        if rest:
            self._claimed(token, rest)
            return
        call = call_word(token.text)
        word = play_word(token.text)
        if word and word.card == "??" and not word.square:
            self._unseen(token)
            return
        shown = self._shown(word) if word else None
        if call and shown is None:
            self._called(token, call)
            return
        if word is None:
            raise Refusal("malformed", "neither a card nor a call")
        if shown is None:
            raise Refusal("malformed", f"{word.card!r} is not a card")
        seat = self._turn() if word.seat is None else self._seat(word.seat)
        self._played(token, word, shown, seat)

    def _shown(self, word: PlayWord) -> str | None:
        """A word as we write it: suit first, in English, its trick and marks apart; None when there is no card."""
        card = read_card(word.card, self.language, self._led) if word.card not in ("", "??") else word.card
        if card is None:
            return None
        return f"{'*' if word.dark else ''}{card}{self._square(word)}{word.slash}"

    def _square(self, word: PlayWord) -> str:
        """`@d4` for the square that a card is laid on, `d4` for one that it leaves; either is read, since the words of
        the game tell them apart."""
        if not word.square:
            return ""
        placed = any(kind.of_word(0, f"SA@{word.square}") for kind in self.sheet.game.facts)
        return f"@{word.square}" if placed else word.square

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

    def _claimed(self, token: Token, word: RestWord) -> None:
        """A claim of the rest with the cards that were faced, seat by seat. Raises Refusal."""
        seat = self._seat(word.seat)
        hands: list[tuple[Card, ...]] = [()] * self.sheet.seats
        for letter, text in word.faced:
            cards = read_run(text, self.language)
            if cards is None:
                raise Refusal("malformed", f"faced cards stand one behind the other, like SASKHQ, not {text}")
            hands[self._seat(letter)] += cards
        claim = self._call_fact(seat, word.call)
        self.sheet.record(msgspec.structs.replace(claim, hands=tuple(hands)))
        self._marks(token, word.marks)

    def _known(self, call: str) -> bool:
        return any(kind.of_call(0, call) for kind in self.sheet.game.facts)

    def _call_fact(self, seat: int, call: str) -> Fact:
        """The fact that a call states, by what the table waits for. Raises Refusal."""
        made = [kind.of_call(seat, each) for each in spellings(call) for kind in self.sheet.game.facts]
        return self._fitting([fact for fact in made if fact is not None], call)

    def _stated(self, seat: int, word: str) -> Fact:
        """The fact that a word of play states, by what the table waits for. Raises Refusal."""
        return self._fitting([fact for kind in self.sheet.game.facts for fact in kind.of_word(seat, word)], word)

    def _fitting(self, stated: list[Fact], text: str) -> Fact:
        game, table = self.sheet.game, self.sheet.deal.table
        for fact in stated:
            if not any(breach.misfit for breach in game.breaches(table, fact)):
                return fact
        if stated:
            raise Refusal("misfit", game.breaches(table, stated[0])[0].detail)
        raise Refusal("malformed", f"{text!r} is no word of {game.title}")

    # ------------------------------------------------------------------ cards

    def _played(self, token: Token, word: PlayWord, shown: str, seat: int) -> None:
        if any(mark[0] == "!" for mark in word.marks) and shown in CARD_OF:
            self._announced(seat, CARD_OF[shown])
        fact = self._stated(seat, shown)
        before = self.sheet.deal.table
        self.tricks.open(before)
        self.tricks.check(word.number, token.text)
        self.sheet.record(fact)
        self.tricks.add(before)
        derived = self.sheet.game.script.move_text(before, fact) or ""
        if (word.slash or shown != derived.removesuffix("/")) and "??" not in shown:
            self.sheet.differ("word", shown, derived)
        self.given = self.sheet.game.script.announced_points(before, self.sheet.deal.table)
        self._marks(token, word.marks)

    def _points(self, token: Token, stated: str) -> None:
        """`!n` behind a card: the other seat claims them, where claims are made by hand; else they are checked."""
        claim = claim_of(self.sheet.game, self.sheet.match.setup.options, self.sheet.deal.table, stated)
        if claim is not None:
            self.sheet.record(claim)
            return
        if stated[1:] != str(self.given or 0):
            self.sheet.differ("!", stated[1:], str(self.given or 0), token.text)
            self.sheet.do(c.StateScore(what="!", stated=stated[1:]))

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
        """Take the marks of a word, the irregularity first."""
        if not marks:
            return
        at = self._last_fact()
        for mark in sorted(marks, key=lambda mark: mark[0] != "^"):
            self._mark(token, mark, at)

    def _mark(self, token: Token, mark: str, at: tuple[int, Fact]) -> None:
        """A mark on the token before: an irregularity, withdrawn, a total called, points given, a trick checked."""
        version, fact = at
        if mark[0] == "^":
            self.sheet.do(c.NoteIrregularity(code=mark[1:], at=version))
        elif mark == "~":
            self.sheet.do(c.UndoLast(withdrawn=True))
        elif mark[0] == "=":
            # of a number that no total can be, a few figures are enough to refuse it
            self.sheet.record(TotalCalled(self._last_done(fact).seat, int(mark[1:8])))
        elif mark[0] == "!":
            self._points(token, mark)
        elif mark[0] == ">":
            self._taken(token, mark[1:])

    def _taken(self, token: Token, stated: str) -> None:
        """`>A7`: who took the trick, and for how much; it stands beside what the cards give."""
        taken = self.tricks.taken()
        if taken is not None:
            who, points = taken
            counted = len(stated) > 1 and points is not None
            self.sheet.differ(">", stated if counted else stated[:1], f"{who}{points}" if counted else who, token.text)
        self.sheet.do(c.StateScore(what=">", stated=stated))

    def _last_done(self, said: Fact) -> Fact:
        """The last thing that was done and not only said: its seat calls the total."""
        facts = (fact for _, fact in reversed(self.sheet.deal.facts) if type(fact) not in self.sheet.game.remarks)
        return next((fact for fact in facts if not fact.is_word), said)

    def _last_fact(self) -> tuple[int, Fact]:
        remarks = self.sheet.game.remarks
        found = next((each for each in reversed(self.sheet.deal.facts) if type(each[1]) not in remarks), None)
        if found is None:
            raise Refusal("malformed", "a mark stands behind the token that it is about")
        return found
