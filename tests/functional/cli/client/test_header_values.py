"""Values that no header or path carries are refused before they are sent, and never quoted."""

from collections.abc import Callable

import httpx
import pytest

from tests.functional.cli.fake_api import API_URL, TOKEN_URL, FakeApi
from timegate.client import (
    ClientCredentials,
    ClientError,
    CredentialsError,
    FixedToken,
    NotSendable,
    Profile,
    TimegateClient,
)

BAD_TOKENS = ("s3cret\n", " s3cret", "s3cret\x00", "s3crét", "s3cret\r\nX-Tenant: other", "")


@pytest.mark.parametrize("token", BAD_TOKENS, ids=ascii)
def test_a_token_that_no_header_carries_is_not_quoted(api: FakeApi, token: str) -> None:
    """A file of a secret ends with a line, and a worker logs why its claims fail."""
    profile = Profile(api_url=API_URL, credentials=FixedToken(token=token))
    with (
        TimegateClient(profile, transport=api.transport) as client,
        pytest.raises(CredentialsError) as told,
    ):
        client.get_run("run")

    assert told.value.code == "invalid_token"
    assert "s3cr" not in str(told.value)
    assert api.calls == []


def test_a_token_of_an_issuer_is_held_to_the_same() -> None:
    """Nothing is sent with it."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(200, json={"access_token": "s3cret\n", "expires_in": 60})

    credentials = ClientCredentials(token_url=TOKEN_URL, client_id="a", client_secret="b")
    profile = Profile(api_url=API_URL, credentials=credentials)
    with (
        TimegateClient(profile, transport=httpx.MockTransport(answer)) as client,
        pytest.raises(CredentialsError, match="no header carries"),
    ):
        client.get_run("run")

    assert asked == [httpx.URL(TOKEN_URL).host]


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.trigger_job("job", idempotency_key="key\n"),
        lambda client: client.trigger_job("job", idempotency_key="schlüssel"),
        lambda client: client.traced("00-\n").get_run("run"),
        lambda client: client.get_job("report-\udcff"),
        lambda client: client.get_run("run-\udcff"),
    ],
    ids=["line", "letter", "trace", "half a pair", "half a pair of a run"],
)
def test_a_value_that_cannot_be_sent_is_an_error_of_the_client(
    api: FakeApi, client: TimegateClient, call: Callable[[TimegateClient], object]
) -> None:
    """It is not taken for a stage that does not answer, and asked again."""
    with pytest.raises(ClientError) as told:
        call(client)

    assert isinstance(told.value, NotSendable)
    assert api.calls == []
