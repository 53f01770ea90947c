"""The figures of `make bench`, each beside its reference, measured in turns in the same run."""
