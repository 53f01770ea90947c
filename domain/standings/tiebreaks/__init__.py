"""Tie-breaks by FIDE's C.07 as of 1 March 2026, each with the working that gives its value."""

from domain.standings.tiebreaks.ranking import RankedPlayer, Standings, standings, working
from domain.standings.tiebreaks.registry import TIEBREAKS, TieBreak, UnknownTieBreak, tiebreaks_named
from domain.standings.tiebreaks.terms import Term

__all__ = [
    "TIEBREAKS",
    "RankedPlayer",
    "Standings",
    "Term",
    "TieBreak",
    "UnknownTieBreak",
    "tiebreaks_named",
    "standings",
    "working",
]
