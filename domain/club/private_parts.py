"""Private parts of events: whose the words are, type by type, and what is left of them when a person is erased."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.log.event import AnyEvent, Json, JsonObject

Whose: TypeAlias = Literal["named", "person", "people", "actor", "side", "nobody"]
STRUCK: Final = "(name removed)"
SHEET: Final = frozenset({"tags", "line"})  # what a sheet of paper said: nobody's, beside whichever event it stands
SPOKEN: Final[tuple[Whose, ...]] = ("actor", "side", "person")  # words that somebody said; the others tell of somebody
SHORTEST: Final = 3  # letters of a part of a name that is looked for by itself
_CLOSED_UP: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u2e80-\ud7ff\uf900-\ufaff]")  # scripts without spaces

# The player whom the event names; the person who speaks in it; the people who stand in the words; whoever acted; the
# side that it speaks for; or nobody, where the words are the club's: a reason of the house, a sheet, a set of words
# that others wrote.
WHOSE: Final[Mapping[str, Whose]] = {
    # clubs
    "ClubFounded": "nobody",
    "PlayerRegistered": "named",
    "PlayerRenamed": "named",
    "MembershipChanged": "named",
    "PlayerDescribed": "named",
    "PlayersMerged": "nobody",
    "PlayersParted": "nobody",
    "RoleGranted": "nobody",
    "RoleRevoked": "nobody",
    "SettingsChanged": "nobody",
    "HouseRulesAdopted": "nobody",
    "StreamsPushed": "nobody",
    "FriendDeclared": "people",
    "PersonErased": "nobody",
    # matches
    "MatchOpened": "actor",
    "MatchVoided": "nobody",
    "DealStarted": "actor",
    "HandsOpened": "nobody",
    "RecordingPaused": "actor",
    "FactUndone": "actor",
    "FactWithdrawn": "actor",
    "FactInserted": "actor",
    "DealVoided": "actor",
    "DealRestored": "actor",
    "ResultEntered": "actor",
    "ResultConfirmed": "side",
    "ResultDisputed": "side",
    "DisputeSettled": "nobody",
    "EntryCorrected": "actor",
    "CorrectionProposed": "actor",
    "CorrectionAnswered": "actor",
    "EntriesAffirmed": "actor",
    "AffirmationWithdrawn": "actor",
    "ScoreStated": "actor",
    "IrregularityNoted": "actor",
    "RulingMade": "nobody",
    "RulingAccepted": "side",
    "MatchSealed": "nobody",
    "NamesRighted": "nobody",
    "OwnTableAgreed": "nobody",
    "OwnTableDirected": "nobody",
    # tournaments: the reasons of a director's actions are the house's
    "TournamentAnnounced": "nobody",
    "EntryMade": "nobody",
    "EntryWithdrawn": "nobody",
    "EntryReinstated": "nobody",
    "EntrySubstituted": "nobody",
    "EntryCheckedIn": "nobody",
    "FeePaid": "nobody",
    "SeedsGiven": "nobody",
    "StageStarted": "nobody",
    "ByeGranted": "nobody",
    "RoundPaired": "nobody",
    "RoundUnpaired": "nobody",
    "PairingReplaced": "nobody",
    "RoundStarted": "nobody",
    "RoundLocked": "nobody",
    "TableAssigned": "nobody",
    "OutcomeClaimed": "actor",
    "OutcomeContested": "nobody",
    "OutcomeReported": "nobody",
    "OutcomeWithdrawn": "nobody",
    "OutcomeDisputed": "actor",
    "OutcomeUpheld": "nobody",
    "TournamentFinished": "nobody",
    "TournamentReopened": "nobody",
    "TournamentArchived": "nobody",
    # cases: what somebody says is whose it is who says it; what a director or a panel decides is the house's
    "CaseOpened": "person",
    "CaseJoined": "person",
    "StatementSealed": "person",
    "StatementsOpened": "nobody",
    "WitnessHeard": "person",
    "RulerAssigned": "nobody",
    "RulerRecused": "actor",
    "AppealLodged": "person",
    "AppealHeard": "nobody",
    "CaseClosed": "nobody",
    "CaseReopened": "nobody",
}


class Words(msgspec.Struct, frozen=True):
    """The private part of an event, with what says whose it is: the event, who acted, and the people of its match by
    side."""

    event: AnyEvent
    private: JsonObject
    actor: str | None = None
    sides: tuple[tuple[str, ...], ...] = ()


def whose(kind: type[msgspec.Struct]) -> Whose:
    """The kind of people to whom the private part of a type of event belongs; a remark on a fact is that of its
    recorder. Raises KeyError for a type that nobody has thought of."""
    return "actor" if issubclass(kind, Fact) else WHOSE[kind.__name__]


def owned(words: Words, ids: Collection[str]) -> bool:
    """Tells whether the words are those of a person, by all ids of that person."""
    match whose(type(words.event)):
        case "named":
            return words.event.player in ids
        case "person":
            return _said(words) in ids
        case "people":
            return any(each in ids for each in words.private.get("people", ()))
        case "actor":
            return words.actor in ids
        case "side":
            return _speaks(words, ids)
        case "nobody":
            return False


def _said(words: Words) -> str | None:
    """The person whom the event names as the one who said it, else its actor."""
    return words.event.person if words.event.person is not None else words.actor


def _speaks(words: Words, ids: Collection[str]) -> bool:
    """Tells whether a person speaks for the side: alone on it, or as the one of it who acted."""
    side = words.event.side
    if side is None or side >= len(words.sides):
        return words.actor in ids
    people = words.sides[side]
    return people[0] in ids if len(people) == 1 else words.actor in ids and words.actor in people


def left_by(words: Words, ids: Collection[str]) -> JsonObject:
    """The private part without what is the person's own: all of it where nothing is, else what a sheet said."""
    if not owned(words, ids):
        return words.private
    if whose(type(words.event)) in ("named", "people"):
        return {}
    return {name: value for name, value in words.private.items() if name in SHEET}


def pattern_of(names: Iterable[str], parts: bool = False) -> re.Pattern[str] | None:
    """A pattern of names in any capitals and spacing, the longest first; with `parts` also each word of a name, as it
    is written. None without a name."""
    whole = {unicodedata.normalize("NFKC", name).strip() for name in names} - {""}
    single = {part for name in whole for part in name.split() if len(part) >= SHORTEST} if parts else set()
    forms = [f"(?i:{_form(name.split())})" for name in _longest_first(whole)]
    forms += [_form([part]) for part in _longest_first(single)]
    return re.compile("|".join(forms)) if forms else None


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda each: (-len(each), each))


def _form(parts: Sequence[str]) -> str:
    """A name as a pattern: a word of its own, except in scripts that leave no space between words."""
    form = r"\s+".join(map(re.escape, parts))
    return form if _CLOSED_UP.search(form) else rf"(?<!\w){form}(?!\w)"


def named_in(value: Json, pattern: re.Pattern[str] | None) -> bool:
    """Tells whether a name stands in a private part, in whichever text of it."""
    return pattern is not None and any(pattern.search(unicodedata.normalize("NFKC", each)) for each in texts(value))


def struck(value: Json, pattern: re.Pattern[str]) -> Json:
    """The same with the name struck out of every text in which it stands."""
    match value:
        case str():
            plain = unicodedata.normalize("NFKC", value)
            return pattern.sub(STRUCK, plain) if pattern.search(plain) else value
        case list() | tuple():
            return [struck(each, pattern) for each in value]
        case dict():
            return {struck(name, pattern): struck(each, pattern) for name, each in value.items()}
    return value


def texts(value: Json) -> list[str]:
    """Every text of a private part."""
    match value:
        case str():
            return [value]
        case list() | tuple():
            return [text for each in value for text in texts(each)]
        case dict():
            return [text for name, each in value.items() for text in (*texts(name), *texts(each))]
    return []
