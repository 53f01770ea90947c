"""The guide: one page a role, each step with the page on which it is done. Words in asterisks stand on that page."""

import re
from typing import Final

import msgspec
from markupsafe import Markup, escape

SAID: Final = re.compile(r"\*([^*]+)\*")


class Step(msgspec.Struct, frozen=True):
    """A step: the page on which it is done, by a word, and what to do there."""

    at: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words that are looked for on the page."""
        return SAID.findall(self.text)

    @property
    def html(self) -> Markup:
        """The sentence, with the words of the page set apart."""
        parts = SAID.split(self.text)
        said = (Markup("<em>{}</em>").format(each) if at % 2 else escape(each) for at, each in enumerate(parts))
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

    def first_at(self, number: int) -> bool:
        """Whether a step is the first one on its page: that is where links lead."""
        return self.steps[number].at not in {each.at for each in self.steps[:number]}


ROLES: Final = (
    Role(
        "secretary",
        "Secretary",
        "You keep the list of people, let them in, and say how the club does things.",
        (
            Step(
                "members",
                "Under *Members* write a name, then *Add member*; who is here for one evening: *Add visitor*.",
            ),
            Step("invite", "*Invite* shows a QR code that signs one phone in as that person, once, for a day."),
            Step(
                "settings",
                "Under *Settings* choose the *Time zone*, *Games that we play* and *Who opens matches*.",
            ),
            Step("house-rules", "*House rules* of a game hold for matches that are opened from then on."),
            Step("roles", "Under *Roles* make somebody a director or a scorer: *Give the role*."),
            Step(
                "member",
                "A person’s page has the rest: *Rename*, *Merge* two who are one, *Erase* who wants to leave.",
            ),
            Step(
                "import",
                "A list that you have already comes in as a table, all or none: *Show what it does* first.",
            ),
        ),
        "The members of a club, with who is only a visitor",
        820,
        700,
    ),
    Role(
        "scorer",
        "Scorer",
        "You sit at the table with a phone and write down what happens: only results, or every card.",
        (
            Step("new", "*New match*: choose the game."),
            Step("new-of", "Write both names, look at the target, then *Open the match*."),
            Step("between", "*Enter result* when the deal is over, or *Deal card by card* before it begins."),
            Step(
                "result",
                "Tap what each side made; the score stands beside it. *Close deal*, and the other side confirms.",
            ),
            Step(
                "playing",
                "Card by card: tap each card as it falls. *Undo* takes the last one back, as often as you like.",
            ),
            Step("playing", "Fallen behind? *More*, then *Pause recording*: the deal becomes one of a result only."),
            Step(
                "corrected",
                "A result that was mistyped is put right by *correct* beside its deal, with the reason.",
            ),
        ),
        "A table on a phone: the trick, the counts, and a button for every card",
        390,
        780,
    ),
    Role(
        "player",
        "Player",
        "You play. You see your own games first, and a result counts when you have agreed to it.",
        (
            Step(
                "sign-in",
                "Open the link of your invitation and tap *Sign this browser in*; or *scan or type the code*.",
            ),
            Step("code", "At a table scan its QR code, or type the six letters under *Come in at a table*."),
            Step("own", "Your open game stands on top of the club’s page: *Tonight* has the others."),
            Step("entered", "A deal is over: agree to the figures, or *Dispute a result* and say what is wrong."),
            Step(
                "entered",
                "Something happened at the table? *Call the director*; the game waits until he has been there.",
            ),
            Step("me", "Under *Me* stand your devices; end one that you have lost."),
        ),
        "A finished deal on a phone, with what may be said against it",
        390,
        780,
    ),
    Role(
        "director",
        "Director",
        "You run the evening: you pair, you are called, you rule, and you lock what is settled.",
        (
            Step(
                "cup-new",
                "*New tournament*: a name, the format, the game, *Players, one a line*; *Create the tournament*.",
            ),
            Step(
                "board",
                "*Director* shows every table: late, disputed and called ones first, what comes next on top.",
            ),
            Step(
                "board",
                "Choose a table to enter its result: *Record the score*. A dispute ends with *The result stands*.",
            ),
            Step("pairings", "*Pairings* say who meets whom, and *Why these meet*."),
            Step("standings", "*Standings* are provisional while a result is open; each place says why."),
            Step("cases", "*Cases* are who called you, and what waits for a ruling."),
            Step("show", "On a projector the evening turns over by itself; the controls come with the mouse."),
        ),
        "The director’s board: a row for each table, the chosen one beside them",
        1280,
        760,
    ),
    Role(
        "spectator",
        "Spectator",
        "You follow from anywhere; no sign-in is needed in a public club.",
        (
            Step("club", "The club’s page has *Tonight*, the live tables first; below is what was earlier."),
            Step("live", "Open a table: it follows by itself. *Replay* steps through what was played."),
            Step(
                "replay",
                "In a replay go by trick or by entry; *link to this moment* is for whoever should see it.",
            ),
            Step("bracket", "A knock-out has its *Bracket*, live tables marked."),
            Step("ratings", "*Ratings* follow from all results; a name leads to its history."),
            Step("season", "The *Season* adds up the places of its tournaments."),
        ),
        "A bracket at its semi-finals, the live tables marked",
        1280,
        640,
    ),
    Role(
        "programmer",
        "Programmer",
        "You read and write over HTTP: JSON in and out, events as a stream.",
        (
            Step("tokens", "*Make a token* for your program; it is shown once."),
            Step("api", "Under /docs every route is described, and can be tried."),
            Step("webhooks", "*Make a webhook* to be told of each event, signed."),
            Step("live", "Each match has its events as a stream; a record goes out as CTN text under *Replay*."),
        ),
        "Where a token is made, with the role that it has",
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
