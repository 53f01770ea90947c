"""A server of another major version of PostgreSQL, if the machine has one."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

PLACES = ("/usr/lib/postgresql", "/usr/pgsql")  # of Debian, of others
NAME = "lurch_owner"


def programs(major):
    """Return the folder of the programs of a major version; skip the test if there is none."""
    for place in PLACES:
        for found in (Path(place) / str(major) / "bin", Path(f"{place}-{major}") / "bin"):
            if (found / "initdb").exists():
                return found
    pytest.skip(f"PostgreSQL {major} is not here: apt install postgresql-{major}")


@contextmanager
def server_of(major):
    """Start a server of that major version on its own socket; yield the owner's URL of an empty database."""
    bin_ = programs(major)
    root = Path(tempfile.mkdtemp(prefix="lurch-major-"))
    root.chmod(0o777)
    data, log = root / "data", root / "log"
    as_user = {"user": "nobody"} if os.geteuid() == 0 else {}
    made = [bin_ / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]
    subprocess.run(made, check=True, capture_output=True, cwd="/", **as_user)
    settings = f"-c listen_addresses= -c unix_socket_directories={root} -c fsync=off"
    control = [bin_ / "pg_ctl", "-D", data, "-l", log, "-w"]
    try:
        subprocess.run([*control, "-o", settings, "start"], check=True, capture_output=True, cwd="/", **as_user)
        host = quote(str(root), safe="")
        with psycopg.connect(f"postgresql://postgres@/postgres?host={host}", autocommit=True) as connection:
            assert connection.info.server_version // 10_000 == major
            connection.execute(f"create role {NAME} login")
            connection.execute(f"create database lurch owner {NAME}")
        yield f"postgresql://{NAME}@/lurch?host={host}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True, cwd="/", **as_user)
        shutil.rmtree(root, ignore_errors=True)
