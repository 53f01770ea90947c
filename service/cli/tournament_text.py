"""A tournament as text for a terminal: the pairings of the rounds that are on, byes, standings or final places."""

from collections.abc import Iterator

from projections.tournaments.rounds import PairingView, RoundView
from projections.tournaments.standings import StandingsView
from projections.tournaments.view import TournamentView, rounds_on


def lines_of(tournament: TournamentView, standings: StandingsView | None) -> Iterator[str]:
    """The lines of a tournament for the wall of the club."""
    stages = ", ".join(f"{each.name} ({each.game_title})" for each in tournament.stages)
    count = sum(each.status not in ("withdrawn", "no-show", "excluded") for each in tournament.entries)
    yield f"{tournament.name}: {stages}, {count} entries, {tournament.status}"
    if tournament.rounds:
        for each in rounds_on(tournament):
            yield ""
            yield from round_lines(each)
    elif tournament.entries:
        yield ""
        yield from (f"  {each.name}" for each in tournament.entries)
    if tournament.places:
        yield from ("", "Places")
        yield from (_place(each.rank, each.name, each.prize or "") for each in tournament.places)
    elif standings is not None:
        yield ""
        yield from standing_lines(standings)


def _place(rank: int, name: str, prize: str) -> str:
    return f"{rank:>4}  {name}{f'  ({prize})' if prize else ''}"


def round_lines(found: RoundView) -> Iterator[str]:
    """A round by table."""
    yield f"Round {found.round}{f': {found.title}' if found.title else ''} ({found.status})"
    yield from (f"  table {each.table:<3} {_pairing(each)}" for each in found.pairings)
    yield from (f"  {each.name}: {each.kind}" for each in found.byes if each.kind != "rest")


def _pairing(each: PairingView) -> str:
    one, other = (side.name for side in each.sides)
    told = f"{one} – {other}"
    if each.status == "open":
        return told
    score = f"  {each.score[0]}–{each.score[1]}" if each.score else ""
    if each.how == "absent":
        return f"{told}  both absent"
    end = "a draw"
    if each.winner is not None:
        end = f"{(one, other)[each.winner]} {'has a walkover' if each.how == 'walkover' else 'won'}"
    return f"{told}{score}  {end}{f'  ({each.doubt})' if each.doubt else ''}"


def standing_lines(found: StandingsView) -> Iterator[str]:
    """A table of ranks, names and what puts them in order."""
    yield f"{found.name}{', provisional' if found.provisional else ''}"
    head = ["", "", *(each.code for each in found.tiebreaks)]
    rows = [[str(row.rank), row.name, *(f"{value:g}" for value in row.values)] for row in found.rows]
    widths = [max(len(line[at]) for line in [head, *rows]) for at in range(len(head))]
    for line in [head, *rows]:
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        cells[1] = line[1].ljust(widths[1])
        yield f"  {'  '.join(cells)}".rstrip()
