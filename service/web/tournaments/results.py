"""The result of a match as one of its sides has it, in words."""

from projections.tournaments.rounds import PairingView
from service.languages.spoken import translate


def result_of(pairing: PairingView, place: int) -> str:
    """A result as one side has it."""
    if pairing.how is None:
        return translate("open")
    if pairing.how == "absent":
        return translate("both absent")
    won = {None: translate("drawn"), place: translate("won")}.get(pairing.winner, translate("lost"))
    if pairing.how == "walkover":
        return " ".join((won, translate("without play")))
    score = pairing.score
    return f"{won} {score[place]}–{score[1 - place]}" if score else won
