"""Decisions about rulings: what a director rules on a deal, and that a side accepts it."""

from typing import Final

from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden
from domain.log.event import JsonObject
from domain.match import commands as c
from domain.match import events as e
from domain.match.audit.finding import AUDIT, Finding
from domain.match.audit.findings import deal_findings
from domain.match.audit.grades import graded
from domain.match.audit.remedies import OPEN, OWN_REMEDIES, VOIDS, Effect, effect, offence_at
from domain.match.bounds import can_be, score_bounds
from domain.match.ruling_events import Found
from domain.match.signatures import signing
from domain.match.starting import deal_named, private_note
from domain.match.state import Deal, Match, deal_at, played, ruling_in_force, side_of
from domain.match.windows import closing

PART: Final = 5  # procedural points of a ruling: at most this part of the target
NO_TARGET: Final = 20  # and this many where a match has none


def ruled(match: Match, command: c.Rule, actor: Actor) -> list[New]:
    """A ruling on a deal, who accepted it, and the disputes over the deal that it settles; a void deal is declared so
    in the same append, and one that an earlier ruling declared void is brought back. What a file says is kept as it
    was decided elsewhere."""
    deal = deal_named(match, command.deal)
    by_file = actor.strength == "file"
    if not by_file:
        _check_in_time(match, deal, command)
        _check_last(deal, command)
    under = None if by_file else _effect(match, deal, command)
    scores = _scores(match, deal, command, under, by_file)
    _check_procedural(match, command)
    if any(not 0 <= side < len(match.setup.sides) for side in command.accepted):
        raise Refusal("malformed", f"`accepted` names sides from 0 to {len(match.setup.sides) - 1}")
    _check_at(match, deal, command.at, by_file)
    found = _found(match, deal, command)
    ruling = e.RulingMade(
        deal.number,
        command.code,
        command.at,
        scores,
        command.case,
        found,
        command.remedy,
        command.procedural,
        command.supersedes,
        command.instance,
        command.rule or _rule_found(match, deal, command),
        AUDIT if any(each.grade != "T" for each in found) else None,
    )
    found_in = None if by_file else closing(match, deal, command.moment).window
    voided = e.DealVoided(deal.number, code=command.code, case=command.case, window=found_in)
    void = [New(voided)] if _voids(deal, command) else []
    back = [New(e.DealRestored(deal.number))] if _brings_back(deal, command) else []
    accepted = [New(e.RulingAccepted(deal.number, side)) for side in command.accepted]
    settled = [New(e.DisputeSettled(each.version, "ruled")) for each in match.disputes if each.deal == deal.number]
    return [*back, New(ruling, _words(command)), *void, *accepted, *settled]


def _words(command: c.Rule) -> JsonObject | None:
    """The private part: the reason, and what the director holds to have happened."""
    held: JsonObject = {"held": command.held} if command.held else {}
    return command.private or ({**(private_note(command.note) or {}), **held} or None)


def _voids(deal: Deal, command: c.Rule) -> bool:
    return command.remedy in VOIDS and not deal.void


def _brings_back(deal: Deal, command: c.Rule) -> bool:
    """Tells whether a ruling supersedes one that declared the deal void."""
    before = ruling_in_force(deal)
    return deal.void and command.remedy not in VOIDS and before is not None and before.remedy in VOIDS


def _check_in_time(match: Match, deal: Deal, command: c.Rule) -> None:
    """Raises Refusal behind the end of T2, from which on nothing is ruled on; a decision on an appeal has its own time,
    until the record is sealed."""
    window = closing(match, deal, command.moment).window
    if command.instance == 2 and window != "sealed":
        if command.supersedes is None:
            raise Refusal("malformed", "`supersedes`: a decision on an appeal names the ruling that was appealed")
        if command.case is None:
            raise Refusal("malformed", "`case`: a decision on an appeal names the case in which it was heard")
        return
    if window in ("T3", "sealed"):
        raise Refusal(
            "window-closed",
            f"the time for rulings on deal {deal.number} is over: what was found stays visible and moves nothing",
            window=window,
        )


def _check_last(deal: Deal, command: c.Rule) -> None:
    """Raises Refusal where another ruling is in force than the one that this one supersedes: of two directors at once
    one rules, the other is told."""
    last = ruling_in_force(deal)
    if (None if last is None else last.version) == command.supersedes:
        if last is not None and last.instance > command.instance:
            raise Refusal("misfit", f"the ruling on deal {deal.number} was made on appeal, and is final")
        return
    if last is None:
        raise Refusal("changed", f"no ruling on deal {deal.number} is in force that could be superseded", ruling=None)
    raise Refusal(
        "changed",
        f"deal {deal.number} was ruled on at entry {last.version}: look at it; a ruling in its place names it as "
        "`supersedes`",
        ruling=last.version,
    )


def _effect(match: Match, deal: Deal, command: c.Rule) -> Effect | None:
    """The deal under the remedy that is named; None where none is, or a director names its scores. Raises Refusal for
    a remedy that cannot be told."""
    key = command.remedy
    if key is None or key in OPEN:
        return None
    if key not in OWN_REMEDIES and deal.void and not _brings_back(deal, command):
        raise Refusal("misfit", f"deal {deal.number} was declared void: bring it back first")
    found = effect(match, deal, key, offence_at(match, deal, command.code, command.at))
    if found.missing is not None:
        raise Refusal("misfit", f"the remedy `{key}` cannot be told for want of {found.missing}: name the scores")
    return found


def _scores(match: Match, deal: Deal, command: c.Rule, under: Effect | None, by_file: bool) -> tuple[int, ...] | None:
    """The scores of a ruling: those of its remedy, or those that are named. Raises Refusal for scores that cannot
    be."""
    named = command.scores
    if under is not None and under.key in OWN_REMEDIES:
        if named is not None:
            raise Refusal("malformed", f"`scores`: the remedy `{under.key}` takes none")
    elif under is not None:
        if named is not None and named != under.scores:
            raise Refusal(
                "changed", f"`scores`: under that remedy the deal is {_figures(under.scores)} now", scores=under.scores
            )
        named = under.scores
    _check_scores(match, named)
    if named is None and command.remedy in OPEN:
        raise Refusal("malformed", f"`scores`: say what the remedy `{command.remedy}` gives each side")
    if named is None and played(match, deal) is None and not deal.void and command.remedy not in VOIDS:
        raise Refusal("misfit", f"deal {deal.number} has no result yet: give the scores")
    if named is not None and under is None and not by_file:
        _check_can_be(match, named, command)
    return named


def _figures(scores: tuple[int, ...] | None) -> str:
    return "as it was played" if scores is None else "–".join(map(str, scores))


def _check_scores(match: Match, scores: tuple[int, ...] | None) -> None:
    """Raises Refusal for scores that are not one a side, or outside what a deal of the game gives a side."""
    if scores is None:
        return
    setup = match.setup
    if len(scores) != len(setup.sides):
        raise Refusal("malformed", f"`scores` has one figure a side: {len(setup.sides)}")
    low, high = score_bounds(setup.game.key, setup.options)
    if any(not low <= score <= high for score in scores):
        raise Refusal("malformed", f"a deal of {setup.game.title} gives a side {low} to {high}")


def _check_can_be(match: Match, scores: tuple[int, ...], command: c.Rule) -> None:
    """Raises Refusal for scores that no deal gives, unless that is meant, and why."""
    if can_be(match.setup.game.key, match.setup.options, scores):
        return
    if not command.exceptional:
        raise Refusal(
            "confirm-needed",
            f"no deal of {match.setup.game.title} gives {_figures(scores)}: if that is meant, send it again with "
            "`exceptional` and the reason",
        )
    if not command.note:
        raise Refusal("malformed", "`reason`: say why the deal is given scores that no deal has")


def least_procedural(match: Match) -> int:
    """The most procedural points that a ruling takes off a side, as a number below 0."""
    target = match.setup.race.target
    return -(NO_TARGET if target is None else target // PART)


def _check_procedural(match: Match, command: c.Rule) -> None:
    """Raises Refusal for procedural points that are not one figure a side, from 0 down to a part of the target."""
    if command.procedural is None:
        if command.remedy == "procedural":
            raise Refusal("malformed", "`procedural`: say how many points each side loses, as 0 or less")
        return
    least = least_procedural(match)
    if len(command.procedural) != len(match.setup.sides):
        raise Refusal("malformed", f"`procedural` has one figure a side: {len(match.setup.sides)}")
    if any(not least <= points <= 0 for points in command.procedural):
        raise Refusal("malformed", f"`procedural`: each side loses whole points here, 0 to {least}")


def _check_at(match: Match, deal: Deal, at: int | None, by_file: bool) -> None:
    """Raises Refusal for an entry that is not of the deal, or not in force."""
    if at is None or at in entries_of(deal):
        return
    if at > match.version:
        raise Refusal("misfit", f"there is no entry {at} in this match")
    later = match.superseded.get(at)
    if later is not None and not by_file:
        raise Refusal("misfit", f"entry {at} was replaced by entry {later}: name that one")
    if deal_at(match, at) is not deal or not by_file:
        raise Refusal("misfit", f"entry {at} is not of deal {deal.number}")


def entries_of(deal: Deal) -> frozenset[int]:
    """The versions of a deal that are in force: its start, its facts, its result."""
    entry = () if deal.entry is None else (deal.entry[0],)
    return frozenset({deal.version, *(version for version, _ in deal.facts), *entry})


def _found(match: Match, deal: Deal, command: c.Rule) -> tuple[Found, ...]:
    """The findings on which a ruling rests, as they are now: with the grade that they have, or as testimony where the
    record shows nothing of the kind. Raises Refusal for an entry that is not in force in the deal."""
    own = entries_of(deal)
    derived = {(each.version, each.code): each for each in graded(match, deal)} if command.findings else {}
    found = []
    for each in command.findings:
        if each.at not in own:
            raise Refusal("misfit", f"`findings`: entry {each.at} is not in force in deal {deal.number}")
        known = derived.get((each.at, each.code))
        found.append(Found(each.code, each.at) if known is None else _as_found(known))
    return tuple(found)


def _rule_found(match: Match, deal: Deal, command: c.Rule) -> str | None:
    """The ledger number of the finding that is ruled on; None where the record shows none."""
    if command.at is None:
        return None
    found = (each for each in deal_findings(match, deal) if (each.version, each.code) == (command.at, command.code))
    return next((each.rule for each in found), None)


def _as_found(known: Finding) -> Found:
    """A finding as a ruling keeps it."""
    return Found(known.code, known.version, known.rests_on, known.grade)


def accepted(match: Match, command: c.AcceptRuling, actor: Actor) -> New:
    """A side accepts the ruling on a deal: a player of that side, and nobody else for it."""
    deal = deal_named(match, command.deal)
    own = side_of(match, actor)
    if own is None or own != command.side:
        raise forbidden(actor) if own is None else Refusal("forbidden", "you can accept for your own side only")
    last = ruling_in_force(deal)
    if last is None:
        raise Refusal("misfit", f"there is no ruling on deal {deal.number}")
    if command.ruling not in (None, last.version):
        raise Refusal(
            "changed", f"another ruling on deal {deal.number} is in force, at entry {last.version}: look at it"
        )
    if command.side in last.accepted:
        raise Refusal("misfit", "this side has accepted the ruling already")
    signed = signing(match, deal, command.side, actor, command.own)
    event = e.RulingAccepted(deal.number, command.side, last.version, signed.person, signed.strength)
    return New(event, private_note(command.note))
