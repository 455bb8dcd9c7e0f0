"""Clients of targets in other regions are as patient as the stage's own, and keep its endpoints."""

import pytest
from botocore.session import Session

from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients


@pytest.fixture(autouse=True)
def _function(monkeypatch: pytest.MonkeyPatch) -> None:
    clients._own.cache_clear()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)


@pytest.mark.parametrize("waits", [False, True])
def test_time_outs_and_retries_are_those_of_the_own_region(*, waits: bool) -> None:
    """And so are connections."""
    own = clients.target(Session(), "lambda", now=SystemClock().now, waits=waits).meta.config
    far = clients.target(
        Session(), "lambda", now=SystemClock().now, waits=waits, region="us-west-2"
    ).meta.config

    for name in ("connect_timeout", "read_timeout", "retries", "max_pool_connections"):
        assert getattr(far, name) == getattr(own, name)


@pytest.mark.parametrize(
    ("variable", "host"),
    [
        (None, "https://sqs.us-west-2.amazonaws.com"),
        ("AWS_USE_FIPS_ENDPOINT", "https://sqs-fips.us-west-2.amazonaws.com"),
        ("AWS_USE_DUALSTACK_ENDPOINT", "https://sqs.us-west-2.api.aws"),
    ],
)
def test_kinds_of_endpoints_are_kept(
    variable: str | None, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator that has to use FIPS has to use it everywhere."""
    if variable is not None:
        monkeypatch.setenv(variable, "true")

    assert (
        clients.target(
            Session(), "sqs", now=SystemClock().now, region="us-west-2"
        ).meta.endpoint_url
        == host
    )


@pytest.mark.parametrize("legacy", [False, True])
def test_sessions_are_of_the_regional_endpoint(
    monkeypatch: pytest.MonkeyPatch, *, legacy: bool
) -> None:
    """Regions that an account has to enable take no session of the global endpoint."""
    if legacy:
        monkeypatch.setenv("AWS_STS_REGIONAL_ENDPOINTS", "legacy")
    asked: list[str] = []

    def keep(request: object, **_: object) -> None:
        asked.append(str(getattr(request, "url", "")))
        raise InterruptedError

    client = clients.sts()
    client.meta.events.register("before-send", keep)
    with pytest.raises(InterruptedError):
        client.get_caller_identity()

    assert asked == ["https://sts.us-east-1.amazonaws.com/"]
