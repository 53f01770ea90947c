"""Which signatures a tournament takes for playing on and for final, and when silence counts."""

import pytest

from domain.log.actor import Actor, Right
from domain.log.decider import Refusal, decided
from domain.tournament import commands as c
from domain.tournament.decide import decide
from domain.tournament.evolve import fold
from domain.tournament.plan import Plan
from domain.tournament.signatures import is_final, not_final
from domain.tournament.state import Tournament
from tests.kit.tournament.directed import Event


def own(person, *roles):
    """A person on the own phone."""
    rights = (Right(role, person=person, id=person, strength="own device") for role in ("player", *roles))
    return Actor(rights=tuple(rights))


def tapped(person, match):
    """A name tapped behind the code of a table."""
    return Actor(rights=(Right("player", person=person, id=person, strength="table", match=match, by_code=True),))


SCORER = Actor(rights=(Right("scorer", person="p9", id="p9", strength="own device"),))


class Cup(Event):
    """A bracket of two players, and who may do what in it."""

    def __init__(self, entries=2, **plan):
        self.given = Plan(**plan)
        super().__init__({"kind": "single"}, entries=entries, race={"target": 15})

    def do(self, command):
        if isinstance(command, c.Announce):
            command = c.Announce(command.name, command.stages, self.given)
        return super().do(command)

    def says(self, command, actor, device=None):
        """The types of the events, or the kind of a refusal."""
        if isinstance(command, c.Report) and device is not None:
            known = tuple((version, who) for where, version, who in self.acts if where == device)
            command = c.Report(command.fixture, score=command.score, own=known, upto=self.state.version)
        try:
            news, acting = decided(
                lambda state, asked, each: decide(state, asked, each, self.chance()), self.state, command, actor
            )
        except Refusal as refusal:
            return refusal.slug
        numbered = [(len(self.log) + place, new.event) for place, new in enumerate(news, start=1)]
        self.log += numbered
        self.acts += [(device, version, acting.id) for version, _ in numbered]
        self.state = fold(self.state, numbered)
        assert self.state == fold(Tournament(), self.log)
        return [type(new.event).__name__ for new in news]

    acts = ()

    def begun(self):
        self.acts = []
        self.pair()
        self.match = self.state.stage.pairings["W1.1"].match
        return self

    def final(self):
        return is_final(self.state, self.state.stage, "W1.1")


WON = c.Report("W1.1", score=(21, 0))
TOLD = ["OutcomeClaimed", "OutcomeReported"]


def test_words_as_strong_as_asked_are_the_result_and_final():
    cup = Cup(counts="confirmed", plays_on="table", final="own device").begun()
    assert cup.says(WON, own("p1")) == ["OutcomeClaimed"]
    assert cup.says(WON, own("p2")) == TOLD
    assert cup.final()


def test_a_word_that_is_too_weak_waits_for_a_stronger_one():
    cup = Cup(counts="confirmed", plays_on="own device").begun()
    assert cup.says(WON, tapped("p1", cup.match)) == ["OutcomeClaimed"]
    assert cup.says(WON, own("p2")) == ["OutcomeClaimed"]
    assert cup.says(WON, own("p2")) == "misfit"
    assert cup.says(WON, own("p1")) == TOLD


def test_a_result_that_is_played_on_is_not_yet_final():
    cup = Cup(counts="confirmed", plays_on="scorer", final="table").begun()
    assert cup.says(WON, SCORER) == ["OutcomeClaimed", "OutcomeClaimed", "OutcomeReported"]
    assert not cup.final()
    assert not_final(cup.state, 0) == ("W1.1",)
    assert cup.says(c.Finish(), own("p9", "director")) == "misfit"
    assert cup.says(c.Uphold("W1.1"), own("p9", "director")) == ["OutcomeUpheld"]
    assert cup.final()
    assert cup.says(c.Finish(), own("p9", "director")) == ["TournamentFinished"]


def test_a_directors_word_is_final():
    cup = Cup(counts="confirmed", final="own device").begun()
    assert cup.says(WON, own("p9", "director")) == ["OutcomeReported"]
    assert cup.final()


def test_where_nothing_is_asked_everything_is_final_as_before():
    cup = Cup().begun()
    assert cup.says(WON, own("p1")) == ["OutcomeReported"]
    assert cup.final()


def test_one_device_speaks_for_one_side_whatever_names_were_tapped():
    cup = Cup(counts="confirmed", plays_on="table").begun()
    assert cup.says(WON, tapped("p1", cup.match), "tablet") == ["OutcomeClaimed"]
    assert cup.says(WON, tapped("p2", cup.match), "tablet") == ["OutcomeClaimed"]
    assert [cup.state.stage.claims["W1.1"][side].strength for side in (0, 1)] == ["table", "scorer"]
    assert cup.says(WON, tapped("p2", cup.match), "another") == TOLD


def test_what_the_other_side_said_meanwhile_is_looked_at_first():
    cup = Cup(counts="confirmed", plays_on="table").begun()
    before = cup.state.version
    cup.says(WON, tapped("p1", cup.match))
    late = c.Report("W1.1", score=(21, 0), upto=before)
    assert cup.says(late, tapped("p2", cup.match)) == "changed"


def test_silence_counts_for_playing_on_after_its_time():
    cup = Cup(counts="confirmed", plays_on="own device", final="own device", timeout=20).begun()
    cup.says(WON, own("p1"))
    since = cup.state.version
    silent = c.CountSilence("W1.1", 0, 1, since, 20)
    assert cup.says(c.CountSilence("W1.1", 0, 1, since, 19), own("p9", "director")) == "misfit"
    assert cup.says(silent, own("p9", "director")) == TOLD
    assert not cup.final()


def test_silence_confirms_only_undisputed_results_if_the_plan_allows_it():
    cup = Cup(counts="confirmed").begun()
    cup.says(WON, own("p1"))
    assert cup.says(c.CountSilence("W1.1", 0, 1, cup.state.version, 999), own("p9", "director")) == "misfit"
    cup = Cup(counts="confirmed", timeout=1).begun()
    cup.says(WON, own("p1"))
    cup.says(c.Report("W1.1", score=(0, 21)), own("p2"))
    assert cup.says(c.CountSilence("W1.1", 0, 1, cup.state.version, 999), own("p9", "director")) == "misfit"


@pytest.mark.parametrize(
    "command",
    [
        c.Report("W1.1", score=(0, 21), repair="again"),
        c.Report("W1.1", winner=0, how="walkover"),
        c.Retract("W1.1"),
        c.Uphold("W1.1"),
    ],
)
def test_a_director_who_plays_does_not_decide_on_the_own_match(command):
    cup = Cup().begun()
    cup.says(WON, own("p9", "director"))
    cup.says(c.Dispute("W1.1"), own("p2"))
    assert cup.says(command, own("p1", "director")) == "recused"
    close = Actor(rights=(Right("director", person="p9", id="p9"),), close=("p2",))
    assert cup.says(command, close) == "recused"


def test_a_playing_director_cannot_win_by_withdrawing_the_opponent():
    cup = Cup(entries=4).begun()
    (mine,), (other,) = cup.state.stage.pairings["W1.1"].sides
    player, opponent = cup.state.entries[mine].players[0], cup.state.entries[other].players[0]
    close = Actor(rights=(Right("director", person="p9", id="p9"),), close=(player,))
    for director in (own(player, "director"), close):
        assert cup.says(c.Withdraw(other), director) == "recused"
    elsewhere = next(iter(cup.state.stage.pairings["W1.2"].sides))[0]
    assert cup.says(c.Withdraw(elsewhere), own(player, "director"))[0] == "EntryWithdrawn"
    assert cup.says(c.Withdraw(other), own(opponent)) == ["EntryWithdrawn", "OutcomeReported"]


def test_a_playing_director_may_withdraw_anyone_but_the_current_opponent():
    cup = Cup(entries=4)
    cup.acts = []
    assert cup.says(c.Withdraw("e2"), own("p1", "director")) == ["EntryWithdrawn"]
    cup = Cup().begun()
    assert cup.says(c.Withdraw("e1"), own("p1", "director")) == ["EntryWithdrawn", "OutcomeReported"]


def test_who_came_by_a_code_has_business_with_that_match_alone():
    cup = Cup(entries=4).begun()
    elsewhere = tapped("p1", "another match")
    assert cup.says(WON, elsewhere) == "forbidden"
    assert cup.says(c.Withdraw("e1"), tapped("p1", cup.match)) == "forbidden"
    assert cup.says(c.CheckIn("e1"), tapped("p1", cup.match)) == "forbidden"
    assert cup.says(WON, tapped("p1", cup.match)) == ["OutcomeReported"]
    assert cup.says(c.Dispute("W1.1"), tapped("p1", cup.match)) == ["OutcomeDisputed"]


def test_a_program_is_no_person_where_persons_are_asked_for():
    token = Actor("director", id="token")
    cup = Cup(counts="confirmed", plays_on="pin").begun()
    assert cup.says(WON, token) == ["OutcomeClaimed", "OutcomeClaimed"]
    assert cup.says(c.Report("W1.1", winner=0, how="walkover"), token) == "forbidden"


def test_a_deputy_announces_no_tournament():
    deputy = Actor("deputy", person="p9", tournament="cup", strength="own device")
    plan = c.StagePlan(format={"kind": "single"}, game="parity")
    with pytest.raises(Refusal):
        decide(Tournament(), c.Announce("Cup", (plan,)), deputy)
