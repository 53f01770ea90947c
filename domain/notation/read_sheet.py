"""The sheet that a match is written to while it is read: events, the state they give, what was amiss."""

from typing import Any

import msgspec

from domain import codec
from domain.actor import SERVICE
from domain.decider import New, Refusal
from domain.facts import Fact
from domain.game import Game
from domain.match import commands as c
from domain.match import events as e
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.state import Deal, Match, NoMatch, State
from domain.notation.tokens import Problem, Token


class Difference(msgspec.Struct, frozen=True):
    """What was written down where the facts give something else."""

    deal: int
    what: str
    stated: str
    derived: str


class Sheet:
    """One match so far. The state is folded along, since seats follow from it."""

    def __init__(self) -> None:
        self.events: list[New] = []
        self.state: State = NoMatch()
        self.problems: list[Problem] = []
        self.differences: list[Difference] = []

    @property
    def match(self) -> Match:
        """The match, which its tags have opened."""
        assert isinstance(self.state, Match)
        return self.state

    @property
    def game(self) -> Game[Any, Any]:
        """The game that is played."""
        return self.match.setup.game

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return self.game.seats(self.match.setup.options)

    @property
    def sections(self) -> tuple[str, ...]:
        """The marks of the stretches that are summed."""
        return self.game.sections(self.match.setup.options)

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
        """A fact that happened, whether or not it was against the rules. Raises Refusal, also for a member out of
        bounds: what the log holds must be read back."""
        try:
            codec.decode(codec.encode(fact), type(fact))
        except msgspec.ValidationError as error:
            raise Refusal("malformed", str(error)) from None
        self.do(c.RecordFacts(facts=(fact,), it_happened=True))

    def problem(self, token: Token, detail: str) -> None:
        """What is not CTN."""
        shown = f'[{token.name} "{token.text}"]' if token.kind == "tag" else token.text
        self.problems.append(Problem(token.line, token.column, shown[:80], detail))

    def differ(self, what: str, stated: str, derived: str, where: str = "") -> None:
        """Two figures that ought to be the same: a difference if they are not."""
        if stated != derived:
            self.differences.append(Difference(self.deal.number, f"{where} {what}".strip(), stated, derived))

    def comment(self, text: str) -> None:
        """A comment belongs to the token before it: it is a private note on its event."""
        place = len(self.events) - 1
        while isinstance(self.events[place].event, e.RulingAccepted):
            place -= 1
        private = dict(self.events[place].private or {})
        private["note"] = f"{private['note']} {text}" if private.get("note") else text
        self.events[place] = msgspec.structs.replace(self.events[place], private=private)
