"""A crawler that follows every link in a role and records faults, sizes, files and streams of the pages."""

import gzip
import re
from collections import Counter, defaultdict
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

import anyio

from service.web.render import TEMPLATES

HTML = {"Accept": "text/html"}
GZIP = {"Accept-Encoding": "gzip"}
STREAM = ("data-live", "data-follow", "data-here")
LINKED = {"a": "href", "link": "href", "script": "src", "img": "src"}
FOLLOWED = ("data-preview", "data-next", "data-near")


class Page(HTMLParser):
    """The title, headings, links, files, anchors and streams of an HTML page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.streams, self.files, self.ids, self.headings = [], [], [], set(), 0
        self.title, self._within = "", ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self._within = tag
        self.ids.add(given.get("id"))
        self.headings += tag == "h1"
        where = given.get(LINKED.get(tag, ""))
        if tag == "form" and given.get("method") == "get":
            where = given.get("action", "?")
        if where is not None and not where.startswith("data:"):
            (self.links if tag in ("a", "form") else self.files).append(where)
        self.streams += [given[name] for name in STREAM if name in given]
        self.links += [given[name] for name in FOLLOWED if name in given]

    def handle_endtag(self, tag):
        self._within = ""

    def handle_data(self, data):
        if self._within == "title":
            self.title += data


async def asked(app, address, headers):
    """Send a GET request in the application's event loop and return status, headers and body."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "client": ("127.0.0.1", 1),
        "server": ("testserver.local", 80),
        "state": {},
        "headers": [(b"host", b"testserver.local"), *((n.lower().encode(), v.encode()) for n, v in headers.items())],
    }
    told, over = [], anyio.Event()
    first = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive():
        if first:
            return first.pop()
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        told.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            over.set()

    await app(scope, receive, send)
    named = {name.decode().lower(): value.decode() for name, value in told[0]["headers"]}
    return told[0]["status"], named, b"".join(each.get("body", b"") for each in told[1:])


def shape(link):
    """Return a link with its ids and query values replaced by `…`."""
    return re.sub(r"[0-9a-f-]{36}|(?<==)[^&]*", "…", link)


# at most this many of pages that exist once per person or match and have one template
ENOUGH = {
    "/clubs/…/players/…": 12,
    "/clubs/…/players/…?game=…": 12,
    "/matches/…/sheet": 40,
    "/matches/…/sheet?blank=…": 12,
}


class Crawl:
    """A crawl of everything reachable within some clubs.

    Of the links on a page that differ only in ids or numbers it follows one, chosen by `who`, and all those in
    `states`. With `most` it is breadth-first and ends after so many pages.
    """

    def __init__(self, client, headers, clubs, states=(), who=0, most=None):
        self.most = most
        self.app, self.portal = client.app, client.blocking_portal
        self.headers, self.clubs, self.states, self.who = {**HTML, **GZIP, **headers}, clubs, frozenset(states), who
        self.pages, self.sizes, self.streams, self.faults = {}, {}, set(), []
        self.alike = Counter()

    def run(self, *begin):
        self.portal.call(self._run, begin)
        return self

    async def _run(self, begin):
        waiting = list(begin)
        while waiting and (self.most is None or len(self.pages) < self.most):
            address, anchor = urldefrag(waiting.pop(0 if self.most else -1))
            if address not in self.pages:
                waiting += await self._look(address)
            elif anchor and anchor not in self.pages[address].ids:
                self.faults.append(f"{address} has no #{anchor}")
        files = {urljoin(address, each) for address, page in self.pages.items() for each in page.files}
        for address in files - set(self.pages):  # a crawl that has ended early weighs its pages whole
            await self._look(address)

    async def _look(self, address):
        status, headers, sent = await asked(self.app, address, self.headers)
        body = gzip.decompress(sent) if headers.get("content-encoding") == "gzip" else sent
        told = headers.get("content-type", "").startswith("text/html")
        page = self.pages[address] = Page(body.decode() if told else "")
        self.sizes[address] = len(sent)
        if status != 200:
            self.faults.append(f"{status} at {address}")
        elif told and "<html" in body.decode() and (not page.title.strip() or page.headings != 1):
            self.faults.append(f"{address} has the title {page.title!r} and {page.headings} headings")
        self.streams |= set(page.streams)
        return self._chosen(link for link in (urljoin(address, each) for each in [*page.links, *page.files]))

    def _chosen(self, links):
        """Choose the links to follow: all states, and one of every other shape."""
        alike = defaultdict(set)
        for link in links:
            club = re.match(r"/clubs/([0-9a-f-]{36})", link)
            if club is None or club[1] in self.clubs:
                alike[shape(link)].add(link)
        for kind, found in alike.items():
            self.alike[kind] += 1
            if self.alike[kind] > ENOUGH.get(kind, self.alike[kind]):
                continue
            yield from (link for link in found if link in self.states)
            others = sorted(link for link in found if link not in self.states)
            yield from others[self.who % max(1, len(others)) :][:1]


class Templates:
    """Records the names of the templates rendered within the block in `shown`."""

    def __enter__(self):
        self.shown, self._get = set(), TEMPLATES.get_template

        def get(name, *more, **named):
            self.shown.add(name)
            return self._get(name, *more, **named)

        TEMPLATES.get_template = get
        return self

    def __exit__(self, *_):
        del TEMPLATES.get_template
