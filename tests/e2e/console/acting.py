"""Work that actions of the console change, and what the API says of it to another caller."""

from typing import Any

from tests.support.deployed.stack import Stack, wait_until

_HOURLY = {"kind": "rate", "every_seconds": 3600}
_IDLE = {"type": "worker", "pool": "desks", "handler": "none"}


def job(stack: Stack, **fields: Any) -> str:  # noqa: ANN401 - JSON
    """A job that runs hourly in a pool without workers; its id."""
    plain = {"name": "of the desk", "schedule": _HOURLY, "action": _IDLE}
    return str(stack.create_job(**(plain | fields))["job_id"])


def read(stack: Stack, path: str) -> dict[str, Any]:
    """Return the API's answer to a program of the same tenant."""
    body: dict[str, Any] = stack.api.get(path).raise_for_status().json()
    return body


def until(stack: Stack, path: str, **fields: object) -> dict[str, Any]:
    """A representation, once it has these fields."""

    def look() -> dict[str, Any] | None:
        body = read(stack, path)
        return body if fields.items() <= body.items() else None

    return wait_until(look, seconds=60, what=lambda: read(stack, path))


def runs_that(stack: Stack, job_id: str, count: int, *states: str) -> list[str]:
    """Ids of a job's runs, once so many of them are in one of these states."""

    def look() -> list[str] | None:
        found = [each["run_id"] for each in stack.runs(job_id) if each["state"] in states]
        return found if len(found) == count else None

    return wait_until(look, seconds=60, what=lambda: stack.runs(job_id))
