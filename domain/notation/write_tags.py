"""The tags of a match and of its deals, one a line in canonical order."""

import msgspec

from domain import codec
from domain.game.race import Race, pinned
from domain.match.state import Deal
from domain.notation.tags import AFTER, ORDER, RACE_TAGS, SEAL
from domain.notation.tokens import quoted
from domain.notation.words import write_hand, write_rows
from domain.notation.write_record import MatchRecord


def tags_of_match(record: MatchRecord) -> list[str]:
    """The tags that open a match, unknown ones last, as they were read."""
    kept = [(name, value) for name, value in record.kept_tags if name != SEAL]
    values: dict[str, list[str]] = {}
    for name, value in kept:
        values.setdefault(name, []).append(value)
    values["Game"] = [record.game.key]
    values["Rules"] = [f"{record.game.key}/{record.match.setup.rules}"]
    values["Option"] = values.get("Option", []) + _options(record)
    values.update(race_tags(record.match.setup.race, record.game.race_for(record.options)))
    values.update(_names(record))
    red = _red(record)
    if red is not None:
        values["Red"] = [record.letters[red]]
    order = [*ORDER, *record.letters, *AFTER]
    order += [name for name in dict.fromkeys(name for name, _ in kept) if name not in order]
    return [_tag(name, value) for name in order for value in values.get(name, [])]


def tags_of_deal(record: MatchRecord, deal: Deal) -> list[str]:
    """The tags that start a deal."""
    values = [("Deal", str(deal.number)), ("Dealer", record.letters[deal.dealer]), ("Detail", deal.depth)]
    values += _cards(record, deal)
    if deal.entry is not None and record.summary(deal) is None:
        values.append(("Entry", codec.encode_plain(deal.entry[1]).decode()))
    values += [(name, value) for name, value in record.private[deal.version].get("tags", [])]
    return [_tag(name, value) for name, value in values]


def _tag(name: str, value: str) -> str:
    return f'[{name} "{quoted(value)}"]'


def _options(record: MatchRecord) -> list[str]:
    """The options that differ from their defaults, by name."""
    default = record.game.options()
    told = []
    for field in sorted(field.name for field in msgspec.structs.fields(record.options)):
        value = getattr(record.options, field)
        if value != getattr(default, field):
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            told.append(f"{field} {shown}")
    return told


def _names(record: MatchRecord) -> dict[str, list[str]]:
    """The players by the letter of their seat, where they have a name."""
    named: dict[str, list[str]] = {}
    for side, seats in enumerate(record.match.setup.seats):
        for place, seat in enumerate(seats):
            if record.names[side][place] != record.letters[seat]:
                named[record.letters[seat]] = [record.names[side][place]]
    return named


def _cards(record: MatchRecord, deal: Deal) -> list[tuple[str, str]]:
    """The hands and the stock, where they are known."""
    if deal.cards is None:
        return []
    spread = record.game.script.cards_of(deal.cards)
    values = []
    if spread.hands:
        seats = len(record.letters)
        written = (f"{record.letters[at % seats]}:{write_hand(hand)}" for at, hand in enumerate(spread.hands))
        values.append(("Hands", " / ".join(written)))
    if spread.stock:
        values.append(("Stock", " ".join(str(card) for card in spread.stock)))
    if spread.rows:
        values.append(("Layout", write_rows(spread.rows)))
    if spread.red is not None and spread.red != _red(record):
        values.append(("Red", record.letters[spread.red]))
    return values


def _red(record: MatchRecord) -> int | None:
    """The seat that plays red in the first deal with a known layout, for the tag of the match."""
    known = (record.game.script.cards_of(deal.cards).red for deal in record.match.deals if deal.cards is not None)
    return next((seat for seat in known if seat is not None), None)


def race_tags(race: Race, default: Race) -> dict[str, list[str]]:
    """The tags of a race, as far as it differs from the default of its game (CTN 15)."""
    tags: dict[str, list[str]] = {}
    usual = pinned(default)
    for tag, name in RACE_TAGS.items():
        value = getattr(race, name)
        # with a fixed number of deals there is no target unless one is named
        told = name in ("target", "deals") and race.deals is not None
        if value is not None and (told or value != getattr(usual, name)):
            tags[tag] = [str(value)]
    same_target = msgspec.structs.replace(default, target=race.target) if race.target else None
    expected = pinned(same_target).lurch if same_target else None
    if race.lurch is None and expected is not None:
        tags["Lurch"] = ["none"]
    elif race.lurch is not None and race.lurch != expected:
        tags["Lurch"] = [" ".join(str(line) for line in race.lurch.lines)]
        tags["WinPoints"] = [" ".join(str(points) for points in race.lurch.win_points)]
    return tags
