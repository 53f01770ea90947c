"""Figures that were written down beside a deal: those that differ from what the facts give (ENT), and sums that no deal
can have (MIS)."""

import itertools
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from domain import codec
from domain.cards.seats import NAMES
from domain.game.sheet import EntryError, Result
from domain.match.agreement import figures_of
from domain.match.audit.finding import START, Finding
from domain.match.claims import scores_of
from domain.match.said import Stated
from domain.match.state import Deal, Match, by_seat, by_side, played, ruled_scores

_FIGURE: Final = re.compile(r"(?<![0-9])-?\d+")
_SCORE: Final = re.compile(r"([ABNESW](?:\+?[ABNESW])*) (-?\d{1,6})(?![-,\d])")


def figure_findings(match: Match, deal: Deal) -> tuple[Finding, ...]:
    """The slips in what was written down, entered or signed for a deal that is over, or in what its sides say."""
    if deal.void:
        return ()
    found = [*_sums(match, deal), *_claimed(match, deal)] if deal.stated or deal.claims else []
    if deal.entry is None and not deal.stated and not deal.signed:
        return tuple(found)  # only what the facts give themselves
    by_cards: Result | None = match.setup.game.score(deal.table)
    result = by_cards or played(match, deal)
    if by_cards is not None and not by_cards.void:
        found += _entered(match, deal, by_cards)
    if result is not None and not result.void:
        found += [*_written(match, deal, result), *_signed(match, deal, result)]
    return tuple(sorted(found, key=lambda one: one.version))


def _found(deal: Deal, version: int, rule: str, code: str, detail: str) -> Finding:
    facts = () if not deal.facts else (deal.facts[-1][0],)
    return Finding(
        deal.number, version, rule, code, detail, place=START, rests_on=(version, *facts), note=code == "ENT"
    )


def _entered(match: Match, deal: Deal, result: Result) -> Iterator[Finding]:
    """A result that was entered beside the cards."""
    if deal.entry is None:
        return
    version, entry = deal.entry
    scores = match.setup.game.sheet.score(match.setup.options, entry).scores
    if by_side(match.setup, scores) != by_side(match.setup, result.scores):
        yield _found(
            deal, version, "ALL.4", "ENT", f"{_said(scores)} was entered, the cards give {_said(result.scores)}"
        )


def _written(match: Match, deal: Deal, result: Result) -> Iterator[Finding]:
    """Scores on the sheet, by the seats that they name."""
    setup = match.setup
    right = by_seat(setup, result.sheet)
    ruled = ruled_scores(deal)
    also = right if ruled is None else by_seat(setup, ruled)
    names = NAMES[len(right)]
    for each in deal.stated:
        if each.what != "R":
            continue
        for who, score in _SCORE.findall(_text(each)):
            seats = [names.index(name) for name in who.replace("+", "") if name in names]
            if any(int(score) not in (right[seat], also[seat]) for seat in seats):
                derived = _said(tuple(right[seat] for seat in seats[:1]))
                yield _found(deal, each.version, "ALL.4", "ENT", f"{who} {score} was written, it is {derived}")


def _signed(match: Match, deal: Deal, result: Result) -> Iterator[Finding]:
    """Figures that a side put its name to: the deal's scores, or the totals with it. Totals that were right then and
    are others since an earlier deal was put right are no slip."""
    if not deal.signed:
        return
    whole = msgspec.structs.replace(match, deals=match.deals[: deal.number])
    right = [by_side(match.setup, result.scores), figures_of(whole), ruled_scores(deal)]
    for side, figures in deal.signed.items():
        if figures is None or figures in right or side not in deal.signatures:
            continue
        version = deal.signatures[side].version
        if not any(_changed_since(each, version) for each in whole.deals[:-1]):
            detail = f"side {side} signed {_said(figures)}, the cards give {_said(right[0] or ())}"
            yield _found(deal, version, "ALL.4", "ENT", detail)


def _changed_since(deal: Deal, version: int) -> bool:
    facts = max((at for at, _ in deal.facts), default=0)
    entry = 0 if deal.entry is None else deal.entry[0]
    ruled = max((each.version for each in deal.rulings), default=0)
    return deal.mended_in is not None or max(deal.last, facts, entry, ruled) > version


def _claimed(match: Match, deal: Deal) -> Iterator[Finding]:
    """Two sides that say different things of how a deal ended."""
    said = [(each, scores) for each in deal.claims if (scores := scores_of(match, each)) is not None]
    for (one, mine), (other, theirs) in itertools.pairwise(said):
        if mine != theirs:
            detail = f"side {one.side} says {_said(mine)}, side {other.side} {_said(theirs)}"
            found = _found(deal, other.version, "ALL.4", "ENT", detail)
            yield msgspec.structs.replace(found, rests_on=(other.version, one.version))


def _sums(match: Match, deal: Deal) -> Iterator[Finding]:
    """Sums of a stretch, beside those of the facts; sums of all stretches that no deal can have are no mere slip."""
    setup = match.setup
    marks = setup.game.script.sections(setup.options)
    stated = [each for each in deal.stated if each.what in marks and each.what not in ("R", "!", ">", "line")]
    derived = setup.game.script.section_sums(deal.table)
    impossible = _impossible(match, deal, stated) if len(stated) == len(marks) else None
    for place, each in enumerate(stated):
        figures = _figures(each)
        if place < len(derived) and figures not in (tuple(derived[place]), _then(match, deal, each, place)):
            rule, code = ("ALL.4", "ENT") if impossible is None else (impossible.rule, "MIS")
            detail = f"{_said(figures)} was written, the cards make {_said(tuple(derived[place]))}"
            yield _found(
                deal, each.version, rule, code, detail if impossible is None else f"{detail}: {impossible.detail}"
            )
        elif place >= len(derived) and impossible is not None:
            yield _found(deal, each.version, impossible.rule, "MIS", impossible.detail)


def _then(match: Match, deal: Deal, stated: Stated, place: int) -> tuple[int, ...] | None:
    """The figures that the cards made when a sum was written: a claim made after it may have moved it."""
    game = match.setup.game
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    for version, fact in deal.facts:
        if version < stated.version and type(fact) not in game.remarks:
            table = game.evolve(table, fact)
    sums = game.script.section_sums(table)
    return tuple(sums[place]) if place < len(sums) else None


def _impossible(match: Match, deal: Deal, stated: list[Stated]) -> EntryError | None:
    """The reason why no deal has these sums; None for those that one may have."""
    setup = match.setup
    calls = tuple((fact.seat, call) for _, fact in deal.facts if (call := fact.as_call()) is not None)
    entry = setup.game.script.entry_read(setup.options, calls, [_figures(each) for each in stated])
    if entry is None:
        return None
    try:
        setup.game.sheet.score(setup.options, codec.convert(entry, setup.game.sheet.entry(setup.options)))
    except EntryError as error:
        return error
    except msgspec.ValidationError as error:
        return EntryError("ALL.4", str(error))
    return None


def _text(stated: Stated) -> str:
    value = msgspec.json.decode(stated.stated)
    return value if isinstance(value, str) else ""


def _figures(stated: Stated) -> tuple[int, ...]:
    return tuple(int(each) for each in _FIGURE.findall(_text(stated).replace("-", " ")))


def _said(figures: tuple[int, ...]) -> str:
    return "-".join(map(str, figures))
