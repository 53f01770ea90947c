"""No answer names a card that its reader has not seen: views, views of the past, projections, events, answers
to writes, refusals and pages, while a strict electronic deal is on. When it is over everything is open."""

import re

import pytest

from domain import codec
from domain.cards.card import CARDS, SUIT_SIGNS, cards_in, mask_of
from domain.english import rank_text
from tests.kit.games.strategies import played_out
from tests.kit.service.asking import House, first_of_stream
from tests.kit.service.people import Phone, granted

FORMS = {
    "two": ("cross_purposes", {}),
    "fixed": ("cross_purposes", {"variant": "fixed"}),
    "alliance": ("cross_purposes", {"variant": "alliance"}),
    "cross game": ("cross_game", {}),
    "cross game declared": ("cross_game", {"announce": "declared"}),
    "parity closed": ("parity", {"open_hands": False}),
}
FIRST_ALONE = ["two", *(pytest.param(form, marks=pytest.mark.extended) for form in [*FORMS][1:])]
NAMES = ["Annie", "Benny", "Carla", "Deniz"]
CODE = re.compile(r"(?<![A-Za-z0-9])(?:[CDHS][2-9TJQKA]|[2-9TJQKA][CDHS]|X[RB]|[RB]J)(?![A-Za-z0-9])")
PROJECTIONS = ("tricks", "cross_points", "lurch", "scoreboard", "timeline")


def said_of(card):
    """The ways in which a page says a card."""
    sign = SUIT_SIGNS.get(card.suit)
    return [card.spoken.lower(), *([f"{rank_text(card.rank).lower()}{sign}"] if sign else [])]


def named_in(text, cards):
    """Those of the cards that a text names in any way."""
    codes, lower = set(CODE.findall(text)), text.lower()
    return {
        str(card)
        for card in cards
        if str(card) in codes or str(card)[::-1] in codes or any(said in lower for said in said_of(card))
    }


class Table:
    """A strict match on a known deal: each seat has a device that reads, and one that records for it."""

    def __init__(self, house, form, seed):
        self.house, self.form = house, form
        self.game, self.options, dealer, self.deal, self.facts, self.states = played_out(form, seed)
        self.seats = self.game.seats(self.options)
        people = [house.done(f"{house.path}/players", {"name": NAMES[n]}, "owner")["id"] for n in range(self.seats)]
        sides = [[{"id": people[seat]} for seat in side] for side in self.game.sides(self.options)]
        self.path = house.match(form[0], options=form[1], sides=sides, recording="strict")
        self.page = self.path.removeprefix("/api/v1")
        self.readers = {seat: house.token("player", player=people[seat]) for seat in range(self.seats)}
        self.devices = {seat: house.token("scorer", player=people[seat]) for seat in range(self.seats)}
        house.done(f"{self.path}/deals", {"dealer": dealer, "deal": codec.plain(self.deal)})
        self.at = 0

    @property
    def version(self):
        return 2 + self.at

    def unseen(self, viewer):
        """The cards that a viewer has not seen so far: not played, and not ever in the own hand."""
        seen = mask_of(fact.card for fact in self.facts[: self.at] if hasattr(fact, "card"))
        if viewer is not None:
            for state in self.states[: self.at + 1]:
                seen |= mask_of(self.game.view(state, "all").hands[viewer] or ())
        return list(cards_in(self.game.pack(self.options) & ~seen))

    def play_to(self, end):
        """Each fact by its own seat's device; the answers, each with who was answered and what was unseen then."""
        found = []
        for fact in self.facts[self.at : end]:
            answer = self.house.post(f"{self.path}/facts", {"facts": [codec.plain(fact)]}, self.devices[fact.seat])
            assert answer.status_code == 201, answer.text
            self.at += 1
            found.append((fact.seat, answer.text, self.unseen(fact.seat)))
        return found

    def texts(self, token, step):
        """What a reader is told of this match, by address."""
        get, house = self.house.get, self.house
        addresses = [self.path, f"{self.path}/events", f"{house.path}/events", f"{house.path}/matches"]
        addresses += [f"{house.path}/players", *(f"{self.path}/projections/{name}" for name in PROJECTIONS)]
        addresses += [f"{self.path}?as_of={at}" for at in range(1, self.version + 1, step)]
        when = get(f"{self.path}/projections/timeline", token).json()["view"]
        addresses += [f"{self.path}?as_of={moment['at']}" for moment in (when[1], when[-1])]
        addresses += [f"{self.path}/projections/{name}?as_of={self.version - 3}" for name in PROJECTIONS]
        for address in addresses:
            answer = get(address, token)
            assert answer.status_code == 200, (address, answer.text)
            yield address, answer.text
        for where in (self.path, house.path):
            sent = {**house.bearer(token), "Accept": "text/event-stream"}
            enough = f'"version":{self.version},'.encode()
            status, _, body = first_of_stream(house.client, f"{where}/events", sent, enough)
            assert status == 200
            assert enough in body
            yield f"{where}/events as a stream", body.decode()

    def pages(self, step):
        """What anybody sees in a browser."""
        house = self.house
        for address in (self.page, f"{self.page}/replay", f"/clubs/{house.id}", "/"):
            yield address, house.client.get(address).text
        for at in range(1, self.version + 1, step):
            yield f"{self.page}/replay?at={at}", house.client.get(f"{self.page}/replay?at={at}").text
        yield f"{self.page}/live", first_of_stream(house.client, f"{self.page}/live")[2].decode()


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def never_named(texts, hidden):
    for address, text in texts:
        assert not named_in(text, hidden), address


@pytest.mark.parametrize("form", FIRST_ALONE)
def test_during_a_deal_no_reader_is_shown_an_unseen_card(house, form):
    table = Table(house, FORMS[form], seed=11)
    for share, step in ((0.3, 20), (0.7, 3)):
        for seat, text, hidden in table.play_to(int(len(table.facts) * share)):
            assert not named_in(text, hidden), f"the answer to seat {seat}"
        never_named(table.texts(None, step), table.unseen(None))
        never_named(table.texts("spectator", 20), table.unseen(None))
        for seat, token in table.readers.items():
            never_named(table.texts(token, 2 * step + 1), table.unseen(seat))
        never_named(table.pages(step), table.unseen(None))


@pytest.mark.parametrize("form", FIRST_ALONE)
def test_a_seat_is_told_its_own_cards(house, form):
    table = Table(house, FORMS[form], seed=12)
    table.play_to(len(table.facts) // 3)
    for seat, token in table.readers.items():
        own = table.game.view(table.states[table.at], "all").hands[seat]
        assert set(table.house.get(table.path, token).json()["table"]["hands"][seat]) == {str(card) for card in own}


@pytest.mark.parametrize("form", FIRST_ALONE)
def test_when_a_deal_is_over_everything_is_open_to_everybody(house, form):
    table = Table(house, FORMS[form], seed=13)
    table.play_to(len(table.facts))
    pack = {str(card) for card in cards_in(table.game.pack(table.options))}
    for token in (None, "spectator", *table.readers.values()):
        lines = house.get(f"{table.path}/events", token).text
        assert set(CODE.findall(lines)) == pack
        assert '"hidden"' not in lines
        assert lines.count('"hash"') == table.version
        dealt = house.get(f"{table.path}?as_of=2", token).json()["table"]["hands"]
        assert all(dealt)
    page = house.client.get(f"{table.page}/replay?at=2").text
    assert named_in(page, CARDS) >= {code for hand in dealt for code in hand}


def misfit_of(table, seat):
    """A fact that never fits, so that nothing in front of it in a request is recorded."""
    if table.form[0] == "parity":
        return {"seat": seat, "do": "bid", "bid": 1}
    return {"seat": seat, "do": "parity", "parity": "odd"}


@pytest.mark.parametrize("form", FIRST_ALONE)
def test_a_refusal_names_no_card_but_those_of_the_request(house, form):
    table = Table(house, FORMS[form], seed=14)
    table.play_to(len(table.facts) * 2 // 3)
    pack = list(cards_in(table.game.pack(table.options)))
    played = [fact.card for fact in table.facts[: table.at] if hasattr(fact, "card")]
    for seat, token in table.devices.items():
        hidden = table.unseen(seat)
        own = [card for card in pack if card not in hidden and card not in played]
        for card in (*own, hidden[0], hidden[-1], played[0]):
            facts = [{"seat": seat, "do": "play", "card": str(card)}, misfit_of(table, seat)]
            for body in ({"facts": facts}, {"facts": facts, "it_happened": True}, {"facts": facts[:1] * 2}):
                answer = house.post(f"{table.path}/facts", body, token)
                assert answer.status_code == 409, answer.text
                assert not named_in(answer.text, [each for each in hidden if each != card])


@pytest.mark.parametrize("form", FIRST_ALONE)
def test_a_player_learns_no_hand_by_recording_for_another_seat(house, form):
    # refusals are not in the log, so a seat could otherwise try every card
    table = Table(house, FORMS[form], seed=15)
    table.play_to(len(table.facts) * 2 // 3)
    before = house.position()
    for seat, token in table.devices.items():
        answers = set()
        for other in set(range(table.seats)) - {seat}:
            for card in table.unseen(seat)[::3]:
                fact = {"seat": other, "do": "play", "card": str(card)}
                correction = {"version": table.version, "now": fact, "reason": "misread"}
                for what, body in (("facts", {"facts": [fact, misfit_of(table, seat)]}), ("corrections", correction)):
                    problem = house.post(f"{table.path}/{what}", body, token).json()
                    answers.add((problem["type"], what, problem["detail"]))
        said = [(kind, what) for kind, what, _ in sorted(answers)]
        assert said == [("/problems/forbidden", what) for what in ("corrections", "facts")], (
            "every card is answered alike"
        )
    assert house.position() == before


def test_with_open_hands_a_seat_records_for_the_other_too(house):
    table = Table(house, ("parity", {}), seed=16)
    first = table.facts[0]
    for seat in {0, 1} - {first.seat}:
        house.done(f"{table.path}/facts", {"facts": [codec.plain(first)]}, table.devices[seat])


@pytest.mark.parametrize("wanted", [{"role": "director"}, {"role": "scorer"}, {"role": "player", "person": "Benny"}])
def test_a_token_made_by_a_player_shows_no_hidden_hand(house, wanted):
    table = Table(house, FORMS["two"], seed=11)
    table.play_to(len(table.facts) // 2)
    people = {each["name"]: each["id"] for each in house.get(f"{house.path}/players").json()["items"]}
    granted(house, people["Annie"], "secretary")
    form = {name: people.get(value, value) for name, value in wanted.items()}
    made = Phone(house, people["Annie"]).post(f"/clubs/{house.id}/tokens", name="desk", **form)
    token = re.search(r"lurch_[\w-]{43}", made.text)[0]
    never_named(table.texts(token, 20), table.unseen(None))


def test_a_token_of_an_owner_who_plays_shows_no_hidden_hand(house):
    table = Table(house, FORMS["two"], seed=11)
    table.play_to(len(table.facts) // 2)
    people = {each["name"]: each["id"] for each in house.get(f"{house.path}/players").json()["items"]}
    phone = Phone(house, people["Annie"])
    phone.owns()
    made = phone.post(f"/clubs/{house.id}/tokens", name="desk", role="director")
    token = re.search(r"lurch_[\w-]{43}", made.text)[0]
    never_named(table.texts(token, 20), table.unseen(None))
    assert house.get("/api/v1/me", token).json()["role"] == "director", "it hangs on no role of Annie's in the club"


def test_a_player_with_the_scorer_role_sees_no_other_hand(house):
    table = Table(house, FORMS["two"], seed=11)
    table.play_to(len(table.facts) // 2)
    never_named(table.texts(table.devices[0], 20), table.unseen(0))
