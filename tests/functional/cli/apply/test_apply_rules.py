"""Notification rules and calendars in files of ``timegate apply``."""

from pathlib import Path

from tests.functional.cli.apply.test_apply import Timegate, apply, declared, file, verbs
from tests.functional.cli.served import served, timegate

__all__ = ["declared", "file", "served", "timegate"]

RULES = """
kind: Job
name: nightly
spec:
  schedule: {kind: cron, cron: "0 2 * * *"}
  action: {type: webhook, url: https://example.com/nightly}
---
kind: NotificationRule
name: nightly
spec:
  jobs: {job_id: Job/nightly}
  when: {failures_in_a_row: 2, absent: {for_seconds: 93600, at: "07:00"}}
  channels:
    - url: https://alerts.example.com/t
      signing_secret: {ssm_parameter: /timegate-target/acme/k}
  quiet_hours: {windows: [{opens: "22:00", closes: "06:00"}]}
"""
CALENDARS = """
kind: Calendar
name: office
spec: {weekdays: [sat, sun], tags: {team: data}}
"""


def test_rules_are_declared_as_jobs_are(timegate: Timegate, file: Path) -> None:
    """They name jobs of the files; applied again, nothing is to be done, and a change is one."""
    file.write_text(RULES)
    first = apply(timegate, file)
    second = apply(timegate, file)
    file.write_text(RULES.replace("93600", "7200"))
    third = apply(timegate, file)
    rule = timegate("rules", "get", "nightly", "--json").json
    jobs = timegate("jobs", "list", "--json").json["items"]

    assert (first.code, first.err) == (0, "")
    assert verbs(first)["NotificationRule/nightly"] == "create"
    assert verbs(second)["NotificationRule/nightly"] == "keep"
    assert verbs(third)["NotificationRule/nightly"] == "change"
    assert (rule["version"], rule["when"]["absent"]["for_seconds"]) == (2, 7200)
    assert rule["jobs"]["job_id"] in {job["job_id"] for job in jobs}


def test_a_rule_that_left_its_files_is_pruned(timegate: Timegate, file: Path) -> None:
    """Only this set is pruned, under the flag that ends jobs; a person's own rule stays."""
    file.write_text(RULES)
    apply(timegate, file)
    when = ("--failures", "1", "--tell", "https://alerts.example.com/t")
    timegate("rules", "put", "by-hand", *when)
    file.write_text(RULES.partition("---")[0])
    kept = apply(timegate, file)
    pruned = apply(timegate, file, "--prune")
    rules = timegate("rules", "list", "--json").json["items"]

    assert "NotificationRule/nightly" not in verbs(kept)
    assert verbs(pruned)["NotificationRule/nightly"] == "prune"
    assert [each["name"] for each in rules] == ["by-hand"]


def test_a_rule_keeps_its_own_tags(timegate: Timegate, file: Path) -> None:
    """Beside the one that says which files it is of."""
    file.write_text(RULES.replace("  when:", "  tags: {team: data}\n  when:"))
    apply(timegate, file)
    rule = timegate("rules", "get", "nightly", "--json").json

    assert rule["tags"] == {"team": "data", "timegate-apply": "default"}


def test_a_calendar_that_left_its_files_is_pruned(timegate: Timegate, file: Path) -> None:
    """Only this set is pruned, after the jobs that name it; a person's own calendar stays."""
    job = RULES.partition("---")[0]
    file.write_text(f"{CALENDARS}---{job}  calendars: [{{calendar: office}}]\n")
    first = apply(timegate, file)
    second = apply(timegate, file)
    timegate("calendars", "put", "by-hand", "--weekday", "sun", "--tag", "team=data")
    other = timegate("apply", "-f", str(file), "--set", "other", "--dry-run", "--prune", "--json")
    office = timegate("calendars", "get", "office", "--json").json
    file.write_text(job)
    kept = apply(timegate, file)
    pruned = apply(timegate, file, "--prune")
    left = timegate("calendars", "list", "--json").json["items"]

    assert verbs(first)["Calendar/office"] == "create"
    assert verbs(second)["Calendar/office"] == "keep"
    assert office["tags"] == {"team": "data", "timegate-apply": "default"}
    assert verbs(other)["Calendar/office"] == "keep"
    assert "Calendar/office" not in verbs(kept)
    assert verbs(pruned)["Calendar/office"] == "prune"
    assert [(each["name"], each["tags"]) for each in left] == [("by-hand", {"team": "data"})]


def test_everything_of_a_set_is_pruned_in_the_order_of_who_starts_whom(
    timegate: Timegate, file: Path
) -> None:
    """Calendars last: a job that outlived its calendar would run when it must not."""
    file.write_text(f"{CALENDARS}---{RULES}")
    apply(timegate, file)
    file.write_text("kind: Calendar\nname: other\nspec: {}\n")
    after = verbs(apply(timegate, file, "--prune", "--replace"))
    pruned = [key for key, verb in after.items() if verb == "prune"]

    assert pruned[-2:] == ["NotificationRule/nightly", "Calendar/office"]
    assert pruned[0].startswith("Job/")
