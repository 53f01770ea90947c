"""Databases at an earlier version of the schema."""

import alembic.command

from service.run.migrate import config_of


def upgrade_to(owner_url, revision):
    """Run the migrations up to a revision."""
    alembic.command.upgrade(config_of(owner_url), revision)
