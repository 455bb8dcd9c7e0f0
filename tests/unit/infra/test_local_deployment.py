"""The identity of what is deployed to the local cloud."""

import sys

import pytest

from infra.local import deployment


@pytest.fixture(autouse=True)
def few_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deployment, "_SOURCES", ("cdk.json",))


def test_the_same_sources_are_one_deployment() -> None:
    """Nothing is synthesised or deployed again."""
    assert deployment.fingerprint() == deployment.fingerprint()


def test_another_python_is_another_deployment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages of the local vendor layer are those of one Python, and no other imports them."""
    before = deployment.fingerprint()
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))

    assert deployment.fingerprint() != before
