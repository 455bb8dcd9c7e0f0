"""Giving deployed functions other variables for a while."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus

import httpx

from infra.rollout_choice import LIVE
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
            configure(stack, name, Environment={"Variables": kept["Variables"]})
        wait_until(lambda: answers(stack), seconds=180)


def reconfigure(stack: Stack, output: str, **changed: str) -> None:
    """Give a function (an output, or a name) other variables; its workers start anew."""
    name = stack.outputs.get(output, output)
    found = stack.aws("lambda").get_function_configuration(FunctionName=name)
    configure(stack, name, Environment={"Variables": found["Environment"]["Variables"] | changed})
    wait_until(lambda: answers(stack), seconds=180)


def answers(stack: Stack) -> bool | None:
    """Tell if the API answers: a new worker may take longer than callers wait."""
    with suppress(httpx.TimeoutException):
        return stack.api.get("/v1/jobs", params={"limit": "1"}).status_code == HTTPStatus.OK or None
    return None


def configure(stack: Stack, name: str, **changed: Mapping[str, object] | str) -> None:
    """Change a function, and invoke what was made of it: the version before goes."""
    client = stack.aws("lambda")
    client.update_function_configuration(FunctionName=name, **changed)
    client.get_waiter("function_updated_v2").wait(FunctionName=name)
    before = client.get_alias(FunctionName=name, Name=LIVE)["FunctionVersion"]
    version = client.publish_version(FunctionName=name)["Version"]
    client.update_alias(FunctionName=name, Name=LIVE, FunctionVersion=version)
    if before != version:
        client.delete_function(FunctionName=name, Qualifier=before)
