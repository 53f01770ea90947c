"""Cross Purposes for four players."""
