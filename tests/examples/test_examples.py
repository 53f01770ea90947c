"""The examples: every score in them is counted again by a second scorer and by the domain."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from domain.match import events as e
from domain.match.audit.findings import findings
from domain.match.state import race_of
from domain.notation.ctn_read import loads
from service.cli import cli
from tests.examples.test_round_trip import export
from tests.kit.notation import recount

FOLDER = Path(__file__).parents[2] / "examples"


class Course(NamedTuple):
    """The known result of a match: the totals of its games, the level of the loss, what it was worth, and the winner
    (None: a draw)."""

    game: str
    totals: tuple[tuple[int, ...], ...]
    winner: str | None
    deals: int
    lost_at: int = 0
    worth: int = 1


# written by hand from the R lines
COURSES = {
    "alliance-2026-09-24": [Course("cross_purposes", ((172, 126, 80, 122),), "Nora Feeney", 7)],
    "best-of-three": [Course("cross_game", ((4, 11), (12, 8), (8, 12)), "Hana Kimura", 17)],
    "evening": [
        Course("cross_purposes", ((143, 144),), "Tom Hargreaves", 3),
        Course("cross_game", ((7, 15),), "Rui Tavares", 6),
        Course("parity", ((70, 114),), "Colin Webb", 10),
    ],
    "final": [Course("cross_game", ((16, 18),), "Jonas Weiss", 10)],
    "friendly-2026-09-10": [Course("parity", ((37, 52),), "Vera Popescu", 5)],
    "golden-point": [Course("cross_game", ((17, 16),), "Hana Kimura", 10)],
    "guests-from-graz": [Course("cross_game", ((5, 11),), "Franz Hofer", 4)],
    "house-rules": [Course("cross_purposes", ((77, 166),), "Agnes Dupont", 4, lost_at=1, worth=2)],
    "paper-sheet": [Course("cross_purposes", ((203, 179),), "Marta Lindqvist", 4)],
    "parity-double-lurch": [Course("parity", ((47, 101),), "Nora Feeney", 9, lost_at=2, worth=3)],
    "parity-lurch": [Course("parity", ((63, 112),), "Jonas Weiss", 10, lost_at=1, worth=2)],
    "partners-2026-09-17": [Course("cross_purposes", ((79, 101),), "Rui Tavares & Colin Webb", 5)],
    "short-cup": [Course("cross_game", ((6, 13),), "Ilse Brandt", 5)],
    "six-deals": [Course("cross_game", ((13, 13),), None, 6, worth=0)],
    "thursday-2026-10-15": [
        Course("cross_game", ((14, 16),), "Dmitri Orlov", 8),
        Course("cross_purposes", ((104, 191),), "Sam Oyelaran", 3),
    ],
}
TYPED_BY_PEOPLE = {"guests-from-graz", "paper-sheet"}
# (deal, rule, code): proven by the cards, or figures that differ from them
FOUND = {
    "friendly-2026-09-10": [(2, "PA.6", "REV")],
    "paper-sheet": [(2, "ALL.4", "ENT"), (2, "ALL.4", "ENT"), (2, "ALL.4", "ENT"), (3, "ALL.4", "ENT")],
    "partners-2026-09-17": [(2, "CP.13", "REV")],
    "short-cup": [(3, "CG.6", "FTT")],
}
RULED = {"partners-2026-09-17", "short-cup"}
# (deal, what, stated, derived): what the paper sheet has wrong
WRITTEN_WRONG = {
    "paper-sheet": [
        (2, "P1", "8-5", "7-6"),
        (2, "R A", "54", "48"),
        (2, "R B", "42", "49"),
        (3, "R B", "40", "48"),
    ]
}
EXIT = {name: int(name in WRITTEN_WRONG or name in FOUND.keys() - RULED) for name in COURSES}
HISTORIES = {
    "cross_purposes": [
        [56, 42],
        [28, 66],
        [70, 24],
        [42, 56],
        [0, 54],
        [18, 16, 18, 16],
        [20, 12, 20, 12],
        [20, 20, 15, 15],
        [42, 3, 3, 42],
        [0, 0, 20, 20],
    ],
    "cross_game": [[-3, 1], [2, 3], [1, 2], [2, 1], [1, 3], [0, 0], [4, 2], [-3, 2], [-2, 2], [1, 1]],
    "parity": [[0, 20], [19, 0], [0, 19], [0, 13], [17, 0], [18, 0], [0, 17], [0, 18], [0, 15], None],
}


def text_of(name):
    return (FOLDER / f"{name}.ctn").read_text()


def by_seat(match, scores):
    """Return scores by side as scores by seat; partners score alike."""
    return {seat: scores[side] for side, seats in enumerate(match.setup.seats) for seat in seats}


def derived(match):
    """Yield the score of each deal by seat as the domain counts it, before any ruling."""
    game = match.setup.game
    for deal in match.deals:
        result = game.score(deal.table)
        if result is None and deal.entry is not None:
            result = game.sheet.score(match.setup.options, deal.entry[1])
        void = dict.fromkeys(range(game.seats(match.setup.options)), 0)
        yield void if deal.void or result.void else dict(enumerate(result.scores))


@pytest.fixture(params=sorted(COURSES))
def name(request):
    """The name of each example."""
    return request.param


def test_every_example_is_in_the_table():
    there = {path.stem for path in FOLDER.glob("*.ctn")} - {"notation"}
    assert there == set(COURSES)
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(HISTORIES)


def test_an_example_reads_without_problems_and_differs_only_on_purpose(name):
    scripts = loads(text_of(name))
    assert [problem for script in scripts for problem in script.problems] == []
    differing = [(d.deal, d.what, d.stated, d.derived) for script in scripts for d in script.differences]
    assert differing == WRITTEN_WRONG.get(name, [])


def test_every_deal_states_the_scores_that_its_facts_give(name):
    wrong = {(deal, str("AB".index(what[-1]))) for deal, what, _, _ in WRITTEN_WRONG.get(name, []) if what[0] == "R"}
    for script, written in zip(loads(text_of(name)), recount.matches(text_of(name)), strict=True):
        assert len(script.state.deals) == len(written.deals)
        for number, (deal, scores) in enumerate(zip(written.deals, derived(script.state), strict=True), start=1):
            assert deal.void or deal.stated, number
            same = {seat: score for seat, score in deal.stated.items() if (number, str(seat)) not in wrong}
            assert same.items() <= scores.items(), number


@pytest.mark.parametrize("name", sorted(COURSES.keys() - TYPED_BY_PEOPLE))
def test_a_second_scorer_counts_the_same_from_cards_and_sums(name):
    for match in recount.matches(text_of(name)):
        for number, deal in enumerate(match.deals, start=1):
            assert deal.void or recount.scores(match, deal) == deal.stated, number


@pytest.mark.parametrize("name", sorted(TYPED_BY_PEOPLE))
def test_a_second_scorer_counts_the_canonical_form_of_free_spelling(name):
    (script,) = loads(text_of(name))
    (written,) = recount.matches(text_of(name))
    (match,) = recount.matches(export(script))
    wrong = {deal for deal, *_ in WRITTEN_WRONG.get(name, [])}
    for number, (deal, scores) in enumerate(zip(match.deals, derived(script.state), strict=True), start=1):
        assert deal.stated == written.deals[number - 1].stated
        if number in wrong:
            words = [word for word in deal.words if not recount.SUM.match(word)] + right(script, number)
            assert recount.scores(match, deal._replace(words=words)) == scores
        else:
            assert recount.scores(match, deal) == scores


def right(script, number):
    """Return the sums that the cards or the entry of a deal give."""
    deal = script.state.deals[number - 1]
    counts = deal.entry[1].phases if deal.entry else script.state.setup.game.script.section_sums(deal.table)
    return ["=" + "-".join(map(str, count)) for count in counts]


@pytest.mark.parametrize("name", sorted(COURSES.keys() - WRITTEN_WRONG))
def test_the_scores_in_force_add_up_to_the_totals(name):
    for course, match in zip(COURSES[name], recount.matches(text_of(name)), strict=True):
        added = [sum(deal.in_force.get(seat, 0) for deal in match.deals) for seat in range(len(match.seats))]
        partners = match.options.get("variant") == "fixed"
        sides = added[:2] if partners else added
        assert tuple(sides) == tuple(map(sum, zip(*course.totals, strict=True)))
        assert not partners or added[2:] == added[:2]


def test_the_match_ends_as_the_table_says(name):
    for course, script in zip(COURSES[name], loads(text_of(name)), strict=True):
        match = script.state
        race = race_of(match)
        assert match.setup.game.key == course.game
        assert len(match.deals) == course.deals
        assert race.finished
        assert tuple(game.totals for game in race.games) == course.totals
        won = None if race.winner is None else " & ".join(script.tags.names[race.winner])
        assert won == course.winner
        last = race.games[-1]
        assert (max(last.levels), max(last.worth)) == (course.lost_at, course.worth)


def test_what_the_cards_prove_is_found(name):
    found = [(f.deal, f.rule, f.code) for script in loads(text_of(name)) for f in findings(script.state)]
    assert found == FOUND.get(name, [])


def test_the_canonical_text_survives_every_round_trip(name):
    text = text_of(name)
    once = "\n".join(export(script) for script in loads(text))
    assert (once == text) is (name not in TYPED_BY_PEOPLE)
    assert "\n".join(export(script) for script in loads(once)) == once
    assert all(len(line) <= 250 for line in once.splitlines() if line[0:1] not in ("[", "!"))


def test_lurch_score_answers_the_written_scores(name):
    path = str(FOLDER / f"{name}.ctn")
    told = CliRunner().invoke(cli, ["score", "--json", path])
    assert told.exit_code == EXIT[name]
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    deals = [deal for match in recount.matches(text_of(name)) for deal in match.deals]
    assert len(answers) == len(deals)
    wrong = {deal for deal, *_ in WRITTEN_WRONG.get(name, [])}
    for number, (answer, deal) in enumerate(zip(answers, deals, strict=True), start=1):
        assert answer["complete"]
        assert bool(answer.get("void")) is deal.void
        if number in wrong:
            told_wrong = [(number, each["what"], each["stated"], each["derived"]) for each in answer["recorded"]]
            assert told_wrong == [each for each in WRITTEN_WRONG[name] if each[0] == number]
        elif not deal.void:
            assert dict(enumerate(answer["scores"])) == deal.stated
            assert dict(enumerate(answer["in_force"])) == deal.in_force


def test_lurch_score_names_the_winners_in_plain_text():
    paths = [str(FOLDER / f"{name}.ctn") for name in COURSES]
    told = CliRunner().invoke(cli, ["score", *paths])
    assert told.exit_code == 1
    for courses in COURSES.values():
        for course in courses:
            assert course.winner is None or course.winner in told.stdout


@pytest.mark.parametrize("game", sorted(HISTORIES))
def test_the_histories_score_as_they_did(game):
    told = CliRunner().invoke(cli, ["score", "--json", str(FOLDER / f"{game}.jsonl")])
    assert told.exit_code == 0
    assert [json.loads(line)["scores"] for line in told.stdout.splitlines()] == HISTORIES[game]


@pytest.mark.parametrize("game", sorted(HISTORIES))
def test_the_second_scorer_counts_the_histories_the_same(game):
    for line, scores in zip((FOLDER / f"{game}.jsonl").read_text().splitlines(), HISTORIES[game], strict=True):
        match = recount.history(line)
        counted = match and list(recount.scores(match, match.deals[0]).values())
        assert counted == scores


def test_the_examples_show_everything_that_happens_at_a_table():
    scripts = [script for name in COURSES for script in loads(text_of(name))]
    deals = [deal for script in scripts for deal in script.state.deals]
    events = [new.event for script in scripts for new in script.events]
    text = "".join(map(text_of, COURSES))
    assert len(scripts) >= 12
    assert {deal.depth for deal in deals} == {"full", "plays", "summary"}
    assert sum(deal.paused for deal in deals) >= 3
    assert set(map(type, events)) >= {
        e.RecordingPaused,
        e.FactWithdrawn,
        e.ResultConfirmed,
        e.RulingMade,
        e.IrregularityNoted,
    }
    assert "! correction P2.3 was=B:H9 now=B:H8" in text
    assert text.count("{") > 30
    assert any(script.state.setup.race.best_of == 3 for script in scripts)
    assert {
        script.state.setup.options.variant for script in scripts if script.state.setup.game.key == "cross_purposes"
    } == {
        "two",
        "fixed",
        "alliance",
    }
