"""Fixtures that all tests share: a PostgreSQL server per worker, databases made from a template, the application.

`new_database()` makes a migrated database of its own in about 40 ms. Use `embedded()`, a server of its own, only for a
test that stops or damages the server or needs its data directory.
"""

import asyncio
import atexit
import gc
import os
import secrets
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from threading import Lock, Thread

import docker
import docker.errors
import psycopg
import pytest
from hypothesis import settings
from litestar.testing import TestClient
from testcontainers.community.postgres import PostgresContainer
from testcontainers.core.config import testcontainers_config

from service.api import meta
from service.cli import clerk
from service.desk import lists
from service.http import limits, patience
from service.http.buckets import Rate
from service.run import looking
from service.run import pool as pools
from service.run.app import create_app
from service.run.database import Database
from service.run.embedded import Embedded
from service.run.migrate import upgrade
from service.run.pool import make_pool
from service.run.settings import Settings
from service.store import tokens
from service.store.pool import Pool
from service.store.roles import prepare

WANTED = os.environ.get("LURCH_TEST_IMAGE")  # fail instead of using another server if this image can't be had
IMAGE = WANTED or "postgres:18-alpine"
PULL_SECONDS = 120
TEMPLATE = "lurch"  # the migrated database of the worker's server that nothing writes to
NOTES = pytest.StashKey[set[str]]()
retried = set()
clients: list[TestClient] = []  # session-scoped, so their cookies are cleared between modules
kept_pools: dict[str, Pool] = {}  # by database URL
in_own_loop = Lock()

GC_THRESHOLDS = 20_000, 20, 20

# no failures because the machine is busy, and the same examples in every run
settings.register_profile("lurch", deadline=None, derandomize=True)
settings.load_profile("lurch")


def pytest_collection_finish():
    """Exempt everything loaded by now from garbage collection, which took a third of the time of `create_app`."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_handlecrashitem(crashitem, report, sched):
    """Retry a browser test once if its Chromium hung and took the worker down; report it as a rerun."""
    if crashitem.startswith("tests/browser/") and crashitem not in retried:
        retried.add(crashitem)
        report.outcome = "rerun"
        sched.mark_test_pending(crashitem)


def pytest_report_teststatus(report):
    """Name the outcome of a retried test."""
    return ("rerun", "R", "RERUN") if report.outcome == "rerun" else None


def docker_answers():
    """Return True if a Docker engine answers. Without a socket or DOCKER_HOST none is asked."""
    if "DOCKER_HOST" not in os.environ and not Path("/var/run/docker.sock").exists():
        return False
    try:
        with closing(docker.from_env(timeout=2)) as engine:
            return engine.ping()
    except (docker.errors.DockerException, OSError):
        return False


def missing_image():
    """Return why the engine can't provide the images that the tests need, or None if it can."""
    try:
        with closing(docker.from_env(timeout=PULL_SECONDS)) as engine:
            reaper = () if testcontainers_config.ryuk_disabled else (testcontainers_config.ryuk_image,)
            for image in (IMAGE, *reaper):
                try:
                    engine.images.get(image)
                except docker.errors.ImageNotFound:
                    engine.images.pull(image)
    except (docker.errors.DockerException, OSError) as error:
        return f"Docker can't pull {image}; the tests use the embedded PostgreSQL ({' '.join(str(error).split())})"
    return None


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_testnodedown(node):
    """Collect the notes of a worker of pytest-xdist."""
    node.config.stash.setdefault(NOTES, set()).update(getattr(node, "workeroutput", {}).get("notes", ()))


def pytest_terminal_summary(terminalreporter, config):
    """Print each note once, however many workers made it."""
    for note in sorted(config.stash.get(NOTES, ())):
        terminalreporter.write_line(note)


def note(config, text):
    """Add a line to print at the end of the run, from any process."""
    config.stash.setdefault(NOTES, set()).add(text)
    if hasattr(config, "workeroutput"):
        config.workeroutput["notes"] = [*config.stash[NOTES]]


def hasten(superuser):
    """Turn fsync off. Tests in tests/faults that kill a server leave it on."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes"):
            connection.execute(f"alter system set {setting} = off")
        connection.execute("select pg_reload_conf()")


@contextmanager
def in_a_container():
    """Start PostgreSQL in a container, with the two roles as on an operator's own server."""
    with PostgresContainer(IMAGE, driver=None) as container:
        address = f"{container.get_container_host_ip()}:{container.get_exposed_port(5432)}"
        superuser = f"postgresql://{container.username}:{container.password}@{address}/{container.dbname}"
        hasten(superuser)
        owner, app = secrets.token_hex(12), secrets.token_hex(12)  # random, so that a log can be searched for them
        prepare(superuser, owner, app)
        database = Database(
            f"postgresql://lurch_app:{app}@{address}/lurch", f"postgresql://lurch_owner:{owner}@{address}/lurch"
        )
        upgrade(database.owner_url, database.url)
        yield database


def folder():
    """Make a temporary directory that the user `nobody` can enter, since PostgreSQL doesn't run as root."""
    root = Path(tempfile.mkdtemp(prefix="lurch-test-"))
    root.chmod(0o755)
    return root


@contextmanager
def running(root):
    """Start an embedded server on this folder and stop it afterwards."""
    server = Embedded(root / "data")
    server.start()
    try:
        yield Database(server.url("lurch_app"), server.url("lurch_owner"), server)
    finally:
        server.stop()


def copy(data, root):
    """Copy a data directory with its owners."""
    subprocess.run(["cp", "-a", data, root / "data"], check=True)


@cache
def made_once(tables):
    """Return the data directory of a stopped server, migrated if `tables`. Starting a copy is faster than initdb."""
    root = folder()
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    if tables:
        copy(made_once(False), root)
    with running(root) as database:
        hasten(database.embedded.url("postgres", "postgres"))
        if tables:
            upgrade(database.owner_url, database.url)
    return root / "data"


@contextmanager
def embedded(tables=False):
    """Start an embedded server of its own, with an empty database, or a migrated one if `tables`."""
    root = folder()
    copy(made_once(tables), root)
    try:
        with running(root) as database:
            yield database
    finally:
        shutil.rmtree(root)


def migrated():
    """Start an embedded server of its own with a migrated database."""
    return embedded(tables=True)


class Attached(Embedded):
    """The worker's embedded server, with URLs that lead to one of its databases."""

    def __init__(self, root, name):
        super().__init__(root)
        self.name = name

    def url(self, role, database=None):
        """Return the connection URL of a role for this database, or for another one by name."""
        return super().url(role, database or self.name)


@cache
def worker_server():
    """Start the embedded server of this worker process; it stops when the process ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(migrated()).embedded


@contextmanager
def new_database(like=TEMPLATE):
    """Create a migrated database on the worker's server, or a copy of the one named `like`, and drop it afterwards."""
    server, name = worker_server(), f"lurch_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} owner lurch_owner template {like}")
        connection.execute(f"revoke all on database {name} from public")
        connection.execute(f"grant connect on database {name} to lurch_app")
    attached = Attached(server.root, name)
    try:
        yield Database(attached.url("lurch_app"), attached.url("lurch_owner"), attached)
    finally:
        with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
            connection.execute(f"drop database {name} with (force)")


@contextmanager
def given(url):
    """Use the server of LURCH_TEST_DATABASE_URL, as its owner."""
    database = Database(url, url)
    upgrade(database.owner_url, database.url)
    yield database


@pytest.fixture(scope="session", autouse=True)
def patient_service():
    """Let the in-process service wait long enough for a busy machine; tests of these time-outs set their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "PATIENCE", 30.0)
        patch.setattr(pools, "POOL_SECONDS", 30.0)
        patch.setattr(limits, "LOOK_UP_SECONDS", 30.0)
        patch.setattr(patience, "ASK_AFTER", 30.0)
        patch.setattr(meta, "READY_SECONDS", 30.0)
        patch.setattr(looking, "ASK_SECONDS", 30.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_limits():
    """Lift the rate limits; test_limits.py tests them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "RATES", limits.Rates(*[Rate(1e6, 1e6)] * 3))
        yield


def chosen(config):
    """Choose the server: LURCH_TEST_DATABASE_URL, a container if Docker has the image, otherwise the embedded one."""
    if url := os.environ.get("LURCH_TEST_DATABASE_URL"):
        return given(url)
    if not docker_answers():
        return (
            new_database() if WANTED is None else pytest.exit(f"{IMAGE} is required, but no Docker engine answers", 3)
        )
    if why := missing_image():
        if WANTED is not None:
            pytest.exit(f"{IMAGE} is required: {why}", 3)
        note(config, why)
        return new_database()
    return in_a_container()


@pytest.fixture(scope="session")
def database(request):
    """A migrated database that the tests of this worker share: make your own club in it and count nothing else."""
    with chosen(request.config) as found, pool_kept(found):
        yield found


def with_pool(database, act):
    """Run a coroutine function on a pool of this database, outside the caller's event loop.

    The pool and loop of the shared database are kept, since starting them takes longer than most of the calls. A nested
    call gets its own.
    """
    if database.url in kept_pools and in_own_loop.acquire(blocking=False):
        try:
            return asyncio.run_coroutine_threadsafe(act(kept_pools[database.url]), own_loop()).result()
        finally:
            in_own_loop.release()

    async def inside():
        async with make_pool(database.url, 2) as pool:
            return await act(pool)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(inside())).result()


@cache
def own_loop():
    """Start an event loop in a thread that lives as long as the process."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


@contextmanager
def pool_kept(database):
    """Keep a pool of this database open for `with_pool`."""
    pool = make_pool(database.url, 2)
    asyncio.run_coroutine_threadsafe(pool.open(), own_loop()).result()
    kept_pools[database.url] = pool
    try:
        yield
    finally:
        del kept_pools[database.url]
        asyncio.run_coroutine_threadsafe(pool.close(), own_loop()).result()


@pytest.fixture
def club(database, request):
    """A new private club: its id, and a token for each role."""

    async def make(pool):
        name = request.node.nodeid[-60:] + os.urandom(4).hex()
        found = await clerk.club_named(pool, name)
        made = {role: await tokens.create_token(pool, found, role, role) for role in tokens.ROLES}
        return found, made

    return with_pool(database, make)


@pytest.fixture(scope="session")
def client(database):
    """The application, called in process; its webhooks may lead to this machine and must lead to no other."""
    with TestClient(create_app(database, Settings(webhook_private=True))) as running:
        clients.append(running)
        yield running


@pytest.fixture(scope="module", autouse=True)
def no_cookie_left():
    """Forget the sign-ins of a module after it."""
    yield
    for each in clients:
        each.cookies.clear()


@pytest.fixture(scope="session")
def world():
    """Clubs with tournaments and matches in every state, in a database of their own."""
    from tests.kit.service.scenes import made

    with made() as found:
        yield found
