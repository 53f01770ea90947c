"""The formats of a tournament, a module each: every one is found that has a `FORMAT`."""

import importlib
import pkgutil
from functools import cache
from typing import Any, Union

import msgspec
from msgspec import inspect

from domain.tournament.format import Format, Template


@cache
def all_formats() -> dict[str, type[Format]]:
    """The formats by the word that a tournament names them with."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    found = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return {str(each.__struct_config__.tag): each for each in found}


@cache
def format_type() -> Any:
    """The union of all formats, for decoders."""
    return Union[tuple(all_formats().values())]


class OptionField(msgspec.Struct, frozen=True):
    """An option that the form of a new tournament asks for as a number: its name, its title, and its value where
    nobody says another one (None: it is not the same in all formats that have it)."""

    name: str
    title: str
    usual: int | None


def templates() -> tuple[Template, ...]:
    """The plans that a director can choose from; a format without any is one itself."""
    found = [
        each
        for word, format_ in all_formats().items()
        for each in format_.templates or (Template(word, format_.title, format_.sentence, ({"kind": word},)),)
    ]
    return tuple(sorted(found, key=lambda each: (each.place, each.key)))


def option_fields(format_: type[Format]) -> tuple[OptionField, ...]:
    """The options of a format that the form asks for: those with a title."""
    info = inspect.type_info(format_)
    assert isinstance(info, inspect.StructType)
    found = []
    for each in info.fields:
        schema = each.type.extra_json_schema if isinstance(each.type, inspect.Metadata) else None
        if schema and "title" in schema:
            found.append(OptionField(each.encode_name, str(schema["title"]), each.default))
    return tuple(found)


def all_option_fields() -> tuple[OptionField, ...]:
    """The options that the form asks for, of all formats by name."""
    found: dict[str, OptionField] = {}
    for each in (field for format_ in all_formats().values() for field in option_fields(format_)):
        before = found.get(each.name, each)
        found[each.name] = before if before == each else msgspec.structs.replace(before, usual=None)
    return tuple(sorted(found.values(), key=lambda each: (each.usual is not None, each.name)))


def read_format(given: Any) -> Format:
    """A format from what was given. Raises msgspec.ValidationError."""
    found: Format = msgspec.convert(given, format_type())
    return found
