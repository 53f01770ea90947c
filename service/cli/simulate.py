"""`lurch simulate`: whole tournaments with simulated players, for trying a format before an evening."""

from pathlib import Path
from typing import Any, Final

import msgspec
import rich_click as click

from domain import codec
from domain.exchange.trf.write import compose
from domain.log.decider import Refusal
from domain.pairing.crosstable import Rules
from domain.tournament.format import Options
from domain.tournament.formats import all_formats
from domain.tournament.simulate import Chances, Simulated, crosstable, event
from service.cli.terminal import Unable, with_progress

SHARE: Final = click.FloatRange(0, 1)


def known_format(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The word of a format that there is. Raises BadParameter for another one."""
    return click.Choice(list(all_formats())).convert(value, param, ctx)


class SimulationOptions(msgspec.Struct, frozen=True):
    """The options of the command line."""

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
    """The sum of some tournaments: wins and places of the best player, and the rounds, matches and minutes of one."""

    format: str
    players: int
    count: int
    best_won: int
    best_in_three: int
    rounds: int
    matches: int
    minutes: int


@click.command()
@click.argument("format_", metavar="FORMAT", callback=known_format)
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
@click.option(
    "--rules",
    type=click.Choice(["dutch-2026", "dutch-till-2026", "monrad"]),
    default="dutch-2026",
    show_default=True,
    help="Who meets whom (swiss).",
)
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
    asked = SimulationOptions(**given)
    _check(asked)
    try:
        if asked.trf:
            _write(asked, asked.trf)
            return
        seeds = range(asked.seed, asked.seed + asked.count)
        found = [_play(asked, number) for number in with_progress(seeds, "simulating", asked.count)]
    except Refusal as refusal:
        raise Unable(refusal.detail) from None
    _tell(_summary(asked, found), found[0], asked.as_json)


def _check(asked: SimulationOptions) -> None:
    """Raises UsageError for options that do not go together."""
    if not _has(asked, "rules") and (asked.trf or asked.byes or asked.forfeits or asked.draws):
        raise click.UsageError(f"--trf, --byes, --forfeits and --draws are for {_with('rules')}")
    if not _has(asked, "rounds") and asked.rounds:
        raise click.UsageError(f"--rounds is for {_with('rounds')}: {asked.format_} takes as many as it takes")
    if not _has(asked, "groups") and asked.groups:
        raise click.UsageError(f"--groups is for {_with('groups')}")
    if asked.trf and asked.count > 1:
        raise click.UsageError("--trf writes one tournament: leave --count out")


def _has(asked: SimulationOptions, option: str) -> bool:
    """True where the format has that option."""
    return option in all_formats()[asked.format_].__struct_fields__


def _with(option: str) -> str:
    """The formats that have an option."""
    return ", ".join(word for word, each in all_formats().items() if option in each.__struct_fields__)


def _play(asked: SimulationOptions, number: int) -> Simulated:
    return event(_format(asked), asked.players, number, _chances(asked))


def _format(asked: SimulationOptions) -> Options:
    """The format with what was asked for, else as so many usually play it."""
    given = {"rounds": asked.rounds, "groups": asked.groups, "rules": asked.rules}
    usual = all_formats()[asked.format_].usual_options(asked.players)
    said = {name: value for name, value in given.items() if value and _has(asked, name)}
    return {"kind": asked.format_, **usual, **said}


def _chances(asked: SimulationOptions) -> Chances:
    return Chances(asked.byes, asked.forfeits, asked.draws)


def _write(asked: SimulationOptions, place: str) -> None:
    table = crosstable(_format(asked), asked.players, asked.seed, _chances(asked))
    places = _play(asked, asked.seed).places
    ranks = {number: rank for rank, (_, number) in enumerate(places, start=1)}
    text = compose(table, "trf16", ranks=ranks)
    if place == "-":
        click.echo(text.encode(), nl=False)
        return
    try:
        Path(place).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Unable(f"{place} cannot be written: {error.strerror}") from None


def _summary(asked: SimulationOptions, found: list[Simulated]) -> Summary:
    rounds = max(each.rounds for each in found)
    place = [next(rank for rank, number in each.places if number == 1) for each in found]
    matches = max(each.matches for each in found)
    return Summary(
        format=asked.format_,
        players=asked.players,
        count=len(found),
        best_won=place.count(1),
        best_in_three=sum(rank <= 3 for rank in place),
        rounds=rounds,
        matches=matches,
        minutes=rounds * asked.minutes,
    )


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
