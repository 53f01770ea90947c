"""What `make bench` runs: each figure stands beside its reference, measured in turns in the same run."""
