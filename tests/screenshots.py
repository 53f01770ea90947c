"""`make screenshots`: every page in every state, in four sizes and both themes, for somebody to look at.

Pictures and an index go to `build/screenshots`, which git leaves alone. `--docs` takes
those of the README and the guide instead, small, into the repository, and the icons that a phone keeps, of the mark.
"""

import base64
import html
import sys
from contextlib import contextmanager
from pathlib import Path

import rich_click as click
from playwright.sync_api import sync_playwright

from bench.chromium import LEAN, find
from service.web.guide_text import ROLES
from tests.browser.conftest import served
from tests.browser.test_looks import PAGES, address_of
from tests.kit.service.behind_forms import Behind
from tests.kit.service.scenes import made

ROOT = Path(__file__).parents[1]
SIZES = ((390, 844), (820, 1180), (1280, 800), (1920, 1080))
STATIC = ROOT / "service" / "web" / "static"
PICTURES = ROOT / "docs" / "pictures"
ICONS = (192, 512)
THEMES = ("light", "dark")
TALLEST = 2600  # pixels of one page that are worth looking at
TABS = ("", "/standings", "/crosstable", "/bracket", "/entries", "/director", "/log", "/show")
SHORT = ("/standings", "/bracket")
TONIGHT = ("Autumn cup", "Thursday Swiss", "Winter evening", "Parity round")
# the pictures of the README: page of the demo club, width, height, theme
DOCS = {
    "club": ("demo: the club", 1280, 800, "light"),
    "table": ("demo: cross_purposes, open", 390, 844, "light"),
    "bracket": ("demo: Autumn cup/bracket", 1280, 640, "light"),
    "director": ("demo: Thursday Swiss/director", 1280, 760, "dark"),
}
# and of the guide, a page a role
GUIDE = {
    "secretary": "demo: members",
    "scorer": "demo: cross_purposes, open",
    "player": "demo: cross_game, open",
    "director": "demo: Thursday Swiss/director",
    "spectator": "demo: Autumn cup/bracket",
    "programmer": "demo: tokens",
}


class Demo:
    """The pages of the demo club by a name each."""

    def __init__(self, world):
        self.world, self.club = world, f"/clubs/{world.demo}"
        self.pages = {"demo: home": "/", "demo: the club": self.club}
        self._of_the_club()
        self._of_matches()
        self._of_tournaments()

    def _items(self, path):
        headers = {**self.world.cookie("owner", self.world.demo), "Accept": "application/json"}
        return self.world.client.get(f"/api/v1{self.club}/{path}", headers=headers).json()["items"]

    def _of_the_club(self):
        for name in (
            "members",
            "ratings",
            "season",
            "tournaments",
            "new",
            "settings",
            "roles",
            "cases",
            "doors",
            "tokens",
        ):
            self.pages[f"demo: {name}"] = f"{self.club}/{name}"
        person = next(each["id"] for each in self._items("players?limit=200") if each["name"] == "Marta Lindqvist")
        self.pages["demo: a member"] = f"{self.club}/members/{person}"
        self.pages["demo: a rating"] = f"{self.club}/ratings?game=parity&player={person}"

    def _of_matches(self):
        for each in self._items("matches?limit=200"):
            name = f"demo: {each['game']}, {each['status']}"
            self.pages.setdefault(name, f"/matches/{each['id']}")
            if each["status"] == "finished":
                self.pages.setdefault(f"{name}, replay", f"/matches/{each['id']}/replay")

    def _of_tournaments(self):
        for each in self._items("tournaments?limit=50"):
            for tab in TABS if each["name"] in TONIGHT else SHORT:
                self.pages[f"demo: {each['name']}{tab}"] = f"/tournaments/{each['id']}{tab}"


class Camera:
    """A browser of the owner, which takes pictures of pages."""

    def __init__(self, chromium, world, site):
        self.context = chromium.new_context(base_url=site, reduced_motion="reduce", service_workers="block")
        name, _, value = world.cookie("owner", world.house.id)["Cookie"].partition("=")
        self.context.add_cookies([{"name": name, "value": value, "url": site}])
        Behind(world).lead(self.context)
        self.page = self.context.new_page()
        self.told = self.context.new_cdp_session(self.page)

    def look(self, address, width, height, theme):
        """Go there, as wide and as light."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=theme)
        if self.page.url.partition("#")[0].removesuffix("/") != address:
            answer = self.page.goto(address)
            return answer is None or answer.status < 400
        return True

    def taken(self, place, whole=True, scale=1):
        """The picture, of the whole page down to what is worth looking at; its size in bytes."""
        size = self.page.viewport_size
        tall = self.page.evaluate("document.documentElement.scrollHeight") if whole else size["height"]
        clip = {
            "x": 0,
            "y": 0,
            "width": size["width"],
            "height": min(max(tall, size["height"]), TALLEST),
            "scale": scale,
        }
        asked = {"format": place.suffix[1:], "clip": clip, "captureBeyondViewport": whole}
        asked |= {"quality": 60} if place.suffix == ".webp" else {}
        found = base64.b64decode(self.told.send("Page.captureScreenshot", asked)["data"])
        place.write_bytes(found)
        return len(found)

    def icons(self):
        """The mark in the sizes that a phone keeps, for those that take no drawing."""
        drawn = (STATIC / "mark-whole.svg").read_text(encoding="utf-8")
        for size in ICONS:
            self.page.set_viewport_size({"width": size, "height": size})
            self.page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawn}")
            self.page.screenshot(path=STATIC / f"mark-{size}.png")


@contextmanager
def camera():
    """A camera in front of a world that was made for it, and the world."""
    with made(whole=True) as world, served(world.database) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=[*LEAN])
        yield Camera(browser, world, site), world
        browser.close()


def every(world):
    """Each page by its name: those of the demo club, then every state that there is."""
    found = dict(Demo(world).pages)
    return found | {page: address_of(world, page) for page in PAGES}


def file_of(name, width, theme):
    kept = "".join(each if each.isalnum() else "-" for each in name).strip("-") or "home"
    return f"{kept}-{width}-{theme}.png"


def shoot_all(found, taker, place, sizes, themes):
    """Every picture; those that could not be taken are told. A line on standard error says how far it is."""
    rows, missing, at, count = [], [], 0, len(found) * len(sizes) * len(themes)
    told = sys.stderr.isatty()
    for name, address in found.items():
        for width, height in sizes:
            for theme in themes:
                at += 1
                if told:
                    click.echo(f"\r{at} of {count}  {name[:60]:60}", nl=False, err=True)
                if not taker.look(address, width, height, theme):
                    missing.append(name)
                    continue
                taker.taken(place / file_of(name, width, theme))
                rows.append((name, width, theme))
    if told:
        click.echo(err=True)
    return rows, list(dict.fromkeys(missing))


def index(rows):
    """A page with all pictures, those of one page in a row."""
    parts = ["<!doctype html><meta charset=utf-8><title>Lurch, looked at</title><style>body{font:16px sans-serif}"]
    parts.append("img{height:20rem;border:1px solid #888;margin:.2rem;vertical-align:top}</style><h1>Every page</h1>")
    last = None
    for name, width, theme in rows:
        if name != last:
            parts.append(f"<h2>{html.escape(name)}</h2>")
        last, file = name, file_of(name, width, theme)
        parts.append(f'<a href="{file}"><img loading="lazy" src="{file}" alt="{width} wide, {theme}"></a>')
    return "\n".join(parts)


def pictures_of_docs(found, taker):
    """The small pictures that stand in the repository."""
    for folder in (PICTURES, STATIC / "guide"):
        folder.mkdir(exist_ok=True)
    for name, (page, width, height, theme) in DOCS.items():
        taker.look(found[page], width, height, theme)
        taker.taken(PICTURES / f"{name}.webp", whole=False)
    for role in ROLES:
        taker.look(found[GUIDE[role.key]], role.wide, role.high, "light")
        taker.taken(STATIC / "guide" / f"{role.key}.webp", whole=False, scale=0.7 if role.wide > 1000 else 1)


@click.command()
@click.option("--only", default="", help="Pages in whose name this stands.")
@click.option("--width", "widths", multiple=True, type=int, help="This width; may be repeated.")
@click.option("--theme", "themes", multiple=True, type=click.Choice(THEMES), help="This theme; both unless said.")
@click.option("--docs", is_flag=True, help="The pictures of the README and the guide, into docs/pictures.")
@click.option("--to", "place", default=ROOT / "build" / "screenshots", type=click.Path(path_type=Path))
def main(only, widths, themes, docs, place):
    """Take pictures of every page in every state."""
    with camera() as (taker, world):
        found = every(world)
        if docs:
            pictures_of_docs(found, taker)
            taker.icons()
            return
        place.mkdir(parents=True, exist_ok=True)
        sizes = [size for size in SIZES if not widths or size[0] in widths]
        chosen = {name: address for name, address in found.items() if only in name}
        rows, missing = shoot_all(chosen, taker, place, sizes, themes or THEMES)
        (place / "index.html").write_text(index(rows), encoding="utf-8")
        click.echo(f"{len(rows)} pictures in {place}")
        for name in missing:
            click.echo(f"could not be taken: {name}", err=True)


if __name__ == "__main__":
    main()
