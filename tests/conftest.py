"""A real Postgres for the tests that want one, and the application over it."""

import asyncio
import atexit
import gc
import os
import secrets
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
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

from service.cli import clerk
from service.desk import lists
from service.http import limits
from service.http.buckets import Rate
from service.run.app import create_app
from service.run.database import Database
from service.run.embedded import Embedded
from service.run.migrate import upgrade
from service.run.pool import make_pool
from service.run.settings import Settings
from service.store import tokens
from service.store.pool import Pool
from service.store.roles import prepare

WANTED = os.environ.get("LURCH_TEST_IMAGE")  # whoever names an image wants no other server
IMAGE = WANTED or "postgres:18-alpine"
PULL_SECONDS = 120
NOTES = pytest.StashKey[set[str]]()
tried_again = set()
clients: list[TestClient] = []  # that run for all files
kept_pools: dict[str, Pool] = {}  # by the database's address
in_own_loop = Lock()

RARELY = 20_000, 20, 20  # objects, and rounds of the younger ones

settings.register_profile("house", deadline=None)  # a busy machine is no fault of what is tested
settings.load_profile("house")


def pytest_collection_finish():
    """What has been loaded stays: who makes an application spent a third of that on looking through it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_handlecrashitem(crashitem, report, sched):
    """A Chromium that hangs takes its worker with it: its test is tried once more, and counted as that."""
    if crashitem.startswith("tests/browser/") and crashitem not in tried_again:
        tried_again.add(crashitem)
        report.outcome = "rerun"
        sched.mark_test_pending(crashitem)


def pytest_report_teststatus(report):
    """How a test that is tried again is shown and counted."""
    return ("rerun", "R", "RERUN") if report.outcome == "rerun" else None


def docker_answers():
    """Whether a Docker engine answers here, soon; without a socket nobody is asked."""
    if "DOCKER_HOST" not in os.environ and not Path("/var/run/docker.sock").exists():
        return False
    try:
        with closing(docker.from_env(timeout=2)) as engine:
            return engine.ping()
    except (docker.errors.DockerException, OSError):
        return False


def missing_image():
    """Why the engine has not got what the tests need, and cannot get it; nothing when it has."""
    try:
        with closing(docker.from_env(timeout=PULL_SECONDS)) as engine:
            reaper = () if testcontainers_config.ryuk_disabled else (testcontainers_config.ryuk_image,)
            for image in (IMAGE, *reaper):
                try:
                    engine.images.get(image)
                except docker.errors.ImageNotFound:
                    engine.images.pull(image)
    except (docker.errors.DockerException, OSError) as error:
        return f"Docker answers and cannot get {image}: the embedded server is taken ({' '.join(str(error).split())})"
    return None


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_testnodedown(node):
    """What a worker of pytest-xdist has to say at the end."""
    node.config.stash.setdefault(NOTES, set()).update(getattr(node, "workeroutput", {}).get("notes", ()))


def pytest_terminal_summary(terminalreporter, config):
    """Each note once, however many workers have made it."""
    for note in sorted(config.stash.get(NOTES, ())):
        terminalreporter.write_line(note)


def note(config, text):
    """A line for the end of the run, from whatever process."""
    config.stash.setdefault(NOTES, set()).add(text)
    if hasattr(config, "workeroutput"):
        config.workeroutput["notes"] = [*config.stash[NOTES]]


def hasten(superuser):
    """Let a server wait for no disk: the machine does not crash under these tests, and tests/faults keeps waiting."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes"):
            connection.execute(f"alter system set {setting} = off")
        connection.execute("select pg_reload_conf()")


@contextmanager
def in_a_container():
    """A PostgreSQL in Docker, with the two roles as on a server of our own."""
    with PostgresContainer(IMAGE, driver=None) as container:
        place = f"{container.get_container_host_ip()}:{container.get_exposed_port(5432)}"
        superuser = f"postgresql://{container.username}:{container.password}@{place}/{container.dbname}"
        hasten(superuser)
        owner, app = (
            secrets.token_hex(12),
            secrets.token_hex(12),
        )  # words that stand nowhere else, least of all in a log
        prepare(superuser, owner, app)
        yield Database(f"postgresql://lurch_app:{app}@{place}/lurch", f"postgresql://lurch_owner:{owner}@{place}/lurch")


def folder():
    """A temp directory that `nobody` can reach."""
    root = Path(tempfile.mkdtemp(prefix="lurch-test-"))
    root.chmod(0o755)
    return root


@contextmanager
def running(root):
    """An embedded server of this folder."""
    server = Embedded(root / "data")
    server.start()
    try:
        yield Database(server.url("lurch_app"), server.url("lurch_owner"), server)
    finally:
        server.stop()


def copy(data, root):
    """A data directory in a folder of its own; its files belong to whom they belonged to."""
    subprocess.run(["cp", "-a", data, root / "data"], check=True)


@cache
def made_once(tables):
    """The folder of a server that has ended, with today's tables or none: a copy of it starts sooner than a new one."""
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
    """An embedded server of its own, without tables."""
    root = folder()
    copy(made_once(tables), root)
    try:
        with running(root) as database:
            yield database
    finally:
        shutil.rmtree(root)


def migrated():
    """An embedded server of its own, with today's tables."""
    return embedded(tables=True)


@contextmanager
def given(url):
    """A server of somebody's, as its owner."""
    yield Database(url, url)


@pytest.fixture(scope="session", autouse=True)
def patient_lists():
    """Lists wait for as long as a busy machine needs; how they are when they do not is shown in test_lists.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "PATIENCE", 30.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_limits():
    """Tests ask faster than anybody may; the limits are shown in test_limits.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "RATES", limits.Rates(*[Rate(1e6, 1e6)] * 3))
        yield


def chosen(config):
    """LURCH_TEST_DATABASE_URL (an owner's login), a container where Docker answers and has the image, else embedded."""
    if url := os.environ.get("LURCH_TEST_DATABASE_URL"):
        return given(url)
    if not docker_answers():
        return migrated() if WANTED is None else pytest.exit(f"{IMAGE} is wanted, and no Docker engine answers", 3)
    if why := missing_image():
        if WANTED is not None:
            pytest.exit(f"{IMAGE} is wanted: {why}", 3)
        note(config, why)
        return migrated()
    return in_a_container()


@pytest.fixture(scope="session")
def database(request):
    """A migrated database."""
    with chosen(request.config) as found:
        upgrade(found.owner_url, found.url)
        with pool_kept(found):
            yield found


def with_pool(database, act):
    """Run something on a pool, in a thread of its own: a browser test has a loop already. To start a loop and connect
    takes longer than most of what is asked, so for the database of all tests both are kept; who asks from inside of
    what runs there has others."""
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
    """A loop that runs in a thread for as long as the tests."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


@contextmanager
def pool_kept(database):
    """A pool for `with_pool` over this database, for as long as it is there."""
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
    """A fresh private club: its id, and a token for each role."""

    async def make(pool):
        name = request.node.nodeid[-60:] + os.urandom(4).hex()
        found = await clerk.club_named(pool, name)
        made = {role: await tokens.create_token(pool, found, role, role) for role in tokens.ROLES}
        return found, made

    return with_pool(database, make)


@pytest.fixture(scope="session")
def client(database):
    """The application, called in process; its webhooks may lead to this machine, and should to no other."""
    with TestClient(create_app(database, Settings(webhook_private=True))) as running:
        clients.append(running)
        yield running


@pytest.fixture(scope="module", autouse=True)
def no_cookie_left():
    """The sign-ins of one file are gone in the next, whichever that is."""
    yield
    for each in clients:
        each.cookies.clear()


@pytest.fixture(scope="session")
def world():
    """Clubs to look at, with every state that a tournament or a match can be in; over a database of their own."""
    from tests.kit.service.scenes import made

    with made() as found:
        yield found
