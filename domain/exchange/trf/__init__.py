"""Tournament report files of FIDE, TRF16 and TRF26, in and out: `loads`, `dumps`, `compose`."""

from domain.exchange.trf.model import BadFile, FileLine, FileWarning, TournamentFile
from domain.exchange.trf.read import loads
from domain.exchange.trf.rounds import before_round
from domain.exchange.trf.write import compose, dumps

__all__ = ["BadFile", "FileLine", "TournamentFile", "FileWarning", "before_round", "compose", "dumps", "loads"]
