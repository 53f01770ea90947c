"""Swiss pairing: the Dutch system in both editions that a file may ask for, and Monrad."""
