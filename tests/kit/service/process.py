"""`lurch serve` as a real process on the database of the tests."""

from contextlib import contextmanager

from tests.kit.faults.processes import Serving


@contextmanager
def serving(database, folder, **given):
    """Start a service with these environment variables and wait until it is ready; kill it afterwards."""
    own = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, "LURCH_LIMITS": "1"}
    served = Serving(folder / "data", **own, **given)
    try:
        yield served.start().ready()
    finally:
        if served.runs():
            served.kill()
