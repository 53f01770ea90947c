"""Writing CTN: a match's recorded events as canonical text, the same bytes however often it goes round."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain import codec
from domain.facts import CardDrawn, CardPlayed, Fact, TotalCalled
from domain.game import ALL
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.race import Race, pinned
from domain.match.state import Deal, Match, NoMatch, played
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
        self.final = _final(events)
        self.private = {each.version: each.private or {} for each in events}

    def text(self) -> str:
        """The whole match."""
        lines = self._match_tags()
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
        values.update(race_tags(self.match.setup.race, self.game.race))
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
        words.end()
        self._score(words, deal)
        self._lines(words, deal)
        return lines

    def _comment(self, words: "Words", version: int) -> None:
        note = self.private.get(version, {}).get("note")
        if note:
            words.add("{" + note.replace("}", ")") + "}")

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
        stated = {each.what: _text(each.stated) for each in deal.stated}
        done = 0
        opened = -1
        for version, fact, withdrawn in self._facts(deal):
            section = min(len(self.game.sums(table)), len(sections) - 1)
            if section != opened:
                words.end()
                words.add(sections[section])
                opened = section
            before = table
            if not withdrawn:
                table = table if type(fact) in self.game.remarks else self.game.evolve(table, fact)
            self._word(words, deal, version, fact, before, table)
            if withdrawn:
                words.glue("~")
            self._comment(words, version)
            sums = self.game.sums(table)
            if len(sums) > done:
                what = sections[min(done, len(sections) - 1)]
                words.add("=" + stated.get(what, "-".join(str(figure) for figure in sums[done])))
                done = len(sums)
        if deal.void:
            words.add("=void")

    def _facts(self, deal: Deal) -> Iterable[tuple[int, Fact, bool]]:
        """The facts of a deal as they stand, and those that the table withdrew."""
        inside = False
        for each in self.events:
            if isinstance(each.event, e.DealStarted):
                inside = each.event.number == deal.number
            elif inside and isinstance(each.event, Fact):
                now, fact, withdrawn = self.final.get(each.version, (each.version, each.event, False))
                if fact is not None:
                    yield now, fact, withdrawn

    def _word(self, words: "Words", deal: Deal, version: int, fact: Fact, before: Any, after: Any) -> None:
        call = fact.as_call()
        letter = self.letters[fact.seat]
        if isinstance(fact, CardPlayed):
            self._card(words, fact, before, after)
        elif isinstance(fact, CardDrawn):
            words.add(f"+{letter}:{fact.card or '??'}")
        elif isinstance(fact, TotalCalled):
            words.glue(f"={fact.total}")
        elif call is not None and call.startswith("!"):
            words.hold(f"{letter}:{call}")
        elif call is not None:
            words.add(f"{letter}:{call}")
        self._irregularities(words, version)

    def _card(self, words: "Words", fact: CardPlayed, before: Any, after: Any) -> None:
        view = self.game.view(before, ALL)
        shown = self.game.shows(before, after)
        number = "" if view.trick else f"{sum(view.tricks) + 1}."
        seat = "" if fact.seat == self.game.to_act(before) else f"{self.letters[fact.seat]}:"
        words.release(shown is not None)
        words.add(f"{number}{seat}{fact.card}" + (f"!{shown}" if shown else ""))

    def _irregularities(self, words: "Words", version: int) -> None:
        for each in self.events:
            if isinstance(each.event, e.IrregularityNoted) and each.event.at == version:
                words.glue(f"^{each.event.code}")

    def _score(self, words: "Words", deal: Deal) -> None:
        """`R`: what was written down, else what the facts give."""
        stated = [each for each in deal.stated if each.what == "R"]
        if stated:
            words.add("R " + _text(stated[-1].stated))
            self._comment(words, stated[-1].version)
            words.end()
            return
        result = played(self.match, deal)
        if result is None or result.void or deal.void:
            if result is not None and result.void and deal.entry is not None:
                words.add("=void")
                words.end()
            return
        sides = getattr(result, "sides", ()) or self.match.setup.seats
        figures = ("+".join(self.letters[s] for s in side) + f" {result.scores[side[0]]}" for side in sides)
        words.add("R " + " ".join(figures))
        words.end()

    def _lines(self, words: "Words", deal: Deal) -> None:
        """Rulings, confirmations and corrections, in log order."""
        for each in self.events:
            line = self._line(deal, each)
            if line:
                words.add(line)
                words.end()

    def _line(self, deal: Deal, each: Noted) -> str | None:
        event = each.event
        match event:
            case e.ScoreStated(deal=deal.number, what="line"):
                return _text(event.stated)
            case e.RulingMade(deal=deal.number):
                return (each.private or {}).get("line") or self._ruling(event)
            case e.ResultConfirmed(deal=deal.number):
                return f"! confirmed {self._side(event.side)}"
            case e.EntryCorrected() if each.version in self._versions(deal):
                why = (each.private or {}).get("note", "").replace('"', "'")
                return f'! correction version={event.version} why="{why}"'
        return None

    def _versions(self, deal: Deal) -> set[int]:
        versions = {version for version, _ in deal.facts}
        return versions | ({deal.entry[0]} if deal.entry else set())

    def _ruling(self, ruling: e.RulingMade) -> str:
        if ruling.scores is None:
            return f"! ruling {ruling.code}"
        scores = enumerate(ruling.scores)
        return f"! ruling {ruling.code} => " + " ".join(f"{self._side(at)} {score}" for at, score in scores)

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
        self.words.append(word)

    def glue(self, mark: str) -> None:
        """A mark on the last word."""
        if self.words:
            self.words[-1] += mark

    def hold(self, word: str) -> None:
        """An announcement that the next lead may show by itself."""
        self.held.append(word)

    def release(self, shown: bool) -> None:
        """The lead is here: an announcement that it shows is not written twice."""
        held, self.held = self.held, []
        self.words += held[:-1] if shown else held

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


def _final(events: Sequence[Noted]) -> dict[int, tuple[int, Fact | None, bool]]:
    """What became of a fact: (version in force, the fact or None when undone, withdrawn by the table)."""
    original = {each.version: each.version for each in events}
    facts = {each.version: each.event for each in events if isinstance(each.event, Fact)}
    final: dict[int, tuple[int, Fact | None, bool]] = {}
    for each in events:
        if isinstance(each.event, e.EntryCorrected):
            first = original[each.version] = original[each.event.version]
            if first in facts:
                final[first] = (each.version, codec.fact_decoder().decode(each.event.now), False)
        elif isinstance(each.event, e.FactUndone):
            first = original[each.event.version]
            if first in facts:
                now, fact, _ = final.get(first, (first, facts[first], False))
                final[first] = (now, fact if each.event.withdrawn else None, each.event.withdrawn)
    return final


def race_tags(race: Race, default: Race) -> dict[str, list[str]]:
    """The tags of what differs from the game's default race (CTN 15)."""
    tags: dict[str, list[str]] = {}
    usual = pinned(default)
    for tag, name in (("Target", "target"), ("WinBy", "win_by"), ("Cap", "cap"), ("BestOf", "best_of"),
                      ("Deals", "deals")):  # fmt: skip
        value = getattr(race, name)
        if value != getattr(usual, name) and value is not None:
            tags[tag] = [str(value)]
    same_target = msgspec.structs.replace(default, target=race.target) if race.target else None
    expected = pinned(same_target).lurch if same_target else None
    if race.lurch is None and expected is not None:
        tags["Lurch"] = ["none"]
    elif race.lurch is not None and race.lurch != expected:
        tags["Lurch"] = [" ".join(str(line) for line in race.lurch.lines)]
        tags["WinPoints"] = [" ".join(str(points) for points in race.lurch.win_points)]
    return tags
