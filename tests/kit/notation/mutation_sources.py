"""Records to mutate: the examples, a history of every game and option set, and the same deals as notation."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from domain import registry
from domain.cards.seats import NAMES
from domain.log.actor import SERVICE
from domain.log.decider import New, Refusal
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.evolve import fold, initial
from domain.notation import history
from domain.notation.ctn_write import dumps
from domain.notation.dealing import random_deal
from domain.notation.write_course import NumberedEvent
from tests.kit.games.strategies import FORMS, played_out, setup

EXAMPLES = Path(__file__).parents[3] / "examples"


class Sources(NamedTuple):
    """The source texts by format."""

    ctn: tuple[str, ...]
    jsonl: tuple[str, ...]


@cache
def sources() -> Sources:
    """Return all sources, the same in every run."""
    ctn = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.ctn"))]
    jsonl = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.jsonl"))]
    jsonl = ["".join(text.splitlines(keepends=True)[:2]) for text in jsonl]
    for number, (key, given) in enumerate(FORMS, start=1):
        game, options = setup((key, given))
        of_deal = {name: value for name, value in given.items() if history.option_level(game, name) == "deal"}
        line = random_deal(game, options, of_deal, 7, number)
        ctn += as_notation(line, given)
        jsonl.append(line + "\n")
    return Sources(tuple(ctn), tuple(jsonl))


def as_notation(line, given):
    """Yield a history as a match in notation followed by a result without cards, then a deal of physical cards."""
    read = history.read(line)
    game = read.game
    options = setup((game.key, given))[1]
    letters = NAMES[game.seats(options)]
    sides = tuple(tuple(f"Player {letters[seat]}" for seat in side) for side in game.sides(options))
    opening = c.OpenMatch(game=game.key, options=given, race={"target": 90_000, "lurch": None}, sides=sides)
    entries = [worked.entry for worked in game.worked if dict(worked.options) == given or not worked.options][:1]
    results = [c.EnterResult(entry=entry) for entry in entries]
    in_full = [c.StartDeal(dealer=read.dealer, deal=read.deal), c.RecordFacts(facts=tuple(read.facts))]
    yield written([opening, *in_full, *results], sides)
    _, _, dealer, _, facts, _ = played_out((game.key, given), 7, known=False)
    one_by_one = [c.RecordFacts(facts=(fact,)) for fact in facts]
    yield written([opening, c.StartDeal(dealer=dealer, depth="plays"), *one_by_one], sides)


def written(commands, names):
    """Return the canonical text of a match, leaving out refused commands."""
    state, events = initial(), []
    for command in commands:
        try:
            decided = decide(state, command, SERVICE)
        except Refusal:
            continue
        numbered = [(len(events) + place, new.event) for place, new in enumerate(decided, start=1)]
        events += [
            NumberedEvent(version, event, new.private) for (version, event), new in zip(numbered, decided, strict=True)
        ]
        state = fold(state, numbered)
    return dumps(events, names)


def exported(script):
    """Return the canonical text of a match that was read."""
    events = [NumberedEvent(place, new.event, new.private) for place, new in enumerate(script.events, start=1)]
    return dumps(events, script.tags.names)


def as_stored(news: list[New]):
    """Return numbered events as they come back from the log."""
    found = []
    for place, new in enumerate(news, start=1):
        msgspec.json.encode(new.private)
        name = type(new.event).__name__
        found.append((place, registry.decoder_of(name).decode(registry.write_event(new.event))))
    return found
