"""Pictures that a browser opens: SVG of DAGs and their runs, which runs nothing."""

import re
import zoneinfo
from base64 import b64encode
from hashlib import sha256
from xml.etree import ElementTree as ET

import pytest

from tests.support.api import Answer, Api

UNKNOWN = "a" * 26
HOSTILE = '</text><script>alert(1)</script><image href="//example.com"/>\'"&'
ELEMENTS = {
    *("svg", "title", "desc", "style", "rect", "text", "g"),
    *("defs", "marker", "path", "line"),
}
SVG = "{http://www.w3.org/2000/svg}"


def pictured(api: Api, *, name: str = "nightly", timezone: str | None = None) -> list[str]:
    """Paths of the pictures of a DAG with a run."""
    work = {"action": {"type": "webhook", "url": "https://hooks.example.com/a"}}
    task = {"key": "a", "name": name, "job": work}
    clock = {"kind": "cron", "cron": "0 3 * * *", "timezone": timezone}
    schedule = {"schedule": clock} if timezone else {}
    created = api.send("POST", "/v1/dags", {"name": name, "tasks": [task], "edges": [], **schedule})
    assert created.status == 201, created.body
    path = created.headers["location"]
    run = api.send("POST", f"{path}/runs", {}).body["dag_run_id"]
    return [
        f"{path}/graph.svg",
        f"/v1/dag-runs/{run}/graph.svg",
        f"/v1/dag-runs/{run}/gantt.svg",
    ]


def root_of(answer: Answer) -> ET.Element:
    """The picture, read as XML."""
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    return ET.fromstring(answer.body)


@pytest.mark.parametrize("scheme", ["auto", "light", "dark"])
def test_a_browser_may_apply_the_style_and_nothing_else(api: Api, scheme: str) -> None:
    """Its policy names the digest of the one style sheet that there is."""
    for path in pictured(api):
        answer = api.send("GET", f"{path}?scheme={scheme}")
        (style,) = re.findall("<style>(.*?)</style>", answer.body)
        digest = b64encode(sha256(style.encode()).digest()).decode()

        assert answer.headers["content-security-policy"] == (
            f"sandbox; default-src 'none'; style-src 'sha256-{digest}'"
        )
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert ("prefers-color-scheme" in style) == (scheme == "auto")
        # The digest is that of the text that a browser reads, not of what stands for it.
        assert root_of(answer).findtext(f"{SVG}style") == style
        assert " style=" not in answer.body


def test_names_are_text(api: Api) -> None:
    """A name of any text makes no element and fetches nothing."""
    for path in pictured(api, name=HOSTILE):
        root = root_of(api.send("GET", path))
        elements = {each.tag.removeprefix(SVG) for each in root.iter()}
        attributes = {name for each in root.iter() for name in each.attrib}

        assert root.findtext(f"{SVG}title") == HOSTILE
        assert elements <= ELEMENTS
        assert not any(name.startswith("on") or "href" in name for name in attributes)


def test_an_unchanged_picture_is_not_sent_again(api: Api) -> None:
    """Its ETag is a digest, as that of other reads."""
    path, *_ = pictured(api)
    first = api.send("GET", path)
    again = api.send("GET", path, If_None_Match=first.headers["etag"])

    assert (first.status, again.status) == (200, 304)


@pytest.mark.parametrize(
    ("timezone", "query", "shown"),
    [
        (None, "", "UTC"),
        ("Asia/Kolkata", "", "Asia/Kolkata"),
        ("Asia/Kolkata", "?tz=America/New_York", "America/New_York"),
    ],
)
def test_an_axis_is_in_the_zone_of_the_dag(
    api: Api, timezone: str | None, query: str, shown: str
) -> None:
    """Or in the one that was asked for; the text as well."""
    *_, gantt = pictured(api, timezone=timezone)
    root = root_of(api.send("GET", f"{gantt}{query}"))
    asked = query.replace("?", "&")
    data = api.send("GET", f"{gantt.removesuffix('.svg')}?format=text{asked}").body

    assert shown in [each.text for each in root.iter(f"{SVG}text")]
    assert data["timezone"] == shown


@pytest.mark.parametrize("path", ["gantt.svg", "gantt"])
def test_an_unknown_zone_is_named(api: Api, path: str) -> None:
    """With the field, and how one is written."""
    *_, gantt = pictured(api)
    refused = api.send("GET", f"{gantt.removesuffix('gantt.svg')}{path}?tz=Mars/Base")

    assert (refused.status, refused.fields) == (400, [("tz", "unknown_timezone")])


def test_nothing_is_drawn_of_what_is_not_there(api: Api) -> None:
    """An unknown DAG, run or version, a scheme that there is not, and another tenant's."""
    dag, run, gantt = pictured(api)
    missing = [api.send("GET", path, tenant="globex").status for path in (dag, run, gantt)]
    unknown = api.send("GET", f"/v1/dag-runs/{UNKNOWN}/graph.svg")

    assert missing == [404, 404, 404]
    assert unknown.code == "dag_run_not_found"
    assert api.send("GET", f"{dag}?version=2").code == "dag_version_not_found"
    assert api.send("GET", f"{dag}?scheme=sepia").fields == [("scheme", "invalid_choice")]
    assert api.send("GET", f"{dag}?format=svg").fields == [("format", "unknown_field")]


def test_a_chart_in_a_zone_that_was_withdrawn_has_the_clock_of_utc(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request names no zone, and was refused for that of the schedule."""
    path = pictured(api, timezone="America/Godthab")[-1].removesuffix(".svg")
    real = zoneinfo.ZoneInfo

    def without(name: str) -> zoneinfo.ZoneInfo:
        if name == "America/Godthab":
            raise zoneinfo.ZoneInfoNotFoundError(name)
        return real(name)

    monkeypatch.setattr(zoneinfo, "ZoneInfo", without)
    answers = [api.send("GET", f"{path}{rest}") for rest in ("", "?format=text", ".svg")]
    asked = api.send("GET", f"{path}?tz=America/Godthab")

    assert [answer.status for answer in answers] == [200, 200, 200]
    assert answers[0].body["timezone"] == "UTC"
    assert (asked.status, asked.fields) == (400, [("tz", "unknown_timezone")])
