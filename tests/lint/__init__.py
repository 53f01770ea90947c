"""Lint rules of our own, for what ruff, mypy and import-linter can't express: `python -m tests.lint` runs them."""
