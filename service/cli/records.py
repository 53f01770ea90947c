"""Commands on records alone, without a database: score, games, deal."""

import sys
from collections.abc import Iterable

import rich_click as click

from domain import codec
from domain.games import all_games
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match.opening import option_value, read_options
from domain.notation.dealing import random_deal
from domain.notation.report import DealAnswer, score_text
from projections.games import game_views, goal
from service.cli.printing import say
from service.cli.terminal import is_ctn, read_text, with_progress

TotalKey = tuple[str, str, int]  # match, game, number of scores


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a deal instead of a table.")
def score(files: tuple[str, ...], as_json: bool) -> None:
    """Score deal histories (.jsonl) or CTN (.ctn) without a database; - reads standard input.

    \b
    lurch score examples/notation.ctn
    lurch deal parity --count 100 | lurch score --json -

    Exit status 1 when a line is malformed, a rule is broken or a difference is not covered by a ruling;
    3 when a file cannot be opened or is not text. One bad line never stops the others.
    """
    worst = 0
    for name in files:
        text = read_text(name)
        if text is None:
            worst = 3
            continue
        if len(files) > 1 and not as_json:
            say(f"{name}:")
        worst = max(worst, _score_one(name, text, as_json))
    sys.exit(worst)


def _score_one(name: str, text: str, as_json: bool) -> int:
    ctn = is_ctn(name, text)
    lines = with_progress(score_text(text, ctn), "scoring", None if ctn else text.count("\n"))
    if not as_json:
        return _table(lines)
    worst = 0
    for line in lines:
        click.echo(codec.encode_plain(line.answer))
        worst = max(worst, line.status)
    return worst


def _table(lines: Iterable[DealAnswer]) -> int:
    """Deal, game, scores and findings for people, then the totals: of histories, their sum by seat."""
    worst = 0
    totals: dict[TotalKey, list[int]] = {}
    won: dict[TotalKey, str | None] = {}
    click.echo(f"{'deal':<22}{'game':<16}{'scores':<22}findings")
    for line in lines:
        say(deal_line(line))
        worst = max(worst, line.status)
        place = (line.match, line.game, len(line.answer.get("scores") or ()))
        if line.match and line.totals:
            place = (line.match, line.game, 0)
            totals[place], won[place] = list(line.totals), line.winner
        elif line.answer.get("scores"):
            before = totals.get(place, [0] * len(line.answer["scores"]))
            totals[place] = [sum(pair) for pair in zip(before, line.answer["scores"], strict=True)]
    for place, total in totals.items():
        label = f"total {place[0]}".strip()
        winner = f"{won[place]} won" if won.get(place) else ""
        say(f"{label:<22}{place[1]:<16}{dashed(total):<22}{winner}".rstrip())
    return worst


def dashed(figures: Iterable[int]) -> str:
    """48 - 49."""
    return " - ".join(str(each) for each in figures)


def deal_line(line: DealAnswer) -> str:
    """One deal for people."""
    answer = line.answer
    start = f"{line.label:<22}{line.game:<16}"
    if "error" in answer:
        error = answer["error"]
        places = [f"{name} {error[name]}" for name in ("line", "column", "action") if name in error]
        named = " ".join(filter(None, (error["rule"], error.get("code"))))
        where = f" ({', '.join(places)})" if places else ""
        return f"{start}{named}{where}: {error['detail']}"
    text = "not complete"
    if answer.get("complete"):
        text = "void" if answer.get("void") else dashed(answer["scores"])
    remarks = [_finding(each) for each in answer.get("findings", ())]
    remarks += [f"{each['what']}: {each['stated']} written, {each['derived']} derived" for each in _recorded(answer)]
    if answer.get("in_force") and list(answer["in_force"]) != list(answer["scores"]):
        remarks.append(f"in force {dashed(answer['in_force'])}")
    return f"{start}{text:<22}{'; '.join(remarks)}".rstrip()


def _finding(finding: JsonObject) -> str:
    sure = "proven" if finding.get("grade") == "P" else "not proven"
    return f"{' '.join(filter(None, (finding['rule'], finding.get('code'))))}: {finding['detail']} ({sure})"


def _recorded(answer: JsonObject) -> list[JsonObject]:
    found: list[JsonObject] = list(answer.get("recorded", ()))
    return found


@click.command()
@click.argument("key", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a game, with entry shapes and facts.")
def games(key: str | None, as_json: bool) -> None:
    """List every game with its options, values, defaults and ledger numbers; KEY shows one.

    \b
    lurch games
    lurch games parity --json
    """
    if key is not None and key not in all_games():
        raise click.UsageError(f"there is no game {key!r}; there are {', '.join(all_games())}")
    for view in game_views():
        if key not in (None, view.key):
            continue
        if as_json:
            click.echo(codec.encode_plain(view))
            continue
        click.echo(f"{view.key}: {view.title}, {view.seats} players, {goal(view.target, view.win_by, view.deals)}")
        for option in view.options:
            values = " / ".join(str(value).lower() for value in option.values[1:])
            default = str(option.default).lower()
            click.echo(f"  {option.name} = {default}, or {values}  ({option.ledger}, {option.level} option)")
            click.echo(f"      {option.description}")


@click.command()
@click.argument("game")
@click.option("--count", default=1, show_default=True, type=click.IntRange(1, 1_000_000), help="How many deals.")
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same file anywhere.")
@click.option("--option", "given", multiple=True, metavar="NAME=VALUE", help="A deal option, like variant=fixed.")
def deal(game: str, count: int, seed: int, given: tuple[str, ...]) -> None:
    """Write random complete deals (legal random play) as histories.

    \b
    lurch deal parity --count 1000 --seed 7 > parity.jsonl
    lurch deal cross_purposes --option variant=alliance
    """
    if game not in all_games():
        raise click.UsageError(f"there is no game {game!r}; there are {', '.join(all_games())}")
    values = dict(each.partition("=")[::2] for each in given)
    typed = {name: option_value(value) for name, value in values.items()}
    try:
        options = read_options(all_games()[game], typed)
    except Refusal as refusal:
        raise click.UsageError(refusal.detail) from None
    for number in with_progress(range(1, count + 1), "dealing", count):
        click.echo(random_deal(all_games()[game], options, typed, seed, number))
