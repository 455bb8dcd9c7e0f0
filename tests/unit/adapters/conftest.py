"""Stubbed AWS clients: every request is checked against the service's own model and limits."""

from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from tests.support.services.request_limits import enforce

Stubbed = Callable[[str], tuple[Any, Stubber]]


@pytest.fixture
def stubbed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubbed]:
    """A client of a service, and the stubber that answers for it; all answers must be asked for."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    stubbers: list[Stubber] = []

    def build(service: str) -> tuple[Any, Stubber]:
        config = Config(region_name="us-east-1", retries={"total_max_attempts": 1})
        client: Any = boto3.client(service, config=config)  # type: ignore[call-overload]
        enforce(client)
        stubber = Stubber(client)
        stubber.activate()
        stubbers.append(stubber)
        return client, stubber

    yield build
    for stubber in stubbers:
        stubber.assert_no_pending_responses()
