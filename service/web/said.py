"""Short sentences that several pages say, in the reader's language."""

from collections.abc import Iterable, Sequence

from service.languages.spoken import ntranslate, translate


def deal_text(number: object) -> str:
    """A deal by its number, in a sentence."""
    return translate("deal {deal}").format(deal=number)


def round_line(number: int, title: str) -> str:
    """A round with its name, where it has one."""
    said = translate("Round {number}").format(number=number)
    return f"{said}: {title}" if title else said


def tables_text(count: int) -> str:
    """So many tables."""
    return ntranslate("{n} table", "{n} tables", count).format(n=count)


def won_text(sides: Sequence[str], winner: int | None) -> str:
    """The winner in words; nothing while there is none."""
    return translate("a draw") if winner is None else translate("{name} won").format(name=sides[winner])


def winner_line(name: str, unplayed: bool) -> str:
    """Tells who won, and whether without play."""
    return (translate("{name} won without play") if unplayed else translate("{name} won")).format(name=name)


def joined(names: Iterable[str]) -> str:
    """All of them, with an `and` between each two."""
    word = translate("and")
    return f" {word} ".join(names)


def names_text(names: Sequence[str]) -> str:
    """Ann; Ann and Bob; Ann, Bob and Cyd."""
    return joined(filter(None, (", ".join(names[:-1]), *names[-1:])))
