"""Tournament report files of FIDE, TRF16 and TRF26, in and out: `loads`, `dumps`, `compose`."""

from domain.tournament.trf.model import BadFile, Line, Tournament, Warned
from domain.tournament.trf.read import loads
from domain.tournament.trf.rounds import before
from domain.tournament.trf.write import compose, dumps

__all__ = ["BadFile", "Line", "Tournament", "Warned", "before", "compose", "dumps", "loads"]
