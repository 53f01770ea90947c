"""Commands for copies: take one, bring one back, roll a migration back."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from service import VERSION
from service.cli.terminal import Progress, Unable, on_database, one_line_errors, settings

if TYPE_CHECKING:
    from service.copies.erased import Erasure
    from service.copies.manifest import Manifest
    from service.desk.erasing_again import Again
    from service.run.rolling_back import RolledBack, WouldLoseError
    from service.store.changes import Placed


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--encrypt", is_flag=True, help="Ask for a passphrase, without which nobody reads the copy.")
def backup(folder: Path, encrypt: bool) -> None:
    """Copy everything into one new file in FOLDER (the current one unless said), while the service runs.

    \b
    lurch backup /media/stick
    lurch backup --encrypt /media/stick
    lurch restore /media/stick/lurch-2026-11-23-040000.lurch

    In it: every club with its whole log, names and words, devices, passwords and PINs as hashes, the keys of the clubs.
    Not in it: sign-ins, links and table codes, and the passwords of the database. Whoever has the file has the keys:
    keep it as you keep the club's cash, or encrypt it. LURCH_BACKUP_PASSPHRASE_FILE names a file with the passphrase.
    """
    from service.copies.erased import recorded, write_beside
    from service.copies.folder import KeptCopies
    from service.copies.taking import take
    from service.run.database import ready

    passphrase = _passphrase(ask=encrypt, twice=True) if encrypt or _file() else None
    with one_line_errors(), ready(settings()) as database, Progress("rows", None) as bar:
        place, manifest = take(database.owner_url, folder, VERSION, passphrase, bar.step)
        _tell_taken(place, manifest, passphrase)
        if database.embedded and KeptCopies(folder, database.owner_url, VERSION).on_the_disk_of(database.embedded.root):
            click.echo(f"{folder} is on the disk of the data: one fault would take both. Is the stick in?", err=True)
        write_beside(folder, recorded(database.owner_url))


def _tell_taken(place: Path, manifest: "Manifest", passphrase: str | None) -> None:
    click.echo(f"{place}: {_clubs(manifest.clubs)}, {manifest.rows['events']:,} events, {place.stat().st_size:,} bytes")
    if passphrase is None:
        click.echo("whoever has this file has the keys of the clubs: keep it safe, or use --encrypt", err=True)


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True))
@click.option("--at", metavar="TIME", help="Bring this moment back, from the folder that LURCH_BACKUP_DIR named.")
@click.option("--old-machine-is-gone", "gone", is_flag=True, help="Nobody serves what this copy is of any more.")
@click.option("--erased", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="See `lurch erased`.")
def restore(copy: Path, at: str | None, gone: bool, erased: Path | None) -> None:
    """Bring back what is in COPY, into an empty data directory or an empty database.

    \b
    LURCH_DATA_DIR=/var/lib/lurch-new lurch restore lurch-2026-11-23-040000.lurch
    lurch restore --erased erased.json lurch-2026-11-23-040000.lurch
    LURCH_DATA_DIR=/var/lib/lurch-new lurch restore /media/stick --at 2026-11-23T21:04:30+02:00

    The file is read whole before anything is made, and every chain is verified before it is put in place.
    Sign-ins, links, table codes and tokens have ended: `lurch owner-link` signs the owner in, who invites the others.
    Webhooks and nightly copies are off, since the old machine may still be at both, until the owner says that it is
    gone: here, by `lurch old-machine-is-gone`, or on the page of copies.
    """
    _tell_left()
    wanted = () if erased is None else _list(erased)
    again = _restore(copy, gone, wanted) if at is None else _restore_at(copy, at, gone, wanted)
    click.echo("tokens, sign-ins and links have ended: `lurch owner-link` signs you in", err=True)
    if not gone:
        click.echo("webhooks and nightly copies are off until you say `lurch old-machine-is-gone`", err=True)
    if erased is not None:
        _tell_again(again)


def _tell_left() -> None:
    """A restore that was killed could put nothing away, and what it left holds everything that the copy does."""
    from service.run.restoring import left_beside

    with one_line_errors():
        for each in left_beside(settings().data):
            click.echo(f"{each} was left by a restore: unless one is at work there now, delete it", err=True)


def _restore(copy: Path, gone: bool, wanted: "tuple[Erasure, ...]") -> "Again":
    from service.run.restoring import restore as bring_back

    if copy.is_dir():
        raise Unable(f"{copy} is a folder: name one of its copies, or a moment with --at")
    passphrase = _passphrase(ask=True) if _encrypted(copy) else None
    with one_line_errors(), Progress("rows", None) as bar:
        restored = bring_back(copy, settings(), passphrase, bar.step, gone, wanted)
    made = restored.manifest
    click.echo(f"{_clubs(made.clubs)} of {made.made_at:%Y-%m-%d %H:%M} UTC, {restored.events:,} events, all verified")
    return restored.again


def _restore_at(folder: Path, at: str, gone: bool, wanted: "tuple[Erasure, ...]") -> "Again":
    """Bring a moment back, and say where each club stands."""
    from service.desk.as_of import instant
    from service.run.to_moment import restore_at

    with one_line_errors():
        moment = instant(at)
        done = restore_at(folder, settings(), moment, gone, wanted)
    click.echo(f"back at {moment:%Y-%m-%d %H:%M:%S} UTC, {done.events:,} events, all verified")
    for each in done.logs:
        last = "nothing" if each.last is None else f"{_placed(each.last)} came back"
        click.echo(f"club {each.club}: {last}, {_told_lost(each.lost, done.missing)}")
    return done.again


def _told_lost(lost: "Placed | None", missing: str | None) -> str:
    if lost is not None:
        return f"the first that did not is {_placed(lost)}"
    return "nothing is lost" if missing is None else f"nobody can tell what follows, for {missing} is missing"


def _placed(fact: "Placed") -> str:
    return f"event {fact.version} of {fact.stream}, {fact.at:%H:%M:%S}"


@click.command("erased")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def erased_again(file: Path) -> None:
    """Erase again everybody whom FILE names, after a restore from a copy of before.

    \b
    lurch erased /media/stick/erased.json

    Copies have that list beside them: ids and no names. Again it does no harm.
    """
    from service.desk.erasing_again import erase_again

    wanted = _list(file)
    _tell_again(on_database(settings(), lambda pool: erase_again(pool, wanted)))


def _list(file: Path) -> "tuple[Erasure, ...]":
    from service.copies.erased import read

    with one_line_errors():
        return read(file)


def _tell_again(found: "Again", file: str = "FILE") -> None:
    nothing = f", {found.nothing} had been or are not here" if found.nothing else ""
    click.echo(f"{'1 person' if found.erased == 1 else f'{found.erased} people'} erased again{nothing}")
    for club, person, why in found.refused:
        click.echo(f"not erased: {person} of club {club}: {why}", err=True)
    if found.refused:
        click.echo(f"then give the list once more: `lurch erased {file}`", err=True)
        sys.exit(1)


@click.command("old-machine-is-gone")
def old_machine_is_gone() -> None:
    """Say that nobody serves any more what was restored here: webhooks and nightly copies go on.

    A webhook that was made with a token ended with it: turn that on anew, on its page.
    """
    from service.store.restored import say_gone

    hooks = on_database(settings(), say_gone)
    if hooks is None:
        click.echo("nothing waited for this: the service was not restored, or it was said before")
        return
    click.echo(f"nightly copies go on, and so {'does 1 webhook' if hooks == 1 else f'do {hooks} webhooks'}")


@click.command()
@click.option("--lose", type=click.IntRange(0), default=0, help="How many facts recorded since may go: that number.")
def rollback(lose: int) -> None:
    """Take the last migration back: what was copied before it is put in the place of what is there.

    \b
    lurch rollback
    lurch rollback --lose 12

    Stop the service first. What was recorded since is named by match, and goes only where --lose says how much that is.
    Everything that is there is copied into the folder rolled-back first. Who was erased since is erased again.
    Sign-ins, links, table codes and tokens have ended and webhooks are off, as after `lurch restore`. The Lurch of that
    time is the one to start then: this one migrates again.
    """
    from service.desk.erasing_again import Again

    done = _rolled_back(lose)
    made = done.manifest
    click.echo(f"back at schema {made.revision} as of {made.made_at:%Y-%m-%d %H:%M} UTC, {_facts(done.facts)} lost")
    click.echo(f"what was there is in {done.archive}: `lurch restore` brings it back into another data directory")
    click.echo(f"start Lurch {made.lurch} now, a newer one migrates again; `lurch owner-link` signs you in", err=True)
    if done.again != Again():
        _tell_again(done.again, str(done.listed))


def _rolled_back(lose: int) -> "RolledBack":
    from service.run.database import located
    from service.run.rolling_back import WouldLoseError, roll_back

    chosen = settings()
    with one_line_errors(), located(chosen) as database, Progress("rows", None) as bar:
        try:
            return roll_back(chosen, database.owner_url, lose, bar.step)
        except WouldLoseError as error:
            _tell(error)
            raise Unable(_named(error, lose)) from None


def _tell(error: "WouldLoseError") -> None:
    from service.store.kinds import KINDS

    made = error.manifest
    click.echo(f"since the copy of {made.made_at:%Y-%m-%d %H:%M} UTC, before the last migration:")
    for each in error.since:
        click.echo(f"{each.facts:7,}  {KINDS[each.begun].word} {each.stream}")


def _named(error: "WouldLoseError", lose: int) -> str:
    if error.facts == 0:
        return f"no fact was recorded since, not {lose}: `lurch rollback` goes on. Nothing was changed"
    return f"{_facts(error.facts)} would be lost: `lurch rollback --lose {error.facts}` goes on. Nothing was changed"


def _facts(number: int) -> str:
    return "1 fact" if number == 1 else f"{number} facts"


@click.command()
@click.argument("target")
def move(target: str) -> None:
    """Bring everything from here to TARGET, an empty data directory or the URL of an empty database of its owner's.

    \b
    lurch move postgresql://owner@db.example/lurch
    LURCH_DATABASE_URL=postgresql://owner@db.example/lurch lurch move /var/lib/lurch

    Stop the service first. What is here stays as it was, and is not to be started again: set LURCH_DATABASE_URL or
    LURCH_DATA_DIR to TARGET. As after `lurch restore`, sign-ins, links, table codes and tokens have ended.
    """
    from service.run.moving import is_url
    from service.run.moving import move as bring

    if not target.strip():
        raise Unable("TARGET is empty: name a data directory or the URL of a database")
    with one_line_errors(), Progress("rows", None) as bar:
        moved = bring(settings(), target, bar.step)
    name = "LURCH_DATABASE_URL" if is_url(target) else "LURCH_DATA_DIR"
    click.echo(f"{_clubs(moved.manifest.clubs)}, {moved.events:,} events, all verified")
    click.echo(f"set {name} to it and do not start what is here again; `lurch owner-link` signs you in", err=True)


def _clubs(number: int) -> str:
    return "1 club" if number == 1 else f"{number} clubs"


def _file() -> str | None:
    return os.environ.get("LURCH_BACKUP_PASSPHRASE_FILE")


def _encrypted(copy: Path) -> bool:
    from service.copies.frames import is_encrypted

    with one_line_errors(), copy.open("rb") as file:
        return is_encrypted(file)


def _passphrase(ask: bool, twice: bool = False) -> str | None:
    """The passphrase of the file that the environment names, else as it is typed."""
    from service.run.before import passphrase_in

    if name := _file():
        with one_line_errors():
            return passphrase_in(Path(name))
    typed: str | None = click.prompt("passphrase", hide_input=True, confirmation_prompt=twice) if ask else None
    return typed
