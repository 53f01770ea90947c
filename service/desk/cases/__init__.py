"""Cases at the desk: who is called to what, what is said, who rules, and what each of them may read of it."""
