"""An independent oracle for scored texts: plain `json`, `legal` instead of `breaches`, one table after another, regular
expressions."""

import json
import re

from domain import codec
from domain.cards.facts import CardPlayed, Passed
from domain.cards.seats import NAMES
from domain.games import all_games
from domain.log.decider import Refusal
from domain.match import events as e
from domain.match.evolve import fold, initial
from domain.match.state import Match, by_seat, played, race_of, ruled_scores
from domain.notation import history
from domain.notation.ctn_read import loads
from domain.notation.match_history import events_of, lines_of, places_of
from domain.notation.report import score_text
from service.cli.records import deal_line
from tests.kit.notation.mutation_sources import as_stored, exported

RULES = {"malformed", "unknown-game", "unknown-option", "misfit"}
SINGLE = {
    "Game",
    "Rules",
    "Target",
    "WinBy",
    "Cap",
    "BestOf",
    "Deals",
    "Lurch",
    "WinPoints",
    "Lang",
    "Dealer",
    "Detail",
    "Hands",
    "Stock",
    "Layout",
    "Entry",
}


def judge(data, kind):
    """Score bytes as `lurch score` does and check the answers. Return the numbers of silent deals, reported deals and
    errors."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return (0, 0, 1)
    lines = list(score_text(text, kind == "ctn"))
    silent = told = errors = 0
    for line in lines:
        codec.encode_plain(line.answer)
        assert deal_line(line).isprintable() or kind == "ctn" or "error" in line.answer
        if "error" in line.answer:
            check_error(line.answer["error"], text)
            errors += 1
        elif line.answer.get("findings") or line.answer.get("recorded") or not line.answer["complete"]:
            told += 1
        else:
            silent += 1
    if kind == "ctn":
        check_notation(text, lines)
    else:
        check_histories(text, lines)
    return silent, told, errors


def check_error(error, text):
    """Check that an error names its rule, place and detail."""
    assert error["rule"] in RULES or re.fullmatch(r"[A-Z]{2,3}\.?[a-z]?\d+[a-z]?", error["rule"]), error
    assert error["detail"], error
    if "line" in error:
        assert 1 <= error["line"] <= text.count("\n") + 1, error
        assert error["column"] >= 1, error
    else:
        assert error["action"] >= 0, error


# ------------------------------------------------------------------ histories


class Twice(ValueError):
    """A JSON object has a member twice."""


def once(pairs):
    """Build an object, refusing repeated members."""
    if len(dict(pairs)) != len(pairs):
        raise Twice
    return dict(pairs)


def check_histories(text, lines):
    """Check that each line has one answer, equal to a replay with the game's `legal`."""
    given = [line for line in text.split("\n") if line.strip()]
    assert len(given) == len(lines)
    for line, answer in zip(given, lines, strict=True):
        error = answer.answer.get("error")
        if error is None or "line" not in error:
            check_replay(json.loads(line, object_pairs_hook=once), answer.answer)
        check_import(line, answer.answer)


def check_replay(record, answer):
    """Check the answer for a line against the record that `json` read."""
    assert record.keys() <= {"game", "options", "dealer", "deal", "actions"}
    game = all_games()[record["game"]]
    options = codec.convert(record.get("options", {}), game.options)
    deal = codec.convert(record["deal"], game.deal)
    dealt = game.script.cards_of(deal).cards
    assert len(set(dealt)) == len(dealt)
    table = game.start(options, record.get("dealer", 0), deal)
    for place, action in enumerate(record["actions"]):
        fact = codec.from_list(action)
        if fact not in game.legal(table):
            assert answer["error"]["action"] == place, (answer, place)
            return
        table = game.evolve(table, fact)
    assert "error" not in answer, answer
    waiting = game.legal(table)
    if game.key == "garbo" and len(game.view(table, "all").seen) == game.pack(options).bit_count() and waiting:
        (passed,) = [fact for fact in waiting if isinstance(fact, Passed)]  # a history need not say it
        table = game.evolve(table, passed)
    result = game.score(table)
    if result is None:
        assert answer == {"complete": False, "scores": None, "actions": len(record["actions"])}
        assert game.to_act(table) is not None
    else:
        assert (answer["complete"], answer["scores"]) == (True, result.scores)
        assert game.to_act(table) is None


def check_import(line, answer):
    """Check that import accepts what score accepts, with the same score and history."""
    try:
        sides = tuple(tuple(f"seat {seat}" for seat in side) for side in places_of(history.read(line)))
        news = events_of(history.read(line), sides)
    except (history.MalformedError, Refusal):
        assert "error" in answer, answer
        return
    assert "error" not in answer, answer
    match = fold(initial(), as_stored(news))
    (deal,) = match.deals
    result = played(match, deal)
    assert (result is not None, list(result.scores) if result else None) == (
        answer["complete"],
        answer["scores"] and list(answer["scores"]),
    )
    (back,) = lines_of(match)
    assert history.score_line(1, back)[1] == answer


# ------------------------------------------------------------------ notation


def check_notation(text, lines):
    """Check that every match can be stored, folded and exported, and that silent ones are right."""
    answers = [line for line in lines if "error" not in line.answer]
    scripts = loads(text)
    assert sum(len(script.problems) for script in scripts) == len(lines) - len(answers)
    if text.strip() and not scripts:
        assert not re.search(r'^\s*\[\s*Game\s*"', text, re.M)
    parts = [script for script in scripts if isinstance(script.state, Match)]
    for script in parts:
        own, answers = answers[: len(script.state.deals)], answers[len(script.state.deals) :]
        check_stored(script)
        check_round(script, own)
        for deal, line in zip(script.state.deals, own, strict=True):
            check_deal(script.state, deal, line.answer)
    assert answers == []
    if len(parts) == len(scripts) == 1 and is_silent(parts[0], lines):
        check_words(text, parts[0])


def is_silent(script, lines):
    """Return True if nothing was reported about a match."""
    said = any(line.answer.get("findings") or line.answer.get("recorded") for line in lines)
    return not (said or script.problems or script.differences)


def check_stored(script):
    """Check that the stored events fold to the state that was read."""
    assert fold(initial(), as_stored(script.events)) == script.state


def check_round(script, own):
    """Check that export and import keep the scores and that the second export is identical."""
    text = exported(script)
    again = loads(text)
    assert len(again) == 1, text
    assert exported(again[0]) == text
    back = again[0].state
    results = [played(back, deal) for deal in back.deals]
    given = [
        None if deal.void or not result else list(result.scores)
        for deal, result in zip(back.deals, results, strict=True)
    ]
    wanted = [line.answer["scores"] and list(line.answer["scores"]) for line in own]
    assert given == [None if deal.void else scores for deal, scores in zip(back.deals, wanted, strict=True)], text
    assert [ruled_scores(deal) for deal in back.deals] == [ruled_scores(deal) for deal in script.state.deals]
    assert [deal.void for deal in back.deals] == [deal.void for deal in script.state.deals]
    assert race_of(back).totals == race_of(script.state).totals


def check_deal(match, deal, answer):
    """Check the score of a deal from its facts; without a finding all are legal and the figures agree."""
    game = match.setup.game
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    legal = True
    for _, fact in deal.facts:
        if type(fact) not in game.remarks:
            legal = legal and fact in game.legal(table)
            table = game.evolve(table, fact)
    result = game.score(table)
    if result is None and deal.entry is not None:
        result = game.sheet.score(match.setup.options, deal.entry[1])
    scores = None if result is None and not deal.void else answer["scores"]
    assert answer["scores"] == scores
    if not deal.void and result is not None:
        assert tuple(answer["scores"]) == result.scores
    assert answer["complete"] == (deal.void or result is not None)
    if answer["findings"] or answer["recorded"]:
        return
    assert legal, (deal.number, answer)
    if result is None or deal.void:
        return
    sums = ["-".join(map(str, figures)) for figures in game.script.section_sums(table)]
    stated = [(each.what, codec.decode(each.stated, str)) for each in deal.stated if each.what != "line"]
    sections = game.script.sections(match.setup.options)
    written = [figures for what, figures in stated if what in sections]
    if deal.depth != "summary" and deal.entry is None:
        assert written == sums[: len(written)], (written, sums)
    for figures in (figures for what, figures in stated if what == "R"):
        check_recorded(figures, by_seat(match.setup, result.sheet))


def check_recorded(figures, scores):
    """Check figures such as `A 48 B 49` against the scores."""
    names = NAMES[len(scores)]
    pairs = re.findall(r"([A-Z+]+) (-?\d+)", figures)
    assert pairs, figures
    for seats, score in pairs:
        for seat in seats.replace("+", ""):
            assert scores[names.index(seat)] == int(score), (figures, scores)


def check_words(text, script):
    """Check that every tag, card, sum and `R` of a silent file was read."""
    plain = re.sub(r"^\s*[%!].*$", "", text, flags=re.M)
    plain = re.sub(r'("(?:[^"\\\n]|\\.)*")|\{[^}]*\}|;.*', lambda found: found[1] or " ", plain)
    tags = re.findall(r'\[\s*(\w+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]', plain)
    check_tags(tags, script)
    words = re.sub(r'\[\s*\w+\s*"(?:[^"\\\n]|\\.)*"\s*\]', " ", plain).split()
    events = [new.event for new in script.events]
    stated = [event for event in events if isinstance(event, e.ScoreStated)]
    assert words.count("R") == sum(event.what == "R" for event in stated), words
    # behind an unknown card the deal goes on as a result
    if script.tags.language == "en" and "??" not in plain and CardPlayed in script.state.setup.game.facts:
        pattern = re.compile(r"(?:\d+\.)?(?:[ABNESW]:)?([SHDC][2-9TJQKA]|X[RB])(?:[!=^~>].*)?$")
        said = [found[1] for found in map(pattern.match, words) if found]
        read = [str(event.card) for event in events if isinstance(event, CardPlayed)]
        assert len(read) >= len(said), (said, read)
        rest = iter(read)
        assert all(card in rest for card in said), (said, read)


def check_tags(tags, script):
    """Check that tags are unique, deals are numbered and the first names its dealer."""
    match, deals = [], []
    for name, value in tags:
        if name == "Deal":
            deals.append([])
        (deals[-1] if deals else match).append((name, value))
    for group in (match, *deals):
        for name in SINGLE:
            assert len({value for each, value in group if each == name}) < 2, (name, group)
    assert not {"Dealer", "Detail", "Hands", "Stock", "Layout", "Entry"} & {name for name, _ in match}, match
    for deal in deals:
        assert not {"Game", "Rules", "Option", "Target", "Lang", "WinBy", "Lurch"} & {name for name, _ in deal}, deal
    numbers = [deal[0][1].lstrip("0") or "0" for deal in deals]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)], numbers
    assert len(numbers) == len(script.state.deals)
    if script.state.deals and script.state.deals[0].facts:
        assert "Dealer" in dict(deals[0]), deals[0]
    for deal, read in zip(deals, script.state.deals, strict=True):
        said = dict(deal)
        assert said.get("Detail") != "full" or read.cards is not None, deal
        assert "Hands" not in said or read.cards is not None
