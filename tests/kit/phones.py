"""Phones of several people: each a browser context of its own, signed in as whom a test says."""

import secrets
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Error

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


def put_away(context):
    """Close a browser context with no stream and no request open; a page that is just going somewhere gets there
    first."""
    for page in context.pages:
        try:
            page.goto("about:blank")
        except Error as error:
            if "interrupted by another navigation" not in str(error):
                raise
            page.wait_for_load_state()
            page.goto("about:blank")
    context.close()


@contextmanager
def phone(chromium, site, database, name, role="scorer", club=None, **more):
    """A phone, signed in as somebody."""
    context = chromium.new_context(viewport=PHONE, base_url=site, **{"service_workers": "block"} | more)
    context.set_default_timeout(20_000)
    sign_in(context, site, database, name, role, club)
    yield context
    put_away(context)


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


SLOW_SHELF = """() => {
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...given) {
      const request = open.apply(this, given);
      const late = {
        get result() { return request.result; },
        get error() { return request.error; },
        get transaction() { return request.transaction; },
      };
      for (const name of ["onupgradeneeded", "onerror"]) request[name] = (event) => late[name]?.(event);
      request.onsuccess = (event) => setTimeout(() => late.onsuccess?.(event), 1500);
      return late;
    };
  }"""


def slow_shelf(page):
    """From now on what lasts on this page is opened a second and a half late, as on a phone that is busy."""
    page.add_init_script(f"({SLOW_SHELF})()")


def until_kept(page, count=1):
    """Waits until so many entries last."""
    for _ in range(100):
        with suppress(Error):  # the shelf is only just made
            if len(kept(page)[1]) == count:
                return
        page.wait_for_timeout(100)
    raise AssertionError(f"{count} entries were not kept within ten seconds")


def change_kept(page, act, *given):
    """Do something to what lasts: a function of the entries, the shelf and what is given."""
    page.evaluate(f"(given) => ({READ})((entries, shelf) => ({act})(entries, shelf, ...given))", list(given))


def more(page, what):
    """Tap something behind the button More at the bottom of a table."""
    if not page.locator(".more[open]").count():
        page.click(".more > summary")
    page.click(what)
