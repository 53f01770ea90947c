"""The events of a match in words: with names of people, and figures as they stand on the sheet."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from domain import codec
from domain.cards.facts import Fact
from domain.games import fact_union
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject
from domain.match.results import read_entry
from domain.match.state import Match, by_side
from projections.deal_view import ClaimView
from projections.match_view import SideView
from projections.table_view import told
from service.languages.spoken import N_, ntranslate, translate
from service.web.render import isolated, seat_text, side_text
from service.web.said import deal_text, joined

HOW: Final = {
    "upheld": N_("the result stands"),
    "corrected": N_("the result was corrected"),
    "ruled": N_("by a ruling"),
    "void": N_("the deal is void"),
    "withdrawn": N_("it was taken back"),
}


SIGNED: Final = {
    "own device": N_("on their own phone"),
    "pin": N_("by PIN"),
    "table": N_("(a name tapped at the table)"),
    "scorer": N_("(the scorer for that side)"),
    "timeout": N_("(no answer in time)"),
    "token": N_("(by a program)"),
    "file": N_("(by a file)"),
}
PLAIN: Final = {  # events that say nothing but this
    "MatchOpened": N_("match opened"),
    "MatchVoided": N_("the match is void"),
    "OwnTableDirected": N_("own table: decided by somebody who belongs to it, as the other side agreed"),
    "DealStarted": N_("deal {number} begins"),
    "HandsOpened": N_("the hands of {deal} are opened"),
    "DealRestored": N_("{deal} counts after all"),
    "IrregularityNoted": N_("{code} called"),
    "AffirmationWithdrawn": N_("an affirmation is taken back"),
    "MatchSealed": N_("the record is sealed: nothing changes any more"),
}
HIDDEN: Final = N_("a hidden card")
EARLIER: Final = N_("an earlier entry")


def figures(scores: Iterable[int] | None) -> str:
    """Scores by side, as one says them."""
    return translate("passed out") if scores is None else "–".join(map(str, scores))


def claim_text(claim: ClaimView, number: int, sides: list[str]) -> str:
    """The words of a side about a deal whose hands are hidden, with the sides that agree."""
    agreed = [isolated(sides[side]) for side in claim.agreed]
    who = joined(agreed)
    return _claimed(claim.what, number, figures(claim.scores), who, len(agreed))


def _claimed(what: str, number: int, scores: str, who: str, count: int = 1) -> str:
    match what:
        case "result":
            said = ntranslate("{who} says {scores}", "{who} say {scores}", count)
        case "void":
            said = ntranslate("{who} says that deal {number} is void", "{who} say that deal {number} is void", count)
        case _:
            said = ntranslate(
                "{who} wants to go on with the result only", "{who} want to go on with the result only", count
            )
    return said.format(who=who, scores=scores, number=number)


def _when_told(said: str, hidden: str) -> str:
    """A text that may be told, else that it may not."""
    return said or translate(hidden)


def dispute_text(deal: int | None, side: int | None, sides: list[str]) -> str:
    """Tells what is disputed, and by whom where a side says it."""
    what = translate("the match") if deal is None else deal_text(deal)
    if side is None:
        return translate("{what} is disputed").format(what=what)
    return translate("{what} is disputed by {side}").format(what=what, side=isolated(sides[side]))


def _of_plain(data: Mapping[str, Json]) -> JsonObject:
    """The values of an event that needs no more than those."""
    return {"number": data.get("number"), "code": data.get("code")}


class Teller:
    """Says the events of one match; `events` are those that an undo or correction among them may name."""

    def __init__(
        self, match: Match, sides: Sequence[SideView], people: list[str], events: Iterable[JsonObject] = ()
    ) -> None:
        self.match, self.people, self.key = match, people, match.setup.game.key
        self.sides = [side_text(side) for side in sides]
        self.events = {event["version"]: event for event in events}

    def say(self, event: JsonObject) -> str:
        """One event in words."""
        data = event["data"]
        is_fact = "do" in data and "seat" in data  # a proposal has a `do` of its own
        return self._fact(event) if is_fact else self._told(event["type"], data, event)

    def _fact(self, event: JsonObject) -> str:
        """A fact, with what cards that lie open tell of it."""
        fact: Fact = codec.convert(event["data"], fact_union())
        deal = next((each for each in reversed(self.match.deals) if each.version < event["version"]), None)
        return seat_text(self.key, codec.plain(fact if deal is None else told(self.match, deal, fact)), self.people)

    def _told(self, kind: str, data: JsonObject, event: JsonObject) -> str:
        deal = deal_text(data.get("deal"))
        match kind:
            case "ResultEntered" | "DealVoided" | "RecordingPaused":
                return self._said(kind, data)
            case "ResultConfirmed":
                said = deal if data["scores"] is None else figures(data["scores"])
                how = translate(SIGNED.get(data["strength"] or "", ""))
                confirms = translate("{who} confirms {said}").format(who=self._by(data), said=said)
                return f"{confirms} {how}" if how else confirms
            case "NamesRighted":
                names = ", ".join(isolated(self.sides[each["side"]]) for each in data["moved"])
                return translate("names put right: signed by {names}").format(names=names)
            case "OwnTableAgreed":
                what = translate("the match") if data["deal"] is None else deal
                said = translate("{who} agrees that a director who belongs to this table decides on {what}")
                return said.format(who=self._by(data), what=what)
            case "ResultDisputed":
                return dispute_text(data["deal"], data["side"], self.sides)
            case "DisputeSettled":
                how = HOW[data["how"]]
                return translate("the dispute is settled: {how}").format(how=translate(how))
            case "FactWithdrawn" | "FactInserted" | "CorrectionProposed" | "CorrectionAnswered":
                return self._mended(kind, data)
            case "EntriesAffirmed":
                who = translate("the director") if data["side"] is None else self._by(data)
                return translate("{who} affirms entries of {deal} as what was played").format(who=who, deal=deal)
            case "FactUndone":
                said = translate("withdrawn: {entry}") if data["withdrawn"] else translate("taken back: {entry}")
                return said.format(entry=self._named(data["version"]))
            case "EntryCorrected":
                before, after = self._named(data["version"]), self._put(event["version"], data["now"])
                return translate("corrected: {before} → {after}").format(before=before, after=after)
            case "RulingMade":
                scores = "" if data["scores"] is None else f": {figures(data['scores'])}"
                return translate("ruling {code} on {deal}").format(code=data["code"], deal=deal) + scores
            case "RulingAccepted":
                return translate("{who} accepts the ruling on {deal}").format(who=self._by(data), deal=deal)
            case "ScoreStated":
                line = event.get("line") or data.get("stated") or translate("a remark")
                return translate("written down: {line}").format(line=line)
        return translate(PLAIN[kind]).format(deal=deal, **_of_plain(data)) if kind in PLAIN else kind

    def _mended(self, kind: str, data: JsonObject) -> str:
        """Words for what was put right at the table, or is proposed to be."""
        match kind:
            case "FactWithdrawn":
                entry = self._named(data["version"])
                if data["code"]:
                    return translate("taken back at the table ({code}): {entry}").format(code=data["code"], entry=entry)
                return translate("taken back at the table: {entry}").format(entry=entry)
            case "FactInserted":
                fact = _when_told(self.value(data["fact"]), HIDDEN)
                return translate("inserted behind entry {after}: {fact}").format(after=data["after"], fact=fact)
            case "CorrectionAnswered":
                who = translate("the director or the secretary") if data["side"] is None else self._by(data)
                said = (
                    translate("{who} says yes to the correction proposed at {proposal}")
                    if data["yes"]
                    else translate("{who} says no to the correction proposed at {proposal}")
                )
                return said.format(who=who, proposal=data["proposal"])
        if data["side"] is None:
            return translate("proposed: {change}").format(change=self.change(data))
        return translate("{who} proposes: {change}").format(who=self._by(data), change=self.change(data))

    def change(self, said: Mapping[str, Json]) -> str:
        """A proposed correction: what the entry is, and what it would be."""
        was, now = said.get("was"), self.value(said.get("now"))
        before = self.value(was) or self._named(said.get("version", 0))
        if said["do"] == "insert":
            return translate("{card} is missing").format(card=_when_told(now, HIDDEN))
        if said["do"] == "remove":
            return translate("{card} is one too many").format(card=before)
        return f"{before} → {_when_told(now, HIDDEN)}"

    def _put(self, version: int, now: Json) -> str:
        """Words for what stands in the place of an entry since a correction: nothing, where it was one too many."""
        stands = version in self.match.superseded or any(
            version in {each for each, _ in deal.facts} or (deal.entry is not None and deal.entry[0] == version)
            for deal in self.match.deals
        )
        return self.value(now) or (translate("another") if stands else translate("nothing: it was one too many"))

    def _by(self, data: JsonObject) -> str:
        return isolated(self.sides[data["side"]])

    def _said(self, kind: str, data: JsonObject) -> str:
        """A result, a void or a pause; with a side it is what that side says."""
        deal = deal_text(data["deal"])
        scores = self._figures(data["entry"]) if kind == "ResultEntered" else ""
        if data["side"] is None:
            said = {
                "ResultEntered": translate("result of {deal}: {scores}") if scores else translate("result of {deal}"),
                "DealVoided": translate("{deal} is void"),
                "RecordingPaused": translate("recording paused"),
            }[kind]
            return said.format(deal=deal, scores=scores)
        what = {"ResultEntered": "result", "DealVoided": "void"}.get(kind, "pause")
        return _claimed(what, data["deal"], scores, self._by(data))

    def _figures(self, entry: Json) -> str:
        """The scores by side of an entered result; nothing for one that this program cannot read."""
        setup = self.match.setup
        try:
            result = setup.game.sheet.score(setup.options, read_entry(self.match, entry))
        except Refusal:
            return ""
        return figures(None if result.void else by_side(setup, result.scores))

    def _named(self, version: int) -> str:
        """Words for the entry that another event takes back or corrects, where it is at hand."""
        event = self.events.get(version)
        if event is None:
            return translate(EARLIER)
        if event["type"] in ("EntryCorrected", "FactInserted"):
            return _when_told(self.value(event["data"].get("now", event["data"].get("fact"))), EARLIER)
        return self.say(event)

    def value(self, now: Json) -> str:
        """A fact or a result in words, as far as it may be told."""
        if not isinstance(now, dict):
            return ""
        return seat_text(self.key, now, self.people) if "do" in now else self._figures(now)
