"""A club on a server that listens, and a copy of it whose events `lurch push` brings to the server."""

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
    """Serve an application on a free port in a thread, with TLS if certificates are given; yield its address."""
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
    """The application of a server, which records the paths of API requests and can cut the connection at one of them.

    The request number `cut_at` is cut before it is handled, or `after` it was handled and before it is answered.
    """

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
    """Drop the answer."""


class Client:
    """An HTTP client for a server that listens, with the interface that `House` uses."""

    def __init__(self, url):
        self.url, self.base_url = url, url

    def request(self, method, path, **given):
        return httpx.request(method, f"{self.url}{path}", trust_env=False, timeout=60, **given)


def invoked(words, environment):
    """Run a command; `said` is its output without the box around an error."""
    done = CliRunner().invoke(cli, list(words), env=environment)
    done.said = " ".join(done.output.replace("│", " ").split())
    return done


class Away:
    """A club on its server (`home`) and its copy (`away`), both as a House, with the token for pushes."""

    def __init__(self, server, home, copy, away, token):
        self.server, self.home, self.copy, self.away, self.token = server, home, copy, away, token

    @property
    def url(self):
        return self.home.client.url

    def lurch(self, *words, token=None, **environment):
        """Run a command on the copy."""
        env = {"LURCH_DATABASE_URL": self.copy.url, "LURCH_MIGRATE_URL": self.copy.owner_url, **environment}
        return invoked(words, {"LURCH_PUSH_TOKEN_FILE": str(token or self.token), **env})

    def cut(self, number, after=False):
        """Cut the connection at this request to the club's server, counted from now; None cuts no more."""
        self.server.paths.clear()
        self.server.cut_at, self.server.after = number, after

    def push(self, *more, **given):
        return self.lurch("push", self.url, *more, **given)

    def pushed(self, *more):
        """Push everything; return the output."""
        done = self.push(*more)
        assert done.exit_code == 0, done.output
        return done.output

    def result(self, house, path, **entry):
        """Enter the result of a deal."""
        return house.done(f"{path}/results", {"entry": NINE, "it_happened": True, **entry})


def copied_house(home, database, client):
    """Return the House of a restored copy, with new tokens, since a restore ends those in the copy."""
    found = House.__new__(House)
    found.client, found.database, found.name = client, database, home.name
    found.id, found.path = home.id, home.path
    found.log = psycopg.connect(database.url, autocommit=True)
    found.tokens = {}
    found.tokens = {role: found.token(role) for role in home.tokens}
    return found


@contextmanager
def evening_away(database, folder, prepare=lambda home: None):
    """Serve a new club, call `prepare` on it, and restore a copy of it into another database; yield an Away.

    The databases are made on the server of `database`, which must be the embedded one.
    """
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
    """Return the rows of a club in a table as dictionaries, leaving out the columns in `without`."""
    with psycopg.connect(database.url) as connection:
        cursor = connection.execute(f"select * from {table} where club_id = %s", [club])
        names = [each.name for each in cursor.description]
        return [
            {name: value for name, value in zip(names, row, strict=True) if name not in without}
            for row in cursor.fetchall()
        ]


def stream_rows(database, club, stream):
    """Return the rows of a stream and of its private parts without their positions in the log."""
    found = {}
    for table in ("events", "private"):
        rows = rows_of(database, table, club, without=("position",))
        found[table] = sorted((row for row in rows if str(row["stream_id"]) == stream), key=lambda row: row["version"])
    return found


def id_of(path):
    return path.rpartition("/")[2]


def both(away, path):
    """Return the rows of a stream at the server and in the copy."""
    return [stream_rows(database, away.home.id, id_of(path)) for database in (away.home.database, away.copy)]


def events(away, database=None):
    """Return every event of the club at the server, or in another database, in order."""
    return sorted(rows_of(database or away.home.database, "events", away.home.id), key=lambda row: row["position"])


def pushes(away):
    """Return the events of pushes at the server."""
    return [row for row in events(away) if row["type"] == "StreamsPushed"]


def verified(database):
    """Return the findings of verification; a sound log has none."""
    return with_pool(database, verify).wrong


@contextmanager
def club_of_its_own(database, folder):
    """Serve a new club, and make another club on another service; yield an Away."""
    with one_more(database, like="lurch") as at_home, one_more(database, like="lurch") as elsewhere:
        server = Asked(at_home)
        with listening(server) as url, House(Client(url), at_home) as home:
            token = Path(folder) / "token"
            token.write_text(home.tokens["director"] + "\n")
            with TestClient(create_app(elsewhere, Settings())) as client, House(client, elsewhere) as away:
                yield Away(server, home, elsewhere, away, token)
