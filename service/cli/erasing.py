"""Command on a person who leaves: what erasing takes out, and the erasure."""

from typing import TYPE_CHECKING

import rich_click as click

from domain import codec
from service.cli.printing import say
from service.cli.terminal import Unable, on_database, settings

if TYPE_CHECKING:
    from domain.club.events import ErasureReason
    from service.desk.foreseeing import ForeseenErasure
    from service.store.pool import Pool


@click.command()
@click.argument("person")
@click.option("--club", help="The club's name or id. Needed where there are several.")
@click.option("--reason", type=click.Choice(["asked", "law", "mistake"]), default="asked", show_default=True)
@click.option("--texts", is_flag=True, help="Strike the whole name out of every text of others.")
@click.option("--text", "ids", multiple=True, help="Strike the name out of this text, by the id that is shown.")
@click.option("--yes", is_flag=True, help="Erase. Without it, nothing is done but to say what would be.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def erase(
    person: str, club: str | None, reason: "ErasureReason", texts: bool, ids: tuple[str, ...], yes: bool, as_json: bool
) -> None:
    """Erase PERSON, by name or id: names and words go, results stay under a number that leads to nobody.

    \b
    lurch erase "Annie Holm" --club "Thursday club"
    lurch erase "Annie Holm" --club "Thursday club" --texts --yes

    Refused while a dispute of the person is open. Again it does no harm.
    """
    chosen = settings()
    if not yes:
        found = on_database(chosen, lambda pool: _foreseen(pool, club, person))
        if as_json:
            click.echo(codec.encode_plain(found))
        else:
            say("\n".join(_lines(found, chosen.backup_days)))
        return
    ticked = [*ids, *(["all"] if texts else [])]
    gone = on_database(chosen, lambda pool: _erased(pool, club, person, reason, ticked))
    click.echo(codec.encode_plain({"rows": gone}) if as_json else f"erased: {gone} private parts of the log are gone")


async def _foreseen(pool: "Pool", club: str | None, person: str) -> "ForeseenErasure":
    from service.desk.foreseeing import foreseen
    from service.desk.recording import Recorder
    from service.store.streams import Streams

    where, who = await _named(pool, club, person)
    return await foreseen(Recorder(Streams(pool)), where, who)


async def _erased(pool: "Pool", club: str | None, person: str, reason: "ErasureReason", ticked: list[str]) -> int:
    from service.cli.clerk import CLERK
    from service.desk import erasing
    from service.desk.foreseeing import foreseen
    from service.desk.recording import Recorder
    from service.desk.requests import own_request
    from service.store.streams import Streams

    where, who = await _named(pool, club, person)
    recorder = Recorder(Streams(pool))
    if {*ticked} - {*erasing.ALL}:
        found = await foreseen(recorder, where, who)
        unknown = {*ticked} - {*erasing.ALL, *(each.id for each in found.texts)}
        if unknown and not found.erased:  # once the name is gone, nobody finds it in a text
            raise Unable(
                f"nothing was done: there is no text {min(unknown)} with this name; without --yes all are shown"
            )
    return await erasing.erase(recorder, where, who, reason, ticked, own_request(CLERK))


async def _named(pool: "Pool", club: str | None, person: str) -> tuple[str, str]:
    """The ids of a club that there is and of a person of it. Raises Unable, Refusal."""
    from service.cli import clerk
    from service.cli.clubs import club_there
    from service.store.streams import Streams

    where = await club_there(Streams(pool), club)
    if where is None:
        raise Unable("there is no such club: say which with --club")
    return where.club, await clerk.player_named(pool, where.club, person)


def _lines(found: "ForeseenErasure", backup_days: int | None) -> list[str]:
    """Tells a terminal what erasing would do."""
    if found.erased:
        return ["this person was erased already"]
    own, held = found.own, found.held
    kept = "as long as they are kept" if backup_days is None else f"{backup_days} days"
    return [
        f"{found.name or '(no name)'}  {found.person}",
        f"goes: {_count(own.names, 'name')}, {_count(own.described, 'description')}, {_count(own.said, 'remark')}, "
        f"{_count(own.pairs, 'note')} of who is close,",
        f"      {_count(held.sign_ins, 'sign-in')}, {_count(held.seats, 'seat')} at tables, "
        f"{_count(held.tokens, 'token')}, names of own devices",
        f"stays: {_count(found.matches, 'match', 'matches')}, a number that leads to no name; "
        f"backups keep the rest for {kept}",
        *(f"open dispute: {each.kind} {each.stream}" for each in found.disputed),
        *(f"{each.id}  {each.words!r} becomes {each.left!r}" for each in found.texts),
        *(f"cannot be taken out: {each.type} {each.stream} {each.version}" for each in found.stays),
        "nothing was done: say --yes to erase",
    ]


def _count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"
