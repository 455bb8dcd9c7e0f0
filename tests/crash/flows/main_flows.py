"""The main flows. A new one is entered in ``FLOWS``; a new call of an old one joins by itself."""

from tests.crash.flows.continued_flows import CONTINUED
from tests.crash.flows.dag_flows import DAGS
from tests.crash.flows.dag_job_flows import DAG_JOBS
from tests.crash.flows.deadline_flows import DEADLINES
from tests.crash.flows.failing_flows import FAILING
from tests.crash.flows.intervened_flows import INTERVENED
from tests.crash.flows.key_flows import KEYS
from tests.crash.flows.killer_flows import KILLERS
from tests.crash.flows.notification_flows import TOLD
from tests.crash.flows.planned.announced_flows import ANNOUNCED
from tests.crash.flows.planned.changed_flows import CHANGED
from tests.crash.flows.planned.once_flows import ONCE
from tests.crash.flows.planned.place_flows import PLACES
from tests.crash.flows.tenants.made_flows import TENANTS
from tests.crash.flows.tenants.quota_flows import QUOTAS
from tests.crash.flows.triggered.trigger_flows import TRIGGERS
from tests.crash.flows.waits.link_flows import LINKS
from tests.crash.flows.waits.paused_pool_flows import PAUSED_POOLS
from tests.crash.flows.waits.wait_flows import WAITS
from tests.crash.story import Flow, Story

FIXED = {"backoff": "fixed", "jitter": False, "breaker": None}


def _begin_immediate(story: Story) -> str:
    return story.create()


def _succeeds_once(story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id)


def _begin_recurring(story: Story) -> str:
    return story.create(
        schedule={
            "kind": "rate",
            "every_seconds": 60,
            "starts_at": story.instant(170),
            "max_runs": 3,
        }
    )


def _every_instant_has_run(story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id, runs=3)
    named = sorted({row.run.partition("#")[0] for row in story.rows})
    expected = [story.at(170 + 60 * n).strftime("%Y%m%dT%H%M%S000Z") for n in range(3)]
    assert named == expected


def _begin_large(story: Story) -> str:
    return story.create(payload={"text": "x" * 40_000})


def _payload_arrives(story: Story, job_id: str) -> None:
    _succeeds_once(story, job_id)
    assert all(effect.payload == {"text": "x" * 40_000} for effect in story.effects)


def _begin_once_at_most(story: Story) -> str:
    return story.create(delivery="at_most_once")


def _is_called_once_at_most(story: Story, job_id: str) -> None:
    (end,) = story.ends()
    assert len(story.effects) <= 1
    assert story.status(job_id) == "completed"
    # Only what struck its executor keeps a run from succeeding.
    struck = story.struck("executor")
    died = {("failed", "worker_died"), ("failed", "at_most_once"), ("timed_out", "at_most_once")}
    allowed = died if struck else set()
    assert end in {("succeeded", None), *allowed}
    assert end[0] != "succeeded" or len(story.effects) == 1


def _begin_once_exactly(story: Story) -> str:
    return story.create(delivery="exactly_once")


def _begin_long(story: Story) -> str:
    return story.create(function="works-50", resource_class="long", timeout_seconds=300)


def _begin_handed_back(story: Story) -> str:
    """Its first worker has twelve seconds to live."""
    story.cloud.short_lives = [12_000]
    return story.create(function="works-30", resource_class="long", timeout_seconds=300)


def _is_begun_anew(story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id, calls=2)


def _begin_retried(story: Story) -> str:
    """It fails once. Each of two faults may cost a try as well."""
    retry = {**FIXED, "max_attempts": 4, "initial_delay_seconds": 5}
    return story.create(function="fails-1", retry=retry)


def _succeeds_at_the_second_try(story: Story, job_id: str) -> None:
    """Or at the first, if the failure was not stored: the attempt was taken over."""
    story.assert_succeeded(job_id, tries=2)


def _begin_retried_late(story: Story) -> str:
    """No queue can hold it that long: the sweeper publishes it."""
    # All the while there is nothing to plan, and each tick would be lived through.
    story.cloud.ticks.silent_until["planner"] = story.at(900)
    retry = {**FIXED, "max_attempts": 4, "initial_delay_seconds": 910, "max_delay_seconds": 910}
    return story.create(function="fails-1", retry=retry)


def _begin_hopeless(story: Story) -> str:
    retry = {**FIXED, "max_attempts": 2, "initial_delay_seconds": 1}
    return story.create(function="fails", retry=retry)


def _is_dead_lettered(story: Story, job_id: str) -> None:
    assert [reason for _, reason in story.ends()] == ["retried", "retries_exhausted"]
    assert story.ends()[-1][0] == "dead_lettered"
    assert story.status(job_id) == "completed"
    story.assert_called()


def _begin_cancelled(story: Story) -> str:
    job_id = story.create(schedule={"kind": "delay", "delay_seconds": 100})
    story.cloud.at(20, lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _never_runs(story: Story, job_id: str) -> None:
    assert story.status(job_id) in {"cancelled", "completed"}
    if not story.stood_still("api"):
        assert story.effects == []
        assert {state for state, _ in story.ends()} <= {"cancelled"}


def _begin_stopped(story: Story) -> str:
    def cancel() -> None:
        (row,) = story.rows
        job_id = row.key[0].rpartition("#")[2]
        instant, origin, _ = row.key[1].split("#")
        story.send("POST", f"/v1/runs/{job_id}.{origin}{instant}/cancel")

    story.cloud.at(30, cancel)
    return story.create(function="works-200", resource_class="long", timeout_seconds=300)


def _is_stopped(story: Story, job_id: str) -> None:
    (end,) = story.ends()
    assert story.status(job_id) == "completed"
    if not story.stood_still("api"):
        assert end == ("cancelled", "cancel_requested")


def _begin_queueing(story: Story) -> tuple[str, str]:
    """One works, the other one waits for its slot."""
    overlap = {"policy": "queue", "max_concurrent": 1, "concurrency_key": "database"}
    first = story.create(
        "first",
        function="works-70",
        resource_class="long",
        timeout_seconds=300,
        overlap=overlap,
        schedule={"kind": "delay", "delay_seconds": 20},
    )
    second = story.create(
        "second",
        resource_class="long",
        overlap=overlap,
        schedule={"kind": "delay", "delay_seconds": 40},
    )
    return first, second


def _both_run(story: Story, jobs: tuple[str, str]) -> None:
    for job_id in jobs:
        story.assert_succeeded(job_id)


def _begin_backfill(story: Story) -> str:
    job_id = story.create(
        schedule={"kind": "rate", "every_seconds": 3600, "starts_at": story.instant(-7260)}
    )
    body = {"from": story.instant(-7300), "to": story.instant(-1), "max_concurrent": 1}
    story.send("POST", f"/v1/jobs/{job_id}/backfill", body, Idempotency_Key="past")
    return job_id


def _the_past_has_run(story: Story, job_id: str) -> None:
    assert story.ends(job_id).count(("succeeded", None)) == 3
    assert len(story.ends()) <= 3 + story.tried_again
    assert _operation_status(story) == "succeeded"
    story.assert_called()


def _operation_status(story: Story) -> str:
    (operation,) = (item for item in story.jobs if item["sk"]["S"] == "operation")
    return str(operation["status"]["S"])


def _begin_bulk(story: Story) -> tuple[str, str]:
    schedule = {"kind": "rate", "every_seconds": 3600, "starts_at": story.instant(3000)}
    jobs = story.create("one", schedule=schedule), story.create("two", schedule=schedule)
    body = {"kind": "pause", "filter": {"all": True}}
    story.send("POST", "/v1/operations", body, Idempotency_Key="pause")
    return jobs


def _all_are_paused(story: Story, jobs: tuple[str, str]) -> None:
    assert [story.status(job_id) for job_id in jobs] == ["paused", "paused"]
    versions = [item["version"]["N"] for item in story.jobs if item["sk"]["S"] == "job"]
    assert versions == ["2", "2"]
    assert _operation_status(story) == "succeeded"


def _begin_frozen(story: Story) -> str:
    story.send("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, "ends_at": story.instant(200)})
    return story.create(schedule={"kind": "delay", "delay_seconds": 60})


def _begin_frozen_late(story: Story) -> str:
    """The run is there when the freeze comes: it is put off when it is due, and thaws."""
    job_id = story.create(schedule={"kind": "at", "at": story.instant(60)})
    story.send("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, "ends_at": story.instant(200)})
    return job_id


def _runs_after_the_thaw(story: Story, job_id: str) -> None:
    _succeeds_once(story, job_id)
    if not story.stood_still("api"):
        assert all(effect.at >= story.at(200) for effect in story.effects)


def _begin_paused(story: Story) -> str:
    """Its runs are planned, are due during a pause, and are skipped; then it is resumed."""
    span = {"starts_at": story.instant(60), "ends_at": story.instant(300)}
    job_id = story.create(schedule={"kind": "rate", "every_seconds": 60} | span)
    story.send("POST", f"/v1/jobs/{job_id}/pause")
    story.cloud.live_until(story.at(200))
    story.send("POST", f"/v1/jobs/{job_id}/resume", {"catch_up": True})
    return job_id


def _every_instant_of_the_pause_has_run(story: Story, job_id: str) -> None:
    """Once, at any standstill, and the last end completes the job."""
    ends = story.ends(job_id)
    assert ends.count(("succeeded", None)) == 5
    assert ends.count(("skipped", "paused")) <= 3
    assert story.status(job_id) == "completed"
    assert len({effect.run for effect in story.effects}) == 5


FLOWS = (
    Flow("create immediate", _begin_immediate, _succeeds_once),
    *ONCE,
    Flow("recurring", _begin_recurring, _every_instant_has_run),
    Flow("large payload", _begin_large, _payload_arrives),
    Flow("once at most", _begin_once_at_most, _is_called_once_at_most),
    Flow("once exactly", _begin_once_exactly, _succeeds_once),
    Flow("execute long", _begin_long, _succeeds_once),
    Flow("hand back", _begin_handed_back, _is_begun_anew),
    Flow("retry", _begin_retried, _succeeds_at_the_second_try),
    Flow("retry late", _begin_retried_late, _succeeds_at_the_second_try),
    Flow("dead letter", _begin_hopeless, _is_dead_lettered),
    Flow("cancel job", _begin_cancelled, _never_runs),
    Flow("cancel run", _begin_stopped, _is_stopped),
    Flow("overlap slot", _begin_queueing, _both_run),
    Flow("backfill", _begin_backfill, _the_past_has_run),
    Flow("bulk change", _begin_bulk, _all_are_paused),
    Flow("resume to catch up", _begin_paused, _every_instant_of_the_pause_has_run),
    Flow("freeze", _begin_frozen, _runs_after_the_thaw),
    Flow("thaw", _begin_frozen_late, _runs_after_the_thaw),
    *CONTINUED,
    *TOLD,
    *DEADLINES,
    *FAILING,
    *DAGS,
    *WAITS,
    *LINKS,
    *DAG_JOBS,
    *QUOTAS,
    *PLACES,
    *KILLERS,
    *INTERVENED,
    *TRIGGERS,
    *KEYS,
    *TENANTS,
    *ANNOUNCED,
    *CHANGED,
    *PAUSED_POOLS,
)
