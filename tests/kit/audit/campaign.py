"""The parts of the audit campaign, one deal per game and seed. The tests run a few seeds, `make audit` many."""

import random
from collections import Counter
from collections.abc import Callable

from domain.match.audit.finding import Course
from domain.match.audit.findings import derived
from domain.match.audit.slips import Bounds, case_of, examined
from domain.match.audit.walk import keys_of
from tests.kit.audit import brute
from tests.kit.audit.deals import Played, forms_of, played
from tests.kit.audit.illegal import Made, one_wrong
from tests.kit.audit.purpose import maker
from tests.kit.audit.scorers import record_of, slipped

Tell = Callable[[str], None]


def chance_of(*what: object) -> random.Random:
    return random.Random(" ".join(map(str, what)))


def form_of(key: str, seed: int) -> tuple:
    """Return the option set of a seed; seeds take the option sets of a game in turn."""
    forms = forms_of(key)
    return forms[seed % len(forms)]


def course_of(deal: Played, chance: random.Random) -> Course:
    """Record a deal with typed hands or as physical cards, with or without draws."""
    how = chance.randrange(3)
    return deal.course(known=how == 0, draws=chance if how == 1 else None)


def legal_deal(key: str, seed: int, tell: Tell) -> Counter:
    """Check that a legal deal gives no finding."""
    recorded = course_of(played(form_of(key, seed), f"legal {seed}"), chance_of("legal", seed))
    found = derived(recorded)
    if found:
        tell(f"{key}, seed {seed}: a legal deal gives {found[0].code} at place {found[0].place}: {found[0].detail}")
    return Counter({"deals": 1, "found in legal deals": len(found)})


def with_breach(key: str, seed: int) -> tuple[Played, Course] | None:
    """Return a deal with one breach and its record, or None if the deal offers no breach."""
    deal = played(form_of(key, seed), f"breach {seed}", breach=True)
    return None if deal is None else (deal, course_of(deal, chance_of("breach", seed)))


def record_with_slip(key: str, seed: int) -> Course:
    """Return the record of a legal deal with one scoring slip."""
    return _slipped(key, seed)[2]


def _slipped(key: str, seed: int) -> tuple[str, Course, Course]:
    for again in range(20):
        chance = chance_of("slip", seed, again)
        right = course_of(played(form_of(key, seed), f"slip {seed} {again}"), chance)
        found = slipped(right, chance)
        if found is not None:
            return found[0], right, found[1]
    raise AssertionError(f"{key}, seed {seed}: no slip was met")


def slip_of_the_scorer(key: str, seed: int, tell: Tell) -> Counter:
    """Check that one scoring slip proves nothing and that correcting it removes every finding."""
    kind, right, wrong = _slipped(key, seed)
    for each in derived(right):
        tell(f"{key}, seed {seed}: corrected, and still {each.code} at place {each.place}: {each.detail}")
    case = case_of(wrong, derived(wrong), Bounds())
    for each in case.found:
        if examined(case, each).explanation is None:
            tell(f"{key}, seed {seed}: one slip ({kind}) proves {each.code} at place {each.place}: {each.detail}")
    return Counter({"slips": 1, "findings": len(case.found), "calls mistyped": kind == "call" and bool(case.found)})


def brute_force(key: str, seed: int, tell: Tell) -> Counter:
    """Check that a finding is proven exactly if the brute-force judge finds no slip."""
    made = with_breach(key, seed) if seed % 3 else None
    recorded = made[1] if made else record_with_slip(key, seed)
    record, found = record_of(recorded), derived(recorded)
    if brute.found_in(record) != set(keys_of(found)):
        odd = brute.found_in(record) ^ set(keys_of(found))
        tell(f"{key}, seed {seed}: the judge sees other breaches: {sorted(odd, key=str)}")
        return Counter({"deals": 1})
    case, counts = case_of(recorded, found, Bounds()), Counter({"deals": 1, "findings": len(found)})
    judged = brute.explaining(record, [set(keys_of((each,))) for each in found])
    for each, theirs in zip(found, judged, strict=True):
        ours = examined(case, each).explanation
        counts["proven"] += ours is None
        if (ours is None) != (theirs is None):
            told = f"only the audit sees: {ours.words}" if ours else f"the audit misses: {theirs.kind} {theirs.places}"
            tell(f"{key}, seed {seed}: {each.code} at place {each.place}: a slip that {told}")
    return counts


def single_revoke(key: str, seed: int) -> str:
    """Return whether one revoke with hands unknown is "proven", "explained" or not available from this seed."""
    tries = (played((key, {}), f"revoke {seed} {again}", breach=True, code="REV") for again in range(20))
    deal = next((each for each in tries if each is not None), None)
    if deal is None:
        return "no revoke"
    recorded = deal.course(known=False)
    found = derived(recorded)
    if [each.code for each in found] != ["REV"]:
        return "another finding"
    return "proven" if examined(case_of(recorded, found, Bounds()), found[0]).explanation is None else "explained"


def breach(key: str, seed: int, tell: Tell) -> Counter:
    """Check that one breach is found at its place with hands known; count how often with hands unknown."""
    made = one_wrong(form_of(key, seed), seed)
    return Counter({"not to be had": 1}) if made is None else _found_in(key, seed, made, tell)


def on_purpose(code: str) -> Callable[[str, int, Tell], Counter]:
    """Return a check that a deal with a breach of this code gives a finding."""

    def made(key: str, seed: int, tell: Tell) -> Counter:
        found = maker(key, code)(seed)
        if found is False:
            tell(f"{key}, seed {seed}: {code} was made on purpose and is not found")
        return Counter({"not to be had": 1}) if found is None else Counter({"breaches": 1, "found": found})

    return made


def _found_in(key: str, seed: int, made: Made, tell: Tell) -> Counter:
    codes = {each.code for each in made.breaches}
    known = {code for place, code in keys_of(derived(made.course(known=True))) if place == made.place}
    blind = {code for place, code in keys_of(derived(made.course(known=False))) if place == made.place}
    if not codes <= known:
        missed = ", ".join(map(str, codes - known))
        tell(f"{key}, seed {seed}: {missed} at place {made.place} is not found though all cards are known")
    counts = Counter({"breaches": 1, "found with hands unknown": codes <= blind})
    counts.update(f"{code}" for code in codes)
    return counts
