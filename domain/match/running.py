"""The course of a deal: a run of facts folded over its table in one go, and a deal folded again over other facts."""

from functools import cache

import msgspec

from domain.cards.facts import Fact
from domain.game.tricks import Playing, play_run
from domain.match.state import Deal, Match


def advanced(match: Match, deal: Deal, run: list[tuple[int, Fact]]) -> Deal:
    """A deal after more facts. A fact that leaves the table as it is, and is no remark, is a misfit."""
    game = match.setup.game
    evolve_table = game.evolve
    remarks = game.remarks
    table = deal.table
    misfits = list(deal.misfits)
    pack = game.pack(match.setup.options)
    at = 0
    while at < len(run):
        if type(table) is Playing:
            table, at = play_run(table, run, at, pack)
            if at == len(run):
                break
        version, fact = run[at]
        at += 1
        if remarks and type(fact) in remarks:
            continue
        after = evolve_table(table, fact)
        if after is table and any(breach.misfit for breach in game.breaches(table, fact)):
            misfits.append(version)
        table = after
    facts = (*deal.facts, *run)
    drawn = deal.drawn or (_may_hide(game.facts, remarks) and any(fact.holds_hidden for _, fact in run))
    aside = bool(remarks) and all(type(fact) in remarks for _, fact in run)  # what is only remarked ends no claim
    return msgspec.structs.replace(
        deal,
        table=table,
        facts=facts,
        misfits=tuple(misfits),
        confirmed=(),
        signed={},
        signatures={},
        drawn=drawn,
        claims=deal.claims if aside else (),
    )


@cache
def _may_hide(*kinds: tuple[type[Fact], ...]) -> bool:
    """A game's facts and remarks: is there one that hides something?"""
    return any(kind.hides for own in kinds for kind in own)


def refolded(match: Match, deal: Deal, facts: list[tuple[int, Fact]]) -> Deal:
    """A deal folded again from its start over other facts; what was agreed about it lapses."""
    table = match.setup.game.start(match.setup.options, deal.dealer, deal.cards)
    bare = msgspec.structs.replace(deal, table=table, facts=(), misfits=())
    return advanced(match, bare, facts)
