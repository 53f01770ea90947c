"""How alembic reaches the database: the connection it is given (in the transaction of its giver), `-x url=…`, or the
option."""

import psycopg
from alembic import context
from sqlalchemy import create_engine, pool, text

LOCK = 7_245_113  # one number for all: parallel starts queue on it


def run() -> None:
    """Upgrade under a session lock, so that several services may start at once."""
    if context.is_offline_mode():
        context.configure(dialect_name="postgresql", literal_binds=True, target_metadata=None)
        with context.begin_transaction():
            context.run_migrations()
        return
    given = context.config.attributes.get("connection")
    if given is not None:
        context.configure(connection=given, target_metadata=None)
        context.run_migrations()
        return
    url = context.get_x_argument(as_dictionary=True).get("url") or context.config.get_main_option("sqlalchemy.url")
    meant = str(url).replace("+psycopg", "", 1)  # connected by it: of a URL SQLAlchemy drops what is set to nothing
    engine = create_engine(str(url), poolclass=pool.NullPool, creator=lambda: psycopg.connect(meant))
    with engine.connect() as connection:
        connection.execute(text(f"select pg_advisory_lock({LOCK})"))
        connection.commit()
        context.configure(connection=connection, target_metadata=None, transaction_per_migration=True)
        try:
            context.run_migrations()
        finally:
            connection.rollback()
            connection.execute(text(f"select pg_advisory_unlock({LOCK})"))
            connection.commit()


run()
