"""The play of a deal in words: calls, cards, draws, their marks, and the sums of what is complete."""

from collections.abc import Iterable

from domain.cards.facts import CardDrawn, Fact, RestClaimed, TotalCalled
from domain.game.protocol import ALL, AnyTable
from domain.match import events as e
from domain.match.state import Deal
from domain.notation.claims import claim_of
from domain.notation.words import stated_text, write_rest
from domain.notation.write_course import MatchCourse, NumberedEvent
from domain.notation.write_record import MatchRecord
from domain.notation.write_words import LineWriter

MARKS = ("!", ">")  # stated scores that stand on the word before: points given, the taker of a trick


class PlayWriter:
    """Writes the play of every deal of a match; `places` keeps where each fact stands, by its version. `points` names
    one fact: a card by its trick and seat (P2.4B), any other by its number among those of its deal (#3)."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        self.game = record.game
        self.places: dict[int, str] = {}
        self.points: dict[int, str] = {}
        self.noted: dict[int, list[NumberedEvent]] = {}
        self.marked: dict[int, list[NumberedEvent]] = {}
        last = 0
        for each in record.events:
            if isinstance(each.event, Fact):
                last = each.version
            elif isinstance(each.event, e.IrregularityNoted):
                self.noted.setdefault(each.event.at, []).append(each)
            elif isinstance(each.event, e.ScoreStated) and each.event.what in MARKS:
                self.marked.setdefault(last, []).append(each)

    def write(self, words: LineWriter, deal: Deal) -> None:
        """Write the facts in their order. A withdrawn fact has a `~`; slips of the scorer are left out."""
        table = self.game.start(self.record.options, deal.dealer, deal.cards)
        done = count = told = 0
        opened = ""
        facts, letters = list(self._facts(deal)), self.record.letters
        for place, (fact, of) in enumerate(facts):
            section = self._section(len(self.game.script.section_sums(table)))
            if section != opened and not (opened and self._is_remark(fact)):
                words.end()
                words.add(self.record.section_mark(section))
                opened, count = section, 0
            if self._left_over(deal, of, fact, table):
                words.remark("{left over: " + self.record.value_text(fact) + "}")
                continue
            played = self._played(table, fact)
            count += played
            self.places[of.first] = self._place(section, table, count) if played else section
            told += 1
            self.points[of.first] = f"{self.places[of.first]}{letters[fact.seat]}" if played else f"#{told}"
            before, table = table, self._after(table, fact, of)
            self._word(words, of, fact, before, table)
            # a remark on the last word of a section stands before its sums
            if not any(self._is_remark(following) for following, _ in facts[place + 1 : place + 2]):
                done = self._sums(words, deal, table, done)

    def _facts(self, deal: Deal) -> Iterable[tuple[Fact, MatchCourse]]:
        """The facts of a deal in their last form, withdrawn ones too, each with its course."""
        for of in self.record.facts.get(deal.number, ()):
            if isinstance(of.now, Fact):
                yield of.now, of

    def _is_remark(self, fact: Fact) -> bool:
        return type(fact) in self.game.remarks

    def _section(self, number: int) -> str:
        return self.record.sections[min(number, len(self.record.sections) - 1)]

    def _left_over(self, deal: Deal, of: MatchCourse, fact: Fact, table: AnyTable) -> bool:
        """Find a fact that no longer fits after a correction of an earlier one, and could not be read again."""
        if not of.withdrawn:
            return list(of.values)[-1] in deal.misfits
        return not self._is_remark(fact) and any(each.misfit for each in self.game.breaches(table, fact))

    def _played(self, table: AnyTable, fact: Fact) -> bool:
        """Tell a fact that is a word of play with a card in it."""
        return (self.game.script.move_text(table, fact) or "-")[0] not in "-!"

    def _place(self, section: str, table: AnyTable, count: int) -> str:
        """The place of a card: its phase and trick (P2.4), in games without phases the trick alone, without tricks the
        number of the card."""
        tricks = self.game.view(table, None).tricks
        place = str(sum(tricks) + 1 if tricks else count)
        return f"{section}.{place}" if len(self.record.sections) > 1 else place

    def _after(self, table: AnyTable, fact: Fact, of: MatchCourse) -> AnyTable:
        """The table after a fact; a withdrawn fact or a remark leaves it as it is."""
        return table if of.withdrawn or self._is_remark(fact) else self.game.evolve(table, fact)

    def _word(self, words: LineWriter, of: MatchCourse, fact: Fact, before: AnyTable, after: AnyTable) -> None:
        noted = [each for version in of.values for each in self.noted.get(version, ())]
        marked = [each for version in of.values for each in self.marked.get(version, ())]
        points = next((stated_text(each.event.stated) for each in marked if each.event.what == "!"), None)
        self._said(words, fact, before, after, points)
        codes = [each.event.code for each in noted]
        for code in dict.fromkeys([*codes, *([of.code] if of.code else [])]):
            words.glue(f"^{code}")
        for each in marked:
            if each.event.what == ">":
                words.glue(f">{stated_text(each.event.stated)}")
        if of.withdrawn:
            words.glue("~")
        first = () if of.late else (of.first,)  # why it was put in is a reason, and stays in the log
        self.record.comment(words, *first, *(each.version for each in (*noted, *marked)), *of.undone)

    def _said(self, words: LineWriter, fact: Fact, before: AnyTable, after: AnyTable, points: str | None) -> None:
        """Write the fact itself, without its marks."""
        call, word = fact.as_call(), self.game.script.move_text(before, fact)
        letter = self.record.letters[fact.seat]
        if isinstance(fact, CardDrawn):
            words.add(f"+{letter}:{'??' if fact.card is None else fact.card}")
        elif isinstance(fact, RestClaimed):
            words.add(write_rest(fact, self.record.letters))
        elif isinstance(fact, TotalCalled):
            words.glue(f"={fact.total}")
        elif word is not None and word[0] == "!":
            opens = words.words[-1:] and words.words[-1] in map(self.record.section_mark, self.record.sections)
            if opens:  # there is no card before it on which it could stand
                words.add(f"{letter}:{word}")
            else:
                words.glue(word)
        elif word is not None:
            shown = self.game.script.announced_points(before, after)
            words.release(shown is not None)
            points = points or self._points(shown, after)
            words.add(self._numbered(word, fact, before) + (f"!{points}" if points else ""))
        elif call is not None and call.startswith("!"):
            words.hold(f"{letter}:{call}")
        elif call is not None:
            words.add(f"{letter}:{call}")

    def _points(self, shown: int | None, after: AnyTable) -> str:
        """The points that a card shows; empty in games that have them claimed as facts of their own."""
        claimed = shown and claim_of(self.game, self.record.options, after, "!1")
        return str(shown) if shown and not claimed else ""

    def _numbered(self, word: str, fact: Fact, before: AnyTable) -> str:
        """A word of play with the number of the trick that it opens, and its seat if it was not at turn."""
        view = self.game.view(before, ALL)
        number = f"{sum(view.tricks) + 1}." if view.tricks and not view.trick and word != "-" else ""
        seat = "" if fact.seat == self.game.to_act(before) else f"{self.record.letters[fact.seat]}:"
        return f"{number}{seat}{word}"

    def _sums(self, words: LineWriter, deal: Deal, table: AnyTable, done: int) -> int:
        """Write the figures of a section that the last fact completed, the stated ones first. Returns the number of
        sections done."""
        sums = self.game.script.section_sums(table)
        if len(sums) <= done:
            return done
        what = self._section(done)
        stated = [each for each in deal.stated if each.what == what]
        figures = stated_text(stated[-1].stated) if stated else "-".join(map(str, sums[done]))
        words.add("=" + figures)
        self.record.comment(words, *(each.version for each in stated))
        return len(sums)
