"""Values of the context that would be refused, or misread, after the deployment."""

from typing import Any

import pytest

from infra.stage.given.checked import OriginError, RetentionError, TenantNameError
from infra.stage.stage_context import stage_settings


@pytest.mark.parametrize("days", ["29", "0", "-5", "36501", "1.5", "long", "٣٠"])
def test_entries_that_would_expire_before_they_are_archived_are_refused(days: str) -> None:
    """Each entry of the audit trail would be gone at once after none, or -5, days."""
    with pytest.raises(RetentionError, match=r"auditRetentionDays: .* from 30 to 36,500"):
        stage_settings({"auditRetentionDays": days}.get)


@pytest.mark.parametrize(("given", "days"), [("30", 30), (30, 30), ("36500", 36_500), ("", 400)])
def test_other_retentions_are_taken(given: object, days: int) -> None:
    """From the least to the most, as text or, in ``cdk.json``, a number; else the stage's own."""
    context: dict[str, Any] = {"auditRetentionDays": given}

    assert stage_settings(context.get).audit_retention_days == days


@pytest.mark.parametrize("names", ["Red Tenant!", "_stage", "red,red", "x" * 129, "a/b"])
def test_names_that_no_tenant_has_are_refused(names: str) -> None:
    """With the name, and not with the construct or the client that could not be made."""
    with pytest.raises(TenantNameError, match="tenants: "):
        stage_settings({"tenants": names}.get)


def test_names_that_tenants_have_are_taken() -> None:
    """The longest, and those of other issuers."""
    names = ("red", "x" * 128, "auth0|ada@example.com")

    assert stage_settings({"tenants": ",".join(names)}.get).tenants == names


@pytest.mark.parametrize("setting", ["corsOrigins", "consoleOrigins"])
@pytest.mark.parametrize(
    "origin",
    ["console.example.com", "javascript:alert(1)", "https://a.example/", "https://A.example"],
)
def test_what_is_no_origin_is_refused(setting: str, origin: str) -> None:
    """A browser sends scheme, host and port alone: no other text ever matches."""
    with pytest.raises(OriginError, match=f"{setting}: "):
        stage_settings({setting: origin}.get)


def test_people_sign_in_without_tls_on_their_own_machine_alone() -> None:
    """Cognito takes no other address to return to; any page may call the API."""
    for origin in ("https://a.example:8443", "http://localhost:8080", "http://127.0.0.1"):
        assert stage_settings({"consoleOrigins": origin}.get).console_origins == (origin,)
    for origin in ("http://intranet", "*"):
        assert stage_settings({"corsOrigins": origin}.get).cors_origins == (origin,)
        with pytest.raises(OriginError):
            stage_settings({"consoleOrigins": origin}.get)


def test_an_issuer_without_tls_is_refused() -> None:
    """API Gateway reads its keys over TLS alone."""
    with pytest.raises(ValueError, match=r"issuer: 'http://id.example.com' is no address"):
        stage_settings({"issuer": "http://id.example.com", "audience": "a"}.get)


@pytest.mark.parametrize("percent", ["1e400", "-1e400", "NaN", "100.01", "-0.01", "0.001"])
def test_a_share_of_events_that_is_none_is_refused(percent: str) -> None:
    """By the name of the choice."""
    given = {"events": "on", "eventSampling": f'[{{"percent": {percent}}}]'}
    with pytest.raises(ValueError, match=r"eventSampling: .* is no percent from 0 to 100"):
        stage_settings(given.get)
