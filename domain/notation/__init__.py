"""Records in and out: machine histories (`.jsonl`) and Club Table Notation (`.ctn`)."""
