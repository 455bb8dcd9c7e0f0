"""A resource whose profile becomes that of another tenant."""

from collections.abc import Callable

import pytest

from tests.functional.cli.served import served
from tests.functional.cli.stacks.stack_requests import Asked, asked, asking, job, jobs, request
from tests.support.api import gateway_event
from timegate.client import TimegateClient
from timegate.declaring.cloudformation import set_name

__all__ = ["asked", "served"]

Become = Callable[[str], None]


@pytest.fixture
def become(monkeypatch: pytest.MonkeyPatch) -> Become:
    """Have requests come from this tenant, as after another profile was named."""

    def become(tenant: str) -> None:
        monkeypatch.setattr(
            "tests.functional.cli.served.gateway_event",
            lambda *asked, claims, **more: gateway_event(
                *asked, claims={**claims, "client_id": tenant}, **more
            ),
        )

    return become


def test_another_tenant_gets_nothing_and_the_stack_goes_back(
    asked: Asked, client: TimegateClient, become: Become
) -> None:
    """Its jobs would be made again there, and those that are here would be in no template."""
    made = asked("Create", job("nightly"))
    become("globex")
    answer = asked("Update", job("nightly"))
    there = jobs(client)
    become("acme")
    back = asked("Update", job("nightly"))

    assert answer["Status"] == "FAILED"
    assert answer["PhysicalResourceId"] == made["PhysicalResourceId"]
    assert answer["Reason"].startswith(
        "other_tenant: The resource's things are those of the tenant acme"
    )
    assert there == {}
    assert back["Status"] == "SUCCESS"
    assert jobs(client).keys() == {"nightly"}


def test_a_resource_is_not_deleted_by_another_tenants_profile(
    asked: Asked, client: TimegateClient, become: Become
) -> None:
    """It would be gone from the stack, and its jobs would go on."""
    asked("Create", job("nightly"))
    become("globex")

    assert asked("Delete")["Status"] == "FAILED"
    become("acme")
    assert asked("Delete")["Status"] == "SUCCESS"
    assert jobs(client) == {}


def test_an_id_that_names_no_tenant_stays(client: TimegateClient, asked: Asked) -> None:
    """CloudFormation deletes a resource whose id becomes another one, with all that it has."""
    former = asking(client, PhysicalResourceId=set_name(request("Create")))

    assert former("Update", job("nightly"))["PhysicalResourceId"] == set_name(request("Create"))
