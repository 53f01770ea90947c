"""Forms of the director: one action each, taken as the API would take it; what has consequences is shown first."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, post
from litestar.params import FromPath

from domain.club.state import same_name
from domain.decider import Refusal
from projections.tournaments.moves import preview
from service.api.access import asked
from service.api.tournament_bodies import Action
from service.auth import check_known
from service.problems import KINDS, known_slug
from service.tournaments.desk import Desk
from service.tournaments.naming import called
from service.web.access import check_origin, go
from service.web.forms import text_of
from service.web.tournaments.board import board
from service.web.tournaments.creating import cents, entry_line
from service.web.tournaments.frame import AnyRequest, Frame, frame_of, shown
from service.web.words import in_words, unread

LONG = frozenset({"pairs", "order"})
WAYS = (
    ("again", "Pair again", "Pairings made on the wrong result are made again, between the right players.",
     "Correct the result and pair again"),
    ("keep", "Keep the pairings", "Only the result is corrected; pairings made on it stand.",
     "Correct the result, keep the pairings"),
)  # fmt: skip


@post("/tournaments/{tournament_id:uuid}/actions", include_in_schema=False)
async def act(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[Any]:
    """Take a form, and go back to the board, or to the page it was sent from."""
    check_origin(request)
    frame = await frame_of(request, tournament_id)
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    try:
        action = action_of(frame, form)
        check_known(frame.caller)
    except Refusal as refusal:
        return await _again(frame, refusal, form)
    wanted = await asked(request, frame.caller)
    reason = text_of(form, "reason") or None
    try:
        with called(frame.names):
            await Desk(frame.services.recorder).act(frame.loaded, [action], reason, wanted)
        await frame.services.steward.catch_up(frame.loaded.club)
    except Refusal as refusal:
        if refusal.slug == "window-closed" and form.get("do") == "report" and "repair" in refusal.detail:
            return await _ways(frame, form, refusal, wanted)
        return await _again(frame, refusal, form)
    back = text_of(form, "next")
    return go(back if back.startswith(frame.path) else f"{frame.path}/director")


async def _again(frame: Frame, refusal: Refusal, form: dict[str, str]) -> Response[str]:
    """The board with what was wrong; whoever may not see the board is told by the problem itself."""
    if not frame.directs:
        raise refusal
    question = {**form, "knowingly": "true"} if refusal.slug == "confirm-needed" else None
    if refusal.slug == "window-closed" and form.get("do") == "retract" and "`repair`" in refusal.detail:
        question = {**form, "repair": "again"}
    return await board(frame, KINDS[known_slug(refusal)].status, refusal.detail, dict(form), question=question)


async def _ways(frame: Frame, form: dict[str, str], refusal: Refusal, wanted: Any) -> Response[str]:
    """A correction that later rounds hang on: what each way would move, to choose from."""
    desk, ways = Desk(frame.services.recorder), []
    for repair, title, text, button in WAYS:
        fields = {**form, "repair": repair}
        fields.pop("do")
        way: dict[str, Any] = {
            "title": title,
            "text": text,
            "button": button,
            "fields": fields,
            "refused": "",
            "moves": [],
        }
        try:
            with called(frame.names):
                after, events = await desk.tried(frame.loaded, [action_of(frame, {**form, "repair": repair})], wanted)
            moved = preview(frame.state, after, events, frame.names)
            way["moves"] = msgspec.to_builtins([*moved.pairings, *moved.places])
        except Refusal as refused:
            way["refused"] = in_words(refused.detail)
        ways.append(way)
    return shown(frame, "preview", "director", 409, ways=ways)


def action_of(frame: Frame, form: dict[str, str]) -> Action:
    """The action that a form's fields make. Raises Refusal."""
    given: dict[str, Any] = {}
    for name, value in form.items():
        if name in ("reason", "next") or not value.strip():
            continue
        given[name] = value if name in LONG else text_of(form, name)
    do = given.get("do", "")
    _people(given)
    if do == "report":
        _result(given)
    if "pairs" in given:
        given["pairs"] = [_pair(frame, line) for line in given["pairs"].splitlines() if line.strip()]
    if "order" in given:
        given["order"] = [_entry(frame, line) for line in given["order"].splitlines() if line.strip()]
    if "money" in given:
        given["amount"] = cents(given.pop("money"))
    if do == "grant_bye":
        given.setdefault("kind", None)
    try:
        found: Action = msgspec.convert(given, Action, strict=False)
    except msgspec.ValidationError as error:
        raise unread(error) from None
    return found


def _people(given: dict[str, Any]) -> None:
    """Names that were written on one line: partners with `&`, a rating behind a comma."""
    if "who" in given:
        line = entry_line(given.pop("who"))
        given["players"] = line.players
        if line.rating is not None and given["do"] == "enter":
            given["rating"] = line.rating


def _result(given: dict[str, Any]) -> None:
    """Two scores, a winner, or who stayed away."""
    score = [given.pop(name, None) for name in ("score0", "score1")]
    if "walkover" in given:
        given |= {"winner": given.pop("walkover"), "how": "walkover"}
    elif "side" in given:
        given["winner"] = given.pop("side")
    elif "how" not in given and "winner" not in given:
        if None in score:
            raise Refusal("malformed", "write both scores, or choose the winner")
        given["score"] = score
    if given.get("winner") in ("0", "1"):
        given["winner"] = int(given["winner"])


def _pair(frame: Frame, line: str) -> list[str | None]:
    """`Annie – Benny` as entries; `bye` for nobody. Raises Refusal."""
    for mark in ("–", "—", " - ", " v ", " vs "):
        if mark in line:
            one, _, other = line.partition(mark)
            return [_entry(frame, one), None if same_name(other) == "bye" else _entry(frame, other)]
    raise Refusal("malformed", f"{line.strip()[:60]!r} is not a pair: write Annie – Benny")


def _entry(frame: Frame, name: str) -> str:
    """The entry of that name. Raises Refusal."""
    wanted = same_name(name)
    found = [entry for entry, called in frame.names.items() if same_name(called) == wanted]
    here = [entry for entry in found if not frame.state.entries[entry].withdrawn] or found
    if len(here) != 1:
        said = "is not in the list of players" if not here else "is in the list of players more than once"
        raise Refusal("malformed", f"{name.strip()[:60]} {said}")
    return here[0]
