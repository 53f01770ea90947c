"""Best play with every hand known: what a table is worth, the cards that keep it, and whether a claim holds."""

from domain.solve.answer import WORK, Best, ClaimVerdict, best, claim

__all__ = ["WORK", "Best", "ClaimVerdict", "best", "claim"]
