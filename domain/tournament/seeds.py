"""Seeds of a tournament that has begun: they stand, and the refusal says so."""

from domain.tournament.state import Tournament


def seeds_stand(state: Tournament) -> str:
    """The reason for which a tournament that has begun keeps its seeds, and the way out."""
    if state.at > 0:
        return f"stage {state.at + 1} is on: its seeds are the places of the stage before"
    if len(state.stage.rounds) > 1 or any(each.how == "played" for each in state.stage.decided.values()):
        return "the tournament has begun: its seeds stand"
    return "round 1 has been paired by these seeds: undo its pairing first"
