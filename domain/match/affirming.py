"""Decisions about affirmations: a side says that entries are what was played, or a director who looked at the cards. It
settles them, and admits no breach."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from domain.cards.facts import CardPlayed
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.match import events as e
from domain.match.changing import SEALED
from domain.match.mending_commands import Affirm, WithdrawAffirmation
from domain.match.said import Affirmed
from domain.match.sight import is_told, may_be_known
from domain.match.speaking import voice_of
from domain.match.starting import deal_named, private_note
from domain.match.state import Deal, Match, is_complete
from domain.match.windows import Moment, window

REMEMBERED: Final = 256
_known: OrderedDict[int, tuple[Deal, tuple[tuple[int, ...], ...]]] = OrderedDict()


def affirmed(match: Match, command: Affirm, actor: Actor) -> New:
    """Entries of a deal are what was played. Never before this actor may know what was found in it, whether or not
    there is anything: whoever is asked would learn of it."""
    deal = deal_named(match, command.deal)
    if not is_complete(match, deal):
        raise Refusal("misfit", f"deal {deal.number} is still on: its entries are affirmed when it is over")
    if not may_be_known(match, deal, actor, command.moment):
        raise Refusal("misfit", f"the entries of deal {deal.number} are not affirmed now: ask the director")
    if window(match, deal, command.moment) == "sealed":
        raise Refusal("window-closed", SEALED)
    versions = _whole(match, deal, command.versions)
    if command.inspected:
        if not actor.directs:
            raise Refusal("forbidden", "the director looks at the cards")
        if not is_told(match, deal, "table", command.moment):
            raise Refusal(
                "misfit",
                f"deal {deal.number} is silent, and everybody reads an inspection: rule on it first, then affirm",
            )
        event = e.EntriesAffirmed(deal.number, versions, None, actor.person, "inspected")
    else:
        voice = voice_of(match, actor, command.own, max(versions))
        event = e.EntriesAffirmed(deal.number, versions, *voice)
    if any(each.side == event.side and {*versions} <= {*each.versions} for each in deal.affirmed):
        raise Refusal("misfit", "this is affirmed already")
    return New(event, private_note(command.note), signs=True)


def _whole(match: Match, deal: Deal, given: tuple[int, ...]) -> tuple[int, ...]:
    """The versions that are affirmed, in the order of play. Raises Refusal for one that is not in force, and for half a
    trick."""
    if not given:
        raise Refusal("malformed", "`versions` is empty: name the entries that are affirmed")
    places = [version for version, _ in deal.facts]
    strange = sorted({*given} - {*places})
    if strange:
        raise Refusal("misfit", f"entry {strange[0]} is no fact in force of deal {deal.number}")
    whole = whole_tricks(match, deal, given)
    if {*whole} != {*given}:
        raise Refusal(
            "misfit", "whole tricks are affirmed, not cards: name the other cards of the trick too", versions=[*whole]
        )
    return whole


def whole_tricks(match: Match, deal: Deal, given: Iterable[int]) -> tuple[int, ...]:
    """The versions in force among these, with all cards of the tricks that they belong to, in the order of play."""
    wanted = {*given}
    found: list[int] = []
    for trick in _tricks(match, deal):
        if wanted & {*trick}:
            found += trick
    return tuple(found)


def _tricks(match: Match, deal: Deal) -> tuple[tuple[int, ...], ...]:
    """The facts of a deal by their versions, trick by trick; remembered, for deals never change."""
    known = _known.get(id(deal))
    if known is None or known[0] is not deal:
        known = _known[id(deal)] = deal, tuple(tuple(each) for each in _walked(match, deal))
        while len(_known) > REMEMBERED:
            _known.popitem(last=False)
    return known[1]


def _walked(match: Match, deal: Deal) -> Iterable[list[int]]:
    """The facts of a deal by their versions: those that belong to one trick together, every other one alone."""
    game, table = match.setup.game, match.setup.game.start(match.setup.options, deal.dealer, deal.cards)
    trick: list[int] = []
    for version, fact in deal.facts:
        if type(fact) in game.remarks:
            yield [version]
            continue
        table = game.evolve(table, fact)
        lying = len(game.lying(table))
        if not isinstance(fact, CardPlayed):
            yield [version]
            continue
        if lying == 1 and trick:
            yield trick
            trick = []
        trick.append(version)
        if not lying:
            yield trick
            trick = []
    if trick:
        yield trick


def taken_back(match: Match, command: WithdrawAffirmation, actor: Actor) -> New:
    """An affirmation is taken back by the side that gave it, or by a director who had looked, while no ruling rests on
    it."""
    for deal in match.deals:
        for each in deal.affirmed:
            if each.version == command.affirmation:
                _check_own(match, each, command, actor)
                _check_free(match, deal, each, command.moment)
                return New(e.AffirmationWithdrawn(each.version), private_note(command.note))
    raise Refusal("misfit", f"no affirmation stands at entry {command.affirmation}")


def _check_own(match: Match, given: Affirmed, command: WithdrawAffirmation, actor: Actor) -> None:
    if given.side is None:
        if not actor.directs:
            raise Refusal("forbidden", "the director who looked takes it back")
        return
    if voice_of(match, actor, command.own, given.version).side != given.side:
        raise Refusal("forbidden", "the other side affirmed this: they take it back")


def _check_free(match: Match, deal: Deal, given: Affirmed, moment: Moment | None) -> None:
    """Raises Refusal where a ruling rests on an affirmation, or the record is sealed."""
    if window(match, deal, moment) == "sealed":
        raise Refusal("window-closed", SEALED)
    for ruling in deal.rulings:
        named = {version for found in ruling.findings for version in (found.at, *found.rests_on)}
        if ruling.version > given.version and named & {*given.versions}:
            raise Refusal("window-closed", "a ruling rests on this: only an appeal changes it")
