"""Operations by resource, and what ``help()`` shows of each."""

import inspect
import pydoc
import re
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from tests.functional.cli.fake_api import API_URL, FakeApi, page, placeholder
from timegate.client import (
    AsyncTimegateClient,
    FixedToken,
    Profile,
    TimegateClient,
    schemas,
)
from timegate.client import namespaces as groups
from timegate.client.operation import ApiOperation, Listing, Namespace
from timegate.client.timegate_client import ApiCalls


@pytest.fixture
def client(api: FakeApi) -> Iterator[TimegateClient]:
    profile = Profile(api_url=API_URL, credentials=FixedToken(token="t"))
    with TimegateClient(profile, transport=api.transport) as client:
        yield client


def operations(carrier: type) -> list[ApiOperation[..., Any] | Listing[..., Any, Any]]:
    """Every operation that a class carries."""
    found = [getattr(carrier, name) for name in dir(carrier) if name[0] != "_"]
    return [each for each in found if isinstance(each, ApiOperation | Listing)]


def test_every_operation_is_in_one_group(client: TimegateClient) -> None:
    """Under a name of its own; no group has another."""
    names = [name for name, each in vars(groups.Namespaces).items() if isinstance(each, Namespace)]
    found = [each for name in names for each in operations(type(getattr(client, name)))]
    described = [each.describe for each in found]

    assert sorted(map(id, described)) == sorted(id(each.describe) for each in operations(ApiCalls))
    assert {"jobs", "runs", "dags", "dag_runs", "dead_letters", "pools", "tenants"} <= set(names)


def test_a_group_does_what_its_client_does(client: TimegateClient, api: FakeApi) -> None:
    """By the same connection and token; listings have pages and rows."""
    api.will(placeholder({"job_id": "nightly"}), page([], cursor="2"), page([]))
    got = client.jobs.get("nightly")
    rows = list(client.jobs.list.iterate(status="active"))

    assert (got["job_id"], rows) == ("nightly", [])
    assert [each.partition("?")[0] for each in api.asked] == [
        "GET /v1/jobs/key:nightly",
        "GET /v1/jobs",
        "GET /v1/jobs",
    ]


def help_of(thing: object) -> str:
    """Return what ``help()`` shows, with each signature in one line, as before Python 3.13."""
    shown = pydoc.plain(pydoc.render_doc(thing))
    in_one_line = re.sub(r"\(\n\s+", "(", shown)
    return re.sub(r"\n\s*\)", ")", re.sub(r",\n\s+", ", ", in_one_line))


def test_help_shows_what_an_operation_takes_and_answers(client: TimegateClient) -> None:
    """Every parameter by name and type; and what it does."""
    shown = help_of(client.create_job)

    assert "create_job(definition: timegate.client.schemas.NewJob, *, idempotency_key" in shown
    assert "-> timegate.client.schemas.Job" in shown
    assert "the same key with the same definition gives the same job" in shown


def test_help_shows_what_a_listing_takes(client: TimegateClient) -> None:
    """With its docstring."""
    shown = help_of(client.runs.list_all)

    assert "list_all_runs(*, which: str | None = None, state: list[str] | None = None" in shown
    assert "the latest end first" in shown
    assert inspect.signature(client.list_jobs).return_annotation is schemas.JobPage


def test_help_of_a_resource_shows_what_each_operation_takes(client: TimegateClient) -> None:
    """And so does help of the class, before there is a client."""
    resource = help_of(client.jobs)
    listing = help_of(TimegateClient.list_jobs)

    assert "get = get_job(self, job_id: str) -> timegate.client.schemas.Job" in resource
    assert "list_jobs(self, *, status: str | None = None" in listing
    assert "(...)" not in resource + listing


def test_an_operation_of_the_class_is_called_on_a_client(
    client: TimegateClient, api: FakeApi
) -> None:
    """The class method works like any function of a class."""
    api.will(placeholder({"job_id": "nightly"}), page([]))

    assert TimegateClient.get_job(client, "key:nightly")["job_id"] == "nightly"
    assert TimegateClient.list_jobs(client, status="active")["items"] == []


@pytest.mark.parametrize("kind", [TimegateClient, AsyncTimegateClient])
def test_every_operation_has_a_signature_and_a_docstring(kind: type[Any]) -> None:
    """Without its client, and with the answer instead of the call that asks for it."""
    client = kind(Profile(api_url=API_URL, credentials=FixedToken(token="t")))
    for each in operations(ApiCalls):
        name = each.describe.__name__
        method = getattr(client, name)
        parameters = list(inspect.signature(each.describe).parameters)[1:]
        shown = inspect.signature(method)

        assert (method.__name__, list(shown.parameters)) == (name, parameters)
        assert "Call[" not in str(shown.return_annotation)
        assert method.__doc__


def test_an_awaited_operation_is_a_coroutine_function() -> None:
    """Frameworks look before they call."""
    profile = Profile(api_url=API_URL, credentials=FixedToken(token="t"))

    assert inspect.iscoroutinefunction(AsyncTimegateClient(profile).jobs.get)
    assert not inspect.iscoroutinefunction(TimegateClient(profile).jobs.get)


def test_a_type_checker_sees_the_groups() -> None:
    """Checked by mypy, as everything here is; nothing is called."""

    def waiting(client: TimegateClient) -> None:
        typing.assert_type(client.jobs.get("j"), schemas.Job)
        for job in client.jobs.list.iterate(status="active"):
            typing.assert_type(job, schemas.Job)

    async def awaiting(client: AsyncTimegateClient) -> None:
        typing.assert_type(await client.runs.get("r"), schemas.Run)

    assert (waiting.__name__, awaiting.__name__) == ("waiting", "awaiting")
