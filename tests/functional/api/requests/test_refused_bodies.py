"""Bodies that cannot be read: every one is refused, and said to be the caller's to repair."""

import base64

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from tests.support.api import SCOPES, Answer, Api, gateway_event
from tests.support.documents.described_examples import event_of, example_of
from tests.support.factories import JOB_ID

CLAIMS = {"client_id": "acme", "scope": SCOPES}
VALID = '{"schedule": {"kind": "immediate"}}'
PREVIEW = "/v1/schedules/preview"


def post(api: Api, body: str | None, *, content_type: str | None = "application/json") -> Answer:
    """Ask for a preview: the smallest thing that takes a body."""
    headers = {} if content_type is None else {"Content-Type": content_type}
    return api.deliver(gateway_event("POST", PREVIEW, body=body, headers=headers, claims=CLAIMS))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(None, "missing_body", id="none"),
        pytest.param("", "missing_body", id="empty"),
        pytest.param(" \n", "missing_body", id="blank"),
        pytest.param("\x1c", "malformed_json", id="white space of other formats"),
        pytest.param("{", "malformed_json", id="cut off"),
        pytest.param("{'a': 1}", "malformed_json", id="single quotes"),
        pytest.param('{"count": NaN}', "malformed_json", id="NaN"),
        pytest.param('{"count": 1e999}', "malformed_json", id="beyond a double"),
        pytest.param('{"count": "\\ud800"}', "malformed_json", id="half a surrogate pair"),
        pytest.param("[" * 100_000, "malformed_json", id="nested without end"),
        pytest.param("9" * 5000, "malformed_json", id="an endless number"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(api: Api, body: str | None, code: str) -> None:
    """400: it is the caller's to repair."""
    answer = post(api, body)

    assert (answer.status, answer.code, answer.fields) == (400, code, [])


@pytest.mark.parametrize(
    ("body", "status"), [(None, 404), ("", 404), (" \t\r\n", 404), ("\x1c", 400), ("\u00a0", 400)]
)
def test_a_change_without_fields_takes_white_space_of_json_alone(
    api: Api, body: str | None, status: int
) -> None:
    """An unknown job is looked for once the body has been read."""
    path = f"/v1/jobs/{JOB_ID}/resume"

    assert api.deliver(gateway_event("POST", path, body=body, claims=CLAIMS)).status == status


@pytest.mark.parametrize("body", ["[]", '"text"', "5", "null", "true"])
def test_a_body_is_an_object(api: Api, body: str) -> None:
    """JSON of any other type is well-formed, and no request."""
    answer = post(api, body)

    assert (answer.status, answer.fields) == (400, [("body", "wrong_type")])


@pytest.mark.parametrize("body", [b"\xff\xfe", b"{}"[:1] + b"\xc3"])
def test_a_body_that_is_no_utf_8_is_refused(api: Api, body: bytes) -> None:
    """The gateway hands such bodies on in base64."""
    event = gateway_event("POST", PREVIEW, body=base64.b64encode(body).decode(), claims=CLAIMS)
    answer = api.deliver(event | {"isBase64Encoded": True})

    assert (answer.status, answer.code) == (400, "malformed_json")


#: Bodies from the gateway, and whether it says that it encoded them.
NO_TEXT = {
    "no UTF-8": (base64.b64encode(b'{"a":"\xff\xfe"}').decode(), True),
    "half a surrogate pair": (base64.b64encode(b'{"a":"\xed\xa0\x80"}').decode(), True),
    "not encoded": ('{"a":"\ud800"}', False),
    "no Base64": ("\x00!!", True),
    "no ASCII": ("é", True),
}


@pytest.mark.parametrize(
    "route", [r for r in ROUTES if r.method != "GET"], ids=lambda r: r.operation
)
def test_bytes_that_are_no_text_are_malformed_everywhere(route: Route) -> None:
    """Operations that take no body refuse it alike."""
    for name, (body, encoded) in NO_TEXT.items():
        world, sent = example_of(route)
        event = event_of(route, sent)
        answer = world.deliver({**event, "body": body, "isBase64Encoded": encoded})

        assert (answer.status, answer.code) == (400, "malformed_json"), name


def test_a_body_in_base64_is_read(api: Api) -> None:
    """The gateway encodes what it does not know to be text."""
    event = gateway_event(
        "POST", PREVIEW, body=base64.b64encode(VALID.encode()).decode(), claims=CLAIMS
    )

    assert api.deliver(event | {"isBase64Encoded": True}).status == 200


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        pytest.param("application/json", 200, id="JSON"),
        pytest.param("Application/JSON; charset=UTF-8", 200, id="JSON in UTF-8"),
        pytest.param(None, 200, id="nothing"),
        pytest.param("application/json; charset=utf-16", 415, id="JSON in UTF-16"),
        pytest.param("application/x-www-form-urlencoded", 415, id="form"),
        pytest.param("application/merge-patch+json", 415, id="merge patch"),
        pytest.param("text/plain", 415, id="text"),
        pytest.param("application/jsonlines", 415, id="longer name"),
    ],
)
def test_a_body_says_that_it_is_json(api: Api, content_type: str | None, status: int) -> None:
    """Another content type is not guessed at."""
    answer = post(api, VALID, content_type=content_type)

    assert answer.status == status
    assert status == 200 or answer.code == "unsupported_media_type"


def test_a_body_beyond_a_megabyte_is_refused_unread(api: Api) -> None:
    """413, whatever is in it."""
    limit = 1024 * 1024
    answer = post(api, " " * (limit - len(VALID)) + VALID)
    refused = post(api, " " * (limit - len(VALID) + 1) + VALID)

    assert answer.status == 200
    assert (refused.status, refused.code) == (413, "body_too_large")
