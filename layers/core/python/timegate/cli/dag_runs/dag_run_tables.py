"""Tables of DAG runs in a terminal."""

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import plain, triggered_by
from timegate.client import JsonObject

#: Numbers of failed members that are shown.
_SHOWN = 5


def dag_run_details(run: JsonObject) -> RenderableType:
    """A DAG run, and how far each of its tasks is, where it was read with them."""
    head = details(
        {
            "dag_run_id": plain(run["dag_run_id"]),
            "dag_id": f"{plain(run['dag_id'])}, version {run['dag_version']}",
            "status": state(run["status"]),
            "reason": plain(run["reason"]),
            "ended": f"{run['ended_count']} of {run['task_count']} tasks, round {run['round']}",
            "started": zoned(run["created_at"]),
            "started by": triggered_by(None, run["matched_event"]),
            "until": _until(run),
        }
    )
    if "tasks" not in run:
        return head
    columns: dict[str, Column] = {
        "task": lambda task: plain(task["key"]),
        "state": lambda task: state(task["state"]),
        "tries": lambda task: plain(task["attempts"]),
        "started (UTC)": lambda task: moment(task["started_at"]),
        "ended (UTC)": lambda task: moment(task["ended_at"]),
        "members": _members,
        "reason": lambda task: plain(task["reason"]),
        "waits for": _waits_for,
        "by": _by,
    }
    tasks = {"items": run["tasks"], "next_cursor": None}
    return Group(head, "", listing(tasks, columns, "No tasks.", spare=("waits for",)))


def task_details(run: JsonObject) -> RenderableType:
    """A DAG run, and the task of it that an operator changed."""
    task = run["task"]
    facts = {
        "task": plain(task["key"]),
        "state": state(task["state"]),
        "task round": plain(task["round"]),
        "task reason": plain(task["reason"]),
        "by": _by(task),
    }
    return Group(dag_run_details(run), "", details(facts))


def dag_run_table(page: JsonObject) -> RenderableType:
    """The runs of a DAG."""
    columns: dict[str, Column] = {
        "dag_run_id": lambda run: plain(run["dag_run_id"]),
        "version": lambda run: plain(run["dag_version"]),
        "status": lambda run: state(run["status"]),
        "ended": lambda run: f"{run['ended_count']}/{run['task_count']}",
        "started (UTC)": lambda run: moment(run["created_at"]),
        "ended (UTC)": lambda run: moment(run["ended_at"]),
        "reason": lambda run: plain(run["reason"]),
    }
    return listing(page, columns, "No runs.", spare=("version",))


def _until(run: JsonObject) -> str:
    if run["ended_at"] is not None:
        return zoned(run["ended_at"])
    return f"{zoned(run['deadline_at'])} at the latest"


def _members(task: JsonObject) -> str:
    members = task["members"]
    if members is None:
        return "-"
    said = f"{members['succeeded']} of {members['width']}, {members['failed']} failed"
    numbers = members.get("failed_numbers", [])
    shown = ", ".join(str(each) for each in numbers[:_SHOWN])
    more = ", …" if len(numbers) > _SHOWN else ""
    left_out = f", {members['skipped']} left out" if members.get("skipped") else ""
    return f"{said}{f' ({shown}{more})' if shown else ''}{left_out}"


def _waits_for(task: JsonObject) -> str:
    """The wait of a task that is under way."""
    wait = task.get("wait")
    if wait is None or task["state"] != "running":
        return "-"
    awaited = f"{wait['event_type']} of {wait['correlation']}" if wait.get("event_type") else ""
    until = f" until {moment(wait['until'])}" if wait["until"] is not None else ""
    return plain(f"{awaited or wait['kind']}{until}")


def _by(task: JsonObject) -> str:
    done = task.get("intervention")
    if done is None:
        return "-"
    why = f": {done['reason']}" if done["reason"] is not None else ""
    members = done.get("members")
    whom = f" {len(members)} members" if members else ""
    return plain(f"{done['kind']}{whom} by {done['by']}{why}")
