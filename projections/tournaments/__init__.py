"""What is shown of tournaments: pure folds and views, names looked up when they are read."""
