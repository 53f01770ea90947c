"""Silence in a tournament counts after its time, by the times in the log; what comes later makes a result final."""

import asyncio
from datetime import timedelta

import pytest

from service.run import following
from service.run.leasing import Lease
from service.run.lifespan import ended
from service.run.wiring import make_services
from service.steward.steward import Steward
from service.store.ids import now
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening
from tests.kit.service.people import Phone
from tests.recorded.scenes_signatures import FORM
from tests.service.api.test_claims_and_contests import LEFT, RIGHT, SHORT, Night


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def later(client):
    """Return a function that sets the service's clock this many minutes ahead."""
    recorder = client.app.state.services.recorder
    usual = recorder.clock

    def goes(minutes):
        recorder.clock = lambda: now() + timedelta(minutes=minutes)

    yield goes
    recorder.clock = usual


class Cup(Night):
    """A night on which signatures are asked for."""

    def __init__(self, house, **plan):
        super().__init__(house, "confirmed", plan)
        playing = {each["id"]: each["players"][0] for each in self.evening.view["entries"]}
        table = self.evening.round()["pairings"][0]
        self.phones = [Phone(house, playing[side["entries"][0]]) for side in table["sides"]]
        self.page = self.match.removeprefix("/api/v1")

    def deal(self):
        return self.house.get(self.match).json()["deals"][0]

    def signed(self):
        return [(each["side"], each["strength"]) for each in self.first()["signatures"]]


def test_silence_confirms_a_result_after_the_time_and_not_before(house, later):
    cup = Cup(house, plays_on="own device", final="own device", timeout=30)
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    later(29)
    assert cup.first()["status"] == "open"
    later(31)
    found = cup.first()
    assert (found["status"], found["final"]) == ("decided", False)
    assert cup.signed() == [(0, "own device"), (1, "timeout")]
    cup.phones[1].does(f"{cup.page}/confirm", deal=1, side=1)
    assert cup.first()["final"]
    assert cup.signed() == [(0, "own device"), (1, "own device")]


def test_a_guessed_command_id_does_not_prevent_silence_from_counting(house, later):
    cup = Cup(house, plays_on="own device", final="own device", timeout=30)
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    match = cup.match.rpartition("/")[2]
    for version in range(1, house.get(cup.match).json()["version"] + 1):
        key = {"Idempotency-Key": f"silence {match} W1.1 1 {version}"}
        body = {"game": "parity", "sides": [["Hal"], ["Ida"]]}
        assert house.post(f"{house.path}/matches", body, **key).status_code == 201
    later(31)
    assert cup.first()["status"] == "decided"
    assert cup.signed() == [(0, "own device"), (1, "timeout")]


def test_a_service_that_starts_counts_an_earlier_silence(house, later, database, monkeypatch):
    monkeypatch.setattr(following, "SILENCE_SECONDS", 0.05)
    cup = Cup(house, plays_on="own device", final="own device", timeout=30)
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    assert cup.first()["status"] == "open"
    house.get(f"{house.path}/tournaments")  # the list is kept from here on

    async def begins(pool):
        services = make_services(pool)
        going = await services.steward.going()
        assert house.id in going
        services.recorder.clock = lambda: now() + timedelta(minutes=31)
        monkeypatch.setattr(Steward, "going", lambda _: answers([house.id]))  # what other tests left stays as it is
        lease = Lease(pool, f"of a test {house.id}", lambda: 0.0)  # nobody beats: it is held for as long as it takes
        await lease.step()
        counting = asyncio.create_task(following.count_silences(services, lease))
        try:
            while not await counts(pool):
                assert not counting.done()
                await asyncio.sleep(0.05)
        finally:
            await ended(counting)

    async def answers(clubs):
        return clubs

    async def counts(pool):
        async with pool.connection() as connection:
            found = await connection.execute(
                "select 1 from events where club_id = %s and data::jsonb ->> 'strength' = 'timeout'", [house.id]
            )
            return await found.fetchone()

    with_pool(database, begins)
    assert cup.signed() == [(0, "own device"), (1, "timeout")]


async def going(pool):
    """The clubs that whoever takes up counting looks at."""
    return await make_services(pool).steward.going()


def test_a_finished_tournament_is_not_examined_for_silences(house, database):
    Evening(house, [SHORT], players=4, plan={"timeout": 30}).to_the_end()
    house.get(f"{house.path}/tournaments")
    assert house.id not in with_pool(database, going)


def test_a_tournament_without_a_read_model_is_examined_for_silences(house, database):
    Evening(house, [SHORT], players=4, plan={"timeout": 30})
    house.get(f"{house.path}/tournaments")
    house.log.execute("delete from views where club_id = %s", [house.id])
    house.log.execute("delete from checkpoints where club_id = %s", [house.id])
    assert house.id in with_pool(database, going)


def test_a_season_with_an_escaped_nul_is_examined_for_silences(house, database):
    Evening(house, [SHORT], players=4, plan={"timeout": 30, "season": "20\u000026"})
    house.get(f"{house.path}/tournaments")
    assert house.id in with_pool(database, going)


@pytest.mark.parametrize("heard", [True, False], ids=["heard before", "not heard before"])
def test_a_disputed_result_waits_for_the_director_however_long(house, later, heard):
    cup = Cup(house, timeout=30)
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    assert not heard or cup.first()["claims"]
    cup.phones[1].does(f"{cup.page}/dispute", deal=1, side=1, reason="no")
    later(600)
    assert cup.first()["winner"] is None


def test_silence_does_not_confirm_a_corrected_result(house, later):
    cup = Cup(house, timeout=30)
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    assert cup.first()["claims"]
    version = cup.deal()["entry_version"]
    house.done(f"{cup.match}/corrections", {"version": version, "now": RIGHT, "reason": "misread"}, "director")
    later(600)
    assert cup.first()["winner"] is None


def test_a_tournament_report_of_a_disputed_match_waits_for_the_director(house, later):
    cup = Cup(house, timeout=30)
    cup.claims(0, score=[21, 0])
    house.done(f"{cup.match}/results", {"entry": LEFT, "deal": 1}, cup.sides[0])  # as strong, so that is not heard
    cup.phones[1].does(f"{cup.page}/dispute", deal=1, side=1, reason="no")
    later(600)
    assert cup.first()["winner"] is None


def test_silence_confirms_a_tournament_report(house, later):
    cup = Cup(house, timeout=30)
    cup.claims(0, score=[21, 0])
    later(31)
    assert cup.first()["status"] == "decided"
    assert cup.signed() == [(0, "token"), (1, "timeout")]


def test_a_weak_confirmation_of_a_record_waits_for_a_stronger_one(house):
    cup = Cup(house, plays_on="own device")
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    keeper = Phone(house, match=cup.match.rpartition("/")[2])
    keeper.does(f"{cup.page}/confirm", deal=1, side=1)
    assert cup.first()["status"] == "open"
    cup.phones[1].does(f"{cup.page}/confirm", deal=1, side=1)
    assert cup.first()["status"] == "decided"


def test_one_phone_does_not_confirm_for_both_sides(house):
    cup = Cup(house, plays_on="table")
    match = cup.match.rpartition("/")[2]
    phone, keeper = cup.phones[0], Phone(house, match=match)
    phone.does(f"/tournaments/{cup.evening.id}/actions", do="report", fixture="W1.1", winner="0")
    playing = {each["id"]: each["players"][0] for each in cup.evening.view["entries"]}
    phone.sits(match, playing[cup.first()["sides"][1]["entries"][0]])
    house.client.app.state.services.forget()
    keeper.does(f"{cup.page}/result", **FORM)
    phone.does(f"{cup.page}/confirm", deal=1, side=1)
    assert [each["strength"] for each in cup.deal()["signatures"]] == ["scorer"]
    first = cup.first()
    assert (first["status"], first["disputed"]) == ("open", False)


def test_an_imported_file_carries_no_personal_signatures(house):
    cup = Cup(house, plays_on="own device", final="own device")
    cup.phones[0].does(f"{cup.page}/result", **FORM)
    cup.phones[1].does(f"{cup.page}/confirm", deal=1, side=1)
    assert cup.first()["final"]
    text = house.get(f"{cup.evening.path}/archive", "director").text
    made = house.ask("POST", f"{house.path}/tournaments/archive", text.encode(), "director").json()["tournament"]
    first = made["rounds"][0]["pairings"][0]
    signed = house.get(f"/api/v1/matches/{first['match']}").json()["deals"][0]["signatures"]
    assert [each["strength"] for each in (*signed, *first["signatures"])] == ["file"] * 4
    assert not first["final"], "the director lets it stand, or both sign again"
