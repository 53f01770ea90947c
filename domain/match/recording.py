"""Decisions about facts: what was seen at the table is recorded, mistakes included; what cannot be meant is not."""

from collections.abc import Sequence

import msgspec

from domain.cards.facts import Fact, RestAnswered
from domain.game.judgement import Breach
from domain.game.protocol import AnyTable
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.match import commands as c
from domain.match.evolve import fold
from domain.match.rights import check_own_hand
from domain.match.sight import salted, table_seen, viewer_of
from domain.match.starting import deal_on, private_note
from domain.match.state import Deal, Match, State, open_deal


def recorded(match: Match, command: c.RecordFacts, actor: Actor) -> list[New]:
    """Facts in order, all or none: a misfit is refused in both modes, a breach in strict mode; each is judged at the
    table as whoever records it sees it, so that no refusal tells what he has not seen."""
    if not command.facts:
        raise Refusal("malformed", "`facts` is empty: name at least one fact")
    viewer = viewer_of(match, actor)
    news: list[New] = []
    at: State = match
    for place, fact in enumerate(command.facts):
        assert isinstance(at, Match)
        try:
            deal = deal_on(at) if type(fact) not in match.setup.game.remarks else _remarked(at)
            if isinstance(viewer, int):
                check_own_hand(at, deal, (fact.seat, *(seat for seat, _ in fact.shown)), actor)
            _judge(at, deal, table_seen(at, deal, viewer), fact, command.it_happened)
        except Refusal as refusal:
            raise _of_fact(refusal, place, len(command.facts)) from None
        news.append(New(fact, private_note((command.notes or {}).get(place))))
        at = fold(at, [(match.version + len(news), fact)])
    return news


class PlainPlay(msgspec.Struct, frozen=True):
    """The events of a run of facts, and the table behind them."""

    news: list[New]
    table: AnyTable


def plain_play(match: Match, facts: Sequence[Fact]) -> PlainPlay | None:
    """The same for a file, which sees the whole table, without a match between any two facts. None unless the deal is
    on before each of them and all are within the rules: any others are for `recorded`, which says what is wrong."""
    game, deal = match.setup.game, match.deals[-1]
    if deal.paused or deal.depth == "summary" or open_deal(match) is None:
        return None
    judge, evolve, score, table = game.breaches, game.evolve, game.score, deal.table
    for fact in facts:
        if type(fact) in game.remarks or score(table) is not None or judge(table, fact):
            return None
        table = evolve(table, fact)
    return PlainPlay([salted(New(fact), match) for fact in facts], table)


def _of_fact(refusal: Refusal, place: int, count: int) -> Refusal:
    """The refusal of one of several facts: it says which; `about` is what it says of that one alone."""
    said = refusal.detail if count == 1 else f"fact {place + 1} of {count}: {refusal.detail}"
    return Refusal(refusal.slug, said, refusal.rule, refusal.code, fact=place, about=refusal.detail)


def _remarked(match: Match) -> Deal:
    """The deal that a remark is about: the one that is on, or the last while nobody has agreed to its score
    (the total of its last card is called when the deal is over)."""
    last = match.deals[-1] if match.deals else None
    if last is None or last.void or last.entry is not None or last.confirmed or last.rulings:
        return deal_on(match)
    return last


def _judge(match: Match, deal: Deal, table: object, fact: Fact, it_happened: bool) -> None:
    game = match.setup.game
    if deal.paused or deal.depth == "summary":
        raise Refusal("misfit", "this deal is kept by its result alone: enter the result")
    if type(fact) in game.remarks:
        return
    reasons: tuple[Breach, ...] = game.breaches(table, fact)
    if not reasons:
        return
    first = reasons[0]
    misfit = next((reason for reason in reasons if reason.misfit), None)
    if misfit is not None:  # and no rule that was broken beside it
        raise Refusal("misfit", misfit.detail)
    if match.setup.recording == "strict" and not isinstance(fact, RestAnswered):  # who says no breaks no rule
        raise Refusal("rule-broken", all_reasons(reasons), first.rule, first.code)
    doubtful = next((reason for reason in reasons if reason.code == "DUP"), None)
    if doubtful is not None and not it_happened:
        raise Refusal(
            "confirm-needed",
            f"{doubtful.detail}: a slip of the finger, or did it happen at the table?",
            doubtful.rule,
            doubtful.code,
            doubt=doubtful.detail,
        )


def all_reasons(reasons: tuple[Breach, ...]) -> str:
    """Every reason why a fact breaks the rules, as one sentence."""
    return "; ".join(reason.detail for reason in reasons)
