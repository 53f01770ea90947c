"""Claims of the rest: RestClaimed and RestAnswered, agreed to, contested, lapsed, taken back and put right."""

from domain import codec
from domain.cards.facts import RestAnswered, RestClaimed
from tests.kit.games.rests import faced, stretches, takes_all
from tests.kit.games.strategies import played_out, setup
from tests.kit.match.tables import told
from tests.recorded.tables import Table


def play(stage):
    """Four games with physical cards, and Parity with hands that only their players see."""
    house = stage.house()
    parity(house)
    for key, options, sides in (
        ("cross_purposes", {}, [["Annie"], ["Benny"]]),
        ("cross_purposes", {"variant": "alliance"}, [["Annie"], ["Benny"], ["Cleo"], ["Dag"]]),
        ("ristikontra", {}, [["Annie", "Cleo"], ["Benny", "Dag"]]),
        ("cross_game", {}, [["Annie"], ["Benny"]]),
    ):
        agreed(house, key, options, sides)
    hidden(stage, house)


def stopped(key, options, seed=3):
    """A deal up to where one seat takes all that is left: what came before, the seat, what came after, its hand; None
    where no one does."""
    game, _, dealer, deal, facts, states = played_out((key, options), seed)
    ends = [each for each in stretches(game, states) if takes_all(each) is not None]
    if not ends:
        return None
    stretch = max(ends, key=lambda each: each.end * 100 + sum(each.won))
    state, seat = states[stretch.place], takes_all(stretch)
    asked = game.rest(state).asked(seat)
    played = told(game, facts, states)
    return dealer, deal, played[: stretch.place], seat, asked, played[stretch.place :], faced(game, state, seat)


def parity(house):
    """One deal each: contested and played out, lapsed, an answer undone, a claim corrected, a result entered."""
    table = Table(house, "parity", [["Ida"], ["Per"]], deals=5)
    for number in range(1, 6):
        dealer, _, before, seat, (other,), after, hand = stopped("parity", {}, number)
        table.deal(dealer=dealer if number == 1 else None)
        seats = {0: 0, 1: 1} if table.view["deals"][-1]["dealer"] == dealer else {0: 1, 1: 0}

        def turned(fact, seats=seats):
            return {**codec.plain(fact), "seat": seats[fact.seat]}

        def said(fact, by="scorer", table=table, seats=seats):
            table.done("facts", {"facts": [turned(fact, seats)], "it_happened": True}, by)

        for each in before:
            said(each)
        if number == 1:
            said(RestClaimed(seat, len(after) // 2), table.player(seats[seat]))
            said(RestAnswered(other, False), table.player(seats[other]))
        elif number == 2:
            said(RestClaimed(seat))
        elif number == 3:
            said(RestClaimed(seat))
            said(RestAnswered(other, True))
            table.done("undo", {})
        elif number == 4:
            said(RestClaimed(seat, 0))
            version = table.view["version"]
            now = turned(RestClaimed(seat, None, hand if seats[0] == 0 else ()))
            table.done("corrections", {"version": version, "now": now, "reason": "all of them, and laid down"})
            said(RestAnswered(other, True))
            continue
        else:
            said(RestClaimed(seat))
            said(RestAnswered(other, False))
            table.done("results", {"entry": {"parity": "odd", "tricks": [9, 6]}, "deal": 5}, "director")
            continue
        for each in after:
            said(each)


def agreed(house, key, options, sides):
    """The rest is claimed with the hand faced, everybody who is asked agrees, both sides confirm."""
    table = Table(house, key, sides, options=options)
    dealer, _, before, seat, asked, _, hand = stopped(key, options, scoring_seed(key, options))
    table.deal(dealer=dealer)
    table.facts(before)
    table.facts([RestClaimed(seat, None, hand)])
    table.facts([RestAnswered(each, True) for each in asked])
    table.confirm(0)
    table.confirm(1)


def scoring_seed(key, options):
    """The first deal from the third on whose score follows from the claim: in Cross Game the claimer leads."""
    for seed in range(3, 100):
        found = stopped(key, options, seed)
        if found is None:
            continue
        dealer, _, before, seat, asked, _, hand = found
        game, given = setup((key, options))
        table = game.start(given, dealer, None)
        for fact in (*before, RestClaimed(seat, None, hand), *(RestAnswered(each, True) for each in asked)):
            table = game.evolve(table, fact)
        if game.score(table) is not None:
            return seed
    raise AssertionError(key)


def hidden(stage, house):
    """Hands that only their players see: the claimer's is faced to all, the other stays closed."""
    options = {"open_hands": False}
    table = Table(house, "parity", [["Olga"], ["Ravi"]], options=options)
    stage.sits(house, table.id, table.view["sides"][1]["players"][0])
    dealer, deal, before, seat, (other,), _, hand = stopped("parity", options, 8)
    table.deal(dealer=dealer, deal=codec.plain(deal))
    table.facts(before)
    table.done("facts", {"facts": [codec.plain(RestClaimed(seat, None, hand))]}, table.player(seat))
    table.done("facts", {"facts": [codec.plain(RestAnswered(other, True))]}, table.player(other))
