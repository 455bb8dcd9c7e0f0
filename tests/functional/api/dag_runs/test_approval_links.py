"""Approval links: a holder of one sees what is asked and decides it once, and nothing else."""

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from tests.functional.api.dag_runs.linked_approvals import (
    OTHER_KEY,
    decide,
    define,
    link_of,
    open_link,
    page_of,
    state_of,
)
from tests.functional.api.dag_runs.test_dag_runs import moved
from tests.support.api import Api, api_services
from tests.support.event_triggers.triggering import KEY, secret_of
from tests.support.factories import OTHER_TENANT, TENANT, after
from tests.support.world import World
from timegate.domain.approvals.link import PARAMETER, PATH, read_link
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_errors import TaskWasPutBack
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import RunState
from timegate.usecases.approvals.approval_links import check_link
from timegate.usecases.approvals.decide_by_link import decide_by_link


@pytest.fixture
def path(api: Api) -> str:
    """A DAG run whose first task waits for an approval."""
    path = define(api)
    moved(api, path.rpartition("/")[2])
    return path


def test_a_link_shows_what_is_asked_and_decides_it(api: Api, path: str) -> None:
    """Approved in the receiver's name, on the task and in the trail; then the DAG goes on."""
    link = link_of(api, path)
    shown = open_link(api, link)
    done = decide(api, link, note="Looks good.")
    dag_world, run = moved(api, path.rpartition("/")[2])
    after_it = dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    task = api.send("GET", path).body["tasks"][0]
    (entry,) = [
        each
        for each in api.send("GET", "/v1/audit").body["items"]
        if each["operation"] == "decideApproval"
    ]

    assert (shown.status, shown.body["state"], shown.body["decision"]) == (200, "running", None)
    assert (shown.body["dag"], shown.body["task"]) == ("release", "gate")
    assert shown.body["until"] == "2026-11-21T08:00:00.000Z"
    assert (done.status, done.body["decided_now"], done.body["reason"]) == (200, True, "approved")
    assert after_it.status == "succeeded"
    assert (task["intervention"]["by"], task["intervention"]["reason"]) == (
        *("link/ann", "Looks good."),
    )
    assert entry["actor"]["subject"] == "link/ann"


def test_opening_a_link_decides_nothing(api: Api, path: str) -> None:
    """Programs that scan mail open it as often as they like."""
    link = link_of(api, path)
    statuses = {open_link(api, link).status for _ in range(3)}
    statuses |= {page_of(api, link)["statusCode"] for _ in range(3)}

    assert statuses == {200}
    assert state_of(api, path) == ("running", None)


def test_a_decision_is_made_once(api: Api, path: str) -> None:
    """Later ones are told by whom, the other answer as well as the same."""
    link, other = link_of(api, path), link_of(api, path, "bob")
    first = decide(api, link, "reject")
    again = [decide(api, each, what) for each in (link, other) for what in ("reject", "approve")]

    assert first.body["decided_now"]
    assert {each.status for each in again} == {200}
    assert {each.body["decided_now"] for each in again} == {False}
    assert {each.body["decision"]["by"] for each in again} == {"link/ann"}
    assert state_of(api, path) == ("failed", "rejected")
    assert "already rejected by <bdi>link/ann</bdi>" in page_of(api, other)["body"]


def test_whatever_is_wrong_with_a_link_is_refused_alike(api: Api, world: World, path: str) -> None:
    """Another signature, other claims, another tenant's key, and text that is none."""
    link = link_of(api, path)
    head, _, token = link.partition("=")
    claims, _, signature = token.partition(".")
    said = json.loads(base64.urlsafe_b64decode(claims + "=="))

    def forged(place: int, value: object) -> str:
        changed = [*said[:place], value, *said[place + 1 :]]
        text = base64.urlsafe_b64encode(json.dumps(changed).encode()).decode().rstrip("=")
        return f"{head}={text}.{signature}"

    bad = [
        f"{link[:-1]}{'A' if link[-1] != 'A' else 'B'}",
        f"{head}={claims}",
        f"{head}=nonsense",
        f"{head}=",
        forged(0, OTHER_TENANT),
        forged(1, "a" * 26),
        forged(2, "publish"),
        forged(3, 2),
        forged(4, "20261122T080000000Z"),
        forged(5, "bob"),
        forged(5, None),
    ]
    answers = [answer for each in bad for answer in (open_link(api, each), decide(api, each))]
    heard = {(each.status, each.code, each.body["detail"]) for each in answers}

    assert heard == {(404, "link_not_valid", "The link is not valid, or not any more.")}
    assert state_of(api, path) == ("running", None)


@pytest.mark.parametrize("receiver", ["", "ann\n", "ann\x9b2J", "ann\ud800"], ids=ascii)
def test_a_link_of_a_name_that_no_record_holds_opens_nothing(
    api: Api, path: str, receiver: str
) -> None:
    """A tenant's program may sign links as well: half a character broke the answer itself."""
    shown = read_link(link_of(api, path).partition("=")[2])
    assert shown is not None
    link = f"{PATH}?{PARAMETER}={replace(shown.link, receiver=receiver).signed(KEY)}"

    assert (open_link(api, link).status, decide(api, link).status) == (404, 404)
    assert state_of(api, path) == ("running", None)


def test_what_has_not_the_shape_of_a_link_costs_no_secret(
    api: Api, world: World, path: str
) -> None:
    """Nor does one whose end is past."""
    link = link_of(api, path)
    world.hook_secrets.asked.clear()
    open_link(api, link.partition(".")[0])
    world.clock.set(after(3600))
    expired = open_link(api, link)

    assert (expired.status, expired.code) == (409, "link_expired")
    assert world.hook_secrets.asked == []


def test_a_link_ends_with_the_wait(api: Api, world: World, path: str) -> None:
    """A moment before it decides, and from that instant on it does not."""
    link = link_of(api, path)
    world.clock.set(after(3600))
    late = decide(api, link)
    world.clock.set(after(3599.999))
    timely = decide(api, link)

    assert (late.status, late.code) == (409, "link_expired")
    assert (timely.status, timely.body["decided_now"]) == (200, True)


def test_without_its_key_a_link_is_none(api: Api, world: World, path: str) -> None:
    """An old key beside the new one lets its links live on; without it they are refused."""
    link, place = link_of(api, path), (TENANT, secret_of(TENANT))
    world.hook_secrets.texts[place] = f"{OTHER_KEY}\n{KEY}"
    both = open_link(api, link)
    newer = link_of(api, path)
    world.hook_secrets.texts[place] = OTHER_KEY
    rotated = decide(api, link)

    assert both.status == 200
    assert (rotated.status, rotated.code) == (404, "link_not_valid")
    assert open_link(api, newer).status == 200


def test_a_secret_that_cannot_be_read_is_told_of(api: Api, world: World, path: str) -> None:
    """To the maker of a link, and to its opener: later it may work."""
    link, place = link_of(api, path), (TENANT, secret_of(TENANT))
    told = []
    for text in (None, "plain"):
        world.hook_secrets.texts.pop(place, None)
        if text is not None:
            world.hook_secrets.texts[place] = text
        made = api.send("POST", f"{path}/tasks/gate/approval-link")
        told += [(each.status, each.code) for each in (made, open_link(api, link))]

    assert told == [(503, "link_unavailable")] * 4
    assert open_link(api, link).headers["retry-after"] == "60"
    assert {e.fields["tenant_id"] for e in world.telemetry.named("link_unavailable")} == {TENANT}


def test_a_link_speaks_for_one_round(api: Api, path: str) -> None:
    """Once its task is put back, it decides nothing, and another one does."""
    link, services = link_of(api, path), api_services(api.world)
    seen = check_link(link.partition("=")[2], services, now=api.world.clock.now())
    decide(api, link, "reject")
    dag_world, run = moved(api, path.rpartition("/")[2])
    assert api.send("POST", f"{path}/tasks/gate/rerun").status == 202
    waiting = _repeated(dag_world, run)
    stale, shown = decide(api, link), open_link(api, link)
    # It was put back after the link was checked, and before the decision was written.
    with pytest.raises(TaskWasPutBack):
        decide_by_link(seen, "approve", None, services, now=api.world.clock.now())

    assert waiting.status == "running"
    assert (stale.status, stale.code) == (409, "task_was_put_back")
    assert (shown.status, shown.code) == (409, "task_was_put_back")
    assert state_of(api, path) == ("running", None)
    assert decide(api, link_of(api, path)).body["decided_now"]


def _repeated(dag_world: Any, run: DagRun) -> DagRun:  # noqa: ANN401 - a world of DAGs
    dag_world.follow()
    found: DagRun = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    return found


def test_a_link_is_made_while_the_task_waits(api: Api, world: World) -> None:
    """Not before it started, after it ended, or by another tenant."""
    path = define(api)
    made = f"{path}/tasks/gate/approval-link"
    before = api.send("POST", made)
    moved(api, path.rpartition("/")[2])
    foreign = api.send("POST", made, tenant=OTHER_TENANT)
    unknown = api.send("POST", f"{path}/tasks/unknown/approval-link")
    decide(api, link_of(api, path))
    ended = api.send("POST", made)

    assert [(each.status, each.code) for each in (before, foreign, unknown, ended)] == [
        (409, "dag_run_busy"),
        (404, "dag_run_not_found"),
        (404, "task_not_found"),
        (409, "task_ended"),
    ]


def test_a_link_is_made_for_the_caller_unless_it_names_another(api: Api, path: str) -> None:
    """The same receiver gets the same link: nothing of it is stored."""
    own = open_link(api, link_of(api, path, None)).body["receiver"]

    assert own == TENANT
    assert link_of(api, path, "ann") == link_of(api, path, "ann") != link_of(api, path, "bob")


def test_a_link_counts_as_a_request_once_it_is_proven(api: Api, world: World, path: str) -> None:
    """A caller that makes links up uses up no tenant's rate."""
    link = link_of(api, path)
    before = world.tenants.get(TENANT)
    quotas = Quotas.of({"requests_per_second": 1, "burst": 4})
    assert world.tenants.put(TENANT, before, replace(before, quotas=quotas))
    world.clock.advance(11)
    proven = {open_link(api, link).status for _ in range(60)}
    forged = {open_link(api, f"{link[:-3]}AAA").status for _ in range(60)}

    assert proven == {200, 429}
    assert forged == {404}


def test_a_suspended_tenant_is_not_decided_for(api: Api, world: World, path: str) -> None:
    """Its approvals can be read, as all it has."""
    link = link_of(api, path)
    reason = {"reason": "abuse"}
    assert api.send("POST", f"/v1/tenants/{TENANT}/suspend", reason).status == 200
    world.clock.advance(11)
    refused, shown = decide(api, link), open_link(api, link)

    assert (refused.status, refused.code) == (409, "tenant_suspended")
    assert shown.status == 200
    assert state_of(api, path) == ("running", None)
