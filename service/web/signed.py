"""Signatures in words."""

from typing import Final

from service.languages.spoken import N_, translate

_BY: Final = {
    "own device": N_("{} confirmed on their own phone"),
    "pin": N_("{} confirmed by PIN"),
    "table": N_("{} confirmed by a name tapped at the table"),
    "scorer": N_("the scorer confirmed for {}"),
    "timeout": N_("{} did not answer in time"),
    "token": N_("a program confirmed for {}"),
    "file": N_("a file says that {} confirmed"),
}

STRENGTHS: Final = {  # by what somebody spoke
    "own device": N_("on their own phone"),
    "pin": N_("by PIN"),
    "table": N_("a name tapped at the table"),
    "scorer": N_("through the scorer"),
    "timeout": N_("by silence"),
    "token": N_("by a program"),
    "file": N_("by a file"),
}


def signed(strength: str | None, name: str) -> str:
    """A signature in words, with the name of the side."""
    return translate(_BY.get(strength or "", N_("{} confirmed"))).format(name)
