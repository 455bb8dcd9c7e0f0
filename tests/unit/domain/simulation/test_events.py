"""Events in a scenario: triggers that they meet, runs that they start, waits that they end."""

from typing import Any

import pytest

from timegate.contracts.simulation.reading import read_document
from timegate.domain.simulation import report, simulate
from timegate.domain.values.errors import InvalidInput

PAID = {"type": ["order.paid"]}
TRIGGER = {"pattern": PAID, "starts": {"type": "job"}}


def at(minute: int, second: int = 0) -> str:
    """An instant of the scenario's hour."""
    return f"2026-11-20T08:{minute:02}:{second:02}Z"


def simulated(**fields: object) -> dict[str, Any]:
    """The report of a job that only events start."""
    scenario = {
        "schedule": {"kind": "manual"},
        "from": "2026-11-20T08:00:00Z",
        "to": "2026-11-20T09:00:00Z",
        **fields,
    }
    document = read_document(scenario)
    return report(simulate(document.scenario), document.expectations)


def runs(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the instant that triggered each run, and its outcome."""
    return [(row["scheduled_at"][14:19], row["reason"] or row["state"]) for row in found["rows"]]


def met(found: dict[str, Any]) -> list[list[tuple[str, str | None, str | None]]]:
    """Return per event each trigger that it met, the run's instant, and the reason for none."""
    return [
        [
            (each["name"], each["scheduled_at"] and each["scheduled_at"][14:19], each["code"])
            for each in event["met"]
        ]
        for event in found["events"]
    ]


def test_an_event_that_matches_starts_a_run() -> None:
    """Another type and other data match nothing; triggers are compared in order of their names."""
    pattern = PAID | {"data": {"amount": [{"numeric": [">", 100]}]}}
    found = simulated(
        event_triggers={"paid": TRIGGER, "large": {"pattern": pattern, "starts": {"type": "job"}}},
        events=[
            {"at": at(1), "type": "order.paid", "data": {"amount": 5}},
            {"at": at(2), "type": "order.paid", "data": {"amount": 500}},
            {"at": at(3), "type": "order.sent"},
        ],
    )

    assert met(found) == [
        [("paid", "01:00", None)],
        [("large", "02:00", None), ("paid", "02:00", None)],
        [],
    ]
    assert runs(found) == [("01:00", "succeeded"), ("02:00", "succeeded"), ("02:00", "succeeded")]


def test_events_of_one_key_collapse() -> None:
    """``key_from`` finds the key in what the trigger sends on; events of other keys stay apart."""
    found = simulated(
        collapse={"mode": "last", "span_seconds": 60, "key_from": "/customer"},
        event_triggers={
            "paid": {
                "pattern": PAID,
                "starts": {"type": "job", "payload": {"customer": {"$ref": "event.data.of"}}},
            }
        },
        events=[
            {"at": at(1, n), "type": "order.paid", "data": {"of": customer}}
            for n, customer in enumerate(["ann", "bob", "ann"])
        ],
    )
    keys = [(row["trigger"]["key"], row["trigger"]["collapsed_into"]) for row in found["rows"]]

    assert runs(found) == [
        ("01:00", "collapsed"),
        ("01:01", "succeeded"),
        ("01:02", "succeeded"),
    ]
    assert keys == [("ann", "2026-11-20T08:01:02.000Z"), ("bob", None), ("ann", None)]


def test_a_caller_may_bring_the_payload_that_has_the_key() -> None:
    """A trigger's own payload has the key; a trigger without one uses its job's."""
    found = simulated(
        payload={"customer": "ann"},
        collapse={"mode": "first", "span_seconds": 60, "key_from": "/customer"},
        triggers=[
            at(1),
            {"at": at(1, 1), "payload": {"customer": "bob"}},
            {"at": at(1, 2), "payload": {"customer": "ann"}},
        ],
    )

    assert [row["trigger"]["key"] for row in found["rows"]] == ["ann", "bob", "ann"]
    assert [row["reason"] for row in found["rows"]] == [None, None, "collapsed"]


def test_a_patch_is_merged_into_the_jobs_payload() -> None:
    """The key may be in the part that the event leaves alone."""
    starts = {"type": "job", "payload_patch": {"amount": {"$ref": "event.data.amount"}}}
    found = simulated(
        payload={"customer": "ann"},
        collapse={"mode": "last", "span_seconds": 60, "key_from": "/customer"},
        event_triggers={"paid": {"pattern": PAID, "starts": starts}},
        events=[{"at": at(1), "type": "order.paid", "data": {"amount": 1}}],
    )

    assert [row["trigger"]["key"] for row in found["rows"]] == ["ann"]


def test_parameters_of_a_dag_run_are_an_object() -> None:
    """The sender's answer would hold the same code."""
    dag = {"type": "dag_run", "dag_id": "b" * 26, "parameters": {"$ref": "event.data.amount"}}
    found = simulated(
        event_triggers={"paid": {"pattern": PAID, "starts": dag}},
        events=[{"at": at(1), "type": "order.paid", "data": {"amount": 1}}],
    )

    assert [code for ((_, _, code),) in met(found)] == ["wrong_type"]


def test_what_an_event_cannot_start_says_why() -> None:
    """Data that are not there, and a job that is cancelled; neither makes a run."""
    starts = {"type": "job", "payload": {"customer": {"$ref": "event.data.of"}}}
    found = simulated(
        cancelled_at=at(30),
        event_triggers={"paid": {"pattern": PAID, "starts": starts}},
        events=[
            {"at": at(1), "type": "order.paid"},
            {"at": at(31), "type": "order.paid", "data": {"of": "ann"}},
        ],
    )

    assert met(found) == [
        [("paid", None, "reference_missing")],
        [("paid", None, "job_cancelled")],
    ]
    assert found["rows"] == []


def test_a_trigger_of_a_dag_is_met_and_makes_no_row() -> None:
    """No DAG is part of a scenario."""
    starts = {"type": "dag_run", "dag_id": "a" * 26}
    found = simulated(
        event_triggers={"paid": {"pattern": PAID, "starts": starts}},
        events=[{"at": at(1), "type": "order.paid"}],
    )

    assert met(found) == [[("paid", None, None)]]
    assert found["rows"] == []


def test_a_trigger_names_one_of_several_jobs() -> None:
    """By its name; the event says which job it triggered."""
    jobs = [{"name": name, "schedule": {"kind": "manual"}} for name in ("bill", "ship")]
    document = read_document(
        {
            "from": "2026-11-20T08:00:00Z",
            "to": "2026-11-20T09:00:00Z",
            "jobs": jobs,
            "event_triggers": {"paid": {"pattern": PAID, "starts": {"type": "job", "job": "ship"}}},
            "events": [{"at": at(1), "type": "order.paid", "times": 2, "every_seconds": 1}],
        }
    )
    found = report(simulate(document.scenario), document.expectations)

    assert [row["job"] for row in found["rows"]] == ["ship", "ship"]
    assert [event["met"][0]["job"] for event in found["events"]] == ["ship", "ship"]
    assert [event["id"] for event in found["events"]] == ["events.0.0", "events.0.1"]


def wait(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A task that waits for the payment of an order, from ten past on."""
    awaited = {"type": "order.paid", "correlation": {"$ref": "parameters.order"}}
    given = {"from": at(10), "to": at(20), "parameters": {"order": "4711"}} | changes
    return given | {"event": awaited | changes.pop("event", {})}


@pytest.mark.parametrize(
    ("changes", "event", "ends"),
    [
        ({}, {"at": at(10)}, True),
        ({}, {"at": at(19, 59)}, True),
        ({}, {"at": at(20)}, False),
        ({}, {"at": at(9, 59)}, False),
        ({"event": {"lookback_seconds": 1}}, {"at": at(9, 59)}, True),
        ({"event": {"lookback_seconds": 1}}, {"at": at(9, 58)}, False),
        ({}, {"at": at(12), "subject": "4712"}, False),
        ({}, {"at": at(12), "subject": "x", "correlationid": "4711"}, True),
        ({"event": {"source": "bank"}}, {"at": at(12)}, False),
        ({"event": {"source": "bank"}}, {"at": at(12), "source": "bank"}, True),
        ({"event": {"match": {"amount": [7]}}}, {"at": at(12), "data": {"amount": 8}}, False),
        ({"event": {"match": {"amount": [7]}}}, {"at": at(12), "data": {"amount": 7}}, True),
        ({"parameters": {"order": 4711}}, {"at": at(12)}, True),
    ],
)
def test_a_wait_ends_by_an_event_of_its_key(
    changes: dict[str, Any], event: dict[str, Any], *, ends: bool
) -> None:
    """Within its time, of its source, with its data; the boundaries are those of the stage."""
    found = simulated(
        waits={"gate": wait(**changes)},
        events=[{"type": "order.paid", "subject": "4711", **event}],
    )
    (row,) = found["waits"]

    assert row["correlation"] == "4711"
    assert (row["event"] == "events.0") is ends
    assert (row["met_at"] is not None) is ends


def test_the_earliest_event_ends_a_wait() -> None:
    """One that came before ends it when it begins."""
    early = wait(event={"lookback_seconds": 600})
    events = [
        {"at": instant, "type": "order.paid", "subject": "4711"} for instant in (at(12), at(5))
    ]
    found = simulated(waits={"gate": early, "late": wait()}, events=events)

    assert [(row["event"], row["met_at"][14:19]) for row in found["waits"]] == [
        ("events.1", "10:00"),
        ("events.0", "12:00"),
    ]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"events": [{"at": at(1)}]}, "events.0.type", "missing"),
        ({"events": [{"at": at(1), "type": ""}]}, "events.0.type", "too_short"),
        ({"events": [{"at": at(1), "type": "a", "times": 2}]}, "events.0.every_seconds", "missing"),
        (
            {"events": [{"at": at(1), "type": "a", "every_seconds": 2}]},
            "events.0.every_seconds",
            "without_effect",
        ),
        ({"events": [{"at": "2026-11-20T09:00:00Z", "type": "a"}]}, "events", "out_of_range"),
        ({"event_triggers": {"Paid": TRIGGER}}, "event_triggers.Paid", "invalid_format"),
        ({"event_triggers": {"paid": {}}}, "event_triggers.paid.starts", "missing"),
        (
            {"event_triggers": {"paid": {"pattern": {"type": []}, "starts": {"type": "job"}}}},
            "event_triggers.paid.pattern.type",
            "invalid_pattern",
        ),
        (
            {"event_triggers": {"paid": {"starts": {"type": "job", "job": "other"}}}},
            "event_triggers.paid.starts.job",
            "unknown_job",
        ),
        (
            {"waits": {"gate": wait(parameters={})}},
            "waits.gate.event.correlation",
            "reference_missing",
        ),
        ({"waits": {"gate": wait(to=at(10))}}, "waits.gate.to", "ends_before_start"),
        ({"collapse": {"span_seconds": 1, "key_from": "x"}}, "collapse.key_from", "invalid_format"),
    ],
)
def test_what_contradicts_itself_names_its_field(
    changes: dict[str, Any], field: str, code: str
) -> None:
    """By its whole path, with a stable code."""
    with pytest.raises(InvalidInput) as refused:
        simulated(**changes)

    assert (refused.value.field, refused.value.code) == (field, code)
