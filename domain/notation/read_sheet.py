"""The sheet that a match is written to while it is read: events, the state they give, problems and differences."""

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.game.protocol import AnyGame
from domain.log.actor import SERVICE
from domain.log.decider import New, Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.state import Deal, Match, NoMatch, State
from domain.notation.tokens import NotationProblem, Token


class Difference(msgspec.Struct, frozen=True):
    """A written figure that differs from the one that the facts give."""

    deal: int
    what: str
    stated: str
    derived: str


class ReadingSheet:
    """One match so far. The state is folded along, since seats follow from it."""

    def __init__(self) -> None:
        self.events: list[New] = []
        self.state: State = NoMatch()
        self.problems: list[NotationProblem] = []
        self.differences: list[Difference] = []

    @property
    def match(self) -> Match:
        """The match, which its tags have opened."""
        assert isinstance(self.state, Match)
        return self.state

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.match.setup.game

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return self.game.seats(self.match.setup.options)

    @property
    def sections(self) -> tuple[str, ...]:
        """The marks of the stretches that are summed."""
        return self.game.script.sections(self.match.setup.options)

    @property
    def deal(self) -> Deal:
        """The deal that is being read."""
        return self.match.deals[-1]

    def do(self, command: c.MatchCommand) -> None:
        """Decide and fold. Raises Refusal."""
        decided = decide(self.state, command, SERVICE)
        first = len(self.events) + 1
        self.events += decided
        numbered = [(first + place, new.event) for place, new in enumerate(decided)]
        self.state = fold(self.state, numbered)

    def record(self, fact: Fact) -> None:
        """Record a fact, a breach of the rules too. Raises Refusal, also for a member that could not be read back from
        the log."""
        try:
            codec.decode(codec.encode(fact), type(fact))
        except msgspec.ValidationError as error:
            raise Refusal("malformed", str(error)) from None
        self.do(c.RecordFacts(facts=(fact,), it_happened=True))

    def problem(self, token: Token, detail: str) -> None:
        """Note a token that is not CTN."""
        shown = f'[{token.name} "{token.text}"]' if token.kind == "tag" else token.text
        self.problems.append(NotationProblem(token.line, token.column, shown[:80], detail))

    def differ(self, what: str, stated: str, derived: str, where: str = "") -> None:
        """Note a difference if the stated figure is not the derived one."""
        if stated != derived:
            self.differences.append(Difference(self.deal.number, f"{where} {what}".strip(), stated, derived))

    def comment(self, text: str) -> None:
        """Keep a comment as a private note on the event of the token before it."""
        place = len(self.events) - 1
        while isinstance(self.events[place].event, e.RulingAccepted):
            place -= 1
        private = dict(self.events[place].private or {})
        private["note"] = f"{private['note']} {text}" if private.get("note") else text
        self.events[place] = msgspec.structs.replace(self.events[place], private=private)
