"""`lurch simulate`: whole tournaments with simulated players, for trying a format before an evening."""

import math
from pathlib import Path
from typing import Any, Final

import msgspec
import rich_click as click

from domain import codec
from domain.decider import Refusal
from domain.tournament.crosstable import Rules
from domain.tournament.simulate import Chances, Simulated, event, swiss
from service.cli.terminal import Unable, counted

FORMATS: Final = ("swiss", "single", "double", "round-robin", "groups", "ladder", "individual")
WITH_ROUNDS: Final = ("swiss", "individual", "ladder")
SHARE: Final = click.FloatRange(0, 1)


class Asked(msgspec.Struct, frozen=True):
    """What was asked for on the command line."""

    format_: str
    players: int
    rounds: int | None
    groups: int | None
    seed: int
    count: int
    byes: float
    forfeits: float
    draws: float
    rules: Rules
    minutes: int
    trf: str | None
    as_json: bool


class Summary(msgspec.Struct, frozen=True):
    """What so many tournaments came to: how often the best player won and came among the first three, how many rounds
    and matches one takes, and how long that is."""

    format: str
    players: int
    count: int
    best_won: int
    best_in_three: int
    rounds: int
    matches: int
    minutes: int


@click.command()
@click.argument("format_", metavar="FORMAT", type=click.Choice(FORMATS))
@click.option("--players", type=click.IntRange(2, 4096), required=True, help="How many enter; number 1 is the best.")
@click.option("--rounds", type=click.IntRange(1, 400), help="How many rounds (swiss, individual, ladder).")
@click.option("--groups", type=click.IntRange(2, 26), help="How many groups (groups); 4 unless said.")
@click.option(
    "--seed", type=click.IntRange(0, 2**32), default=1, show_default=True, help="The same seed, the same play."
)
@click.option("--count", type=click.IntRange(1, 100_000), default=1, show_default=True, help="So many, seed by seed.")
@click.option("--byes", type=SHARE, default=0.0, help="How likely somebody stays away for a round (swiss).")
@click.option("--forfeits", type=SHARE, default=0.0, help="How likely a match is forfeited (swiss).")
@click.option("--draws", type=SHARE, default=0.0, help="How likely a match is drawn (swiss).")
@click.option("--rules", type=click.Choice(["dutch-2026", "dutch-till-2026", "monrad"]), default="dutch-2026",
              show_default=True, help="Who meets whom (swiss).")  # fmt: skip
@click.option("--minutes", type=click.IntRange(1, 600), default=25, show_default=True, help="What a match takes.")
@click.option("--trf", metavar="OUT", help="Write the tournament as TRF to this file; - for standard output (swiss).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def simulate(**given: Any) -> None:
    """Play whole tournaments with simulated players: how often does the best one win, how long is the evening?

    \b
    lurch simulate double --players 24 --count 100
    lurch simulate swiss --players 40 --rounds 7 --draws 0.2 --seed 3 --trf out.trf
    lurch simulate individual --players 16 --rounds 8 --json

    FORMAT is swiss, single, double, round-robin, groups, ladder or individual. Everything goes through the commands
    of real tournaments; the same seed gives the same one on every machine.
    """
    asked = Asked(**given)
    _check(asked)
    try:
        if asked.trf:
            _write(asked, asked.trf)
            return
        seeds = range(asked.seed, asked.seed + asked.count)
        found = [_play(asked, number) for number in counted(seeds, "simulating", asked.count)]
    except Refusal as refusal:
        raise Unable(refusal.detail) from None
    _tell(_summary(asked, found), found[0], asked.as_json)


def _check(asked: Asked) -> None:
    """Raises UsageError for what does not go together."""
    if asked.format_ != "swiss" and (asked.trf or asked.byes or asked.forfeits or asked.draws):
        raise click.UsageError("--trf, --byes, --forfeits and --draws are for swiss")
    if asked.format_ not in WITH_ROUNDS and asked.rounds:
        raise click.UsageError(f"--rounds is for {', '.join(WITH_ROUNDS)}: {asked.format_} takes as many as it takes")
    if asked.format_ != "groups" and asked.groups:
        raise click.UsageError("--groups is for groups")
    if asked.trf and asked.count > 1:
        raise click.UsageError("--trf writes one tournament: leave --count out")


def _play(asked: Asked, number: int) -> Simulated:
    return event(_format(asked), asked.players, number, _chances(asked))


def _format(asked: Asked) -> dict[str, Any]:
    """The format with what was asked for, or as many rounds as players are usually parted by."""
    found: dict[str, Any] = {"kind": asked.format_}
    usual = {"swiss": math.ceil(math.log2(asked.players)), "ladder": asked.players, "individual": 0}
    if asked.format_ in WITH_ROUNDS:
        found["rounds"] = asked.rounds or usual[asked.format_]
    if asked.format_ == "swiss":
        found["rules"] = asked.rules
    if asked.format_ == "groups":
        found["groups"] = asked.groups or min(4, max(2, asked.players // 2))
    return found


def _chances(asked: Asked) -> Chances:
    return Chances(asked.byes, asked.forfeits, asked.draws)


def _write(asked: Asked, place: str) -> None:
    from domain.tournament.trf.write import compose  # noqa: PLC0415  # only a file needs it

    table = swiss(asked.players, _format(asked)["rounds"], asked.seed, asked.rules, _chances(asked))
    places = _play(asked, asked.seed).places
    ranks = {number: rank for rank, (_, number) in enumerate(places, start=1)}
    text = compose(table, "trf16", ranks=ranks)
    if place == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(place).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Unable(f"{place} cannot be written: {error.strerror}") from None


def _summary(asked: Asked, found: list[Simulated]) -> Summary:
    rounds = max(each.rounds for each in found)
    place = [next(rank for rank, number in each.places if number == 1) for each in found]
    matches = max(each.matches for each in found)
    return Summary(
        asked.format_, asked.players, len(found), place.count(1), sum(rank <= 3 for rank in place), rounds, matches,
        rounds * asked.minutes,
    )  # fmt: skip


def _tell(summary: Summary, first: Simulated, as_json: bool) -> None:
    if as_json:
        click.echo(codec.encode_plain(summary))
        return
    took = f"{summary.minutes // 60} h {summary.minutes % 60:02} min"
    played = f"{summary.rounds} rounds, {summary.matches} matches, {took}"
    click.echo(f"{summary.format}, {summary.players} players: {played}")
    if summary.count > 1:
        often = f"won {summary.best_won} of {summary.count} and was in the first three {summary.best_in_three} times"
        click.echo(f"the best player {often}")
        return
    for rank, number in first.places[:8]:
        click.echo(f"{rank:>4}  seed {number}")
