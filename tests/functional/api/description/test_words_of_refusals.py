"""Refusals of types, limits and forms are said in words, and show no pattern of a name."""

from typing import Any

import pytest

from tests.support.api import Api, new_job

RETRY = "retry.max_attempts"


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"name": 5}, "name", "It must be text."),
        ({"name": ""}, "name", "It must not be empty."),
        ({"name": "a" * 201}, "name", "It has more than 200 characters."),
        (
            {"name": "a\nb"},
            "name",
            "It has a control character, such as a tab or the end of a line.",
        ),
        ({"tags": []}, "tags", "It must be an object."),
        ({"then": {}}, "then", "It must be a list."),
        ({"retry": {"max_attempts": "3"}}, RETRY, "It must be a whole number."),
        ({"retry": {"max_attempts": 1.5}}, RETRY, "It must be a whole number."),
        ({"retry": {"max_attempts": 0}}, RETRY, "It must be 1 or more."),
        ({"payload_": 1}, "payload_", "There is no such field here. Did you mean payload?"),
    ],
)
def test_a_refusal_says_what_is_wanted(
    api: Api, fields: dict[str, Any], field: str, words: str
) -> None:
    """In a sentence."""
    refused = api.send("POST", "/v1/jobs", new_job(**fields)).body

    assert [(each["field"], each["detail"]) for each in refused["errors"]] == [(field, words)]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (
            "/v1/audit?resource=nightly",
            "It must be a kind, a slash and an id, as job/ID; kinds: job, dag, ",
        ),
        (
            "/v1/jobs/key:a/runs?limit=0",
            "It must be 1 or more.",
        ),
        ("/v1/jobs?limit=101", "It must be 100 or less."),
    ],
)
def test_a_refused_query_says_what_is_wanted(api: Api, path: str, words: str) -> None:
    """Its words are those of a body."""
    refused = api.send("GET", path).body

    assert refused["errors"][0]["detail"].startswith(words)


def test_a_name_of_small_letters_says_which(api: Api) -> None:
    """Tenants have such names; calendars and rules, whose names are in paths, are told the same."""
    refused = api.send("POST", "/v1/tenants", {"tenant": "Glob Ex"}).body

    assert refused["errors"][0]["detail"] == (
        "It has 1 to 63 letters a to z, digits and dashes, and begins with no dash."
    )
