"""Reading CTN: each match becomes the events that record it, through the same decisions as at a table.

Reading is lax and record mode throughout: what is against the rules is recorded and found by the audit;
what is not CTN is named with line, column and token, and the rest of the file is still read.
"""

import itertools
import re
from typing import Any

import msgspec

from domain import codec
from domain.cards import CARD_OF, Card
from domain.decider import New, Refusal
from domain.facts import CardDrawn, CardPlayed, Fact, TotalCalled
from domain.match import commands as c
from domain.match import events as e
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.state import Match, NoMatch, State, by_seat, played
from domain.notation.tags import MatchTags, deal_tags, match_tags
from domain.notation.tokens import Problem, Token, groups, tokens
from domain.notation.words import (
    CallWord,
    CardWord,
    call_word,
    card_word,
    draw_word,
    is_number,
    read_card,
    read_scores,
    seat_of,
    seats_of,
    spellings,
)
from domain.seats import NAMES

_SUMS = re.compile(r"=(-?\d{1,4}(?:-\d{1,4})+)\Z")
_MARK = re.compile(r"(\^[A-Z][A-Z0-9]{1,3}|~|>[A-Z](?:-?\d+)?|!\d+|=-?\d+)\Z")
_RULING = re.compile(r"!\s*ruling\s+([A-Z][A-Z0-9]{1,3})(?:@(\S+))?", re.IGNORECASE)


class Difference(msgspec.Struct, frozen=True):
    """What was written down where the facts give something else."""

    deal: int
    what: str
    stated: str
    derived: str


class Script(msgspec.Struct, frozen=True):
    """A match read from CTN: its events, the state they give, who played, what could not be read."""

    tags: MatchTags | None
    events: list[New]
    state: State
    problems: list[Problem]
    differences: list[Difference]


def loads(text: str) -> list[Script]:
    """Every match of a CTN text."""
    return [Reader(group).read() for group in groups(tokens(text))]


class Reader:
    """Reads one match. The state is folded along, since seats follow from it."""

    def __init__(self, group: list[Token]) -> None:
        self.group = group
        self.events: list[New] = []
        self.state: State = NoMatch()
        self.problems: list[Problem] = []
        self.differences: list[Difference] = []
        self.tags: MatchTags | None = None
        self.section = 0
        self.calls: list[tuple[int, str]] = []
        self.sums: list[tuple[int, ...]] = []
        self.entry: Any = None
        self.tricks: dict[str, list[int]] = {}
        self.trick = 0
        self.number: str | None = None
        self.before: Any = None

    def read(self) -> Script:
        """The whole match."""
        head, rest = _head(self.group)
        tags = [token for token in head if token.kind == "tag"]
        try:
            self.tags = match_tags(tags)
            self._do(self.tags.command)
        except Refusal as refusal:
            at = tags[0] if tags else self.group[0]
            self._problem(at, refusal.detail)
            return self._script()
        self._comments(head)
        while rest:
            rest = self._deal(rest)
        return self._script()

    def _script(self) -> Script:
        return Script(self.tags, self.events, self.state, self.problems, self.differences)

    def _problem(self, token: Token, detail: str) -> None:
        shown = f'[{token.name} "{token.text}"]' if token.kind == "tag" else token.text
        self.problems.append(Problem(token.line, token.column, shown[:80], detail))

    def _do(self, command: c.MatchCommand) -> int:
        """Decide and fold; the version of the last event. Raises Refusal."""
        decided = decide(self.state, command)
        first = len(self.events) + 1
        self.events += decided
        numbered = [(first + place, new.event) for place, new in enumerate(decided)]
        self.state = fold(self.state, numbered)
        return len(self.events)

    @property
    def match(self) -> Match:
        """The match, which its tags have opened."""
        assert isinstance(self.state, Match)
        return self.state

    # ------------------------------------------------------------------ deals

    def _deal(self, rest: list[Token]) -> list[Token]:
        """One deal: its tags, then its text up to the next `Deal` tag."""
        if rest[0].kind != "tag" or rest[0].name != "Deal":
            self._problem(rest[0], 'expected [Deal "n"]')
            return self._skip(rest[1:])
        head, body = _head(rest[1:])
        head = [rest[0], *head]
        stop = next((at for at, token in enumerate(body) if _opens_deal(token)), len(body))
        try:
            self._start([token for token in head if token.kind == "tag"], body[:stop])
        except Refusal as refusal:
            self._problem(rest[0], refusal.detail)
            return body[stop:]
        self._comments(head)
        self._text(body[:stop])
        self._close(rest[0])
        return body[stop:]

    def _skip(self, rest: list[Token]) -> list[Token]:
        stop = next((at for at, token in enumerate(rest) if _opens_deal(token)), len(rest))
        return rest[stop:]

    def _start(self, tags: list[Token], body: list[Token]) -> None:
        assert self.tags is not None
        found = deal_tags(tags, self.match.setup, self.tags.language, _has_cards(body))
        for problem in found.problems:
            self.problems.append(problem)
        self._do(found.command)
        self.section, self.calls, self.sums, self.entry = 0, [], [], found.entry
        self.tricks, self.trick, self.number, self.before = {}, 0, None, None

    def _text(self, body: list[Token]) -> None:
        at = 0
        while at < len(body):
            token = body[at]
            if token.text == "R" and token.kind == "word":
                words = [token]
                while at + 1 < len(body) and body[at + 1].kind == "word" and body[at + 1].line == token.line:
                    at += 1
                    words.append(body[at])
                self._guarded(words[0], lambda words=words: self._recorded(words))
            else:
                self._guarded(token, lambda token=token: self._one(token))
            at += 1

    def _guarded(self, token: Token, act: Any) -> None:
        try:
            act()
        except Refusal as refusal:
            self._problem(token, refusal.detail)

    def _one(self, token: Token) -> None:
        if token.kind == "comment":
            self._comment(token.text)
        elif token.kind == "bang":
            self._enter_summary()
            self._bang(token)
        elif token.kind == "tag":
            self._problem(token, "a tag stands before the text of its deal")
        elif token.kind == "bad":
            what = "a comment that is not closed" if token.text[0] == "{" else 'not a tag: [Name "value"]'
            self._problem(token, what)
        else:
            self._word(token)

    def _comments(self, head: list[Token]) -> None:
        """The comments among tags."""
        for token in head:
            if token.kind == "comment":
                self._comment(token.text)

    def _comment(self, text: str) -> None:
        """A comment belongs to the token before it: it is a private note on its event."""
        place = len(self.events) - 1
        while isinstance(self.events[place].event, e.RulingAccepted):
            place -= 1
        private = dict(self.events[place].private or {})
        private["note"] = f"{private['note']} {text}" if private.get("note") else text
        self.events[place] = msgspec.structs.replace(self.events[place], private=private)

    # ------------------------------------------------------------------ words

    def _word(self, token: Token) -> None:
        text = token.text
        sections = self.match.setup.game.sections(self.match.setup.options)
        if text in sections or text in ("BID", "P1", "P2", "L1", "L2"):
            return
        if text == "=void":
            self._voided()
        elif _SUMS.match(text):
            self._sum(token, _SUMS.match(text))
        elif text[0] == "+":
            self._draw(token)
        elif _MARK.match(text):
            self._mark(token, text, self._last_fact())
        elif is_number(text):
            self.number = text[:-1]
        elif text == "-":
            self._fact(token, self._call_fact(self._turn(token), "-"))
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
        self._play(token, word, card)

    def _card(self, word: CardWord) -> Card | None:
        assert self.tags is not None
        led = self._led()
        return read_card(word.card, self.tags.language, led)

    def _led(self) -> Card | None:
        view = self.match.setup.game.view(self.match.deals[-1].table, "all")
        return view.trick[0].card if view.trick else None

    def _seats(self) -> int:
        seats: int = self.match.setup.game.seats(self.match.setup.options)
        return seats

    def _turn(self, token: Token) -> int:
        seat: int | None = self.match.setup.game.to_act(self.match.deals[-1].table)
        if seat is None:
            raise Refusal("misfit", "the deal is complete: nothing more can be played")
        return seat

    def _called(self, token: Token, word: CallWord) -> None:
        seat = seat_of(word.seat, self._seats())
        if seat is None:
            raise Refusal("malformed", f"{word.seat} is no seat of this game")
        if self.match.deals[-1].depth == "summary":
            self.calls.append((seat, next((each for each in spellings(word.call) if self._known(each)), word.call)))
            return
        self._fact(token, self._call_fact(seat, word.call))
        self._marks(token, word.marks)

    def _known(self, call: str) -> bool:
        return any(kind.of_call(0, call) for kind in self.match.setup.game.facts)

    def _call_fact(self, seat: int, call: str) -> Fact:
        """The fact that a call states, by what the table waits for. Raises Refusal."""
        game, table = self.match.setup.game, self.match.deals[-1].table
        made = [kind.of_call(seat, each) for each in spellings(call) for kind in game.facts]
        stated = [fact for fact in made if fact is not None]
        for fact in stated:
            if not any(breach.misfit for breach in game.breaches(table, fact)):
                return fact
        if stated:
            raise Refusal("misfit", game.breaches(table, stated[0])[0].detail)
        raise Refusal("malformed", f"{call!r} is no call of {game.title}")

    def _fact(self, token: Token, fact: Fact) -> int:
        return self._do(c.RecordFacts(facts=(fact,), it_happened=True))

    def _play(self, token: Token, word: CardWord, card: Card) -> None:
        turn = self._turn(token)
        seat = turn if word.seat is None else seat_of(word.seat, self._seats())
        if seat is None:
            raise Refusal("malformed", f"{word.seat} is no seat of this game")
        game = self.match.setup.game
        if any(mark[0] == "!" for mark in word.marks):
            self._announced(seat, card)
        before = self.match.deals[-1].table
        self._number_trick(before)
        stated, self.number = word.number or self.number, None
        if stated is not None:
            self._differ("trick", stated.lstrip("0"), str(self.trick), token.text)
        self._fact(token, CardPlayed(seat, card))
        self.tricks[self._trick_name()].append(len(self.events))
        self.before = before
        shown = game.shows(before, self.match.deals[-1].table)
        for mark in word.marks:
            if mark[0] == "!":
                self._differ("!", mark[1:], str(shown or 0), token.text)
        self._marks(token, word.marks)

    def _number_trick(self, table: Any) -> None:
        view = self.match.setup.game.view(table, None)
        self.section = len(self.match.setup.game.sums(table))
        self.trick = sum(view.tricks) + 1
        self.tricks.setdefault(self._trick_name(), [])

    def _trick_name(self) -> str:
        sections = self.match.setup.game.sections(self.match.setup.options)
        return f"{sections[min(self.section, len(sections) - 1)]}.{self.trick}"

    def _announced(self, seat: int, card: Card) -> None:
        """With physical cards an announcement is a fact of its own, before the lead, if it is not there yet."""
        game, deal = self.match.setup.game, self.match.deals[-1]
        facts = (fact for _, fact in reversed(deal.facts))
        before = list(itertools.takewhile(lambda fact: not isinstance(fact, CardPlayed), facts))
        for kind in game.facts:
            fact = kind.of_call(seat, f"!{card.suit}")
            if fact is None or fact in before:
                continue
            if not any(breach.misfit for breach in game.breaches(deal.table, fact)):
                self._do(c.RecordFacts(facts=(fact,), it_happened=True))

    def _draw(self, token: Token) -> None:
        assert self.tags is not None
        word = draw_word(token.text)
        seat = seat_of(word.seat, self._seats()) if word else None
        card = read_card(word.call, self.tags.language) if word else None
        if word is None or seat is None or (card is None and word.call != "??"):
            raise Refusal("malformed", "a draw is +seat:card, like +A:H7 or +A:??")
        self._fact(token, CardDrawn(seat, card))
        self._marks(token, word.marks)

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
            self._do(c.NoteIrregularity(code=mark[1:], at=version))
        elif mark == "~":
            self._do(c.UndoLast(withdrawn=True))
        elif mark[0] == "=":
            self._fact(token, TotalCalled(fact.seat, int(mark[1:])))
        elif mark[0] == ">":
            taken = self._taken()
            if taken is not None:
                self._differ(">", mark[1], taken, token.text)

    def _taken(self) -> str | None:
        """Who took the trick that the last card completed; None while it is open."""
        if self.before is None:
            return None
        game, table = self.match.setup.game, self.match.deals[-1].table
        won, now = game.view(self.before, None).tricks, game.view(table, None).tricks
        if sum(now) != sum(won) + 1:
            sums = game.sums(table)
            if len(sums) == len(game.sums(self.before)):
                return None
            now = sums[-1]
        rose = (NAMES[self._seats()][seat] for seat, count in enumerate(now) if count > won[seat])
        return next(rose, None)

    def _last_fact(self) -> tuple[int, Fact]:
        remarks = self.match.setup.game.remarks
        facts = [each for each in self.match.deals[-1].facts if type(each[1]) not in remarks]
        if not facts:
            raise Refusal("malformed", "a mark stands behind the token that it is about")
        return facts[-1]

    # ---------------------------------------------------------- figures written down

    def _differ(self, what: str, stated: str, derived: str, where: str) -> None:
        if stated != derived:
            number = self.match.deals[-1].number
            self.differences.append(Difference(number, f"{where} {what}".strip(), stated, derived))

    def _sum(self, token: Token, found: re.Match[str] | None) -> None:
        assert found is not None
        figures = tuple(int(figure) for figure in re.findall(r"(?<![0-9])-?\d+", found[1].replace("-", " ")))
        if len(figures) != self._seats():
            raise Refusal("malformed", f"a sum has one figure a seat: {self._seats()}")
        self.sums.append(figures)
        if self.match.deals[-1].depth == "summary":
            return
        sections = self.match.setup.game.sections(self.match.setup.options)
        derived = self.match.setup.game.sums(self.match.deals[-1].table)
        place = len(self.sums) - 1
        what = sections[min(place, len(sections) - 1)]
        if place < len(derived):
            self._differ(what, "-".join(map(str, figures)), "-".join(map(str, derived[place])), "")
        self._do(c.StateScore(what=what, stated=found[1]))

    def _enter_summary(self) -> None:
        """A deal of results only, or one whose cards stop early, is entered once its figures have been read."""
        deal = self.match.deals[-1]
        game, options = self.match.setup.game, self.match.setup.options
        if deal.entry is not None or deal.void or game.score(deal.table) is not None:
            return
        entry = self.entry
        if entry is None and self.sums:
            said = [(fact.seat, fact.as_call()) for _, fact in deal.facts]
            calls = [(seat, call) for seat, call in said if call is not None]
            entry = game.entry_read(options, (*calls, *self.calls), tuple(self.sums))
        if entry is not None:
            if deal.facts and not deal.paused:
                self._do(c.PauseRecording())
            self._do(c.EnterResult(entry=entry))
            self.entry = None

    def _recorded(self, words: list[Token]) -> None:
        """`R`: the scores that were written down."""
        self._enter_summary()
        given = [word.text for word in words[1:]]
        scores = read_scores(given, self._seats())
        if scores is None:
            raise Refusal("malformed", "`R` is followed by seats and scores, like R A 48 B 49")
        deal = self.match.deals[-1]
        self._do(c.StateScore(what="R", stated=" ".join(given)))
        result = self.match.setup.game.score(deal.table)
        if result is None and deal.entry is not None:
            result = self.match.setup.game.score_entry(self.match.setup.options, deal.entry[1])
        if result is None:
            return
        derived = by_seat(self.match.setup, result.scores)
        for seat, score in scores.items():
            self._differ(f"R seat {seat}", str(score), str(derived[seat]), "")

    def _voided(self) -> None:
        deal = self.match.deals[-1]
        if deal.depth == "summary" and self.entry is None and not self.sums and self.calls:
            self.entry = {"void": True}
        self._enter_summary()
        result = played(self.match, self.match.deals[-1])
        if result is None or not result.void:
            self._do(c.VoidDeal())

    def _close(self, token: Token) -> None:
        try:
            self._enter_summary()
        except Refusal as refusal:
            self._problem(token, refusal.detail)
            return
        deal = self.match.deals[-1]
        if deal.depth == "summary" and deal.entry is None and not deal.void and not deal.rulings:
            self._problem(token, "a summary needs the sums of the deal (=7-6), its calls, or [Entry]")

    # ---------------------------------------------------------------- ! lines

    def _bang(self, token: Token) -> None:
        ruling = _RULING.match(token.text)
        confirmed = re.match(r"!\s*confirmed\s+(\S+)\s*\Z", token.text)
        deal = self.match.deals[-1]
        sides = self._sides(confirmed[1]) if confirmed else ()
        if ruling:
            self._ruling(token.text, ruling)
        elif sides and not set(sides) & set(deal.confirmed):
            for side in sides:
                self._do(c.ConfirmResult(deal=deal.number, side=side))
        else:
            # an agreement that has lapsed since, or lapsed before it was given again, is only on record
            self._do(c.StateScore(what="line", stated=" ".join(token.text.split())))

    def _ruling(self, line: str, ruling: re.Match[str]) -> None:
        _, arrow, tail = line.rpartition("=>")
        scores = None
        if arrow:
            by_seat = read_scores(tail.split(), self._seats())
            seats = self.match.setup.seats
            if by_seat is None or any(side[0] not in by_seat for side in seats):
                raise Refusal("malformed", "a ruling ends with => and the score of each side")
            scores = tuple(by_seat[side[0]] for side in seats)
        accepted = re.search(r"\baccepted=(\S+)", line)
        sides = self._sides(accepted[1]) if accepted else ()
        code = ruling[1].upper()
        private = {"line": " ".join(line.split())}
        at = self._place(code, ruling[2])
        self._do(c.Rule(code=code, at=at, scores=scores, accepted=sides, private=private))

    def _sides(self, names: str) -> tuple[int, ...]:
        """The sides of seats written like `A,B`."""
        found: list[int] = []
        for name in names.split(","):
            seats = seats_of(name, self._seats()) or ()
            found += [side for side, own in enumerate(self.match.setup.seats) if set(seats) & set(own)]
        return tuple(dict.fromkeys(found))

    def _place(self, code: str, place: str | None) -> int | None:
        """The version that `P2.4` means: the noted card of that trick, else its last. Without phases `4` will do."""
        sections = self.match.setup.game.sections(self.match.setup.options)
        name = f"{sections[0]}.{place}" if len(sections) == 1 and place and place.isdecimal() else place or ""
        versions = self.tricks.get(name, [])
        noted = [
            new.event.at for new in self.events if isinstance(new.event, e.IrregularityNoted) and new.event.code == code
        ]
        return next((at for at in noted if at in versions), versions[-1] if versions else None)


def _head(group: list[Token]) -> tuple[list[Token], list[Token]]:
    """The tags before the first `Deal` with the comments among them, and what follows."""
    own = (token.kind == "comment" or (token.kind == "tag" and token.name != "Deal") for token in group)
    end = next((place for place, each in enumerate(own) if not each), len(group))
    return group[:end], group[end:]


def _opens_deal(token: Token) -> bool:
    return token.kind == "tag" and token.name == "Deal"


def _has_cards(body: list[Token]) -> bool:
    """Whether the text of a deal holds cards in play."""
    for token in body:
        if token.kind != "word" or token.text == "R":
            continue
        word = card_word(token.text)
        if word is not None and word.card.upper() in CARD_OF:
            return True
        if is_number(token.text):
            return True
    return False


def statement(raw: msgspec.Raw) -> Any:
    """What was stated, as plain text."""
    return codec.decode(raw, str)
