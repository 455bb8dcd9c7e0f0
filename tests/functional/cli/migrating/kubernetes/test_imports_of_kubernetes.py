"""``timegate import kubernetes``: CronJobs become jobs of a pool, or tasks of ECS."""

import json
from pathlib import Path

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.migrating.kubernetes.manifests import (
    ECS,
    container,
    cron_job,
    only,
    read,
    task,
    warned,
)
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

POOL = ("--pool", "batch")


def test_a_cron_job_becomes_a_job_of_a_pool(timegate: Timegate, tmp_path: Path) -> None:
    """Its workers get image, command, arguments and variables."""
    runs = container(command=["report"], env=[{"name": "REGION", "value": "eu"}, {"name": "EMPTY"}])
    job = {"backoffLimit": 2, "activeDeadlineSeconds": 600}
    found = cron_job(job=job, pod={"containers": [runs]}, concurrencyPolicy="Replace")
    outcome = read(timegate, tmp_path, found)

    assert outcome.code == 0
    assert only(outcome) == {
        "schedule": {"kind": "cron", "cron": "0 9 * * *", "timezone": "Europe/Berlin"},
        "action": {"type": "worker", "pool": "batch", "handler": "run"},
        "payload": {
            "image": "acme/report:1.2",
            "command": ["report"],
            "args": ["--daily"],
            "environment": {"REGION": "eu", "EMPTY": ""},
        },
        "retry": {
            "max_attempts": 3,
            "delays_seconds": [10, 20],
            "jitter": False,
            "breaker": None,
            "window_seconds": 600,
        },
        "timeout_seconds": 600,
        "overlap": {"policy": "replace"},
        "catch_up": {"policy": "latest", "window_seconds": 31_536_000},
    }
    assert warned(outcome) == ["active_deadline"]


def test_a_cron_job_becomes_a_task(timegate: Timegate, tmp_path: Path) -> None:
    """The task has the container's name and command; its image is that of its definition."""
    runs = container(command=["report"], env=[{"name": "REGION", "value": "eu"}])
    found = cron_job(pod={"containers": [runs]})
    outcome = read(timegate, tmp_path, found, options=task())

    assert only(outcome)["action"] == ECS | {
        "task_definition": "timegate-target-acme-report",
        "container": "main",
        "command": ["report", "--daily"],
    }
    assert only(outcome)["payload"] == {"environment": {"REGION": "eu"}}
    assert only(outcome)["timeout_seconds"] == 86_400
    assert warned(outcome) == ["task_definition", "entry_point", "env", "active_deadline"]


def test_a_template_decides_over_the_container(timegate: Timegate, tmp_path: Path) -> None:
    """Texts have marks of their own; lists stand in place of a mark that is alone."""
    given = {"run": ["{image}", "{namespace}"], "argv": "{args}", "env": "{environment}"}
    outcome = read(
        timegate,
        tmp_path,
        cron_job(metadata={"namespace": "billing"}),
        options=(*task(container="app", command=[]), "--payload", json.dumps(given)),
    )

    action = only(outcome)["action"]
    assert (action["container"], action["command"]) == ("app", [])
    assert only(outcome)["payload"] == {
        "run": ["acme/report:1.2", "billing"],
        "argv": ["--daily"],
        "env": {},
    }


def test_what_is_imported_can_be_applied(timegate: Timegate, tmp_path: Path) -> None:
    """The API takes jobs of pools and web hooks; applied again, nothing is to be done."""
    plain = cron_job()
    odd = cron_job(
        "odd",
        metadata={"namespace": "billing"},
        job={"backoffLimit": 100, "activeDeadlineSeconds": 5},
        startingDeadlineSeconds=0,
        schedule="@every 90m",
    )
    for options in (POOL, ("--action-url", "https://example.com/{name}")):
        outcome = read(timegate, tmp_path, plain, odd, options=options)
        path = tmp_path / "jobs.yaml"
        path.write_text(outcome.out)

        assert timegate("apply", "-f", str(path), "--yes").code == 0, outcome.out
        assert timegate("diff", "-f", str(path)).code == 0


def test_namespaces_are_part_of_names(timegate: Timegate, tmp_path: Path) -> None:
    """Two namespaces may have one name; ``default`` is none. A name that is there twice is told."""
    named = [cron_job(metadata={"namespace": each}) for each in ("default", "a", "b", "b")]
    outcome = read(timegate, tmp_path, *named)
    found = documents(outcome)

    assert list(found) == ["report", "a/report", "b/report", "b/report 2"]
    assert [each.get("tags") for each in found.values()] == [
        None,
        {"namespace": "a"},
        {"namespace": "b"},
        {"namespace": "b"},
    ]
    assert warned(outcome).count("same_name") == 1


@pytest.mark.parametrize("listed", [True, False], ids=["json", "api"])
def test_answers_of_kubectl_are_read(timegate: Timegate, tmp_path: Path, listed: bool) -> None:
    """A list of the API names the kind of its items once."""
    items = [cron_job("a"), cron_job("b")]
    kind = "List" if listed else "CronJobList"
    if not listed:
        for each in items:
            del each["kind"], each["apiVersion"]
    text = json.dumps({"kind": kind, "items": items}, indent=2)
    outcome = imported(timegate, tmp_path, "kubernetes", text, *POOL)

    assert list(documents(outcome)) == ["a", "b"]
    assert "2 imported, 0 refused." in outcome.err


def test_other_kinds_are_left_out(timegate: Timegate, tmp_path: Path) -> None:
    """So is a CronJob of another program's API."""
    other = cron_job() | {"apiVersion": "batch.example.com/v1"}
    old = cron_job("old") | {"apiVersion": "batch/v1beta1"}
    outcome = read(timegate, tmp_path, {"kind": "ConfigMap"}, other, old)

    assert list(documents(outcome)) == ["old"]


def test_variables_of_the_cluster_are_named(timegate: Timegate, tmp_path: Path) -> None:
    """Neither the manifest nor the report has those that hold credentials."""
    env = [
        {"name": "API_KEY", "valueFrom": {"secretKeyRef": {"name": "shop", "key": "api"}}},
        {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
        {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
        {"name": "DB_PASSWORD", "value": "hunter2-correct"},
        {"name": "URL", "value": "http://$(HOST)/$$(HOST)"},
    ]
    runs = container(env=env, envFrom=[{"secretRef": {"name": "all"}}])
    outcome = read(timegate, tmp_path, cron_job(pod={"containers": [runs]}))

    assert only(outcome)["payload"]["environment"] == {"URL": "http://$(HOST)/$$(HOST)"}
    assert (
        "left out: all of secret all, API_KEY from secret shop, key api, NODE from spec.nodeName,"
        " CPU from resourceFieldRef." in outcome.err
    )
    assert "credentials are left out: DB_PASSWORD." in outcome.err
    assert "replaces $(HOST) by" in outcome.err
    assert "hunter2" not in outcome.out + outcome.err


def test_what_no_job_has_is_listed(timegate: Timegate, tmp_path: Path) -> None:
    """Each field by its place; values that the API writes by default are none."""
    runs = container(resources={"limits": {"cpu": "1"}}, stdin=False, imagePullPolicy="Always")
    pod = {
        "containers": [runs, container(name="proxy")],
        "volumes": [{"name": "data", "emptyDir": {}}],
        "dnsPolicy": "ClusterFirst",
        "securityContext": {},
        "terminationGracePeriodSeconds": 31,
    }
    outcome = read(
        timegate,
        tmp_path,
        cron_job(metadata={"labels": {"a": "b"}}, pod=pod, concurencyPolicy="Forbid"),
    )

    assert "its pod has proxy beside it." in outcome.err
    assert (
        "Not carried over: metadata.labels, concurencyPolicy, pod.volumes,"
        " pod.terminationGracePeriodSeconds, container.resources." in outcome.err
    )


def test_long_lists_of_losses_are_cut(timegate: Timegate, tmp_path: Path) -> None:
    """Twenty are told, and how many more there are."""
    others = cron_job()
    others["spec"] |= {f"x{n}": 1 for n in range(20)}
    twenty = read(timegate, tmp_path, others)
    others["spec"]["x20"] = 1
    more = read(timegate, tmp_path, others)

    assert "x19." in twenty.err
    assert "x19 and 1 more." in more.err
