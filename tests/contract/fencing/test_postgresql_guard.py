"""The SQL guard, against a real PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from examples.fencing.postgresql_guard import Fenced, apply_once, enter


def bill(connection: psycopg.Connection) -> str:
    """The effect: one more invoice."""
    connection.execute("INSERT INTO invoices VALUES ('run', 10)")
    return "billed"


def invoices(connection: psycopg.Connection) -> int:
    """Return the number of invoices."""
    row = connection.execute("SELECT count(*) FROM invoices").fetchone()
    assert row is not None
    return int(row[0])


def test_without_the_guard_a_late_worker_wins(connection: psycopg.Connection) -> None:
    """The guard prevents this: the write of fence 1 after that of fence 2 stays."""
    write = (
        "INSERT INTO balances VALUES ('a', %s)"
        " ON CONFLICT (account) DO UPDATE SET written_by = excluded.written_by"
    )
    connection.execute(write, (2,))
    connection.execute(write, (1,))

    assert connection.execute("SELECT written_by FROM balances").fetchone() == (1,)


def test_with_the_guard_a_late_worker_is_refused(connection: psycopg.Connection) -> None:
    """A higher fence has begun: the lower one does nothing any more."""
    enter(connection, "run", 2)
    with pytest.raises(Fenced):
        apply_once(connection, "run", 1, bill)

    assert invoices(connection) == 0


def test_the_same_worker_goes_on(connection: psycopg.Connection) -> None:
    """Its own fence does not refuse it, and a higher one takes over."""
    enter(connection, "run", 1)
    enter(connection, "run", 1)

    assert apply_once(connection, "run", 2, bill) == "billed"


@pytest.mark.parametrize("fence", [1, 2, 3], ids=["lower", "same", "higher"])
def test_a_duplicate_is_a_no_op(connection: psycopg.Connection, fence: int) -> None:
    """A caller after the effect gets its answer, and changes nothing."""
    apply_once(connection, "run", 2, bill)

    assert apply_once(connection, "run", fence, bill) == "billed"
    assert invoices(connection) == 1


def test_an_effect_that_fails_leaves_nothing(connection: psycopg.Connection) -> None:
    """Neither the effect nor the guard: the next attempt does it."""

    def bill_and_fail(connection: psycopg.Connection) -> str:
        bill(connection)
        raise ConnectionError

    with pytest.raises(ConnectionError):
        apply_once(connection, "run", 1, bill_and_fail)
    assert invoices(connection) == 0

    assert apply_once(connection, "run", 2, bill) == "billed"
    assert invoices(connection) == 1


def test_a_race_has_one_effect(connection: psycopg.Connection, postgresql_uri: str) -> None:
    """Twenty workers with rising fences at once: one invoice; the others are told or refused."""

    def work(fence: int) -> str:
        with psycopg.connect(postgresql_uri, autocommit=True) as own:
            try:
                return apply_once(own, "run", fence, bill)
            except Fenced:
                return "fenced"

    with ThreadPoolExecutor(20) as pool:
        answers = set(pool.map(work, range(1, 21)))

    assert invoices(connection) == 1
    assert answers <= {"billed", "fenced"}
