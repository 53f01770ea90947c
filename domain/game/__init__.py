"""The protocol of a game, and what several games share: tricks, calls, race, ending, entry form."""
