"""`lurch serve` as a process of its own on the database of the tests."""

from contextlib import contextmanager

from tests.kit.faults.processes import Serving


@contextmanager
def serving(database, folder, **given):
    """A service that is ready, with these settings of the environment beside the database's."""
    own = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, "LURCH_LIMITS": "1"}
    served = Serving(folder / "data", **own, **given)
    try:
        yield served.start().ready()
    finally:
        if served.runs():
            served.kill()
