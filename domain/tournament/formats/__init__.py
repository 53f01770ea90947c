"""The formats of a tournament, a module each: every one is found that has a `FORMAT`."""

import importlib
import pkgutil
from functools import cache
from typing import Any, Union

import msgspec

from domain.tournament.format import Format


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


def read_format(given: Any) -> Format:
    """A format from what was given. Raises msgspec.ValidationError."""
    found: Format = msgspec.convert(given, format_type())
    return found
