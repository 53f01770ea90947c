"""Forms of the director: one action each, taken as the API would take it; consequences are shown first."""

from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, post
from litestar.params import FromPath

from domain.club.state import same_name
from domain.log.decider import Refusal
from projections.tournaments.moves import Moved, preview
from service.desk.access import check_known
from service.desk.naming import called
from service.desk.requests import Request as Asked
from service.desk.tournament_bodies import Action
from service.desk.tournaments import Desk
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked
from service.http.cookies import check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import N_, translate
from service.web.forms import Form, Member, form_of, text_of
from service.web.newcomers import ask, meant_by, questions, without
from service.web.tournaments.board import board
from service.web.tournaments.creating import cents, entry_line, names_in, with_people
from service.web.tournaments.frame import Frame, frame_of, shown
from service.web.words import in_words, unread

LONG: Final = frozenset({"pairs", "order"})
READ: Final = frozenset({"who", "money"})  # fields that stand for other members
OF_A_RESULT: Final = frozenset({"score0", "score1", "walkover", "side", "winner"})


class Way(msgspec.Struct, frozen=True):
    """A way to correct a result that later rounds hang on: its words, its form, and what it would move, or why it is
    refused."""

    repair: str
    title: str
    text: str
    button: str
    fields: Form = {}
    refused: str = ""
    moves: tuple[Moved, ...] = ()


WAYS: Final = (
    Way(
        "again",
        N_("Pair again"),
        N_("Pairings made on the wrong result are made again, between the right players."),
        N_("Correct the result and pair again"),
    ),
    Way(
        "keep",
        N_("Keep the pairings"),
        N_("Only the result is corrected; pairings made on it stand."),
        N_("Correct the result, keep the pairings"),
    ),
)


@post("/tournaments/{tournament_id:uuid}/actions", include_in_schema=False)
async def act(request: AnyRequest, tournament_id: FromPath[UUID]) -> AnyResponse:
    """Take a form, and go back to the board, or to the page it was sent from."""
    check_origin(request)
    frame = await frame_of(request, tournament_id)
    sent = await form_of(request)
    form, meant = without(sent), meant_by(sent)
    try:
        action = action_of(frame, form)
        check_known(frame.caller)
    except Refusal as refusal:
        return await _again(frame, refusal, form)
    open_ = questions(frame.club, names_in([action]), frame.caller, meant) if frame.directs else []
    if open_:
        return ask(request.url.path, frame.caller, frame.club, form, meant, open_)
    action = with_people(action, meant)
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


async def _again(frame: Frame, refusal: Refusal, form: Form) -> Response[str]:
    """The board with what was wrong; whoever may not see the board is told by the problem itself."""
    if not frame.directs:
        raise refusal
    question = {**form, "knowingly": "true"} if refusal.slug == "confirm-needed" else None
    if refusal.slug == "window-closed" and form.get("do") == "retract" and "`repair`" in refusal.detail:
        question = {**form, "repair": "again"}
    return await board(frame, KINDS[known_slug(refusal)].status, refusal.detail, form, question=question)


async def _ways(frame: Frame, form: Form, refusal: Refusal, wanted: Asked) -> Response[str]:
    """A correction that later rounds hang on: the ways to choose from, each with the moves it would make."""
    ways = [await _tried(frame, form, way, wanted) for way in map(_labelled, WAYS)]
    return shown(frame, "preview", "director", 409, ways=ways)


def _labelled(way: Way) -> Way:
    said = {"title": translate(way.title), "text": translate(way.text), "button": translate(way.button)}
    return msgspec.structs.replace(way, **said)


async def _tried(frame: Frame, form: Form, way: Way, wanted: Asked) -> Way:
    """A way with the moves it would make, or with the reason for which it is refused."""
    filled = {**form, "repair": way.repair}
    way = msgspec.structs.replace(way, fields={name: value for name, value in filled.items() if name != "do"})
    try:
        with called(frame.names):
            actions = [action_of(frame, filled)]
            after, events = await Desk(frame.services.recorder).tried(frame.loaded, actions, wanted)
    except Refusal as refused:
        return msgspec.structs.replace(way, refused=in_words(refused.detail))
    moved = preview(frame.state, after, events, frame.names)
    return msgspec.structs.replace(way, moves=(*moved.pairings, *moved.places))


def action_of(frame: Frame, form: Form) -> Action:
    """The action that a form's fields make. Raises Refusal."""
    texts = {
        name: value if name in LONG else text_of(form, name)
        for name, value in form.items()
        if name not in ("reason", "next") and value.strip()
    }
    read = READ | OF_A_RESULT if texts.get("do") == "report" else READ
    given: dict[str, Member] = {name: text for name, text in texts.items() if name not in read}
    given |= _people(texts)
    if texts.get("do") == "report":
        given |= _result(texts)
    if "pairs" in texts:
        given["pairs"] = [_pair(frame, line) for line in texts["pairs"].splitlines() if line.strip()]
    if "order" in texts:
        given["order"] = [_entry(frame, line) for line in texts["order"].splitlines() if line.strip()]
    if "money" in texts:
        given["amount"] = cents(texts["money"])
    if texts.get("do") == "grant_bye":
        given.setdefault("kind", None)
    try:
        found: Action = msgspec.convert(given, Action, strict=False)
    except msgspec.ValidationError as error:
        raise unread(error) from None
    return found


def _people(texts: Form) -> dict[str, Member]:
    """Names that were written on one line: partners with `&`, a rating behind a comma."""
    if "who" not in texts:
        return {}
    line = entry_line(texts["who"])
    if line.rating is not None and texts.get("do") == "enter":
        return {"players": line.players, "rating": line.rating}
    return {"players": line.players}


def _result(texts: Form) -> dict[str, Member]:
    """Two scores, a winner, or a side that stayed away."""
    if "walkover" in texts:
        return {"winner": _side(texts["walkover"]), "how": "walkover"}
    winner = texts.get("side") or texts.get("winner")
    if winner is not None:
        return {"winner": _side(winner)}
    if "how" in texts:
        return {}
    score = [texts.get(name) for name in ("score0", "score1")]
    if None in score:
        raise Refusal("malformed", "write both scores, or choose the winner")
    return {"score": score}


def _side(text: str) -> Member:
    return int(text) if text in ("0", "1") else text


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
