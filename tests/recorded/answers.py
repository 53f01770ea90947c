"""What the program gives for a log: states, CTN, and its answers over HTTP; and what of it has changed since."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from domain import codec, registry
from domain.case.state import NO_CASE
from domain.case.state import fold as fold_case
from domain.club.state import Club, EventWithPrivate
from domain.club.state import fold as fold_club
from domain.game.protocol import ALL
from domain.log.decider import Refusal
from domain.match.evolve import fold as fold_match
from domain.match.state import Deal, Match, NoMatch, Setup, played, race_of
from domain.tournament.evolve import fold as fold_tournament
from domain.tournament.fixtures import LETTERS
from domain.tournament.state import Round, Tournament
from projections.match import ON_DEMAND
from service.cli import clerk, seals
from service.store import tokens
from tests.conftest import with_pool

GAVE = ("states", "ctn", "director", "public", "players", "director-events", "public-events", "players-events")


# ------------------------------------------------------------------ folded from the rows alone


def streams_of(rows):
    """(club, stream) -> its events in order, each with its private words."""
    beside = [*rows["remains"], *rows["private"]]
    private = {(row["stream_id"], row["version"]): json.loads(row["data"]) for row in beside}
    found = {}
    for row in sorted(rows["events"], key=lambda row: row["version"]):
        event = registry.read_event(row["type"], row["schema"], row["data"])
        words = private.get((row["stream_id"], row["version"]))
        found.setdefault((row["club_id"], row["stream_id"]), []).append((row["version"], event, words))
    return dict(sorted(found.items()))


def state_of(events):
    """The state of a stream of any kind."""
    pairs = [(version, event) for version, event, _ in events]
    first = type(events[0][1]).__name__
    if first == "ClubFounded":
        return fold_club(Club(), [(version, EventWithPrivate(event, words)) for version, event, words in events])
    if first == "CaseOpened":
        return fold_case(NO_CASE, pairs)
    return fold_match(NoMatch(), pairs) if first == "MatchOpened" else fold_tournament(Tournament(), pairs)


def plain(value: Any) -> Any:
    """A state as JSON has it: of a game its key, of a deal's table what a person with all hands open sees."""
    match value:
        case Setup():
            return {**_members(value), "game": value.game.key}
        case Match():
            deals = [_deal(value, deal) for deal in value.deals]
            return {**_members(value), "deals": deals, "race": plain(race_of(value))}
        case Round():  # recorded with the letter of its part, as names of matches have it
            return {**_members(value), "part": LETTERS[value.part]}
        case msgspec.Raw():
            return json.loads(bytes(value))
        case msgspec.Struct():
            tag = value.__struct_config__.tag
            return {**({value.__struct_config__.tag_field: tag} if tag is not None else {}), **_members(value)}
        case Mapping():
            return {key if isinstance(key, str) else json.dumps(plain(key)): plain(own) for key, own in value.items()}
        case frozenset():
            return sorted(plain(own) for own in value)
        case tuple() | list():
            return [plain(own) for own in value]
    return codec.plain(value)


def _members(value):
    return {name: plain(getattr(value, name)) for name in value.__struct_fields__ if name not in ("game", "deals")}


def _deal(match: Match, deal: Deal) -> Any:
    game = match.setup.game
    return {
        **{name: plain(getattr(deal, name)) for name in deal.__struct_fields__ if name not in ("table", "facts")},
        "facts": [[version, *codec.to_list(fact)] for version, fact in deal.facts],
        "table": codec.plain(game.view(deal.table, ALL)),
        "played": plain(played(match, deal)),
    }


def states(rows):
    """The state of every stream, as its events alone give it."""
    return [
        {"club": club, "stream": stream, "state": plain(state_of(events))}
        for (club, stream), events in streams_of(rows).items()
    ]


# ------------------------------------------------------------------ asked of a service


def later():
    """A year from now, when every window of what was recorded has closed."""
    return datetime.now(UTC) + timedelta(days=365)


class Asker:
    """Asks a running application that holds the rows, at a time that tells all that time alone can tell."""

    def __init__(self, client, database, rows):
        self.client, self.database, self.rows = client, database, rows
        self.tokens = {}
        client.app.state.services.recorder.clock = later

    def token(self, club, viewer):
        """The token of a viewer: `director`, or a player's id; made when it is wanted first."""
        if (club, viewer) not in self.tokens:
            role, player = (viewer, None) if viewer == "director" else ("player", viewer)
            made = with_pool(self.database, lambda pool: tokens.create_token(pool, club, role, role, player=player))
            self.tokens[club, viewer] = made
        return self.tokens[club, viewer]

    def get(self, club, viewer, path):
        """An answer: its status, and its body as JSON, as lines of JSON, or as text."""
        headers = {} if viewer == "public" else {"Authorization": f"Bearer {self.token(club, viewer)}"}
        answer = self.client.get(f"/api/v1{path}", headers=headers)
        kind = answer.headers["content-type"].partition(";")[0]
        body = answer.text
        if kind == "application/x-ndjson":
            body = [json.loads(line) for line in body.splitlines()]
        elif kind == "application/json":
            body = answer.json()
        return {"status": answer.status_code, "body": body if answer.status_code == 200 else None}

    def again(self, asked):
        """The same question once more."""
        return self.get(asked["club"], asked["viewer"], asked["path"])


def ask(asker, seated):
    """Every question with its answer, by file; what everybody is answered as directors are is only said to be so.
    `seated` are (club, match, player): who sits there is asked as well."""
    found = {name: [] for name in GAVE if name not in ("states", "ctn")}
    for club in dict.fromkeys(row["club_id"] for row in asker.rows["logs"]):
        for path in club_paths(asker.rows, club):
            told = _put(found, asker, club, "director", path)
            _put(found, asker, club, "public", path, told)
    for club, match, player in seated:
        for viewer in ("public", player):
            for path in (f"/matches/{match}", f"/matches/{match}/events"):
                _put(found, asker, club, viewer, path)
    return found


def file_of(viewer, path):
    """The file in which an answer stands."""
    name = viewer if viewer in ("director", "public") else "players"
    return f"{name}-events" if path.rpartition("/")[2] in ("events", "archive") else name


def _put(found, asker, club, viewer, path, like=None):
    """Keep an answer; of whole logs only the director's. The answer, so that others are compared with it."""
    name = file_of(viewer, path)
    if like is not None and name == "public-events":
        return None
    answer = asker.get(club, viewer, path)
    shown = {"like": "director"} if like == answer else answer
    found[name].append({"club": club, "viewer": viewer, "path": path, **shown})
    return answer


def club_paths(rows, club):
    """What is asked of a club."""
    states_ = {stream: state_of(events) for (own, stream), events in streams_of(rows).items() if own == club}
    matches = {stream: state for stream, state in states_.items() if isinstance(state, Match)}
    tournaments = {stream: state for stream, state in states_.items() if isinstance(state, Tournament)}
    games = dict.fromkeys(state.setup.game.key for state in matches.values())
    home = f"/clubs/{club}"
    paths = [home, f"{home}/matches?limit=200", f"{home}/players?limit=200", f"{home}/tournaments?limit=200"]
    for game in games:
        kinds = ("players", "partners")
        paths += [f"{home}/ratings?game={game}&kind={kind}" for kind in kinds] + [f"{home}/ladder?game={game}"]
        sides = [side for state in matches.values() if state.setup.game.key == game for side in state.setup.sides]
        paths += [f"{home}/ratings/{player}?game={game}" for player in sorted({*sum(sides, ())})[:4]]
    seasons = sorted({state.plan.season for state in tournaments.values() if state.plan.season})
    paths += [f"{home}/seasons", *(f"{home}/seasons/standings?season={each}" for each in seasons)]
    paths += [f"{home}/seasons/standings?season={each}&best=1&points=3,2,1" for each in seasons]
    for match in matches:
        paths += [f"/matches/{match}", *(f"/matches/{match}/projections/{name}" for name in ON_DEMAND)]
    for tournament, state in tournaments.items():
        paths += tournament_paths(f"/tournaments/{tournament}", state)
    return [*paths, f"{home}/settings", f"{home}/house-rules", f"{home}/events"]


def tournament_paths(path, state):
    """What is asked of a tournament."""
    paths = [path, f"{path}/entries.csv", f"{path}/archive"][: 3 if state.archived or not state.finished else 2]
    for number, stage in enumerate(state.stages, start=1):
        if stage.begun:
            paths += [f"{path}/{what}?stage={number}" for what in ("standings", "crosstable", "bracket", "results.csv")]
            paths += [f"{path}/trf?stage={number}&format={form}" for form in ("trf16", "trf26")]
            paths += [f"{path}/standings/{entry}?stage={number}" for entry in stage.order[:4]]
    return paths


def texts(database, rows):
    """CTN and histories of every match; null where there are none."""

    async def exported(pool):
        found = []
        for (_, stream), events in streams_of(rows).items():
            if type(events[0][1]).__name__ == "MatchOpened":
                ctn, jsonl = await seals.export_ctn(pool, stream), await _text(clerk.export_histories(pool, stream))
                found.append({"stream": stream, "ctn": ctn, "jsonl": jsonl})
        return found

    return with_pool(database, exported)


async def _text(writing):
    try:
        return await writing
    except Refusal:
        return None


# ------------------------------------------------------------------ then and now


OF_NOW = {"windows"}  # they say how far a result has come by now, which another day is another


def changes(then, now, at=""):
    """The places where something is gone or another: members may be added, nothing else may be."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            if name in OF_NOW and name in now:
                continue
            if name not in now:
                yield f"{at}.{name}", value, None
            else:
                yield from changes(value, now[name], f"{at}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from changes(old, new, f"{at}.{place}")
    elif (type(then), then) != (type(now), now):
        yield at, then, now
