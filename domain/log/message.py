"""A sentence as a message id with its values, and the catalogues that make words of it where somebody reads them."""

import string
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

import msgspec

Value: TypeAlias = int | str | tuple[int | str, ...]
Own = TypeVar("Own")
Person: TypeAlias = int | str  # a seed, a seat or an entry: the reader's side knows the name


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence that is not in words yet: its id, its values (numbers, scores, cards, rules), and the people in it,
    each by a number or an id of whom it is about, or several."""

    id: str
    values: Mapping[str, Value] = {}
    people: Mapping[str, Person | tuple[Person, ...]] = {}


Explanation: TypeAlias = tuple[Message, ...]  # sentence by sentence


class Catalogue(msgspec.Struct, frozen=True):
    """The words of one language in one room: a template by message id, and the forms that its templates ask for.

    A template names values and people in braces. After a colon stands a form: one of `numbers` or `texts`, or two words
    with a bar between, of which the first is for one and the second for any other number.

    >>> english = Catalogue({"took": "{who} took {tricks} trick{tricks:|s}."})
    >>> words(Message("took", {"tricks": 2}, {"who": 0}), english, ("Ann", "Bob").__getitem__)
    'Ann took 2 tricks.'
    """

    templates: Mapping[str, str]
    numbers: Mapping[str, Callable[[int], str]] = {}
    texts: Mapping[str, Callable[[str], str]] = {}

    def __or__(self, other: "Catalogue") -> "Catalogue":
        """Both together. Raises ValueError where an id or a form means one thing here and another there."""
        return Catalogue(
            _joined(self.templates, other.templates),
            _joined(self.numbers, other.numbers),
            _joined(self.texts, other.texts),
        )


def words(message: Message, catalogue: Catalogue, name: Callable[[Person], str] = str) -> str:
    """The sentence, each person called by `name`. A message from elsewhere may be unknown or lack a value: then its id
    stands there, for an answer is given in any case."""
    template = catalogue.templates.get(message.id)
    if template is None:
        return message.id
    try:
        return "".join(
            [
                literal if role is None else literal + _filled(role, form, message, catalogue, name)
                for literal, role, form in _parts(template)
            ]
        )
    except (LookupError, TypeError, ValueError):
        return message.id


def explained(explanation: Explanation, catalogue: Catalogue, name: Callable[[Person], str] = str) -> str:
    """All sentences of an explanation."""
    return " ".join([words(each, catalogue, name) for each in explanation])


def renamed(message: Message, new: Callable[[Person], Person]) -> Message:
    """The same message about the same people, each by another number or id."""
    people = {
        role: tuple(map(new, each)) if isinstance(each, tuple) else new(each) for role, each in message.people.items()
    }
    return msgspec.structs.replace(message, people=people)


def listed(names: Sequence[str]) -> str:
    """Ann; Ann and Bob; Ann, Bob and Cyd."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@lru_cache(1024)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A template in pieces: what stands before a pair of braces, the value or the people in it, and their form."""
    return tuple((literal, role, form or "") for literal, role, form, _ in string.Formatter().parse(template))


def _filled(role: str, form: str, message: Message, catalogue: Catalogue, name: Callable[[Person], str]) -> str:
    """A value in its form, or the people of a role by their names."""
    people = message.people.get(role)
    if people is None:
        return _written(message.values[role], form, catalogue)
    if form:
        return _written(people, form, catalogue)
    return listed([name(each) for each in people]) if isinstance(people, tuple) else name(people)


def _written(value: Value, form: str, catalogue: Catalogue) -> str:
    one, bar, many = form.partition("|")
    if bar:
        return one if (len(value) if isinstance(value, tuple) else value) == 1 else many
    if isinstance(value, tuple):
        return listed([_written(each, form, catalogue) for each in value])
    if not form:
        return str(value)
    return catalogue.numbers[form](value) if isinstance(value, int) else catalogue.texts[form](value)


def _joined(one: Mapping[str, Own], other: Mapping[str, Own]) -> dict[str, Own]:
    twice = sorted(key for key in one.keys() & other.keys() if one[key] != other[key])
    if twice:
        raise ValueError(f"{', '.join(twice)} stands in two catalogues: call one of them something else")
    return {**one, **other}
