"""Newcomers: a page asks who is meant before a name makes a new visitor that is near to the name of somebody known."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec
from litestar import Response

from domain.club.names import Called, Near, bearers
from domain.club.state import same_name
from service.desk.clubs import club_view
from service.desk.members import knows_earlier
from service.desk.requests import KnownPerson
from service.languages.spoken import N_, translated
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import Form, text_of
from service.web.render import page

NEW: Final = "new"
MOST: Final = 500
OWN: Final = ("typed.", "meant.")  # fields of the question, which no other form reads
Meant: TypeAlias = Mapping[str, str]  # by name as it is compared: the id of a person, or `new`
ALIKE: Final = {
    "same": N_("is called so already"),
    "earlier": N_("was called so"),
    "accents": N_("the same but for accents or signs"),
    "order": N_("the same words in another order"),
    "spelling": N_("spelt nearly so"),
    "part": N_("has a part of the name"),
}


class Question(msgspec.Struct, frozen=True):
    """A name that was typed, and whom it may mean; `new` where it may be nobody of them."""

    typed: str
    near: tuple[Near, ...]
    new: bool = True


def meant_by(form: Form) -> Meant:
    """The answers to the question."""
    found = {}
    for at in range(MOST):
        if f"typed.{at}" not in form:
            break
        if meant := text_of(form, f"meant.{at}"):
            found[same_name(text_of(form, f"typed.{at}"))] = meant
    return found


def without(form: Form) -> Form:
    """A form without the fields of the question."""
    return {name: value for name, value in form.items() if not name.startswith(OWN)}


def questions(
    club: LoadedClub, names: Iterable[str], caller: Caller, meant: Meant, adding: bool = False
) -> list[Question]:
    """The names of which it has to be asked who is meant: those near to somebody's, and those that several people bear.
    Where people are added as such (`adding`), a name that one person bears is asked about too."""
    called: Called | None = None
    found = []
    for name in dict.fromkeys(names):
        answer = meant.get(same_name(name))
        if name in club.state.players or answer == NEW or answer in club.state.players:
            continue
        same = bearers(club.state, name)
        if len(same) == 1 and not adding:
            continue
        called = called or Called(club.state, knows_earlier(caller, club.club))
        near = called.near(name)
        if len(same) > 1 and not adding:
            near = tuple(Near(each.id, each.name or "", each.visitor, "same") for each in same)
        if near:
            found.append(Question(name, near, adding or not same))
    return found


def seated(who: str | KnownPerson, meant: Meant) -> str | KnownPerson:
    """A name as it was typed, or the person who was meant by it."""
    answer = meant.get(same_name(who), NEW) if isinstance(who, str) else NEW
    return who if answer == NEW else KnownPerson(answer)


def ask(path: str, caller: Caller, club: LoadedClub, form: Form, meant: Meant, found: list[Question]) -> Response[str]:
    """The page that asks; it sends the whole form again, with the answers."""
    answered = {
        f"{field}{at}": text for at, pair in enumerate(meant.items()) for field, text in zip(OWN, pair, strict=True)
    }
    return page(
        "newcomers.html",
        caller,
        409,
        club=club_view(club),
        path=path,
        fields={**without(form), **answered},
        questions=list(enumerate(found, start=len(meant))),
        alike=translated(ALIKE),
    )
