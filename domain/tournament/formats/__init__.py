"""The formats of a tournament, a module each: who meets whom, before anything is played."""
