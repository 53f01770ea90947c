"""Kinds of problems: status, title, meaning and remedy, by slug."""

from typing import Final

import msgspec

from service.languages.spoken import N_


class Kind(msgspec.Struct, frozen=True):
    """One kind of problem: status, title, meaning and remedy."""

    status: int
    title: str
    meaning: str


KINDS: Final[dict[str, Kind]] = {
    "malformed": Kind(
        400,
        N_("This cannot be read"),
        N_(
            "Part of the form, the address or the body is not as expected: correct it and send it again. For a "
            "program `errors` lists the places, and the API's pages at /docs show the shape."
        ),
    ),
    "unauthorised": Kind(
        401,
        N_("Sign in first"),
        N_(
            "Only members may do this. Ask your club's secretary for a link and open it in this browser. A "
            "program sends its token, made by the club's owner, as Authorization: Bearer …."
        ),
    ),
    "forbidden": Kind(
        403,
        N_("Your role may not do this"),
        N_("You are signed in, but this is for a director, an owner or somebody at another table. Ask one of them."),
    ),
    "recused": Kind(
        403,
        N_("You belong to this table"),
        N_(
            "Whoever plays at a table, or is close to somebody who does, does not direct there. Ask another "
            "director, or make somebody a deputy for the tournament; where nobody else directs today, the other "
            "side may agree to it."
        ),
    ),
    "other-sign-in": Kind(
        403,
        N_("Somebody else is signed in"),
        N_(
            "A tap waited here to be sent, and somebody else has signed in since. It is kept in this browser, and"
            " sent when its owner signs in again."
        ),
    ),
    "not-found": Kind(
        404,
        N_("There is nothing here"),
        N_("The address is wrong, or the page is not for you to see. The answer is the same for both."),
    ),
    "method-not-allowed": Kind(
        405,
        N_("This address does not take that method"),
        N_("The Allow header of the answer lists the methods that it takes."),
    ),
    "lost-race": Kind(
        409,
        N_("Somebody was faster"),
        N_(
            "Somebody else recorded something first. Look at the table as it is now, then send yours again. A "
            "program reads it again at `current_version`."
        ),
    ),
    "misfit": Kind(
        409,
        N_("Not now"),
        N_(
            "This does not fit the match as it stands: a card before trumps are named, an entry after the deal is"
            " over, a second deal while one is on."
        ),
    ),
    "rule-broken": Kind(
        409,
        N_("Against the rules"),
        N_(
            "This match is recorded strictly, and the entry breaks a rule, named in `rule`. In `record` mode it "
            "would be kept, and found after the deal."
        ),
    ),
    "confirm-needed": Kind(
        409,
        N_("Did that really happen?"),
        N_(
            "The entry looks like a slip, such as a card that lies on the table already, or a name that somebody "
            'bears. If it is meant, say so. A program sends the same body again with "it_happened": true, or with'
            " the member that `errors` names."
        ),
    ),
    "window-closed": Kind(
        409,
        N_("Too late for this"),
        N_(
            "The next deal has begun, everybody has confirmed, or the result is disputed. Ask the director to "
            "correct it."
        ),
    ),
    "changed": Kind(
        409,
        N_("The result has changed"),
        N_(
            "The result changed before it was confirmed: `recorded` stands now, `yours` was confirmed. Look at "
            "it, then confirm again or dispute it."
        ),
    ),
    "already-entered": Kind(
        409,
        N_("This deal has a result already"),
        N_(
            "Another result was entered before yours: `recorded` stands, `yours` was not taken. Correct it with a"
            " reason, or dispute it."
        ),
    ),
    "forked": Kind(
        409,
        N_("Two histories"),
        N_(
            "Something else was recorded here since the other copy was made, so the two cannot both stand. Nothing "
            "was taken; the file is on the club's page From elsewhere, for a director to look at."
        ),
    ),
    "other-era": Kind(
        409,
        N_("Brought back from a copy"),
        N_(
            "The club's data were brought back from a copy since this was tapped, so the table may be another one. "
            "Nothing was recorded, and what waits on this phone is kept: look at the table, then send it or drop it. A "
            "program reads from the beginning, then names the era that `X-Era` of the answer says."
        ),
    ),
    "too-large": Kind(413, N_("Too large"), N_("The body is larger than the 64 KiB that a request may have.")),
    "unknown-option": Kind(
        422,
        N_("No such game or option"),
        N_(
            "The game, one of its options or a value is unknown. The answer lists the known ones; so does GET "
            "/api/v1/games."
        ),
    ),
    "key-reused": Kind(
        422,
        N_("This key belongs to another request"),
        N_(
            "An Idempotency-Key names one request for ever. A repeat has the same body; another request needs a "
            "new key."
        ),
    ),
    "upgrade-required": Kind(
        426,
        N_("This page is older than the service"),
        N_(
            "The service was renewed since this page was opened, and does not read what it sends any more. Show "
            "the page anew: what waits on this phone is kept, and sent from there."
        ),
    ),
    "too-many-requests": Kind(
        429, N_("Too many requests"), N_("Wait a few seconds and try again: Retry-After says how many.")
    ),
    "unavailable": Kind(
        503,
        N_("The database does not answer"),
        N_(
            "A write that was answered so may have been kept, whole or not at all. Send it again with the same "
            "Idempotency-Key: if it was kept, the first answer comes again, else it is recorded now."
        ),
    ),
    "internal": Kind(
        500,
        N_("Our mistake"),
        N_("This should have worked. It has been logged: try again, or tell the owner of this service."),
    ),
}
