"""Custom resources of CloudFormation in front of the real API, whose stores are in memory."""

import json
from contextlib import nullcontext
from typing import Any

import httpx
import pytest

from tests.functional.cli.fake_api import FakeApi
from tests.functional.cli.served import served
from tests.functional.cli.stacks.stack_requests import (
    NIGHTLY,
    STACK,
    Asked,
    Invocation,
    asked,
    job,
    jobs,
    request,
)
from tests.support.world import World
from timegate.client import CredentialsError, TimegateClient
from timegate.declaring.cloudformation import NOTHING_MADE, answered, fulfil, set_name
from timegate.declaring.declarations import Declaration
from timegate.declaring.stage import Stage

__all__ = ["asked", "served"]


def test_a_resource_makes_its_jobs(asked: Asked, client: TimegateClient) -> None:
    answer = asked("Create", job("nightly"))
    made = jobs(client)["nightly"]

    assert answer == {
        "Status": "SUCCESS",
        "PhysicalResourceId": f"{set_name(request('Create'))}@acme",
        "StackId": STACK,
        "RequestId": "r-1",
        "LogicalResourceId": "Schedules",
    }
    assert made["payload"] == NIGHTLY["payload"]
    assert made["tags"] == {"timegate-apply": set_name(request("Create"))}


def test_a_request_that_comes_twice_is_done_once(asked: Asked, client: TimegateClient) -> None:
    """Lambda repeats an invocation whose answer it could not deliver."""
    asked("Create", job("nightly"))
    before = jobs(client)

    assert asked("Create", job("nightly"))["Status"] == "SUCCESS"
    assert jobs(client) == before


def test_an_update_changes_adds_and_ends(asked: Asked, client: TimegateClient) -> None:
    asked("Create", job("nightly"), job("gone"))
    before = jobs(client)
    payload = {"rows": 4, "dry": False, "none": None}
    answer = asked("Update", job("nightly", timeout_seconds=60, payload=payload), job("new"))
    after = jobs(client)

    assert answer["Status"] == "SUCCESS"
    assert after.keys() == {"nightly", "new"}
    assert after["nightly"]["job_id"] == before["nightly"]["job_id"]
    assert after["nightly"]["timeout_seconds"] == 60
    assert after["nightly"]["payload"] == payload


def test_a_rollback_gives_back_what_there_was(asked: Asked, client: TimegateClient) -> None:
    """CloudFormation sends the former documents as another update."""
    asked("Create", job("nightly", timeout_seconds=30))
    asked("Update", job("nightly", timeout_seconds=60))

    assert asked("Update", job("nightly", timeout_seconds=30))["Status"] == "SUCCESS"
    assert jobs(client)["nightly"]["timeout_seconds"] == 30


def test_a_rollback_passes_over_a_job_whose_instant_has_passed(
    served: World, asked: Asked, client: TimegateClient
) -> None:
    """It cannot be made again: a stack whose rollback fails is a matter of hours for people."""
    once = job("once", schedule={"kind": "at", "at": "2026-11-21T08:00:00Z"})
    asked("Create", once, job("nightly"))
    served.clock.advance(7200)
    asked("Update", job("nightly", timeout_seconds=60))
    back = asked("Update", once, job("nightly"))

    assert back["Status"] == "SUCCESS"
    assert jobs(client)["nightly"]["timeout_seconds"] == 30
    assert "once" not in jobs(client)


def test_a_new_job_whose_instant_has_passed_is_refused(asked: Asked) -> None:
    """Its year may be wrong."""
    asked("Create", job("nightly"))
    once = job("once", schedule={"kind": "at", "at": "2025-11-21T08:00:00Z"})

    assert "in_the_past" in asked("Update", job("nightly"), once)["Reason"]


def test_a_deleted_resource_ends_its_jobs_alone(asked: Asked, client: TimegateClient) -> None:
    by_hand: Any = {"name": "by hand", **job("by-hand")["spec"]}
    client.create_job(by_hand)
    asked("Create", job("nightly"))

    assert asked("Delete", job("nightly"))["Status"] == "SUCCESS"
    assert jobs(client).keys() == {"by hand"}


def test_a_wrong_document_changes_nothing_and_is_named(
    asked: Asked, client: TimegateClient
) -> None:
    answer = asked("Create", job("right"), job("wrong", schedule={"kind": "cron", "cron": "61 *"}))

    assert answer["Status"] == "FAILED"
    assert answer["PhysicalResourceId"] == NOTHING_MADE
    assert "Job/wrong" in answer["Reason"]
    assert "cron" in answer["Reason"]
    assert jobs(client) == {}


def test_a_circle_is_told_of_a_document(asked: Asked) -> None:
    """A stack has neither files nor options of the command line."""
    ring = [job("a", then=[{"job_id": "Job/b"}]), job("b", then=[{"job_id": "Job/a"}])]

    reason = asked("Create", job("other"), *ring)["Reason"]

    assert reason.startswith("cycle: document ")
    assert "Job/a → Job/b → Job/a" in reason


def test_an_update_that_fails_keeps_the_resource(asked: Asked, client: TimegateClient) -> None:
    """Another id would have CloudFormation delete the former one, with its jobs."""
    made = asked("Create", job("nightly"))
    answer = asked("Update", job("nightly", timeout_seconds=-1))

    assert answer["Status"] == "FAILED"
    assert answer["PhysicalResourceId"] == made["PhysicalResourceId"]
    assert jobs(client)["nightly"]["timeout_seconds"] != -1


def test_what_was_never_made_is_deleted_without_a_call() -> None:
    """A stack whose first deployment failed goes, also where no profile opens the API."""

    def refused() -> TimegateClient:
        raise CredentialsError("no_profile", "The secret has none.")

    failed = answered(request("Create", job("nightly")), Invocation(), refused)
    made = failed["PhysicalResourceId"]
    gone = answered(request("Delete", PhysicalResourceId=made), Invocation(), refused)

    assert (failed["Status"], failed["Reason"]) == ("FAILED", "no_profile: The secret has none.")
    assert (gone["Status"], gone["PhysicalResourceId"]) == ("SUCCESS", NOTHING_MADE)


def test_a_resource_whose_stage_stays_closed_is_not_deleted(asked: Asked) -> None:
    """Its jobs would go on, and no template would have them."""
    made = asked("Create", job("nightly"))["PhysicalResourceId"]

    def refused() -> TimegateClient:
        raise CredentialsError("no_profile", "The secret has none.")

    gone = answered(request("Delete", PhysicalResourceId=made), Invocation(), refused)

    assert (gone["Status"], gone["PhysicalResourceId"]) == ("FAILED", made)


def test_an_invocation_ends_before_lambda_ends_it(asked: Asked, client: TimegateClient) -> None:
    """A stack waits for an answer; what was made is deleted by its id, or goes on."""
    answer = asked("Create", job("a"), job("b"), job("c"), context=Invocation(seconds=243))

    assert answer["Status"] == "FAILED"
    assert answer["Reason"] == "out_of_time: 1 of 3 were done; deploy again goes on"
    assert jobs(client).keys() == {"a"}
    assert asked("Delete")["Status"] == "SUCCESS"
    assert jobs(client) == {}


def test_an_invocation_ends_before_all_is_validated(asked: Asked, client: TimegateClient) -> None:
    """Five hundred documents on a slow stage take longer than Lambda runs: the answer comes."""
    made = asked("Create", job("a"))
    answer = asked("Update", job("b"), job("c"), job("d"), context=Invocation(seconds=242))

    assert answer["Status"] == "FAILED"
    assert answer["PhysicalResourceId"] == made["PhysicalResourceId"]
    assert answer["Reason"].startswith("out_of_time: The documents were not validated in time")
    assert jobs(client).keys() == {"a"}


def test_an_unexpected_error_is_told_without_its_text(asked: Asked) -> None:
    """It may hold anything, and events of stacks are read by many."""
    broken = request("Create")
    del broken["ResourceProperties"]
    answer = answered(broken, Invocation(), TimegateClient)  # type: ignore[arg-type]

    assert answer["Status"] == "FAILED"
    assert answer["Reason"] == "internal_error: KeyError, in the log of the function"


def test_a_creation_that_breaks_half_way_can_be_deleted(
    asked: Asked, client: TimegateClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer has the id of what was made: by another one it would stay, of no stack."""
    create = Stage.create

    def breaks(stage: Stage, document: Declaration, spec: dict[str, Any]) -> dict[str, str]:
        if document.name == "b":
            raise RuntimeError("secret")
        return create(stage, document, spec)

    monkeypatch.setattr(Stage, "create", breaks)
    answer = asked("Create", job("a"), job("b"))

    assert answer["Status"] == "FAILED"
    assert answer["Reason"] == "internal_error: RuntimeError, in the log of the function"
    assert jobs(client).keys() == {"a"}
    assert asked("Delete")["Status"] == "SUCCESS"
    assert jobs(client) == {}


def test_an_answer_has_room_for_its_reason(asked: Asked) -> None:
    """CloudFormation takes 4,096 bytes."""
    wrong = [job(f"wrong {number} " + "ä" * 100, timeout_seconds=-1) for number in range(50)]
    answer = asked("Create", *wrong)

    assert answer["Reason"].endswith("…")
    assert len(json.dumps(answer)) < 4096


def test_two_resources_of_a_tenant_keep_apart(asked: Asked, client: TimegateClient) -> None:
    asked("Create", job("nightly"))
    other = request("Create", job("hourly"), LogicalResourceId="Others")
    made = answered(other, Invocation(), lambda: nullcontext(client))
    answered({**other, "RequestType": "Delete", **made}, Invocation(), lambda: nullcontext(client))

    assert made["PhysicalResourceId"] != f"{set_name(request('Create'))}@acme"
    assert jobs(client).keys() == {"nightly"}


def test_cloudformation_is_told_at_the_address_of_its_request(
    api: FakeApi, asked: Asked, client: TimegateClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its signature is for a body without a type."""
    sent: list[httpx.Request] = []

    def put(url: str, *, content: bytes, headers: dict[str, str]) -> httpx.Response:
        sent.append(httpx.Request("PUT", url, content=content, headers=headers))
        return httpx.Response(200, request=sent[-1])

    monkeypatch.setattr(httpx, "put", put)
    fulfil(request("Create", job("nightly")), Invocation(), lambda: nullcontext(client))
    (answer,) = sent

    assert str(answer.url) == "https://bucket.s3.amazonaws.com/answer?signature=1"
    assert answer.headers["content-type"] == ""
    assert json.loads(answer.content)["Status"] == "SUCCESS"
