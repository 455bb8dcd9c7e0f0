"""Giving deployed functions other variables for a while."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus

import httpx

from tests.support.deployed.stack import Stack, wait_until


@contextmanager
def kept_as_they_were(stack: Stack, *outputs: str) -> Iterator[None]:
    """Put the variables of these functions (outputs, or names) back in the end."""
    client = stack.aws("lambda")
    stored = {}
    for name in (stack.outputs.get(each, each) for each in outputs):
        stored[name] = client.get_function_configuration(FunctionName=name)["Environment"]
    try:
        yield
    finally:
        for name, kept in stored.items():
            _configure(stack, name, kept["Variables"])
        wait_until(lambda: _answers(stack), seconds=180)


def reconfigure(stack: Stack, output: str, **changed: str) -> None:
    """Give a function (an output, or a name) other variables; its workers start anew."""
    name = stack.outputs.get(output, output)
    found = stack.aws("lambda").get_function_configuration(FunctionName=name)
    _configure(stack, name, found["Environment"]["Variables"] | changed)
    wait_until(lambda: _answers(stack), seconds=180)


def _answers(stack: Stack) -> bool | None:
    """Tell if the API answers: a new worker may take longer than callers wait."""
    with suppress(httpx.TimeoutException):
        return stack.api.get("/v1/jobs", params={"limit": "1"}).status_code == HTTPStatus.OK or None
    return None


def _configure(stack: Stack, name: str, variables: dict[str, str]) -> None:
    client = stack.aws("lambda")
    client.update_function_configuration(FunctionName=name, Environment={"Variables": variables})
    client.get_waiter("function_updated_v2").wait(FunctionName=name)
