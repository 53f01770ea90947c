"""The audit of a match: breaches in the record, and the card that proves them."""
