"""An evening away: a club on a server that really listens, a copy of it taken along, and what is played there."""

import socket
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import uvicorn
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies.taking import take
from service.desk.verifying import verify
from service.run.app import create_app
from service.run.restoring import restore
from service.run.settings import Settings
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.more_databases import one_more

NINE = {"parity": "odd", "tricks": [9, 6]}


@contextmanager
def listening(application, **tls):
    """A server of an application on a port of its own; its address."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        config = uvicorn.Config(application, log_level="critical", lifespan="on", timeout_graceful_shutdown=1, **tls)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        until(lambda: server.started or not thread.is_alive())
        try:
            yield f"http{'s' if tls else ''}://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)


class Asked:
    """The application of a server; what its API is asked is counted, and cut where a test says so: before it is looked
    at, or after it was done and before it is answered."""

    def __init__(self, database):
        self.application = create_app(database, Settings())
        self.paths, self.cut_at, self.after = [], None, False

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or not scope["path"].startswith("/api/v1/"):
            await self.application(scope, receive, send)
            return
        self.paths.append(scope["path"])
        if len(self.paths) != self.cut_at:
            await self.application(scope, receive, send)
            return
        if self.after:
            await self.application(scope, receive, _nobody)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        raise ConnectionResetError  # the connection is closed, and the sender has no answer


async def _nobody(message):
    """What is answered is lost."""


class Client:
    """Asks a server that listens as the tests' own client asks an application."""

    def __init__(self, url):
        self.url, self.base_url = url, url

    def request(self, method, path, **given):
        return httpx.request(method, f"{self.url}{path}", trust_env=False, timeout=60, **given)


def invoked(words, environment):
    """A command; `said` is its output without the box around an error."""
    done = CliRunner().invoke(cli, list(words), env=environment)
    done.said = " ".join(done.output.replace("│", " ").split())
    return done


class Away:
    """A club on its server (`home`, a House), and a copy of it with the same application over it (`away`, a House)."""

    def __init__(self, server, home, copy, away, token):
        self.server, self.home, self.copy, self.away, self.token = server, home, copy, away, token

    @property
    def url(self):
        return self.home.client.url

    def lurch(self, *words, token=None, **environment):
        """A command of the copy."""
        env = {"LURCH_DATABASE_URL": self.copy.url, "LURCH_MIGRATE_URL": self.copy.owner_url, **environment}
        return invoked(words, {"LURCH_PUSH_TOKEN_FILE": str(token or self.token), **env})

    def cut(self, number, after=False):
        """The connection ends at a request to the club's server, of those to come: before it is heard, or after it was
        done; None: no more."""
        self.server.paths.clear()
        self.server.cut_at, self.server.after = number, after

    def push(self, *more, **given):
        return self.lurch("push", self.url, *more, **given)

    def pushed(self, *more):
        """A push that takes everything; what it says."""
        done = self.push(*more)
        assert done.exit_code == 0, done.output
        return done.output

    def result(self, house, path, **entry):
        """A deal's result in a match."""
        return house.done(f"{path}/results", {"entry": NINE, "it_happened": True, **entry})


def copied_house(home, database, client):
    """The club of a house in a copy of its database, with tokens of its own: those that came with it have ended."""
    found = House.__new__(House)
    found.client, found.database, found.name = client, database, home.name
    found.id, found.path = home.id, home.path
    found.log = psycopg.connect(database.url, autocommit=True)
    found.tokens = {}
    found.tokens = {role: found.token(role) for role in home.tokens}
    return found


@contextmanager
def evening_away(database, folder, prepare=lambda home: None):
    """A server with a club, in which `prepare` does something first, and a copy of it as it is then. Nobody else uses
    the database, which has today's tables and nothing in them."""
    folder = Path(folder)
    with one_more(database, like="lurch") as at_home:
        server = Asked(at_home)
        with listening(server) as url, House(Client(url), at_home) as home:
            prepare(home)
            place, _ = take(at_home.owner_url, folder, "0.1.0")
            with one_more(database) as elsewhere:
                restore(place, Settings(database_url=elsewhere.url, migrate_url=elsewhere.owner_url))
                place.unlink()
                token = folder / "token"
                token.write_text(home.tokens["director"] + "\n")
                with (
                    TestClient(create_app(elsewhere, Settings())) as client,
                    copied_house(home, elsewhere, client) as away,
                ):
                    yield Away(server, home, elsewhere, away, token)


def rows_of(database, table, club, without=()):
    """The rows of a table that are a club's, by their columns; without what a place of its own gives them."""
    with psycopg.connect(database.url) as connection:
        cursor = connection.execute(f"select * from {table} where club_id = %s", [club])
        names = [each.name for each in cursor.description]
        return [
            {name: value for name, value in zip(names, row, strict=True) if name not in without}
            for row in cursor.fetchall()
        ]


def stream_rows(database, club, stream):
    """The rows of a stream with their private parts, whole but for their places in the log."""
    found = {}
    for table in ("events", "private"):
        rows = rows_of(database, table, club, without=("position",))
        found[table] = sorted((row for row in rows if str(row["stream_id"]) == stream), key=lambda row: row["version"])
    return found


def id_of(path):
    """The id at the end of a path."""
    return path.rpartition("/")[2]


def both(away, path):
    """The rows of a stream at the server and in the copy."""
    return [stream_rows(database, away.home.id, id_of(path)) for database in (away.home.database, away.copy)]


def events(away, database=None):
    """Every event that the server holds of the club, in order."""
    return sorted(rows_of(database or away.home.database, "events", away.home.id), key=lambda row: row["position"])


def pushes(away):
    """The announcements of pushes that the server holds."""
    return [row for row in events(away) if row["type"] == "StreamsPushed"]


def verified(database):
    """Everything that is wrong in the logs of a database: nothing."""
    return with_pool(database, verify).wrong


@contextmanager
def club_of_its_own(database, folder):
    """A server with a club, and away from it a service that has a club of its own."""
    with one_more(database, like="lurch") as at_home, one_more(database, like="lurch") as elsewhere:
        server = Asked(at_home)
        with listening(server) as url, House(Client(url), at_home) as home:
            token = Path(folder) / "token"
            token.write_text(home.tokens["director"] + "\n")
            with TestClient(create_app(elsewhere, Settings())) as client, House(client, elsewhere) as away:
                yield Away(server, home, elsewhere, away, token)
