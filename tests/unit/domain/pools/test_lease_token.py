"""Lease tokens: read back as issued, and genuine for one attempt of one tenant alone."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, OTHER_TENANT, after, attempt_factory, attempt_id, running
from timegate.domain.pools.lease_token import (
    CallbackTerms,
    LeaseToken,
    is_genuine,
    issue_callback_token,
    issue_token,
    read_token,
    tenant_in,
)
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.tenant import TenantId

HELD = replace(running(attempt_factory(id=attempt_id(3))), fence=7, lease_key="k")
RUN = HELD.id.run


def genuine(token: LeaseToken, attempt: Attempt) -> bool:
    """Tell if a token was issued for an attempt that can be read."""
    return is_genuine(token, attempt.tenant, attempt.id, attempt.lease_key)


def test_a_token_says_what_it_was_issued_for() -> None:
    """Attempt, fence, and when it was claimed."""
    token = read_token(issue_token(HELD, claimed_at=after(0.25)), RUN)

    assert (token.attempt, token.fence, token.claimed_at) == (3, 7, after(0.25))
    assert genuine(token, HELD)


def test_a_token_stays_genuine_when_its_lease_is_lost() -> None:
    """The record's fence says that, and not the token."""
    token = read_token(issue_token(HELD, claimed_at=NOW), RUN)

    assert genuine(token, replace(HELD, fence=8))


@pytest.mark.parametrize(
    "other",
    [
        replace(HELD, tenant=OTHER_TENANT),
        replace(HELD, id=attempt_id(4)),
        replace(HELD, id=attempt_id(3, scheduled_at=after(60))),
        replace(HELD, lease_key="l"),
        replace(HELD, lease_key=None),
    ],
    ids=["tenant", "attempt", "run", "key", "never held outside"],
)
def test_a_token_is_not_genuine_for_another(other: Attempt) -> None:
    """A token fits its own attempt, fence and state alone."""
    token = read_token(issue_token(HELD, claimed_at=NOW), RUN)

    assert not genuine(token, other)


def test_what_a_token_says_cannot_be_changed() -> None:
    """Neither its fence nor its instant."""
    token = read_token(issue_token(HELD, claimed_at=NOW), RUN)

    assert not genuine(replace(token, fence=8), HELD)
    assert not genuine(replace(token, claimed_at=after(1)), HELD)


@pytest.mark.parametrize(
    "text",
    ["", "x", "????", "ü", "MS4yLjM", "MC4xLjIwMjYxMTIxVDA3MDAwMDAwMFou", "LjEueC4"],
)
def test_nonsense_is_a_lease_that_is_lost(text: str) -> None:
    """A caller that shows it learns no more than with an old token."""
    with pytest.raises(LeaseLost):
        read_token(text, RUN)


def callback_token(attempt: Attempt = HELD) -> LeaseToken:
    """Return the token of a target that may be silent for five minutes."""
    return read_token(issue_callback_token(attempt, claimed_at=NOW, silence_seconds=300), RUN)


def test_a_targets_token_names_its_tenant_and_how_long_it_may_be_silent() -> None:
    """So that it is all the target needs; a worker's names neither."""
    dotted = replace(HELD, tenant=TenantId("a.b:c@d|e"))
    text = issue_callback_token(dotted, claimed_at=NOW, silence_seconds=300)
    token = read_token(text, RUN)

    assert token.callback == CallbackTerms(tenant=dotted.tenant, silence_seconds=300)
    assert tenant_in(text) == dotted.tenant
    assert genuine(token, dotted)
    assert tenant_in(issue_token(HELD, claimed_at=NOW)) is None


@pytest.mark.parametrize("value", [None, 7, "", "x", "ü", "MS4xLjIwMjYxMTIxVDA3MDAwMDAwMFou"])
def test_what_is_no_targets_token_names_no_tenant(value: object) -> None:
    """Any other value names no tenant."""
    assert tenant_in(value) is None


def test_what_a_targets_token_says_cannot_be_changed() -> None:
    """Neither whose it is, nor how long its lease lasts, nor what kind of token it is."""
    token = callback_token()
    longer = CallbackTerms(tenant=HELD.tenant, silence_seconds=301)
    foreign = CallbackTerms(tenant=OTHER_TENANT, silence_seconds=300)
    worker = read_token(issue_token(HELD, claimed_at=NOW), RUN)

    assert genuine(token, HELD)
    assert not genuine(replace(token, callback=longer), HELD)
    assert not genuine(replace(token, callback=foreign), HELD)
    assert not genuine(replace(token, callback=foreign), replace(HELD, tenant=OTHER_TENANT))
    assert not genuine(replace(token, callback=None), HELD)
    assert not genuine(replace(worker, callback=longer), HELD)
