"""The play of a deal in words: calls, cards, draws, their marks, and the sums of what is complete."""

from collections.abc import Iterable
from typing import Any

from domain.facts import CardDrawn, Fact, TotalCalled
from domain.game import ALL
from domain.match import events as e
from domain.match.state import Deal
from domain.notation.claims import claim_of
from domain.notation.words import statement
from domain.notation.write_course import Course, Noted
from domain.notation.write_record import Record
from domain.notation.write_words import Words

MARKS = ("!", ">")  # what was written down on the word before: points given, who took a trick


class Play:
    """Writes the play of every deal of a match; `places` keeps where each fact stands, by its version."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record.game
        self.places: dict[int, str] = {}
        self.noted: dict[int, list[Noted]] = {}
        self.marked: dict[int, list[Noted]] = {}
        last = 0
        for each in record.events:
            if isinstance(each.event, Fact):
                last = each.version
            elif isinstance(each.event, e.IrregularityNoted):
                self.noted.setdefault(each.event.at, []).append(each)
            elif isinstance(each.event, e.ScoreStated) and each.event.what in MARKS:
                self.marked.setdefault(last, []).append(each)

    def write(self, words: Words, deal: Deal) -> None:
        """Facts in log order; what the table withdrew stands with a `~`, slips do not stand at all."""
        table = self.game.start(self.record.options, deal.dealer, deal.cards)
        done = count = 0
        opened = ""
        facts = list(self._facts(deal))
        for place, (fact, of) in enumerate(facts):
            section = self._section(len(self.game.sums(table)))
            if section != opened and not (opened and self._is_remark(fact)):
                words.end()
                words.add(self.record.mark(section))
                opened, count = section, 0
            if self._left_over(deal, of, fact, table):
                words.remark("{left over: " + self.record.shown(fact) + "}")
                continue
            played = self._played(table, fact)
            count += played
            self.places[of.first] = self._place(section, table, count) if played else section
            before, table = table, self._after(table, fact, of)
            self._word(words, of, fact, before, table)
            # a remark on the last word of a section stands before its sums
            if not any(self._is_remark(following) for following, _ in facts[place + 1 : place + 2]):
                done = self._sums(words, deal, table, done)

    def _facts(self, deal: Deal) -> Iterable[tuple[Fact, Course]]:
        """The facts of a deal as they stand, and those that the table withdrew."""
        inside = False
        for each in self.record.events:
            if isinstance(each.event, e.DealStarted):
                inside = each.event.number == deal.number
            elif inside and isinstance(each.event, Fact):
                of = self.record.course[each.version]
                if of.now is not None:
                    yield of.now, of

    def _is_remark(self, fact: Fact) -> bool:
        return type(fact) in self.game.remarks

    def _section(self, number: int) -> str:
        return self.record.sections[min(number, len(self.record.sections) - 1)]

    def _left_over(self, deal: Deal, of: Course, fact: Fact, table: Any) -> bool:
        """Whether a fact fits no more since an earlier one was corrected: it could not be read again."""
        if not of.withdrawn:
            return list(of.values)[-1] in deal.misfits
        return not self._is_remark(fact) and any(each.misfit for each in self.game.breaches(table, fact))

    def _played(self, table: Any, fact: Fact) -> bool:
        """Whether a fact is a word of play with a card in it."""
        return (self.game.word(table, fact) or "-")[0] not in "-!"

    def _place(self, section: str, table: Any, count: int) -> str:
        """Where a card stands: its phase and trick (P2.4), without phases the trick alone, without tricks the
        number of the card."""
        tricks = self.game.view(table, None).tricks
        place = str(sum(tricks) + 1 if tricks else count)
        return f"{section}.{place}" if len(self.record.sections) > 1 else place

    def _after(self, table: Any, fact: Fact, of: Course) -> Any:
        """The table after a fact; what was withdrawn and what was only remarked leave it as it is."""
        return table if of.withdrawn or self._is_remark(fact) else self.game.evolve(table, fact)

    def _word(self, words: Words, of: Course, fact: Fact, before: Any, after: Any) -> None:
        noted = [each for version in of.values for each in self.noted.get(version, ())]
        marked = [each for version in of.values for each in self.marked.get(version, ())]
        points = next((statement(each.event.stated) for each in marked if each.event.what == "!"), None)
        self._said(words, fact, before, after, points)
        for each in noted:
            words.glue(f"^{each.event.code}")
        for each in marked:
            if each.event.what == ">":
                words.glue(f">{statement(each.event.stated)}")
        if of.withdrawn:
            words.glue("~")
        self.record.comment(words, of.first, *(each.version for each in (*noted, *marked)), *of.undone)

    def _said(self, words: Words, fact: Fact, before: Any, after: Any, points: str | None) -> None:
        """The fact itself, without what was odd about it."""
        call, word = fact.as_call(), self.game.word(before, fact)
        letter = self.record.letters[fact.seat]
        if isinstance(fact, CardDrawn):
            words.add(f"+{letter}:{'??' if fact.card is None else fact.card}")
        elif isinstance(fact, TotalCalled):
            words.glue(f"={fact.total}")
        elif word is not None and word[0] == "!":
            opens = words.words[-1:] and words.words[-1] in map(self.record.mark, self.record.sections)
            if opens:  # there is no card before it on which it could stand
                words.add(f"{letter}:{word}")
            else:
                words.glue(word)
        elif word is not None:
            shown = self.game.announced_points(before, after)
            words.release(shown is not None)
            points = points or self._points(shown, after)
            words.add(self._numbered(word, fact, before) + (f"!{points}" if points else ""))
        elif call is not None and call.startswith("!"):
            words.hold(f"{letter}:{call}")
        elif call is not None:
            words.add(f"{letter}:{call}")

    def _points(self, shown: int | None, after: Any) -> str:
        """What a card gives, unless it must be claimed: then the claims stand there."""
        claimed = shown and claim_of(self.game, self.record.options, after, "!1")
        return str(shown) if shown and not claimed else ""

    def _numbered(self, word: str, fact: Fact, before: Any) -> str:
        """A word of play with the number of the trick that it opens, and its seat where the turn does not tell it."""
        view = self.game.view(before, ALL)
        number = f"{sum(view.tricks) + 1}." if view.tricks and not view.trick and word != "-" else ""
        seat = "" if fact.seat == self.game.to_act(before) else f"{self.record.letters[fact.seat]}:"
        return f"{number}{seat}{word}"

    def _sums(self, words: Words, deal: Deal, table: Any, done: int) -> int:
        """The figures of a section that the last fact completed, as stated if they were; how many are done."""
        sums = self.game.sums(table)
        if len(sums) <= done:
            return done
        what = self._section(done)
        stated = [each for each in deal.stated if each.what == what]
        figures = statement(stated[-1].stated) if stated else "-".join(map(str, sums[done]))
        words.add("=" + figures)
        self.record.comment(words, *(each.version for each in stated))
        return len(sums)
