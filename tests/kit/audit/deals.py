"""Random deals for the audit, legal or with one breach, and their records."""

import random
from typing import Any

import msgspec

from domain.cards.facts import CardDrawn
from domain.match.audit.finding import Course
from tests.kit.games.strategies import FORMS, candidates, setup
from tests.kit.match.tables import random_deal, told

GAMES = tuple(dict.fromkeys(key for key, _ in FORMS))


def forms_of(key: str) -> list:
    return [form for form in FORMS if form[0] == key]


class Played(msgspec.Struct, frozen=True):
    """A deal as it was played, with all cards known."""

    game: Any
    options: Any
    dealer: int
    cards: Any
    facts: tuple
    tables: tuple
    breach: int | None = None  # the place of the act against the rules

    def course(self, known: bool, draws: random.Random | None = None) -> Course:
        """Return the record, with typed hands or as physical cards; `draws` adds draws, some of them with their
        card."""
        if known:
            return Course(self.game, self.options, self.dealer, self.cards, self.facts)
        facts = told(self.game, list(self.facts), list(self.tables))
        if draws is not None and CardDrawn in self.game.facts:
            facts = self._with_draws(facts, draws)
        return Course(self.game, self.options, self.dealer, None, tuple(facts))

    def _with_draws(self, facts: list, chance: random.Random) -> list:
        """The draws that the hands tell, where the table of physical cards waits for one."""
        found, game = [], self.game
        table, left = game.start(self.options, self.dealer, None), []
        for fact, before, after in zip(facts, self.tables, self.tables[1:], strict=False):
            told_by_draw = any(each.misfit for each in game.breaches(table, fact))
            found.append(msgspec.structs.replace(fact, card=None) if told_by_draw else fact)
            table = game.evolve(table, found[-1])
            old, new = game.view(before, "all").hands, game.view(after, "all").hands
            fresh = [sorted({*now} - {*was}) for was, now in zip(old, new, strict=True)] if old and new else []
            drawn = [
                now or was for now, was in zip(fresh, left or fresh, strict=True)
            ]  # who may spice has drawn before
            while (draw := _draw(game, table, drawn, chance)) is not None:
                found.append(draw)
                table = game.evolve(table, draw)
            left = fresh
        return found


def _draw(game: Any, table: Any, drawn: list, chance: random.Random) -> Any:
    """The next draw in the order in which the table waits for them: with a later one the earlier ones are over."""
    legal = [fact for fact in game.legal(table) if type(fact) is CardDrawn]
    for seat in dict.fromkeys(fact.seat for fact in legal):
        fitting = [fact for fact in legal if fact.seat == seat and fact.card in drawn[seat]] if drawn else []
        if fitting:
            fact = chance.choice(fitting)
            drawn[seat].remove(fact.card)
            return fact if chance.random() < 0.5 else CardDrawn(seat)
    return None


def played(form: tuple, seed: Any, breach: bool = False, code: str | None = None) -> Played | None:
    """Play out a deal, with one breach if wanted. Return None if no breach was possible."""
    game, options = setup(form)
    chance = random.Random(str(seed))
    dealer = chance.randrange(game.seats(options))
    cards = random_deal(game.key, options, chance.randrange(2**32))
    facts, tables, place = [], [game.start(options, dealer, cards)], None
    after = 30 * chance.random()
    while game.to_act(tables[-1]) is not None:
        legal, fact = game.legal(tables[-1]), None
        if breach and place is None and len(facts) >= after:
            fact = against_the_rules(game, tables[-1], legal, chance, code)
            place = None if fact is None else len(facts)
        if fact is None and not legal:
            break
        facts.append(fact or chance.choice(said_at_once(legal) or legal))
        tables.append(game.evolve(tables[-1], facts[-1]))
        assert len(facts) < 400, "the deal does not end"
    if breach and place is None:
        return None
    return Played(game, options, dealer, cards, tuple(facts), tuple(tables), place)


def said_at_once(legal: tuple) -> list:
    """Return the claims and announcements that lapse if they are not made now."""
    words = [str(type(each).__struct_config__.tag) for each in legal]
    claims = [each for each, word in zip(legal, words, strict=True) if word == "claim"]
    return claims[-1:] or [each for each, word in zip(legal, words, strict=True) if word == "announce"]


def against_the_rules(game: Any, table: Any, legal: tuple, chance: random.Random, code: str | None = None) -> Any:
    """Return a breach of a kind that is legal now, using cards that are there, or None."""
    pool = [each for kind in dict.fromkeys(map(type, legal)) for each in candidates(kind)]
    for _ in range(200 if code else 60):
        if not pool:
            return None
        fact = chance.choice(pool)
        reasons = game.breaches(table, fact)
        codes = {each.code for each in reasons}
        if not reasons or any(each.misfit for each in reasons) or codes & {"DUP", "NIH"}:
            continue
        if code is None or codes == {code}:
            return fact
    return None
