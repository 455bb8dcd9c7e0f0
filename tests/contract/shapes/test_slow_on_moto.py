"""The list of what takes long on moto names tests that exist."""

from pathlib import Path

from tests.contract.conftest import SLOW_ON_MOTO

CONTRACT = Path(__file__).resolve().parents[1]


def test_each_name_is_that_of_a_test() -> None:
    """A test that is renamed would run on moto again with each ``make test``, for a minute."""
    text = "\n".join(path.read_text() for path in CONTRACT.rglob("test_*.py"))

    assert {name for name in SLOW_ON_MOTO if f"def {name}(" not in text} == set()
