"""The events of a match in words: with names of people, and figures as they stand on the sheet."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from domain import codec
from domain.cards.facts import Fact
from domain.games import fact_union
from domain.log.decider import Refusal
from domain.match.results import read_entry
from domain.match.state import Match, by_side
from projections.table_view import told
from service.web.render import isolated, seat_text, side_text

HOW: Final = {
    "upheld": "the result stands",
    "corrected": "the result was corrected",
    "ruled": "by a ruling",
    "void": "the deal is void",
    "withdrawn": "it was taken back",
}


SIGNED: Final = {
    "own device": " on their own phone",
    "pin": " by PIN",
    "table": " (a name tapped at the table)",
    "scorer": " (the scorer for that side)",
    "timeout": " (no answer in time)",
    "token": " (by a program)",
    "file": " (by a file)",
}


def figures(scores: Iterable[int] | None) -> str:
    """Scores by side, as one says them."""
    return "passed out" if scores is None else "–".join(map(str, scores))


def claim_text(claim: Mapping[str, Any], number: int, sides: list[str]) -> str:
    """What a side says of a deal whose hands are hidden, with the sides that say so too."""
    agreed = [isolated(sides[side]) for side in claim["agreed"]]
    who, says, wants = " and ".join(agreed), *(("says", "wants") if len(agreed) == 1 else ("say", "want"))
    return f"{who} {_claimed(claim['what'], number, figures(claim['scores']), says, wants)}"


def _claimed(what: str, number: int, scores: str, says: str = "says", wants: str = "wants") -> str:
    if what == "result":
        return f"{says} {scores}"
    return f"{says} that deal {number} is void" if what == "void" else f"{wants} to go on with the result only"


def dispute_text(deal: int | None, side: int | None, sides: list[str]) -> str:
    """What is disputed, and by whom where a side says it."""
    what = "the match" if deal is None else f"deal {deal}"
    return f"{what} is disputed{'' if side is None else f' by {isolated(sides[side])}'}"


class Teller:
    """Says the events of one match; `events` are those that an undo or correction among them may name."""

    def __init__(
        self, match: Match, view: dict[str, Any], people: list[str], events: Iterable[dict[str, Any]] = ()
    ) -> None:
        self.match, self.people, self.key = match, people, match.setup.game.key
        self.sides = [side_text(side) for side in view["sides"]]
        self.events = {event["version"]: event for event in events}

    def say(self, event: dict[str, Any]) -> str:
        """One event in words."""
        data = event["data"]
        is_fact = "do" in data and "seat" in data  # a proposal has a `do` of its own
        return self._fact(event) if is_fact else self._told(event["type"], data, event)

    def _fact(self, event: dict[str, Any]) -> str:
        """A fact, with what cards that lie open tell of it."""
        fact: Fact = codec.convert(event["data"], fact_union())
        deal = next((each for each in reversed(self.match.deals) if each.version < event["version"]), None)
        return seat_text(self.key, codec.plain(fact if deal is None else told(self.match, deal, fact)), self.people)

    def _told(self, kind: str, data: dict[str, Any], event: dict[str, Any]) -> str:
        deal = f"deal {data.get('deal')}"
        match kind:
            case "ResultEntered" | "DealVoided" | "RecordingPaused":
                return self._said(kind, data)
            case "ResultConfirmed":
                said = deal if data["scores"] is None else figures(data["scores"])
                return f"{self._by(data)} confirms {said}{SIGNED.get(data['strength'] or '', '')}"
            case "NamesRighted":
                names = ", ".join(isolated(self.sides[each["side"]]) for each in data["moved"])
                return f"names put right: signed by {names}"
            case "OwnTableAgreed":
                what = "the match" if data["deal"] is None else deal
                return f"{self._by(data)} agrees that a director who belongs to this table decides on {what}"
            case "OwnTableDirected":
                return "own table: decided by somebody who belongs to it, as the other side agreed"
            case "ResultDisputed":
                return dispute_text(data["deal"], data["side"], self.sides)
            case "DisputeSettled":
                return f"the dispute is settled: {HOW[data['how']]}"
            case "FactWithdrawn" | "FactInserted" | "CorrectionProposed" | "CorrectionAnswered":
                return self._mended(kind, data)
            case "EntriesAffirmed":
                who = "the director" if data["side"] is None else self._by(data)
                return f"{who} affirms entries of {deal} as what was played"
            case "FactUndone":
                return f"{'withdrawn' if data['withdrawn'] else 'taken back'}: {self._named(data['version'])}"
            case "EntryCorrected":
                return f"corrected: {self._named(data['version'])} → {self._put(event['version'], data['now'])}"
            case "RulingMade":
                scores = "" if data["scores"] is None else f": {figures(data['scores'])}"
                return f"ruling {data['code']} on {deal}{scores}"
            case "RulingAccepted":
                return f"{self._by(data)} accepts the ruling on {deal}"
            case "ScoreStated":
                return f"written down: {event.get('line') or data.get('stated') or 'a remark'}"
        return {
            "MatchOpened": "match opened",
            "MatchVoided": "the match is void",
            "DealStarted": f"deal {data.get('number')} begins",
            "HandsOpened": f"the hands of {deal} are opened",
            "DealRestored": f"{deal} counts after all",
            "IrregularityNoted": f"{data.get('code')} called",
            "AffirmationWithdrawn": "an affirmation is taken back",
            "MatchSealed": "the record is sealed: nothing changes any more",
        }.get(kind, kind)

    def _mended(self, kind: str, data: dict[str, Any]) -> str:
        """What was put right at the table, or is proposed to be."""
        match kind:
            case "FactWithdrawn":
                why = f" ({data['code']})" if data["code"] else ""
                return f"taken back at the table{why}: {self._named(data['version'])}"
            case "FactInserted":
                return f"inserted behind entry {data['after']}: {self.value(data['fact']) or 'a hidden card'}"
            case "CorrectionAnswered":
                who = "the director or the secretary" if data["side"] is None else self._by(data)
                return f"{who} says {'yes' if data['yes'] else 'no'} to the correction proposed at {data['proposal']}"
        who = f"{self._by(data)} proposes" if data["side"] is not None else "proposed"
        return f"{who}: {self.change(data)}"

    def change(self, said: Mapping[str, Any]) -> str:
        """A proposed correction: what the entry is, and what it would be."""
        was, now = said.get("was"), self.value(said.get("now"))
        before = self.value(was) or self._named(said.get("version", 0))
        if said["do"] == "insert":
            return f"{now or 'a hidden card'} is missing"
        return f"{before} is one too many" if said["do"] == "remove" else f"{before} → {now or 'a hidden card'}"

    def _put(self, version: int, now: Any) -> str:
        """What stands in the place of an entry since a correction: nothing, where it was one too many."""
        stands = version in self.match.superseded or any(
            version in {each for each, _ in deal.facts} or (deal.entry is not None and deal.entry[0] == version)
            for deal in self.match.deals
        )
        return self.value(now) or ("another" if stands else "nothing: it was one too many")

    def _by(self, data: dict[str, Any]) -> str:
        return isolated(self.sides[data["side"]])

    def _said(self, kind: str, data: dict[str, Any]) -> str:
        """A result, a void or a pause; with a side it is what that side says."""
        deal = f"deal {data['deal']}"
        scores = self._figures(data["entry"]) if kind == "ResultEntered" else ""
        if data["side"] is None:
            return {
                "ResultEntered": f"result of {deal}{scores and ': '}{scores}",
                "DealVoided": f"{deal} is void",
                "RecordingPaused": "recording paused",
            }[kind]
        what = {"ResultEntered": "result", "DealVoided": "void"}.get(kind, "pause")
        return f"{self._by(data)} {_claimed(what, data['deal'], scores)}"

    def _figures(self, entry: Any) -> str:
        """The scores by side of an entered result; nothing for one that this program cannot read."""
        setup = self.match.setup
        try:
            result = setup.game.sheet.score(setup.options, read_entry(self.match, entry))
        except Refusal:
            return ""
        return figures(None if result.void else by_side(setup, result.scores))

    def _named(self, version: int) -> str:
        """What another event takes back or corrects, where it is at hand."""
        event = self.events.get(version)
        if event is None:
            return "an earlier entry"
        if event["type"] in ("EntryCorrected", "FactInserted"):
            return self.value(event["data"].get("now", event["data"].get("fact"))) or "an earlier entry"
        return self.say(event)

    def value(self, now: Any) -> str:
        """A fact or a result in words, as far as it may be told."""
        if not isinstance(now, dict):
            return ""
        return seat_text(self.key, now, self.people) if "do" in now else self._figures(now)
