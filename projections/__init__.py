"""Pure folds over recorded events into views."""
