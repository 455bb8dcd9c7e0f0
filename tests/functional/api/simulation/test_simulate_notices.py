"""Notices of jobs that exist: their own channels, and the rules of their tenant."""

from dataclasses import replace
from typing import Any

from tests.support.api import Api
from tests.support.factories import NOW, OTHER_TENANT, TENANT
from timegate.domain.jobs.job import FailurePause
from timegate.domain.planning.transitions import paused_by_failures, resumed
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId

PATH = "/v1/simulate"
HOUR = {"from": "2026-11-21T09:00:00Z", "to": "2026-11-21T10:00:00Z"}
HOOK = {"type": "webhook", "url": "https://hooks.example.com/told", "on": ["late"]}
#: Nothing is claimed for ten minutes.
AWAY = {"outages": [{"from": "2026-11-21T09:20:00Z", "to": "2026-11-21T09:30:00Z"}]}
SOON = {"late_after_seconds": 60}
RULE = {"when": SOON, "channels": [{"type": "webhook", "url": "https://hooks.example.com/ops"}]}


def job(api: Api, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - as the API takes them
    """A job of each twenty minutes; the scenario of its hour with an outage."""
    schedule = {"kind": "cron", "cron": "*/20 * * * *"}
    made = api.create(schedule=schedule, name="import", **fields)
    return {"job_id": made["job_id"], **HOUR, "executor": AWAY}


def told(body: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """Return the instant, type and rule of each notice."""
    return [(each["at"][11:16], each["type"], each["rule"]) for each in body["notices"]]


def test_a_job_tells_its_own_channels(api: Api) -> None:
    """The channel receives its own occasions, after the job's span; failures are not among them."""
    body = job(api, notifications=[HOOK], late_after_seconds=120)
    answer = api.send("POST", PATH, body | {"outcomes": "failed"}).body
    (notice,) = answer["notices"]

    assert told(answer) == [("09:23", "late", None)]
    assert notice["text"].startswith("import is late: ")
    assert answer["summary"]["failed"] == 3


def test_a_job_without_channels_tells_nothing(api: Api) -> None:
    """Unless the scenario says what is told."""
    body = job(api)
    silent = api.send("POST", PATH, body).body
    heard = api.send("POST", PATH, body | SOON | {"told_on": ["late"]}).body

    assert (told(silent), told(heard)) == ([], [("09:22", "late", None)])


def test_rules_of_the_tenant_apply(api: Api) -> None:
    """Enabled rules apply; a scenario's rules replace them all, and other tenants' never apply."""
    body = job(api)
    for name, rule in (("ops", RULE), ("off", RULE | {"enabled": False})):
        assert api.send("PUT", f"/v1/notification-rules/{name}", rule).status in {200, 201}
    own = api.send("POST", PATH, body).body
    none = api.send("POST", PATH, body | {"rules": {}}).body
    other = api.send("POST", PATH, body | {"rules": {"mine": {"when": SOON}}}).body

    assert told(own) == [("09:22", "late", "ops")]
    assert told(none) == []
    assert told(other) == [("09:22", "late", "mine")]


def test_a_rule_chooses_a_job_that_exists_by_its_own_name(api: Api) -> None:
    """A scenario of several jobs gives each a name, by which no rule of the tenant knows it."""
    own = job(api)
    jobs = [{"name": "a", "job_id": own.pop("job_id")}]
    chosen = RULE | {"jobs": {"name": "import"}}
    api.send("PUT", "/v1/notification-rules/ops", chosen)
    answer = api.send("POST", PATH, own | {"jobs": jobs}).body

    assert told(answer) == [("09:22", "late", "ops")]
    assert answer["notices"][0]["text"].startswith("import: a run has not started")


def test_rules_of_another_tenant_do_not(api: Api) -> None:
    """Even of a rule that selects every job."""
    body = job(api)
    api.send("PUT", "/v1/notification-rules/theirs", RULE, tenant=OTHER_TENANT)

    assert told(api.send("POST", PATH, body).body) == []


def test_a_scenario_of_no_job_of_the_tenant_has_no_rules(api: Api) -> None:
    """Offline, it has none either."""
    api.send("PUT", "/v1/notification-rules/ops", RULE)
    body = {"schedule": {"kind": "cron", "cron": "*/20 * * * *"}, **HOUR, "executor": AWAY}

    assert told(api.send("POST", PATH, body).body) == []


def test_events_trigger_a_job_that_exists(api: Api) -> None:
    """By its own rule, and with its own payload."""
    made = api.create(
        schedule={"kind": "manual"},
        payload={"customer": "ann"},
        collapse={"mode": "last", "span_seconds": 60, "key_from": "/customer"},
    )
    starts = {"type": "job", "payload_patch": {"amount": {"$ref": "event.data.amount"}}}
    event = {"at": "2026-11-21T09:10:00Z", "type": "order.paid", "data": {"amount": 1}}
    answer = api.send(
        "POST",
        PATH,
        {
            "job_id": made["job_id"],
            **HOUR,
            "event_triggers": {"paid": {"starts": starts}},
            "events": [event | {"times": 2, "every_seconds": 10}],
        },
    ).body

    assert [row["trigger"]["key"] for row in answer["rows"]] == ["ann", "ann"]
    assert [row["reason"] for row in answer["rows"]] == ["collapsed", None]


def paused_itself(api: Api, *, resumed_since: bool = False) -> dict[str, Any]:
    """A job that three failures paused; the scenario of its hour, in which each run fails."""
    body = job(api, pause_after_failures=3, absent_after_seconds=1800) | {"outcomes": "failed"}
    stored = api.world.jobs.get(TENANT, JobId(body["job_id"]))
    run = RunId(job_id=stored.job_id, origin=Origin.SCHEDULE, scheduled_at=NOW)
    pause = FailurePause(at=NOW, attempt=AttemptId(run=run, number=1), failures=3)
    transitions = [paused_by_failures(stored.timing, pause)]
    if resumed_since and transitions[0] is not None:
        timing = replace(transitions[0].timing, version=stored.timing.version + 1)
        transitions.append(resumed(timing, now=NOW, catch_up=False))
    for transition in transitions:
        assert transition is not None
        version = stored.timing.version + 1
        after = replace(stored, timing=replace(transition.timing, version=version))
        api.world.jobs.update(stored, after)
        stored = after
    return body | {"told_on": ["paused", "absent"]}


def test_a_job_that_failures_paused_is_on_trial_once_it_is_resumed(api: Api) -> None:
    """One failure pauses it again; until then, and as it is, its success is awaited."""
    body = paused_itself(api)
    left = api.send("POST", PATH, body).body
    tried = api.send("POST", PATH, body | {"resumes": ["2026-11-21T09:10:00Z"]}).body

    assert told(left) == [("09:15", "absent", None)]
    assert told(tried) == [("09:15", "absent", None), ("09:30", "paused", None)]
    assert tried["summary"]["failed"] == 1


def test_a_job_on_trial_is_taken_up_on_trial(api: Api) -> None:
    """Its next failed run pauses it."""
    answer = api.send("POST", PATH, paused_itself(api, resumed_since=True)).body

    assert answer["summary"]["failed"] == 1
    assert ("09:00", "paused", None) in told(answer)


def test_pauses_of_a_scenario_hold_instead_of_one_by_failures(api: Api) -> None:
    """Failures count anew, and a pause by a caller awaits no success."""
    pauses = [{"from": "2026-11-21T09:05:00Z"}]
    answer = api.send("POST", PATH, paused_itself(api) | {"pauses": pauses}).body

    assert answer["summary"]["failed"] == 1
    assert told(answer) == []
