"""Refusals about entries say who they are: the rules know ids, whoever asked knows names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from domain.log.decider import Refusal
from domain.pairing.placeholders import fill


@contextmanager
def called(names: Mapping[str, str]) -> Iterator[None]:
    """Refusals from within have what entries are called in the place of marks like {entry}."""
    try:
        yield
    except Refusal as refusal:
        told = fill(refusal.detail, lambda entry: names.get(entry, f"{{{entry}}}"))
        raise Refusal(refusal.slug, told, refusal.rule, refusal.code, **refusal.extra) from None
