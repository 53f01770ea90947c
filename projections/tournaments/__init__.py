"""Views of tournaments: pure folds, names looked up when they are read."""
