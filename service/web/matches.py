"""The live table: a page that follows its match by server-sent events."""

from collections.abc import Hashable, Sequence
from typing import Final
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import FromPath
from msgspec.structs import asdict

from domain.cards.card import cards_in
from domain.cards.seats import seat_name
from domain.club.state import Player
from domain.game.calls import calls_against_the_rules
from domain.game.protocol import AnyGame
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match.sight import seen, sight_of
from domain.match.state import Match, is_complete, open_deal
from domain.match.windows import Moment
from projections.match_view import MatchView, SideView
from projections.mending_view import windows_of
from projections.rebuilt import rebuilt_at
from projections.table_view import told
from service.desk.access import actor_at, belongs, kind_of, match_for, viewer_in
from service.desk.coming_in import sign_in_of
from service.desk.delays import round_of, stream_seen
from service.desk.own_hand import players_by_pin
from service.desk.own_table import NOTHING_ASKED, OpenQuestions
from service.desk.pushed_here import recorded_elsewhere
from service.desk.ranks import RankRange, ranks_of
from service.desk.showing import shown
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, era_of, services_of
from service.http.cookies import caller_of, go
from service.languages import phrases
from service.languages.spoken import N_, translate
from service.live.feed import Feed
from service.store.callers import Caller, may_read
from service.store.loaded import LoadedClub, LoadedMatch
from service.store.seats import why_ended
from service.web.ahead import ahead_of, away_of
from service.web.asked import asked_of
from service.web.cases.reasons import REASONS, may_call
from service.web.claiming import resting_of
from service.web.controls import NO_CONTROLS, Controls, Tap, controls_of, taps_of
from service.web.following import Draw, followed, stream_of_page
from service.web.mends import NO_MENDS, mends_of
from service.web.moments import Teller, claim_text, dispute_text, figures
from service.web.offers import NOTHING, offers_of
from service.web.reasons import reasons_of
from service.web.render import TEMPLATES, aloud, capital, known_name, page, plain, seat_text, side_text
from service.web.said import joined
from service.web.shown_table import HomeClub, ShownTable

ABANDON: Final = N_("Was this match opened by mistake? Nothing more can be recorded in it, and it does not count.")
VOID: Final = N_(
    "Is this deal void? It will not count, and the same dealer deals again. You can bring it back until the next deal "
    "has begun."
)


def may_record(caller: Caller, loaded: LoadedMatch) -> bool:
    """Tells whether the table shows the controls of the scorer."""
    return caller.records(loaded.club, loaded.stream, loaded.match.setup.tournament)


def _seated(match: Match, club: LoadedClub) -> list[Player]:
    """The people at a table whom the club knows."""
    seated = (player for side in match.setup.sides for player in side)
    return [club.state.players[player] for player in seated if player in club.state.players]


def people_of(sides: Sequence[SideView]) -> list[str]:
    """The names by seat; a removed one is the seat's letter."""
    seats = sum(len(side.seats) for side in sides)
    found = [seat_name(seat, seats) for seat in range(seats)]
    for side in sides:
        for seat, name in zip(side.seats, side.names, strict=True):
            found[seat] = name or found[seat]
    return found


def said_of(match: Match, view: MatchView, people: list[str]) -> str:
    """The words for a screen reader when the table changes: the last fact, whose turn it is, what sides say, the
    score."""
    parts = []
    if match.deals and match.deals[-1].facts:
        _, last = match.deals[-1].facts[-1]
        # the page is read by those too who have not seen all of it
        public = plain(told(match, match.deals[-1], seen(last, None)))
        parts.append(seat_text(match.setup.game.key, public, people))
    table = view.table
    if table and table["to_act"] is not None:
        parts.append(translate("{name} is to act").format(name=people[table["to_act"]]))
    parts += map(capital, (*told_claims(view), *told_disputes(view)))
    sides = [joined(name or "" for name in side.names) for side in view.sides]
    parts.append(", ".join(f"{side} {total}" for side, total in zip(sides, view.totals, strict=True)))
    return aloud(". ".join(parts))


def told_claims(view: MatchView) -> list[str]:
    """The words of sides about the deal that is on, claim by claim."""
    sides = [side_text(side) for side in view.sides]
    return [claim_text(claim, deal.number, sides) for deal in view.deals[-1:] for claim in deal.claims]


def told_disputes(view: MatchView) -> list[str]:
    """The disputes that are open, in words."""
    sides = [side_text(side) for side in view.sides]
    return [dispute_text(each.deal, each.side, sides) for each in view.disputes]


def told_proposals(match: Match, view: MatchView, people: list[str]) -> list[str]:
    """The corrections that wait, in words: what the entry is, and what it would be."""
    teller = Teller(match, view.sides, people)
    return [teller.change(plain(each)) for each in view.proposals]


def table_values(
    caller: Caller,
    loaded: LoadedMatch,
    club: LoadedClub,
    past: Match | None = None,
    asked: OpenQuestions = NOTHING_ASKED,
    moment: Moment | None = None,
    ranks: Sequence[RankRange | None] = (),
    era: str = "",
) -> ShownTable:
    """The values of the table's template, now or as it was; `asked` is what is asked of signatures there, the `moment`
    says in which window each deal is, `ranks` are those of the sides in their tournament; the `era` tells a page that
    follows whether a lower version is an older one."""
    match, view = past or loaded.match, shown(loaded, club, caller, past, moment)
    table = view.table and phrases.told_table(match.setup.game.key, view.table)
    view = msgspec.structs.replace(view, table=table, doubt=asked.doubt if past is None else None)
    people = people_of(view.sides)
    records, pack = may_record(caller, loaded), pack_of(match)
    return ShownTable(
        match=view,
        people=people,
        sides=[side_text(side) for side in view.sides],
        said=said_of(match, view, people),
        may_record=records,
        belongs=past is None and belongs(caller, loaded),
        controls=controls_now(match, view, pack) if records and past is None else NO_CONTROLS,
        resting=resting_of(match) if records and past is None else None,
        by_pin=players_by_pin(caller, loaded, club) if past is None else (),
        offers=offers_of(caller, loaded, asked.least, asked.directors, moment) if past is None else NOTHING,
        mends=mends_of(caller, loaded, view, asked.least, moment) if past is None else NO_MENDS,
        called={player.id: known_name(player.name) for player in _seated(match, club)},
        figures=figures,
        told_claims=told_claims(view),
        told_disputes=told_disputes(view),
        told_proposals=told_proposals(match, view, people),
        pack=pack,
        gone=set((table or {}).get("seen", ())),
        odd_calls=odd_calls(match) if records and past is None else (),
        club=HomeClub(club.club, club.state.name),
        reads=may_read(caller, club.club, club.state.public),
        zone=club.state.settings.zone,
        calls=REASONS if past is None and may_call(caller, loaded) else (),
        directs=actor_at(caller, loaded).directs,
        heard=asked.heard if past is None else None,
        rebuilt=rebuilt_at(loaded.match, past, viewer_in(caller, loaded)) if past is not None else {},
        void_asks=translate(VOID),
        abandon_asks=translate(ABANDON),
        hidden_facts=hidden_facts(match),
        next_deal=next_deal(match),
        lies_open=lies_open(match.setup.game),
        placed=ranks,
        phases=phases_before(match),
        embeds=club.state.public and not may_record(caller, loaded),
        era=era,
    )


def phases_before(match: Match) -> list[tuple[int, Sequence[int]]]:
    """The tricks by seat of the phases of the last deal that are over, while a later one is on."""
    deal, game = (match.deals[-1] if match.deals else None), match.setup.game
    shown = None if deal is None else game.view(deal.table, None)
    if deal is None or shown is None or not shown.tricks:
        return []
    over = game.script.section_sums(deal.table)[: max(shown.phase - 1, 0)]
    return [(phase, sums) for phase, sums in enumerate(over, start=1) if sums != shown.tricks]


def hidden_facts(match: Match) -> str:
    """The words of the facts that tell of a hand that not every seat may see: a browser keeps those for its session
    only."""
    deal, game = open_deal(match), match.setup.game
    if deal is not None and deal.cards is not None and not lies_open(game):
        return "every"
    return " ".join(str(kind.__struct_config__.tag) for kind in (*game.facts, *game.remarks) if kind.hides)


def lies_open(game: AnyGame) -> bool:
    """True where the deal lies face up from the first, so that it hides nothing and may be typed."""
    return game.frame is not None and game.frame.filled


def next_deal(match: Match) -> int:
    """The deal that a result would be for: the one that is on, else the next."""
    return len(match.deals) + (open_deal(match) is None)


def controls_now(match: Match, view: MatchView, pack: list[str]) -> Controls:
    """The controls for the deal that is on."""
    on = match.deals and not is_complete(match, match.deals[-1])
    return controls_of(match.setup.game.key, view.table, pack) if on and view.table else NO_CONTROLS


def odd_calls(match: Match) -> tuple[Tap, ...]:
    """The calls that break a rule and are recorded all the same, at a table with physical cards."""
    deal = open_deal(match)
    if deal is None or match.setup.recording != "record" or deal.paused or deal.depth == "summary":
        return ()
    return taps_of(match.setup.game.key, calls_against_the_rules(match.setup.game, match.setup.options, deal.table))


def without_network(match: Match, values: ShownTable) -> JsonObject:
    """The values with which a page of this table goes on without a network, where its viewer records and it is open; no
    card where the log knows hands, so that no page names one unseen."""
    if not values.may_record or values.match.status != "open":
        return {"ahead": None, "away": None, "letters": ()}
    known = any(deal.cards is not None for deal in match.deals) and not lies_open(match.setup.game)
    pack, seats = [] if known else values.pack, len(values.people)
    letters = [seat_name(seat, seats) for seat in range(seats)]
    ahead = None if known else plain(ahead_of(match, pack))
    return {"ahead": ahead, "away": away_of(match, pack), "letters": letters}


def pack_of(match: Match) -> list[str]:
    """The cards of the game, for the grid of buttons."""
    return [str(card) for card in cards_in(match.setup.game.pack(match.setup.options))]


@get("/matches/{match_id:uuid}", include_in_schema=False, query=("called",))
async def match_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The live table; a phone whose place there has ended is told why, where it may not look any more."""
    services, caller = services_of(request), await caller_of(request)
    try:
        loaded, club = await match_for(services, caller, match_id)
    except Refusal:
        own = sign_in_of(caller)
        if own is None or await why_ended(services.pool, own, str(match_id)) is None:
            raise
        return go(f"/matches/{match_id}/seats")
    asked, moment = await asked_of(services, caller, loaded, club)
    ranks = await ranks_of(services, caller, loaded, club)
    era = await era_of(request)
    values = table_values(caller, loaded, club, asked=asked, moment=moment, ranks=ranks, era=era)
    reasons = await reasons_of(services, caller, loaded, Teller(loaded.match, values.match.sides, values.people))
    told = "called" in request.query_params and caller.known
    without = without_network(loaded.match, values)
    brought = await recorded_elsewhere(services, loaded, club)
    shown_values = {**asdict(values), **without, "elsewhere": brought}
    return page("match.html", caller, reasons=reasons, told_call=told, **shown_values)


@stream_of_page("/matches/{match_id:uuid}/live")
async def live(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The table's inside, again whenever the match has changed; what time alone tells comes with the next ping."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    template = TEMPLATES.get_template("_table.html")

    async def now(feed: Feed, caller: Caller) -> tuple[Hashable, Draw]:
        known = services.streams.kept(loaded.stream) or await services.streams.load(loaded.stream) or loaded
        fresh = await stream_seen(services, caller, known)
        own = feed.loaded or await services.streams.club_of(fresh)
        kind = kind_of(caller, own.club, fresh.match, fresh.stream)
        asked, moment = await asked_of(services, caller, fresh, own)
        told = sight_of(fresh.match, actor_at(kind, fresh), moment).told
        ranks = await ranks_of(services, kind, fresh, own)
        era = await era_of(request)
        windows = windows_of(fresh.match, moment)
        key = (era, fresh.head.version, own.head.version, kind, asked, windows, told, ranks)

        def draw() -> str:
            values = table_values(kind, fresh, own, asked=asked, moment=moment, ranks=ranks, era=era)
            return template.render(caller=kind, **asdict(values))

        return key, draw

    return followed(request, services, caller, club.club, loaded.stream, now, beside=round_of(loaded))
