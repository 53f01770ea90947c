"""Tie-breaks by FIDE's C.07 as of 1 March 2026, each with the working that gives its value."""

from domain.tournament.tiebreaks.ranking import Standing, Standings, standings, working
from domain.tournament.tiebreaks.registry import TIEBREAKS, TieBreak, UnknownTieBreak, named
from domain.tournament.tiebreaks.terms import Term

__all__ = [
    "TIEBREAKS", "Standing", "Standings", "Term", "TieBreak", "UnknownTieBreak", "named", "standings", "working",
]  # fmt: skip
