"""The guide: one page a role, each step with the page on which it is done. Words in asterisks stand on that page.

A translation keeps them in English: each is looked up by itself, so that it is what the page says.
"""

import re
from typing import Final

import msgspec
from markupsafe import Markup, escape

from service.languages.spoken import N_, translate

SAID: Final = re.compile(r"\*([^*]+)\*")


class Step(msgspec.Struct, frozen=True):
    """A step: the page on which it is done, by a word, and what to do there."""

    at: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words that are looked for on the page."""
        return [translate(each) for each in SAID.findall(self.text)]

    @property
    def html(self) -> Markup:
        """The sentence, with the words of the page set apart."""
        parts = SAID.split(translate(self.text))
        said = (
            Markup("<em>{}</em>").format(translate(each)) if at % 2 else escape(each) for at, each in enumerate(parts)
        )
        return Markup("").join(said)


class Role(msgspec.Struct, frozen=True):
    """A role: what it is for, and its steps in the order of an evening."""

    key: str
    title: str
    about: str
    steps: tuple[Step, ...]
    alt: str
    wide: int
    high: int

    @property
    def labelled(self) -> "Role":
        """The same role in the language of the page."""
        said = {"title": translate(self.title), "about": translate(self.about), "alt": translate(self.alt)}
        return msgspec.structs.replace(self, **said)

    def first_at(self, number: int) -> bool:
        """Tells whether a step is the first one on its page, to which links lead."""
        return self.steps[number].at not in {each.at for each in self.steps[:number]}


ROLES: Final = (
    Role(
        "secretary",
        N_("Secretary"),
        N_("You keep the list of people, let them in, and say how the club does things."),
        (
            Step(
                "members",
                N_("Under *Members* write a name, then *Add member*; who is here for one evening: *Add visitor*."),
            ),
            Step("invite", N_("*Invite* shows a QR code that signs one phone in as that person, once, for a day.")),
            Step(
                "settings", N_("Under *Settings* choose the *Time zone*, *Games that we play* and *Who opens matches*.")
            ),
            Step("house-rules", N_("*House rules* of a game hold for matches that are opened from then on.")),
            Step("roles", N_("Under *Roles* make somebody a director or a scorer: *Give the role*.")),
            Step(
                "member",
                N_("A person’s page has the rest: *Rename*, *Merge* two who are one, *Erase* who wants to leave."),
            ),
            Step(
                "import",
                N_("A list that you have already comes in as a table, all or none: *Show what it does* first."),
            ),
        ),
        N_("The members of a club, with who is only a visitor"),
        820,
        700,
    ),
    Role(
        "scorer",
        N_("Scorer"),
        N_("You sit at the table with a phone and write down what happens: only results, or every card."),
        (
            Step("new", N_("*New match*: choose the game.")),
            Step("new-of", N_("Write both names, look at the target, then *Open the match*.")),
            Step("between", N_("*Enter result* when the deal is over, or *Deal card by card* before it begins.")),
            Step(
                "result",
                N_("Tap what each side made; the score stands beside it. *Close deal*, and the other side confirms."),
            ),
            Step(
                "playing",
                N_("Card by card: tap each card as it falls. *Undo* takes the last one back, as often as you like."),
            ),
            Step(
                "playing", N_("Fallen behind? *More*, then *Pause recording*: the deal becomes one of a result only.")
            ),
            Step(
                "corrected",
                N_("A result that was mistyped is put right by *correct* beside its deal, with the reason."),
            ),
        ),
        N_("A table on a phone: the trick, the counts, and a button for every card"),
        390,
        780,
    ),
    Role(
        "player",
        N_("Player"),
        N_("You play. You see your own games first, and a result counts when you have agreed to it."),
        (
            Step(
                "sign-in",
                N_("Open the link of your invitation and tap *Sign this browser in*; or scan the code of your table."),
            ),
            Step("code", N_("At a table scan its QR code, or type the six letters under *Come in at a table*.")),
            Step("own", N_("Your open game stands on top of the club’s page: *Tonight* has the others.")),
            Step("entered", N_("A deal is over: agree to the figures, or *Dispute a result* and say what is wrong.")),
            Step(
                "entered",
                N_("Something happened at the table? *Call the director*; the game waits until he has been there."),
            ),
            Step("me", N_("Under *Me* stand your devices; end one that you have lost.")),
        ),
        N_("A finished deal on a phone, with what may be said against it"),
        390,
        780,
    ),
    Role(
        "director",
        N_("Director"),
        N_("You run the evening: you pair, you are called, you rule, and you lock what is settled."),
        (
            Step(
                "cup-new",
                N_("*New tournament*: a name, the format, the game, *Players, one a line*; *Create the tournament*."),
            ),
            Step(
                "board",
                N_("*Director* shows every table: late, disputed and called ones first, what comes next on top."),
            ),
            Step(
                "board",
                N_("Choose a table to enter its result: *Record the score*. A dispute ends with *The result stands*."),
            ),
            Step("pairings", N_("*Pairings* say who meets whom, and *Why these meet*.")),
            Step("standings", N_("*Standings* are provisional while a result is open; each place says why.")),
            Step("cases", N_("*Cases* are who called you, and what waits for a ruling.")),
            Step("show", N_("On a projector the evening turns over by itself; the controls come with the mouse.")),
        ),
        N_("The director’s board: a row for each table, the chosen one beside them"),
        1280,
        760,
    ),
    Role(
        "spectator",
        N_("Spectator"),
        N_("You follow from anywhere; no sign-in is needed in a public club."),
        (
            Step("club", N_("The club’s page has *Tonight*, the live tables first; below is what was earlier.")),
            Step("live", N_("Open a table: it follows by itself. *Replay* steps through what was played.")),
            Step(
                "replay",
                N_("In a replay go by trick or by entry; *Copy the link to this moment* is for whoever should see it."),
            ),
            Step("bracket", N_("A knock-out has its *Bracket*, live tables marked.")),
            Step("ratings", N_("*Ratings* follow from all results; a name leads to its history.")),
            Step("season", N_("The *Season* adds up the places of its tournaments.")),
        ),
        N_("A bracket at its semi-finals, the live tables marked"),
        1280,
        640,
    ),
    Role(
        "programmer",
        N_("Programmer"),
        N_("You read and write over HTTP: JSON in and out, events as a stream."),
        (
            Step("tokens", N_("*Make a token* for your program; it is shown once.")),
            Step("api", N_("Under /docs every route is described, and can be tried.")),
            Step("webhooks", N_("*Make a webhook* to be told of each event, signed.")),
            Step("live", N_("Each match has its events as a stream; a record goes out as CTN text under *Replay*.")),
        ),
        N_("Where a token is made, with the role that it has"),
        820,
        700,
    ),
)
# the place in the guide of a page, by its template
PLACES: Final = {
    "members/list.html": "secretary#members",
    "members/import.html": "secretary#import",
    "members/person.html": "secretary#member",
    "invite.html": "secretary#invite",
    "settings.html": "secretary#settings",
    "house_rules.html": "secretary#house-rules",
    "roles.html": "secretary#roles",
    "new_match.html": "scorer#new",
    "match.html": "scorer#playing",
    "result.html": "scorer#result",
    "sign_in.html": "player#sign-in",
    "doors/code.html": "player#code",
    "me.html": "player#me",
    "tournaments/new.html": "director#cup-new",
    "tournaments/director.html": "director#board",
    "tournaments/round.html": "director#pairings",
    "tournaments/standings.html": "director#standings",
    "cases/queue.html": "director#cases",
    "cases/case.html": "director#cases",
    "club.html": "spectator#club",
    "replay.html": "spectator#replay",
    "tournaments/bracket.html": "spectator#bracket",
    "ratings.html": "spectator#ratings",
    "season.html": "spectator#season",
    "tokens.html": "programmer#tokens",
    "webhooks.html": "programmer#webhooks",
}


def place_of(template: str) -> str:
    """The address of the place in the guide of a page."""
    return f"/guide/{PLACES[template]}" if template in PLACES else "/guide"
