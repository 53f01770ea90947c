"""A service process with a club for each role."""

from contextlib import contextmanager

import httpx

from tests.kit.api.clubs import club_of
from tests.kit.faults.processes import Serving

METHODS = ("get", "post", "put", "patch", "delete")


@contextmanager
def clubs_served(database, folder, roles):
    """Start a service on a migrated database and yield its URL and the club of each role."""
    around = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, "LURCH_WEBHOOK_PRIVATE": "1"}
    served = Serving(folder / "data", **around)
    try:
        served.start().ready()
        with httpx.Client(base_url=served.url, timeout=30) as client:
            yield served.url, {role: club_of(role, client, database) for role in roles}
    finally:
        served.end()


def asked_there(url):
    """Return every operation of the document, as method and path."""
    paths = httpx.get(f"{url}/docs/openapi.json", timeout=30).json()["paths"]
    return {f"{method.upper()} {path}" for path, item in paths.items() for method in METHODS if method in item}
