"""Ratings projection: after any change in the past of a club it equals what is computed from the whole log."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import combinations
from urllib.parse import quote

import msgspec
import psycopg
import pytest

from domain.standings.ratings import RatedMatch
from projections.kept_ratings import Checkpoint, RatingStanding, folded, is_kept
from service import bookkeeper
from service.bookkeeper import Bookkeeper
from service.cli import rebuilding
from service.desk import lists
from service.store import book_keeping, log
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase
from tests.service.api.test_seasons import evening_of
from tests.service.api.test_standings import EVEN, ODD, match, read
from tests.service.api.test_tournaments import CROSS, Evening, single

TABLES = {
    "books": "position, form, firsts::jsonb, games::jsonb",
    "books_results": "stream_id, match, game, at, people, result, after",
    "books_accounts": "stream_id, is_over, people, account",
    "books_ratings": "game, kind, who, mu, sigma, won, drawn, lost, last",
}
NAMES = ("Annie", "Benny", "Cleo", "Dag", "Eve")


@pytest.fixture
def house(client, database):
    """A club of its own for each test."""
    with House(client, database) as found:
        yield found


@pytest.fixture(autouse=True)
def close_checkpoints(monkeypatch):
    """Checkpoints so close that an evening has many, near the end and far from it."""
    monkeypatch.setattr("projections.kept_ratings.NEAR", 2)
    monkeypatch.setattr("projections.kept_ratings.FAR", 6)


def kept(house):
    """Return the stored rows of a club, without checkpoints."""
    found = {}
    for table, columns in TABLES.items():
        rows = house.log.execute(f"select {columns} from {table} where club_id = %s", [house.id]).fetchall()
        found[table] = sorted(rows, key=repr)
    return found


def checkpoints(house, game="parity"):
    """The checkpoints of a game: after how many results, and the standings there."""
    rows = house.log.execute(
        "select number, state from books_checkpoints where club_id = %s and game = %s order by 1", [house.id, game]
    ).fetchall()
    return {number: msgspec.json.decode(state, type=list[RatingStanding]) for number, state in rows}


def rebuilt(house):
    """Rebuild the projection, as `lurch rebuild` does."""
    with_pool(house.database, lambda pool: Bookkeeper(pool).rebuild(house.id))


def ids_of(house):
    """The ids of the people of the club by name."""
    return {row["name"]: row["id"] for row in house.get(f"{house.path}/players?limit=200").json()["items"]}


def answer(house, what, **query):
    """What is answered now or as of a position; of who was erased there is no record."""
    text = "&".join(f"{name}={value}" for name, value in query.items())
    found = house.get(f"{house.path}{what}{'?' + text if text else ''}")
    assert found.status_code == 200 or (found.status_code == 404 and what.endswith("/record")), found.text
    return found.json() if found.status_code == 200 else {"status": 404}


def without_place(view):
    """A view as it is, of whatever position."""
    return {name: value for name, value in view.items() if name not in ("position", "behind")}


def are_right(house, games=("parity",)):
    """Assert that the projection equals what is computed from the log, and that every checkpoint is correct."""
    position = house.position()
    asked = [("/ratings", {"game": game, "kind": kind}) for game in games for kind in ("players", "partners")]
    people = [id for name, id in ids_of(house).items() if name not in ("Dag", "Eve", "Gus")]
    asked += [(what, {}) for id in people for what in (f"/ratings/{id}", f"/players/{id}/record")]
    for what, query in [*asked, ("/seasons/standings", {}), ("/seasons/record", {}), ("/ladder", {})]:
        now, then = answer(house, what, **query), answer(house, what, **query, as_of=position)
        assert now.get("behind", 0) == 0
        assert without_place(now) == without_place(then), what
    for game in games:
        checkpoints_are_right(house, game)


def checkpoints_are_right(house, game):
    rows = house.log.execute(
        "select result from books_results where club_id = %s and game = %s order by at", [house.id, game]
    ).fetchall()
    results = [msgspec.json.decode(text, type=RatedMatch) for (text,) in rows]
    (firsts,) = house.log.execute("select firsts from books where club_id = %s", [house.id]).fetchone()
    there = checkpoints(house, game)
    assert all(is_kept(number, len(results)) for number in there)
    for number, standings in there.items():
        end = folded(Checkpoint(), results[:number], msgspec.json.decode(firsts)).end
        assert {(each.kind, each.who): each for each in standings} == end.standings, number


class Walk:
    """A random evening in which old results change, and how often it took each step."""

    def __init__(self, house, seed):
        self.house, self.lot = house, random.Random(seed)
        self.open, self.over, self.done = [], [], {}
        self.ids = {
            name: house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in (*NAMES, "Fay", "Gus")
        }

    def sides(self):
        return [[each] for each in self.lot.sample(NAMES, 2)]

    def play(self):
        self.over.append(match(self.house, *self.sides(), first=self.lot.random() < 0.6))

    def begin(self):
        self.open.append(self.house.match(sides=self.sides(), target=15))

    def finish(self):
        path = self.open.pop(self.lot.randrange(len(self.open)))
        self.house.done(f"{path}/results", self.lot.choice((ODD, EVEN)))
        self.over.append(path)

    def undo(self):
        path = self.over.pop(self.lot.randrange(len(self.over)))
        self.house.done(f"{path}/undo", {})
        self.open.append(path)

    def correct(self):
        path = self.over.pop(self.lot.randrange(len(self.over)))
        version = self.house.get(path).json()["deals"][0]["entry_version"]
        now = self.lot.choice((ODD, EVEN))["entry"]
        self.house.post(f"{path}/corrections", {"version": version, "now": now, "reason": "misread"}, "director")

    def rule(self):
        path = self.over.pop(self.lot.randrange(len(self.over)))
        body = {"code": "REV", "deal": 1, "scores": self.lot.choice([[21, 0], [0, 21]])}
        self.house.done(f"{path}/rulings", body, "director")

    def merge(self):
        """With people who sit in nothing: others have met."""
        other = self.lot.choice(("Fay", "Gus"))
        body = {"other": self.ids[other]}
        self.house.post(f"{self.house.path}/players/{self.ids[self.lot.choice(NAMES)]}/merge", body, "secretary")

    def step(self):
        able = ["play", "begin", "merge", *["finish"] * bool(self.open), *["undo", "correct", "rule"] * bool(self.over)]
        what = self.lot.choice(able)
        getattr(self, what)()
        self.done[what] = self.done.get(what, 0) + 1


def test_ratings_after_random_changes_equal_those_rebuilt_from_the_log(house):
    walk = Walk(house, 1)
    for number in range(56):
        walk.step()
        if walk.lot.random() < 0.5:
            read(house, "/ratings")
        if number % 14 == 13:
            are_right(house)
    assert set(walk.done) == {"play", "begin", "finish", "undo", "correct", "rule", "merge"}
    before = kept(house)
    rebuilt(house)
    assert kept(house) == before
    are_right(house)


def night(house, results=14):
    """Results of several people, a partnership evening and a tournament of a season; everything is read once."""
    paths = [match(house, *pair) for pair in list(combinations([[name] for name in NAMES], 2)) * 2][:results]
    evening_of(house, "2026", "2026-11-05", "Annie", "Benny", "Cleo")
    body = {"options": {"variant": "fixed"}, "deals": 1}
    for sides in ([["Annie", "Benny"], ["Cleo", "Dag"]], [["Dag", "Cleo"], ["Benny", "Annie"]]):
        path = house.match("cross_purposes", sides, **body)
        house.done(f"{path}/results", {"entry": {"tricks": [3, 4, 6, 0]}})
    read(house, "/ratings")
    return paths


LADDER = {"format": {"kind": "ladder", "rounds": 1}, "game": "cross_game", "race": CROSS}
LABELS = (None, "2026", "2027", "Ete\u0301", "\u00c9t\u00e9", "\U0001f0a1", 'z \\ " %')
DAYS = (None, "2026-11-05", "2026-12-31", "2027-01-01")


def a_tournament(house, lot):
    """A tournament of a random season and day that is played to its end, opened again, put away, or goes on."""
    plan = {"season": lot.choice(LABELS), "date": lot.choice(DAYS)}
    plan = {name: value for name, value in plan.items() if value is not None}
    entries = [{"do": "enter", "players": [name]} for name in lot.sample(NAMES, 2)]
    evening = Evening(house, [lot.choice((single(), LADDER))], entries=entries, plan=plan)
    end = lot.choice(("over", "over", "over", "again", "away", "going"))
    if end != "going":
        evening.to_the_end()
    if end == "again":
        evening.act({"do": "reopen"})
    if end == "away":
        evening.act({"do": "archive"})


def seasons_are_right(house):
    """Every season, its standings, its record and the ladders are those that the log tells; how many there are."""
    position = house.position()
    labels = answer(house, "/seasons")
    assert labels == answer(house, "/seasons", as_of=position)
    names = [quote(each["season"]) for each in labels]
    asked = [(what, {"season": name}) for name in names for what in ("/seasons/standings", "/seasons/record")]
    asked += [("/seasons/standings", {}), ("/seasons/record", {}), ("/ladder", {"game": "cross_game"})]
    for what, query in asked:
        now, then = answer(house, what, **query), answer(house, what, **query, as_of=position)
        assert without_place(now) == without_place(then), (what, query)
    return len(labels)


def test_seasons_and_ladders_equal_those_rebuilt_from_the_log(house):
    lot = random.Random(4)
    assert seasons_are_right(house) == 0
    for number in range(30):
        a_tournament(house, lot)
        if number % 10 == 9:
            seasons_are_right(house)
    people = ids_of(house)
    house.done(f"{house.path}/players", {"name": "Fay"}, "owner")
    body = {"other": ids_of(house)["Fay"]}
    house.post(f"{house.path}/players/{people['Annie']}/merge", body, "secretary")
    assert seasons_are_right(house) == len(LABELS) - 1
    house.refused("GET", f"{house.path}/seasons/standings?season=2028", None, 404, "not-found")


@pytest.mark.parametrize(
    ("written", "season"),
    [
        (r"20\u000026", "2026"),
        pytest.param(r"20\u0000\u000026", "2026", marks=pytest.mark.extended),
        (r"20\\u000026", r"20\u000026"),
        pytest.param(r"20\\\u000026", "20\\26", marks=pytest.mark.extended),
    ],
)
def test_an_account_with_escaped_nul_or_backslash_is_kept(house, written, season):
    night(house, 1)
    (stream,) = house.log.execute("select stream_id from books_accounts where club_id = %s", [house.id]).fetchone()
    house.log.execute(
        "update books_accounts set account = replace(account, '\"2026\"', %s) where stream_id = %s",
        [f'"{written}"', stream],
    )
    assert [each["season"] for each in answer(house, "/seasons")] == [season]


GAMES = ("parity", "cross_game", "cross_purposes")


def an_undo(house, paths):
    house.done(f"{paths[1]}/undo", {})


def a_ruling(house, paths):
    house.done(f"{paths[1]}/rulings", {"code": "REV", "deal": 1, "scores": [0, 21]}, "director")


def a_late_result(house, paths):
    house.done(f"{house.late}/results", EVEN)


def a_merge(house, paths):
    house.done(f"{house.path}/players/{ids_of(house)['Annie']}/merge", {"other": ids_of(house)["Hal"]}, "secretary")


def an_erasure(house, paths):
    erase(house, ids_of(house)["Benny"])


CHANGES = [an_undo, a_ruling, a_late_result, a_merge, an_erasure]


@pytest.fixture
def old(house):
    """A club with an open match, and one of somebody whom nobody else has met, before everything else."""
    house.late = house.match(sides=[["Cleo"], ["Dag"]], target=15)
    match(house, ["Hal"], ["Ida"])
    return house


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_an_old_result_reaches_everything_after_it(old, change):
    paths = night(old)
    before = read(old, "/ratings", game="parity")["rows"]
    change(old, paths)
    after = read(old, "/ratings", game="parity")["rows"]
    assert ([row["mu"] for row in before] != [row["mu"] for row in after]) == (change is not an_erasure)
    are_right(old, GAMES)


def test_deleted_ratings_come_back_equal_after_all_changes(old):
    paths = night(old)
    for change in (an_undo, a_late_result, a_merge, an_erasure):
        change(old, paths)
        read(old, "/ratings")
    old.done(f"{paths[2]}/rulings", {"code": "REV", "deal": 1, "scores": [0, 21]}, "director")
    read(old, "/ratings")
    before = kept(old)
    assert all(before.values())
    for deleted in (*TABLES, "books_checkpoints"):
        old.log.execute(f"delete from {deleted} where club_id = %s", [old.id])
        if deleted != "books":
            rebuilt(old)
        read(old, "/ratings")
        assert kept(old) == before
        assert checkpoints(old)
    are_right(old, GAMES)


def test_splitting_merged_people_restores_their_ratings(old):
    night(old)
    before = kept(old)
    ids = ids_of(old)
    a_merge(old, None)
    read(old, "/ratings")
    assert kept(old)["books_ratings"] != before["books_ratings"]
    old.done(f"{old.path}/players/{ids['Annie']}/part", {"other": ids["Hal"]}, "secretary")
    read(old, "/ratings")
    for table in ("books_results", "books_accounts", "books_ratings"):
        assert kept(old)[table] == before[table]
    are_right(old, GAMES)


def test_ratings_keep_only_the_id_of_an_erased_person(old):
    night(old)
    erase(old, ids_of(old)["Benny"])
    read(old, "/ratings")
    assert "Benny" not in repr((kept(old), checkpoints(old)))
    assert None in [row["names"][0] for row in read(old, "/ratings", game="parity")["rows"]]


def test_ratings_of_another_format_are_rebuilt(old, monkeypatch):
    night(old)
    before = kept(old)
    monkeypatch.setattr(book_keeping, "FORM", 99)
    read(old, "/ratings")
    assert {row[1] for row in kept(old)["books"]} == {99}
    assert kept(old)["books_ratings"] == before["books_ratings"]


def test_ratings_that_lag_say_how_far_they_are_behind(old, monkeypatch):
    night(old)
    monkeypatch.setattr(lists, "PATIENCE", 0.2)
    with psycopg.connect(old.database.url) as other:
        other.execute("select mark from books where club_id = %s for update", [old.id])
        shown = read(old, "/ratings", game="parity")
        match(old, ["Annie"], ["Benny"])
        found = read(old, "/ratings", game="parity")
        assert found["behind"] == old.position() - found["position"] > 0
        assert found["rows"] == shown["rows"]
        other.rollback()
    monkeypatch.setattr(lists, "PATIENCE", 30)
    are_right(old, GAMES)


@contextmanager
def small_pages(monkeypatch, positions=5):
    """Pages so small that a book is saved many times."""
    with monkeypatch.context() as patch:
        patch.setattr(bookkeeper, "PAGE", positions)
        yield


def at_once(house, *acts):
    """Do these at once, each on a pool and a loop of its own."""
    with ThreadPoolExecutor(len(acts)) as threads:
        for each in [threads.submit(with_pool, house.database, act) for act in acts]:
            each.result()


def test_concurrent_catch_ups_count_nothing_twice(old, monkeypatch):
    night(old)
    read(old, "/players")
    before = kept(old)
    for _ in range(3):
        old.log.execute("delete from books where club_id = %s", [old.id])
        with small_pages(monkeypatch):
            at_once(old, *[lambda pool: Bookkeeper(pool).catch_up(old.id)] * 3)
        read(old, "/ratings")
        assert kept(old) == before
    are_right(old, GAMES)


def test_ratings_stay_readable_during_a_rebuild(old, monkeypatch):
    night(old)
    before, seen = read(old, "/ratings", game="parity")["rows"], []

    async def meanwhile(connection, club):
        found = await dropped(connection, club)
        with psycopg.connect(old.database.url) as other:
            seen.append(other.execute("select count(*) from books_ratings where club_id = %s", [club]).fetchone()[0])
        return found

    dropped = book_keeping.drop
    monkeypatch.setattr(book_keeping, "drop", meanwhile)
    with small_pages(monkeypatch):
        at_once(old, *[lambda pool: Bookkeeper(pool).rebuild(old.id), lambda pool: Bookkeeper(pool).catch_up(old.id)])
    assert seen[0] > len(before)
    assert read(old, "/ratings", game="parity")["rows"] == before
    are_right(old, GAMES)


def test_lurch_rebuild_makes_the_ratings_again(old, monkeypatch):
    night(old)
    monkeypatch.setattr(log, "clubs", one_club(old))
    before = kept(old)
    old.log.execute("update books_ratings set mu = 0 where club_id = %s", [old.id])
    with_pool(old.database, rebuilding.rebuild)
    assert kept(old) == before


def one_club(house):
    """The list of all clubs, as if there were no other."""

    async def clubs(pool):
        return [(house.id, house.position())]

    return clubs


async def the_last_checkpoint(connection, club, game, place):
    return await before_everything_else(connection, club, game, (2**62, ""))


async def no_result_yet(connection, club, game):
    return (0, "")


async def nothing_before(connection, club, people):
    return {}


async def whoever_comes_last(connection, club, mark, change, lease):
    head = await book_keeping.head_of(connection, club)
    return await saved(connection, club, head.mark, change, lease)


before_everything_else, saved = book_keeping.checkpoint_before, book_keeping.save
BUGS = [
    ("checkpoint_before", the_last_checkpoint, an_undo),
    pytest.param("checkpoint_before", the_last_checkpoint, a_late_result, marks=pytest.mark.extended),
    ("earliest_with", nothing_before, a_merge),
    ("end_of", no_result_yet, an_undo),
    pytest.param("end_of", no_result_yet, a_late_result, marks=pytest.mark.extended),
]


@pytest.mark.parametrize(("name", "bug", "change"), BUGS)
def test_a_seeded_bug_around_checkpoints_is_found(old, monkeypatch, name, bug, change):
    paths = night(old)
    are_right(old, GAMES)
    with monkeypatch.context() as patch:
        patch.setattr(book_keeping, name, bug)
        change(old, paths)
        with pytest.raises(AssertionError):
            are_right(old, GAMES)


OURS = ContextVar("OURS", default=False)  # whether the test's own bookkeeper is at it


async def our_own(pool, club):
    OURS.set(True)
    await Bookkeeper(pool).catch_up(club)


def overtaken(house, save):
    """Save a change, but not before somebody else has brought the whole book up to date."""
    before = []

    async def late(connection, club, mark, change, lease):
        if OURS.get() and not before:  # the service beside follows too
            before.append(mark)
            with_pool(house.database, lambda pool: Bookkeeper(pool).catch_up(club))
            return await save(connection, club, mark, change, lease)
        return await saved(connection, club, mark, change, lease)

    return late


@pytest.mark.parametrize(("save", "right"), [(saved, True), (whoever_comes_last, False)])
def test_an_overtaken_save_changes_nothing(old, monkeypatch, save, right):
    async def waits(club, lease=None):
        """The service beside would else be first now and then, and leave nothing to do."""

    night(old)
    monkeypatch.setattr(old.client.app.state.services.books.bookkeeper, "catch_up", waits)
    before = kept(old)
    old.log.execute("delete from books where club_id = %s", [old.id])
    with small_pages(monkeypatch, 15), monkeypatch.context() as patch:
        patch.setattr(book_keeping, "save", overtaken(old, save))
        at_once(old, lambda pool: our_own(pool, old.id))
    assert (kept(old) == before) == right
