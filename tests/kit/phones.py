"""Phones of several people: each a browser context of its own, signed in as whom a test says."""

import secrets
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from service.store.tokens import digest
from tests.conftest import with_pool

PHONE = {"width": 390, "height": 844}


def link_for(database, name, role="scorer", club=None):
    """The secret of a sign-in link for somebody."""
    secret = secrets.token_urlsafe(32)
    moment = datetime.now(UTC)

    async def make(pool):
        async with pool.connection() as connection:
            await connection.execute(
                "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
                " values (%s, %s, %s, %s, true, %s, %s)",
                [digest(secret), club, role, name, moment, moment + timedelta(minutes=15)],
            )

    with_pool(database, make)
    return secret


def sign_in(context, site, database, name, role="scorer", club=None):
    """Sign a browser in as somebody, in place of who was."""
    secret = link_for(database, name, role, club)
    answer = context.request.post("/sign-in", form={"link": secret}, headers={"Origin": site}, max_redirects=0)
    assert answer.status == 303


def end_sign_ins(database, name):
    """Every sign-in of that name ends, as after thirty days."""

    async def end(pool):
        async with pool.connection() as connection:
            await connection.execute("delete from sign_ins where name = %s", [name])
            await connection.execute("select pg_notify('lurch_tokens', '')")

    with_pool(database, end)


@contextmanager
def phone(chromium, site, database, name, role="scorer", club=None, **more):
    """A phone, signed in as somebody."""
    context = chromium.new_context(viewport=PHONE, base_url=site, **{"service_workers": "block"} | more)
    context.set_default_timeout(20_000)
    sign_in(context, site, database, name, role, club)
    yield context
    for page in context.pages:
        page.goto("about:blank")
    context.close()


READ = """(act) => new Promise((done, failed) => {
    const request = indexedDB.open("lurch");
    request.onerror = () => failed(request.error);
    request.onupgradeneeded = () => request.transaction.abort();
    request.onsuccess = () => {
      const work = request.result.transaction("entries", "readwrite");
      const found = work.objectStore("entries").getAll();
      found.onsuccess = () => act && act(found.result, work.objectStore("entries"));
      work.oncomplete = () => (request.result.close(), done(found.result));
    };
  })"""


def kept(page):
    """What the browser keeps: for the session, and what lasts."""
    return page.evaluate(
        f"""async () => [
          Object.keys(sessionStorage).filter((name) => name.startsWith("lurch.kept."))
            .map((name) => JSON.parse(sessionStorage[name])),
          await ({READ})()]"""
    )


def change_kept(page, act, *given):
    """Do something to what lasts: a function of the entries, the shelf and what is given."""
    page.evaluate(f"(given) => ({READ})((entries, shelf) => ({act})(entries, shelf, ...given))", list(given))


def more(page, what):
    """Tap something behind the button More at the bottom of a table."""
    if not page.locator(".more[open]").count():
        page.click(".more > summary")
    page.click(what)
