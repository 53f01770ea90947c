"""Cross Purposes for two players."""
