"""Fields of a CronJob that no job has, each by its place."""

from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.entries import Note, part_of, told
from timegate.cli.migrating.kubernetes.containers import list_of

#: Fields that are read, and those that only say how Kubernetes keeps, pulls or restarts things.
_OF_METADATA = {
    *("name", "namespace", "creationTimestamp", "resourceVersion", "uid", "generation"),
    *("managedFields", "selfLink", "generateName", "ownerReferences"),
}
_OF_CRON_JOB = {
    *("schedule", "timeZone", "suspend", "concurrencyPolicy", "startingDeadlineSeconds"),
    *("jobTemplate", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"),
}
_OF_JOB = {
    *("activeDeadlineSeconds", "backoffLimit", "podFailurePolicy", "completions", "parallelism"),
    *("template", "suspend", "ttlSecondsAfterFinished", "manualSelector"),
}
_OF_POD = {"containers", "activeDeadlineSeconds", "restartPolicy"}
_OF_CONTAINER = {
    *("name", "image", "command", "args", "env", "envFrom", "imagePullPolicy"),
    *("terminationMessagePath", "terminationMessagePolicy"),
}
#: Values that the API writes where nothing is said.
_DEFAULTS: Mapping[str, Any] = {
    "completionMode": "NonIndexed",
    "podReplacementPolicy": "TerminatingOrFailed",
    "dnsPolicy": "ClusterFirst",
    "schedulerName": "default-scheduler",
    "terminationGracePeriodSeconds": 30,
    "enableServiceLinks": True,
}
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def notes_of_losses(content: Mapping[str, Any]) -> Iterator[Note]:
    """Yield the list of what is not carried over; raises ``InvalidInput`` for another shape."""
    if lost := list(_lost(content)):
        yield Note(code="not_carried", detail=f"Not carried over: {told(lost)}.")


def _lost(content: Mapping[str, Any]) -> Iterator[str]:
    spec = part_of(content, "spec")
    job = part_of(part_of(spec, "jobTemplate"), "spec")
    pod = part_of(part_of(job, "template"), "spec")
    yield from _others(_metadata(content), _OF_METADATA, "metadata.")
    yield from _others(spec, _OF_CRON_JOB, "")
    yield from _others(job, _OF_JOB, "job.")
    yield from _others(pod, _OF_POD, "pod.")
    for container in list_of(pod, "containers")[:1]:
        yield from _others(container, _OF_CONTAINER, "container.")


def _metadata(content: Mapping[str, Any]) -> Mapping[str, Any]:
    given = content.get("metadata")
    if not isinstance(given, dict):
        return {}
    annotations = given.get("annotations")
    if isinstance(annotations, dict) and set(annotations) == {_LAST_APPLIED}:
        return {name: value for name, value in given.items() if name != "annotations"}
    return given


def _others(given: Mapping[str, Any], known: set[str], place: str) -> Iterator[str]:
    """Yield the names of fields that say something, and are not known."""
    for name, value in given.items():
        is_silent = value in (None, {}, [], "", False) or _DEFAULTS.get(str(name)) == value
        if not is_silent and name not in known:
            yield f"{place}{name}"
