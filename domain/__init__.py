"""The rules of the games, the match and the log: pure, without clock, chance or I/O."""
