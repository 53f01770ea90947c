"""Writing CTN: a match's recorded events as canonical text, the same bytes however often it goes round."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain import codec
from domain.facts import CardDrawn, CardPlayed, Fact, TotalCalled
from domain.game import ALL, race_for
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.race import Race, pinned
from domain.match.state import Deal, Match, NoMatch, by_seat, played
from domain.notation.tags import AFTER, ORDER
from domain.notation.tokens import quoted
from domain.notation.words import write_hand
from domain.seats import NAMES

WIDTH = 250


class Noted(msgspec.Struct, frozen=True):
    """An event as the writer needs it: version, Struct, private part."""

    version: int
    event: Any
    private: dict[str, Any] | None = None


def dumps(events: Sequence[Noted], names: Sequence[Sequence[str]]) -> str:
    """One match as canonical CTN; `names` are the players' by side."""
    state = fold(NoMatch(), [(each.version, each.event) for each in events])
    assert isinstance(state, Match)
    return Writer(state, events, names).text()


class Writer:
    """Writes one match, deal by deal, in log order."""

    def __init__(self, match: Match, events: Sequence[Noted], names: Sequence[Sequence[str]]) -> None:
        self.match = match
        self.events = events
        self.names = names
        self.game = match.setup.game
        self.options = match.setup.options
        self.letters = NAMES[self.game.seats(self.options)]
        self.course = _course(events)
        self.private = {each.version: each.private or {} for each in events}
        self.places: dict[int, str] = {}
        self.noted: dict[int, list[Noted]] = {}
        for each in events:
            if isinstance(each.event, e.IrregularityNoted):
                self.noted.setdefault(each.event.at, []).append(each)

    def text(self) -> str:
        """The whole match."""
        lines = self._match_tags()
        words = Words(lines)
        self._comment(words, 1)
        words.end()
        for deal in self.match.deals:
            lines += self._deal_tags(deal)
            lines += self._deal_text(deal)
        return "\n".join(lines) + "\n"

    # ------------------------------------------------------------------- tags

    def _match_tags(self) -> list[str]:
        kept: list[list[str]] = self.private[1].get("tags", [])
        values: dict[str, list[str]] = {}
        for name, value in kept:
            values.setdefault(name, []).append(value)
        values["Game"] = [self.game.key]
        values["Rules"] = [f"{self.game.key}/{self.match.setup.rules}"]
        default = self.game.options()
        for field in sorted(field.name for field in msgspec.structs.fields(self.options)):
            value = getattr(self.options, field)
            if value != getattr(default, field):
                shown = str(value).lower() if isinstance(value, bool) else str(value)
                values.setdefault("Option", []).append(f"{field} {shown}")
        values.update(race_tags(self.match.setup.race, race_for(self.game, self.options)))
        for side, seats in enumerate(self.match.setup.seats):
            for place, seat in enumerate(seats):
                if self.names[side][place] != self.letters[seat]:
                    values[self.letters[seat]] = [self.names[side][place]]
        order = [*ORDER, *self.letters, *AFTER]
        order += [name for name in dict.fromkeys(name for name, _ in kept) if name not in order]
        return [f'[{name} "{quoted(value)}"]' for name in order for value in values.get(name, [])]

    def _deal_tags(self, deal: Deal) -> list[str]:
        values = [("Deal", str(deal.number)), ("Dealer", self.letters[deal.dealer]), ("Detail", deal.depth)]
        if deal.cards is not None:
            hands, stock = self.game.spread(deal.cards)
            seats = len(self.letters)
            written = (f"{self.letters[at % seats]}:{write_hand(hand)}" for at, hand in enumerate(hands))
            values.append(("Hands", " / ".join(written)))
            if stock:
                values.append(("Stock", " ".join(str(card) for card in stock)))
        if deal.entry is not None and self._noted(deal) is None:
            values.append(("Entry", codec.encode_plain(deal.entry[1]).decode()))
        values += [(name, value) for name, value in self.private[deal.version].get("tags", [])]
        return [f'[{name} "{quoted(value)}"]' for name, value in values]

    def _noted(self, deal: Deal) -> Any:
        """The entry as calls and sums, for a deal of results only."""
        if deal.entry is None or deal.facts or deal.depth != "summary":
            return None
        return self.game.entry_noted(self.options, deal.dealer, deal.entry[1])

    # ------------------------------------------------------------------- text

    def _deal_text(self, deal: Deal) -> list[str]:
        lines: list[str] = []
        words = Words(lines)
        self._comment(words, deal.version)
        noted = self._noted(deal)
        if noted is not None:
            self._summary(words, deal, noted)
        elif deal.depth != "summary" or deal.facts:
            self._play(words, deal)
        result = played(self.match, deal)
        if deal.void or (result is not None and result.void):
            words.add("=void")
            self._comment(words, *self._entered(deal), *self._of(deal, e.DealVoided))
        words.end()
        self._score(words, deal, result)
        self._lines(words, deal)
        return lines

    def _comment(self, words: "Words", *versions: int) -> None:
        """The private notes of these events, one comment."""
        notes = (self.private.get(version, {}).get("note") or "" for version in versions)
        note = " ".join(" ".join(notes).split())
        if note:
            words.remark("{" + note.replace("}", ")") + "}")

    def _of(self, deal: Deal, *kinds: type[e.Event]) -> list[int]:
        """The versions of the events of these kinds that speak of a deal."""
        return [
            each.version
            for each in self.events
            if isinstance(each.event, kinds) and getattr(each.event, "deal", None) == deal.number
        ]

    def _entered(self, deal: Deal) -> list[int]:
        """The events that made a deal a result. A correction's note is its reason, not a comment."""
        made = self._of(deal, e.RecordingPaused, e.ResultEntered) if deal.entry is not None else []
        return [version for version in made if version not in self.course or self.course[version].now is not None]

    def _summary(self, words: "Words", deal: Deal, noted: Any) -> None:
        sections = self.game.sections(self.options)
        for place, (calls, sums) in enumerate(noted):
            if place:
                words.end()
            if len(sections) > 1 or calls:
                words.add(sections[place])
            for seat, call in calls:
                words.add(f"{self.letters[seat]}:{call}")
            words.add("=" + "-".join(str(figure) for figure in sums))

    def _play(self, words: "Words", deal: Deal) -> None:
        """Facts in log order; what the table withdrew stands with a `~`, slips do not stand at all."""
        table = self.game.start(self.options, deal.dealer, deal.cards)
        sections = self.game.sections(self.options)
        stated = {each.what: each for each in deal.stated}
        done = 0
        opened = -1
        facts = list(self._facts(deal))
        for place, (fact, of) in enumerate(facts):
            remark = type(fact) in self.game.remarks
            section = min(len(self.game.sums(table)), len(sections) - 1)
            if section != opened and not (remark and opened >= 0):
                words.end()
                words.add(sections[section])
                opened = section
            if self._left_over(deal, of, fact, table):
                words.remark("{left over: " + self._shown(fact) + "}")
                continue
            self.places[of.first] = self._place(fact, sections[section], table)
            before = table
            if not of.withdrawn:
                table = table if remark else self.game.evolve(table, fact)
            self._word(words, deal, of, fact, before, table)
            sums = self.game.sums(table)
            # a remark on the last word of a section stands before its sums
            remarked = place + 1 < len(facts) and type(facts[place + 1][0]) in self.game.remarks
            if len(sums) > done and not remarked:
                what = sections[min(done, len(sections) - 1)]
                figures = _text(stated[what].stated) if what in stated else "-".join(map(str, sums[done]))
                words.add("=" + figures)
                self._comment(words, *(each.version for each in deal.stated if each.what == what))
                done = len(sums)

    def _left_over(self, deal: Deal, of: "Course", fact: Fact, table: Any) -> bool:
        """Whether a fact fits no more since an earlier one was corrected: it could not be read again."""
        if not of.withdrawn:
            return list(of.values)[-1] in deal.misfits
        return type(fact) not in self.game.remarks and any(each.misfit for each in self.game.breaches(table, fact))

    def _place(self, fact: Fact, section: str, table: Any) -> str:
        """Where a fact stands: its phase and trick (P2.4), without phases the trick alone."""
        if not isinstance(fact, CardPlayed):
            return section
        trick = str(sum(self.game.view(table, None).tricks) + 1)
        return f"{section}.{trick}" if len(self.game.sections(self.options)) > 1 else trick

    def _facts(self, deal: Deal) -> Iterable[tuple[Fact, "Course"]]:
        """The facts of a deal as they stand, and those that the table withdrew."""
        inside = False
        for each in self.events:
            if isinstance(each.event, e.DealStarted):
                inside = each.event.number == deal.number
            elif inside and isinstance(each.event, Fact):
                of = self.course[each.version]
                if of.now is not None:
                    yield of.now, of

    def _word(self, words: "Words", deal: Deal, of: "Course", fact: Fact, before: Any, after: Any) -> None:
        call = fact.as_call()
        letter = self.letters[fact.seat]
        if isinstance(fact, CardPlayed):
            self._card(words, fact, before, after)
        elif isinstance(fact, CardDrawn):
            words.add(f"+{letter}:{'??' if fact.card is None else fact.card}")
        elif isinstance(fact, TotalCalled):
            words.glue(f"={fact.total}")
        elif call is not None and call.startswith("!"):
            words.hold(f"{letter}:{call}")
        elif call is not None:
            words.add(f"{letter}:{call}")
        noted = [each for version in of.values for each in self.noted.get(version, ())]
        for each in noted:
            words.glue(f"^{each.event.code}")
        if of.withdrawn:
            words.glue("~")
        self._comment(words, of.first, *(each.version for each in noted), *of.undone)

    def _card(self, words: "Words", fact: CardPlayed, before: Any, after: Any) -> None:
        view = self.game.view(before, ALL)
        shown = self.game.shows(before, after)
        number = "" if view.trick else f"{sum(view.tricks) + 1}."
        seat = "" if fact.seat == self.game.to_act(before) else f"{self.letters[fact.seat]}:"
        words.release(shown is not None)
        words.add(f"{number}{seat}{fact.card}" + (f"!{shown}" if shown else ""))

    def _score(self, words: "Words", deal: Deal, result: Any) -> None:
        """`R`: what was written down, else what the facts give."""
        stated = [each for each in deal.stated if each.what == "R"]
        if stated:
            words.add("R " + _text(stated[-1].stated))
        elif result is None or result.void or deal.void:
            return
        else:
            sides = getattr(result, "sides", ()) or self.match.setup.seats
            scores = by_seat(self.match.setup, result.scores)
            figures = ("+".join(self.letters[s] for s in side) + f" {scores[side[0]]}" for side in sides)
            words.add("R " + " ".join(figures))
        if not deal.void:
            self._comment(words, *self._entered(deal))
        self._comment(words, *(each.version for each in stated))
        words.end()

    def _lines(self, words: "Words", deal: Deal) -> None:
        """Rulings, confirmations and corrections, in log order, each on one line however long."""
        for each in self.events:
            line = self._line(deal, each)
            if line:
                words.lines.append(" ".join(line.split()))
                if not isinstance(each.event, e.EntryCorrected):
                    self._comment(words, each.version)
                    words.end()

    def _line(self, deal: Deal, each: Noted) -> str | None:
        event = each.event
        match event:
            case e.ScoreStated(deal=deal.number, what="line"):
                return _text(event.stated)
            case e.RulingMade(deal=deal.number):
                return (each.private or {}).get("line") or self._ruling(each.version, event)
            case e.ResultConfirmed(deal=deal.number):
                lapsed = "" if self._in_force(deal, each) else ", lapsed"
                return f"! confirmed {self._side(event.side)}{lapsed}"
            case e.EntryCorrected():
                of = self.course[each.version]
                return self._correction(each, of) if of.deal == deal.number and of.now is not None else None
        return None

    def _in_force(self, deal: Deal, confirmed: Noted) -> bool:
        """Whether a confirmation stands: it lapses with a correction or a ruling, and may be given again."""
        side = confirmed.event.side
        same = (
            each.version
            for each in self.events
            if isinstance(each.event, e.ResultConfirmed) and (each.event.deal, each.event.side) == (deal.number, side)
        )
        return side in deal.confirmed and confirmed.version == max(same)

    def _correction(self, each: Noted, of: "Course") -> str:
        """Where, what was, what is, why. The number of an event means nothing outside its log."""
        was, now = of.values[each.event.version], of.values[each.version]
        why = (each.private or {}).get("note", "").replace('"', "'")
        place = self.places.get(of.first, "")
        return f'! correction {place} was={self._shown(was)} now={self._shown(now)} why="{why}"'

    def _shown(self, value: Any) -> str:
        """A fact as a word, a result as JSON without spaces."""
        if not isinstance(value, Fact):
            return codec.encode_plain(value).decode()
        said = (value.as_call(), getattr(value, "card", None), getattr(value, "total", None))
        return f"{self.letters[value.seat]}:{next((each for each in said if each is not None), '??')}"

    def _ruling(self, version: int, ruling: e.RulingMade) -> str:
        line = f"! ruling {ruling.code}"
        if ruling.at in self.course:
            line += f"@{self.places.get(self.course[ruling.at].first, '')}".rstrip("@")
        accepted = []
        for each in self.events[version:]:
            if isinstance(each.event, e.RulingMade) or getattr(each.event, "deal", None) != ruling.deal:
                break
            accepted += [self._side(each.event.side)] if isinstance(each.event, e.RulingAccepted) else []
        if accepted:
            line += " accepted=" + ",".join(accepted)
        if ruling.scores is None:
            return line
        scores = enumerate(ruling.scores)
        return f"{line} => " + " ".join(f"{self._side(at)} {score}" for at, score in scores)

    def _side(self, side: int) -> str:
        return "+".join(self.letters[seat] for seat in self.match.setup.seats[side])


class Words:
    """Words gathered into lines of at most `WIDTH` characters."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.words: list[str] = []
        self.held: list[str] = []

    def add(self, word: str) -> None:
        """One more word."""
        self.words += [*self.held, word]
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

    def end(self) -> None:
        """A new line."""
        self.words += self.held
        self.held = []
        if self.words:
            text = " ".join(self.words)
            self.lines += textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
        self.words = []


def _text(raw: msgspec.Raw) -> str:
    return codec.decode(raw, str)


class Course(msgspec.Struct):
    """What became of a fact or result: the version that recorded it, its deal, its values by version (the
    last is in force), whether the scorer took it back, or the table withdrew it, and by which event."""

    first: int
    deal: int
    values: dict[int, Any]
    undone: tuple[int, ...] = ()
    withdrawn: bool = False

    @property
    def now(self) -> Any | None:
        """What stands in the record."""
        return None if self.undone and not self.withdrawn else list(self.values.values())[-1]


def _course(events: Sequence[Noted]) -> dict[int, Course]:
    """The course of every fact and result, by each of its versions."""
    found: dict[int, Course] = {}
    deal = 0
    for each in events:
        event = each.event
        if isinstance(event, e.DealStarted):
            deal = event.number
        elif isinstance(event, Fact):
            found[each.version] = Course(each.version, deal, {each.version: event})
        elif isinstance(event, e.ResultEntered):
            found[each.version] = Course(each.version, deal, {each.version: codec.decode(event.entry, dict)})
        elif isinstance(event, e.EntryCorrected):
            of = found[each.version] = found[event.version]
            is_fact = isinstance(of.values[of.first], Fact)
            now = codec.fact_decoder().decode(event.now) if is_fact else codec.decode(event.now, dict)
            of.values[each.version] = now
        elif isinstance(event, e.FactUndone):
            of = found[event.version]
            of.undone, of.withdrawn = (each.version,), event.withdrawn
    return found


def race_tags(race: Race, default: Race) -> dict[str, list[str]]:
    """The tags of what differs from the game's default race (CTN 15)."""
    tags: dict[str, list[str]] = {}
    usual = pinned(default)
    for tag, name in (("Target", "target"), ("WinBy", "win_by"), ("Cap", "cap"), ("BestOf", "best_of"),
                      ("Deals", "deals")):  # fmt: skip
        value = getattr(race, name)
        # with a fixed number of deals there is no target unless one is named
        told = name == "target" and race.deals is not None
        if value is not None and (told or value != getattr(usual, name)):
            tags[tag] = [str(value)]
    same_target = msgspec.structs.replace(default, target=race.target) if race.target else None
    expected = pinned(same_target).lurch if same_target else None
    if race.lurch is None and expected is not None:
        tags["Lurch"] = ["none"]
    elif race.lurch is not None and race.lurch != expected:
        tags["Lurch"] = [" ".join(str(line) for line in race.lurch.lines)]
        tags["WinPoints"] = [" ".join(str(points) for points in race.lurch.win_points)]
    return tags
