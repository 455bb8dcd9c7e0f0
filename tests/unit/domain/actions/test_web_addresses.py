"""Addresses of web hooks: one host, and no text that another reader takes for it."""

import pytest

from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_url
from timegate.domain.values.errors import InvalidInput


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https:/hooks.example.com/report", id="one-slash"),
        pytest.param("https://", id="nothing"),
        pytest.param("https://:443/", id="a-port-alone"),
        pytest.param("https://hooks.example.com[2606:4700::1111]/", id="before-brackets"),
        pytest.param("https://[2606:4700::1111]hooks.example.com/", id="behind-brackets"),
        pytest.param("https://[v1.example]/", id="a-name-in-brackets"),
    ],
)
def test_an_address_names_one_host(url: str) -> None:
    """``urlsplit`` leaves out what stands around brackets, and others do not."""
    with pytest.raises(InvalidInput) as refused:
        check_url(url, "action.url", TargetRules())

    assert refused.value.code == "invalid_url"
    assert "It must name one host" in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com",
        "https://hooks.example.com:/report",
        "https://[2606:4700::1111]:443/report",
        "HTTPS://hooks.example.com?day=1",
    ],
)
def test_a_host_may_have_brackets_and_a_port(url: str) -> None:
    check_url(url, "action.url", TargetRules())
