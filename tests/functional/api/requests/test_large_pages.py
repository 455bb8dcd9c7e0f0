"""A page that Lambda would refuse for its size has fewer rows, and leads on."""

import json
from itertools import chain
from typing import Any

import pytest

from api.http import body
from api.http.body import MAX_ANSWER_BYTES, is_too_large
from tests.support.api import Api
from tests.support.factories import TENANT

#: Lambda's limit for an answer, and room for its headers.
LAMBDA_BYTES, HEADERS_BYTES = 6 * 1024 * 1024, 64 * 1024
WIDE = "\U0001f600"
#: One byte where it is stored, and four in an answer of Lambda.
QUOTE = '"'


def widest(number: int) -> dict[str, Any]:
    """Return a job as large as one may be, full of characters that JSON escapes twice."""
    headers = {f"X-{n}": QUOTE * 900 for n in range(9)}
    return {
        "name": f"{number} {QUOTE * 190}",
        "description": QUOTE * 2000,
        "tags": {f"t{n}": QUOTE * 256 for n in range(20)},
        "schedule": {"kind": "manual"},
        "action": {"type": "webhook", "url": "https://hooks.example.com/", "headers": headers},
    }


def pages(api: Api, path: str) -> list[list[str]]:
    """Read all pages of jobs; each fits into an answer of Lambda."""
    read: list[list[str]] = []
    cursor = None
    while not read or cursor is not None:
        given = path if cursor is None else f"{path}&cursor={cursor}"
        answer = api.send("GET", given)
        assert answer.status == 200, answer.body
        text = json.dumps(answer.body, ensure_ascii=False, separators=(",", ":"))
        assert len(json.dumps(text)) + HEADERS_BYTES < LAMBDA_BYTES
        read.append([each["job_id"] for each in answer.body["items"]])
        cursor = answer.body["next_cursor"]
    return [each for each in read if each]


def test_a_page_of_the_largest_jobs_fits_into_an_answer(api: Api) -> None:
    """All of them are listed, once each, in their order."""
    made = [api.create(**widest(number))["job_id"] for number in range(100)]
    read = pages(api, "/v1/jobs?limit=100")

    assert [len(each) for each in read] == [50, 50]
    assert sorted(chain.from_iterable(read)) == sorted(made)


def test_a_damaged_row_is_told_with_its_page(api: Api) -> None:
    """Not with a page that was too large to be sent as well."""
    made = [api.create(**widest(number))["job_id"] for number in range(100)]
    for job_id in (made[0], made[-1]):
        api.world.tables.damaged.add((TENANT, job_id))
    pages(api, "/v1/jobs?limit=100")
    told = api.world.telemetry.named("job_damaged")

    assert sorted(str(each.fields["job_id"]) for each in told) == sorted((made[0], made[-1]))
    assert api.world.telemetry.counts["RecordsUnreadable"] == 2


def test_a_row_that_is_too_large_alone_is_a_page(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that goes on comes behind it."""
    made = [api.create(name=f"job {number}")["job_id"] for number in range(3)]
    monkeypatch.setattr(body, "MAX_ANSWER_BYTES", 10)
    read = pages(api, "/v1/jobs?limit=3")

    assert [len(each) for each in read] == [1, 1, 1]
    assert sorted(chain.from_iterable(read)) == sorted(made)


@pytest.mark.parametrize("character", ["x", '"', "\\", "\n", "ü", WIDE])
def test_an_answer_is_measured_as_lambda_does(character: str) -> None:
    """It is a JSON text in the answer; the bound holds to the byte."""
    bytes_each = len(json.dumps(character)) - 2
    most = (MAX_ANSWER_BYTES - 2) // bytes_each

    assert not is_too_large(character * most)
    assert is_too_large(character * (most + 1))
