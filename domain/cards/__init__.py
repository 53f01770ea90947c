"""Cards, seats, and the facts that several games share."""
