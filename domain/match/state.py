"""The state of a match: what the fold of its events gives, deal by deal."""

from typing import TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.game.protocol import AnyDeal, AnyEntry, AnyGame, AnyOptions, AnyTable
from domain.game.race import CountedDeal, Race, RaceStanding, game_on, standing
from domain.game.sheet import Result
from domain.log.actor import Actor
from domain.match.event import Delay, Signals, Window
from domain.match.events import Depth, MatchOpened, Recording
from domain.match.said import Affirmed, Claim, Consent, OpenDispute, Proposal, Ruling, Signature, Stated


class Setup(msgspec.Struct, frozen=True, gc=False):
    """The setup that the first event pinned."""

    game: AnyGame
    options: AnyOptions
    race: Race
    sides: tuple[tuple[str, ...], ...]
    seats: tuple[tuple[int, ...], ...]
    recording: Recording
    depth: Depth
    rules: int
    tournament: str | None = None
    dealer: int | None = None
    house: int | None = None
    signals: Signals = "quiet"
    delay: Delay = "none"


class Deal(msgspec.Struct, frozen=True, gc=False):
    """One deal. `facts` are those in force, with their versions; `table` is the game's state after
    them; `misfits` the versions of facts that do not fit any more (after a correction). `signed` are the figures that
    each side that has `confirmed` put its name to (None: it named none), `signatures` who did so and how strongly (kept
    while the deal is void); `opened` that it was over in a way that cannot be taken back, so that its hands are
    everybody's to see; `drawn` that a draw was recorded with its card, in force or not: the log holds it for ever;
    `before` is what was agreed on before the deal was declared void; `own_table` that somebody who belongs to a side
    directed it, as the other side had agreed. For its window: the versions of its `first` fact, call or result and of
    the `last` one, whether or not they stand, the version at which each side first `vouched` for it, and the latest
    window in which it was changed, or voided. `affirmed` are the affirmations in force."""

    number: int
    version: int
    dealer: int
    depth: Depth
    cards: AnyDeal | None
    table: AnyTable
    facts: tuple[tuple[int, Fact], ...] = ()
    misfits: tuple[int, ...] = ()
    entry: tuple[int, AnyEntry] | None = None
    void: bool = False
    paused: bool = False
    confirmed: tuple[int, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    stated: tuple[Stated, ...] = ()
    claims: tuple[Claim, ...] = ()
    signed: dict[int, tuple[int, ...] | None] = {}
    opened: bool = False
    drawn: bool = False
    before: tuple[tuple[int, ...], dict[int, tuple[int, ...] | None]] = ((), {})
    signatures: dict[int, Signature] = {}
    own_table: bool = False
    first: int = 0
    last: int = 0
    vouched: dict[int, int] = {}
    mended_in: Window | None = None
    affirmed: tuple[Affirmed, ...] = ()


class Reopened(msgspec.Struct, frozen=True, gc=False):
    """A moment at which the race of a match was over and is not any more: the version, the number of its last deal by
    then, and whether all sides had vouched for that."""

    version: int
    deal: int
    agreed: bool


class NoMatch(msgspec.Struct, frozen=True):
    """A stream before its first event."""

    version: int = 0


class Match(msgspec.Struct, frozen=True, gc=False):
    """A match under way or over; `superseded` maps a version to the later one that replaced it; `settled` are the
    versions at which each dispute that is over began and ended, `changed` that of the last event that says how the
    match stands, not what somebody thinks of it; `consents` are those that were given and not used yet; `sealed` is the
    version at which a director sealed it (0: not yet); `proposals` are corrections that wait for an answer. `reopened`
    tells when the match was over before and is not any more. `rested` is the version at which what its delay holds
    back was last told to everybody (1: it was opened)."""

    version: int
    setup: Setup
    deals: tuple[Deal, ...]
    superseded: dict[int, int]
    void: bool = False
    disputes: tuple[OpenDispute, ...] = ()
    settled: tuple[tuple[int, int], ...] = ()
    changed: int = 0
    consents: tuple[Consent, ...] = ()
    own_table: bool = False
    sealed: int = 0
    proposals: tuple[Proposal, ...] = ()
    reopened: tuple[Reopened, ...] = ()
    rested: int = 1


State: TypeAlias = NoMatch | Match


def played(match: Match, deal: Deal) -> Result | None:
    """The result that the facts of a complete deal give, or the entered one; None while neither is there."""
    by_facts: Result | None = match.setup.game.score(deal.table)
    if by_facts is not None:
        return by_facts
    if deal.entry is None:
        return None
    return match.setup.game.sheet.score(match.setup.options, deal.entry[1])


def is_complete(match: Match, deal: Deal) -> bool:
    """Tells whether a deal is over: played out, entered, ruled on or void."""
    return deal.void or played(match, deal) is not None or ruled_scores(deal) is not None


def standing_rulings(deal: Deal) -> tuple[Ruling, ...]:
    """The rulings on a deal that no later one supersedes; of the first schema, which named none, all."""
    if not deal.rulings:
        return ()
    over = {ruling.supersedes for ruling in deal.rulings}
    return tuple(ruling for ruling in deal.rulings if ruling.version not in over)


def ruling_in_force(deal: Deal) -> Ruling | None:
    """The ruling in force on a deal: the last one."""
    return deal.rulings[-1] if deal.rulings else None


def ruled_scores(deal: Deal) -> tuple[int, ...] | None:
    """The scores by side of the last ruling in force that adjusts them."""
    return next((ruling.scores for ruling in reversed(standing_rulings(deal)) if ruling.scores is not None), None)


def procedural_points(deal: Deal) -> tuple[int, ...] | None:
    """The procedural points by side of the ruling in force, which count beside the score, whatever the deal gives."""
    found = (ruling.procedural for ruling in reversed(standing_rulings(deal)) if ruling.procedural is not None)
    return next(found, None)


def side_scores(match: Match, deal: Deal) -> tuple[int, ...] | None:
    """A deal's scores by side as they count in the race; None while it is not over or when void."""
    counted = race_scores(match, deal)
    return None if counted is None else counted[0]


def race_scores(match: Match, deal: Deal) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """A deal's scores by side, and the sides whose total begins again at nothing with it."""
    if deal.void:
        return None
    ruled = ruled_scores(deal)
    if ruled is not None:
        return ruled, ()
    result = played(match, deal)
    if result is None or result.void:
        return None
    return by_side(match.setup, result.scores), result.drops


def by_side(setup: Setup, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Scores by side from scores by seat (allies of a side score alike)."""
    if len(scores) == len(setup.seats):
        return scores
    return tuple(scores[seats[0]] for seats in setup.seats)


def by_seat(setup: Setup, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Scores by seat, where a game scores by side: a side's score is that of each of its seats."""
    owners = {seat: side for side, seats in enumerate(setup.seats) for seat in seats}
    if len(scores) == len(owners):
        return scores
    return tuple(scores[owners[seat]] for seat in range(len(owners)))


def race_of(match: Match) -> RaceStanding:
    """The standing of the race after the whole deals so far, with what was ruled."""
    deals = [(deal, each) for deal in match.deals if (each := counted_in_race(match, deal)) is not None]
    return standing(match.setup.race, len(match.setup.sides), [each for _, each in deals], _games_of(match, deals))


def counted_in_race(match: Match, deal: Deal) -> CountedDeal | None:
    """A deal as the race counts it: its scores in force, and procedural points beside them; None for one that brings
    neither."""
    scores, points = race_scores(match, deal), procedural_points(deal) or ()
    if scores is not None:
        return CountedDeal(*scores, points)
    return CountedDeal((), (), points, whole=False) if points else None


def _games_of(match: Match, deals: list[tuple[Deal, CountedDeal]]) -> list[int] | None:
    """The game of a match of several in which each deal was played: the first that was not over as the deal began, by
    the rulings of that time. A later ruling on an earlier game moves no deal. None where nothing was ruled."""
    race, sides = match.setup.race, len(match.setup.sides)
    if race.best_of == 1 or not any(deal.rulings for deal, _ in deals):
        return None
    games: list[int] = []
    for place, (deal, _) in enumerate(deals):
        then = [_counted_at(match, each, now, deal.version) for each, now in deals[:place]]
        games.append(game_on(race, sides, then, games))
    return games


def _counted_at(match: Match, deal: Deal, now: CountedDeal, version: int) -> CountedDeal:
    """A deal as the race counted it at a version: with the rulings that were made before it."""
    before = tuple(each for each in deal.rulings if each.version < version)
    if len(before) == len(deal.rulings):
        return now
    then = counted_in_race(match, msgspec.structs.replace(deal, rulings=before, void=_void_at(deal, version)))
    return then if then is not None else CountedDeal((), (), (), whole=False)


def _void_at(deal: Deal, version: int) -> bool:
    """Tells whether a deal was void at a version: one that a later ruling declared void was not."""
    return deal.void and not any(
        each.version > version and (each.remedy or "").startswith("void") for each in deal.rulings
    )


def open_deal(match: Match) -> Deal | None:
    """The deal that is still on, if any."""
    if match.deals and not is_complete(match, match.deals[-1]):
        return match.deals[-1]
    return None


def next_dealer(match: Match) -> int | None:
    """The dealer that the rules give for the next deal; None for the first, which is by lot (ALL.1), unless the pairing
    of a tournament has settled it."""
    if not match.deals:
        return match.setup.dealer
    last = match.deals[-1]
    if last.void:
        return last.dealer
    result = played(match, last)
    passed_out = result is not None and result.void
    dealer: int = match.setup.game.next_dealer(match.setup.options, last.dealer, passed_out)
    return dealer


def opened(event: MatchOpened, game: AnyGame, options: AnyOptions) -> Setup:
    """The setup that a match's first event pins."""
    return Setup(
        game=game,
        options=options,
        race=event.race,
        sides=event.sides,
        seats=game.sides(options),
        recording=event.recording,
        depth=event.depth,
        rules=event.rules,
        tournament=event.tournament,
        dealer=event.dealer,
        house=event.house,
        signals=event.signals,
        delay=event.delay,
    )


def side_of(match: Match, actor: Actor) -> int | None:
    """The side for which whoever acts plays."""
    return next((side for side, players in enumerate(match.setup.sides) if set(players) & set(actor.people)), None)


def disputed(match: Match, deal: Deal | None) -> OpenDispute | None:
    """The dispute that is open over a deal, or over the whole match; any one where no deal is named."""
    return next((each for each in match.disputes if deal is None or each.deal in (None, deal.number)), None)


def deal_at(match: Match, version: int) -> Deal | None:
    """The deal that was on at a version."""
    begun = [deal for deal in match.deals if deal.version <= version]
    return begun[-1] if begun else None
