"""Jobs and DAGs whose tag of their set people have taken away: files find them by it alone."""

from pathlib import Path

import pytest

from tests.functional.cli.apply.test_apply import Timegate, apply, file, verbs
from tests.functional.cli.served import served, timegate
from tests.functional.cli.stacks.stack_requests import asking, job, jobs
from tests.support.world import World
from timegate.client import TimegateClient

__all__ = ["file", "served", "timegate"]

JOB = """
kind: Job
name: report
spec: {schedule: {kind: manual}, action: {type: worker, pool: p, handler: h}%s}
"""
DAG = """
kind: Dag
name: report
spec: {tasks: [{key: a, job: {action: {type: worker, pool: p, handler: h}}}]%s}
"""
PARTS = pytest.mark.parametrize(("text", "group"), [(JOB, "jobs"), (DAG, "dags")])


def listed(timegate: Timegate, group: str) -> list[str]:
    """Ids of what there is."""
    ended = {"cancelled", "deleted"}
    rows = timegate(group, "list", "--json").json["items"]
    return [each[f"{group[:-1]}_id"] for each in rows if each["status"] not in ended]


@PARTS
@pytest.mark.parametrize("changed", ["", ", description: another"])
def test_a_thing_without_its_tag_is_told_and_not_made_again(
    timegate: Timegate, file: Path, text: str, group: str, changed: str
) -> None:
    """It goes on: a second one would do its work once more, and its end would not be noticed."""
    file.write_text(text % "")
    apply(timegate, file)
    (made,) = listed(timegate, group)
    timegate(group, "update", made, "-f", "-", stdin='{"tags": {"team": "a"}}')
    file.write_text(text % changed)
    refused = timegate("apply", "-f", str(file), "--yes")

    assert refused.code == 1
    assert "failed [tag_lost]" in refused.out
    assert "timegate-apply=default again" in refused.out
    assert listed(timegate, group) == [made]


@PARTS
def test_a_thing_that_gets_its_tag_again_is_found(
    timegate: Timegate, file: Path, text: str, group: str
) -> None:
    file.write_text(text % "")
    apply(timegate, file)
    (made,) = listed(timegate, group)
    timegate(group, "update", made, "-f", "-", stdin='{"tags": {}}')
    tagged = '{"tags": {"timegate-apply": "default"}}'
    timegate(group, "update", made, "-f", "-", stdin=tagged)

    assert set(verbs(apply(timegate, file)).values()) == {"keep"}


@PARTS
def test_a_thing_that_ended_without_its_tag_is_made_anew(
    timegate: Timegate, file: Path, text: str, group: str
) -> None:
    file.write_text(text % "")
    apply(timegate, file)
    (made,) = listed(timegate, group)
    timegate(group, "update", made, "-f", "-", stdin='{"tags": {}}')
    timegate(group, "cancel" if group == "jobs" else "delete", made, "--yes")
    again = apply(timegate, file)

    assert (again.code, set(verbs(again).values())) == (0, {"create"})
    assert made not in listed(timegate, group)
    assert len(listed(timegate, group)) == 1


def test_a_stack_is_not_told_that_all_is_well(served: World, client: TimegateClient) -> None:
    """Its deletion would leave the job behind."""
    asked = asking(client)
    asked("Create", job("nightly"))
    client.update_job(jobs(client)["nightly"]["job_id"], {"tags": {}})
    answer = asked("Update", job("nightly"))

    assert answer["Status"] == "FAILED"
    assert "Job/nightly tag_lost: " in answer["Reason"]
