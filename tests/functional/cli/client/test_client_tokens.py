"""The client shows a token, and renews it."""

import httpx
import pytest

from tests.functional.cli.fake_api import (
    API_URL,
    TOKEN_URL,
    FakeApi,
    basic,
    placeholder,
    refusal,
)
from tests.functional.cli.samples import JOB_ID
from timegate.client import (
    ClientCredentials,
    CredentialsError,
    FixedToken,
    NotReachable,
    ProblemError,
    Profile,
    Retries,
    TimegateClient,
    load_profile,
)


def test_a_token_is_asked_for_once(api: FakeApi, client: TimegateClient) -> None:
    """It is kept in memory for the calls that follow."""
    client.get_job(JOB_ID)
    client.get_job(JOB_ID)

    assert api.tokens == ["token-1", "token-1"]
    assert [basic(call) for call in api.token_calls] == ["first:s3cret"]
    assert api.token_calls[0].content == (
        b"grant_type=client_credentials&scope=timegate%2Fread+timegate%2Fwrite"
    )


def test_a_forked_process_asks_for_a_token_of_its_own(
    api: FakeApi, client: TimegateClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock of the one before may be held by a thread that is not in it."""
    client.get_job(JOB_ID)
    monkeypatch.setattr("os.getpid", lambda: -1)
    client.get_job(JOB_ID)
    client.get_job(JOB_ID)

    assert api.tokens == ["token-1", "token-2", "token-2"]


def test_a_profile_without_scopes_asks_for_none(api: FakeApi) -> None:
    """The issuer gives all that the client has; some refuse an empty list as no scope of theirs."""
    credentials = ClientCredentials(token_url=TOKEN_URL, client_id="first", client_secret="s3cret")
    profile = Profile(api_url=API_URL, credentials=credentials)
    with TimegateClient(profile, transport=api.transport) as client:
        client.get_job(JOB_ID)

    assert api.token_calls[0].content == b"grant_type=client_credentials"


def test_a_token_request_can_time_out(api: FakeApi, client: TimegateClient) -> None:
    """It is made by hand, and one without timeouts would wait for ever."""
    client.get_job(JOB_ID)

    assert api.token_calls[0].extensions["timeout"] == api.calls[0].extensions["timeout"]
    assert api.token_calls[0].extensions["timeout"]["read"] == 30.0


def test_a_token_that_expired_is_renewed(api: FakeApi, client: TimegateClient) -> None:
    """The call that met the 401 is sent again, whatever it does: it was not carried out."""
    api.will(placeholder({}), refusal(401, "unauthorized"), placeholder({"run_id": "r"}))
    client.get_job(JOB_ID)
    answer = client.trigger_job(JOB_ID)

    assert answer["run_id"] == "r"
    assert api.tokens == ["token-1", "token-1", "token-2"]


def test_a_token_is_renewed_once(api: FakeApi, client: TimegateClient) -> None:
    """A new token that is refused, too, is not the token's fault."""
    api.will(refusal(401, "unauthorized"))

    with pytest.raises(ProblemError) as refused:
        client.get_job(JOB_ID)
    assert refused.value.status == 401
    assert api.tokens == ["token-1", "token-2"]


def test_a_fixed_token_is_shown_as_it_is(api: FakeApi) -> None:
    """No issuer is asked for another."""
    profile = Profile(api_url=f"{API_URL}/", credentials=FixedToken(token="mine"))
    api.will(refusal(401, "unauthorized"))

    with (
        TimegateClient(profile, transport=api.transport) as client,
        pytest.raises(ProblemError),
    ):
        client.get_job(JOB_ID)
    assert api.asked == [f"GET /v1/jobs/{JOB_ID}"]
    assert (api.tokens, api.token_calls) == (["mine"], [])


def test_secrets_are_in_no_representation() -> None:
    """Tracebacks and logs show what objects say of themselves."""
    credentials = ClientCredentials(token_url="u", client_id="i", client_secret="s3cret")

    assert "s3cret" not in repr(Profile(api_url="u", credentials=credentials))
    assert "s3cret" not in repr(Profile(api_url="u", credentials=FixedToken(token="s3cret")))


def test_the_environment_replaces_what_the_profile_says(environ: dict[str, str]) -> None:
    """Each variable alone; both need no profile."""
    token = FixedToken(token="mine")
    with_token = load_profile({**environ, "TIMEGATE_TOKEN": " mine\n"})
    with_url = load_profile({**environ, "TIMEGATE_API_URL": "https://other"})

    assert (with_token.api_url, with_token.credentials) == (API_URL, token)
    assert with_url.api_url == "https://other"
    assert isinstance(with_url.credentials, ClientCredentials)
    assert load_profile({"TIMEGATE_API_URL": API_URL, "TIMEGATE_TOKEN": "mine"}) == Profile(
        api_url=API_URL, credentials=token
    )


@pytest.mark.parametrize(
    "variables",
    [
        {"TIMEGATE_API_URL": "https://other"},
        {"TIMEGATE_TOKEN": "mine"},
        {"TIMEGATE_API_URL": "https://other", "TIMEGATE_TOKEN": "mine"},
    ],
    ids=["address", "token", "both"],
)
def test_a_profile_that_is_named_is_as_its_file_says(
    environ: dict[str, str], variables: dict[str, str]
) -> None:
    """A command for one stage acts on no other one, and shows it no token of the first."""
    assert load_profile({**environ, **variables}, "local") == load_profile(environ, "local")


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.Response(429, json={"error": "slow_down"}),
        httpx.Response(503, text="<html>"),
        httpx.ReadTimeout("slow"),
    ],
    ids=["429", "503", "no answer"],
)
def test_a_token_endpoint_in_trouble_is_asked_again(
    api: FakeApi, client: TimegateClient, trouble: httpx.Response | Exception
) -> None:
    """For any call: none was sent without a token."""
    api.token_answer = lambda number: (
        trouble if number == 1 else httpx.Response(200, json={"access_token": "good"})
    )
    client.pause_job(JOB_ID)

    assert api.tokens == ["good"]
    assert len(api.token_calls) == 2


def test_a_token_that_is_refused_is_asked_for_once(api: FakeApi, client: TimegateClient) -> None:
    """Another request would be refused alike."""
    api.token_answer = lambda _: httpx.Response(400, json={"error": "invalid_client"})

    with pytest.raises(CredentialsError):
        client.get_job(JOB_ID)
    assert len(api.token_calls) == 1


def test_a_token_endpoint_that_is_silent_has_let_nothing_happen(api: FakeApi) -> None:
    """A caller may begin again without fear."""
    api.token_answer = lambda _: httpx.ReadTimeout("slow")
    profile = Profile(
        api_url=API_URL,
        credentials=ClientCredentials(token_url=TOKEN_URL, client_id="a", client_secret="b"),
    )
    retries = Retries(max_attempts=1)

    with (
        TimegateClient(profile, transport=api.transport, retries=retries) as client,
        pytest.raises(NotReachable) as refused,
    ):
        client.pause_job(JOB_ID)
    assert (refused.value.url, refused.value.may_have_arrived) == (TOKEN_URL, False)


def test_an_address_of_tokens_that_is_none_is_not_reachable(api: FakeApi) -> None:
    """The address of an API is refused alike."""
    credentials = ClientCredentials(
        token_url="https://id.example.com:x/", client_id="a", client_secret="b"
    )
    profile = Profile(api_url=API_URL, credentials=credentials)
    retries = Retries(max_attempts=1)

    with (
        TimegateClient(profile, transport=api.transport, retries=retries) as client,
        pytest.raises(NotReachable),
    ):
        client.get_job(JOB_ID)
    assert api.calls == []
