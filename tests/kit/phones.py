"""Phones of several people in Chromium: a browser context each, signed in, with what it stores offline."""

import secrets
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from time import monotonic

from playwright.sync_api import Error

from service.store.tokens import digest
from tests.conftest import with_pool

PHONE = {"width": 390, "height": 844}


def link_for(database, name, role="scorer", club=None):
    """Create a sign-in link for a name and a role and return its secret."""
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
    """Sign a browser context in under this name and role."""
    secret = link_for(database, name, role, club)
    answer = context.request.post("/sign-in", form={"link": secret}, headers={"Origin": site}, max_redirects=0)
    assert answer.status == 303


def end_sign_ins(database, name):
    """End every sign-in of this name, as if it had expired."""

    async def end(pool):
        async with pool.connection() as connection:
            await connection.execute("delete from sign_ins where name = %s", [name])
            await connection.execute("select pg_notify('lurch_tokens', '')")

    with_pool(database, end)


UNDER_WAY = ("interrupted by another navigation", "net::ERR_ABORTED")


def put_away(context):
    """Close a browser context after its navigations have finished, with no stream and no request open."""
    for page in context.pages:
        for last in (False, False, True):  # who got there may go on at once, as a page that is reached again
            try:
                page.goto("about:blank")
                break
            except Error as error:
                if last or not any(each in str(error) for each in UNDER_WAY):
                    raise
                page.wait_for_load_state()
    context.close()


@contextmanager
def phone(chromium, site, database, name, role="scorer", club=None, **more):
    """Open a browser context of the size of a phone, signed in under this name and role."""
    context = chromium.new_context(viewport=PHONE, base_url=site, **{"service_workers": "block"} | more)
    context.set_default_timeout(60_000)
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
    """Return the entries that the browser stores: those of the session, and those in IndexedDB."""
    return page.evaluate(
        f"""async () => [
          Object.keys(sessionStorage).filter((name) => name.startsWith("lurch.kept."))
            .map((name) => JSON.parse(sessionStorage[name])),
          await ({READ})()]"""
    )


# the product waits three seconds for IndexedDB to open
SLOW_SHELF = """() => {
    const let_in = new Promise((done) => (window.openShelf = done));
    const timeout = window.setTimeout;
    window.setTimeout = (act, wait, ...given) => timeout(act, wait === 3000 ? 60_000 : wait, ...given);
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...given) {
      const request = open.apply(this, given);
      const late = {
        get result() { return request.result; },
        get error() { return request.error; },
        get transaction() { return request.transaction; },
      };
      for (const name of ["onupgradeneeded", "onerror"]) request[name] = (event) => late[name]?.(event);
      request.onsuccess = (event) => let_in.then(() => late.onsuccess?.(event));
      return late;
    };
  }"""


def slow_shelf(page):
    """Delay the opening of IndexedDB on this page until `open_shelf`, as on a busy phone."""
    page.add_init_script(f"({SLOW_SHELF})()")


def open_shelf(page):
    """Let a page under `slow_shelf` open its IndexedDB now."""
    page.evaluate("openShelf()")


def until_kept(page, count=1):
    """Wait until this many entries are stored in IndexedDB."""
    until_lasts(page, lambda entries: len(entries) == count)


def until_lasts(page, right):
    """Wait until the entries in IndexedDB satisfy a condition."""
    end, entries = monotonic() + 60, None
    while monotonic() < end:
        with suppress(Error):  # the shelf is only just made
            entries = kept(page)[1]
            if right(entries):
                return
        page.wait_for_timeout(100)
    raise AssertionError(f"waited a minute in vain; stored: {entries}")


def until_offered(page):
    """Wait until the page of a table can go on offline: its script loads last and stores the page when idle."""
    offered = """async () => {
        const script = performance.getEntriesByType("resource").find((each) => each.name.endsWith("/kept/away.js"));
        const offer = script && (await import(script.name)).offered();
        return String(offer?.version) === document.querySelector("[data-live] h1").dataset.version;
    }"""
    end = monotonic() + 60
    while not page.evaluate(offered):
        assert monotonic() < end, "waited a minute in vain for what the table offers"
        page.wait_for_timeout(50)


SETTLED = """async () => {
    await fetch("/health/ready");
    await new Promise((done) => setTimeout(done));
  }"""


def until_settled(page):
    """Wait until the page had the time to show what arrived before: another request is answered."""
    page.evaluate(SETTLED)


def until_signed_out(context):
    """Wait until the service no longer accepts the sign-in, which it caches for a moment."""
    end = monotonic() + 60
    while context.request.get("/me", max_redirects=0).status == 200:
        assert monotonic() < end, "the service knew the sign-in for another minute"


def change_kept(page, act, *given):
    """Change the stored entries by a JavaScript function of the entries, the store and `given`, and reload the page.

    The page is left meanwhile, since a page that is sending would write its entries again.
    """
    address = page.url
    page.goto("/games")
    page.evaluate(f"(given) => ({READ})((entries, shelf) => ({act})(entries, shelf, ...given))", list(given))
    page.goto(address)


def more(page, what):
    """Click something in the menu More at the bottom of a table."""
    if not page.locator(".more[open]").count():
        page.click(".more > summary")
    page.click(what)
