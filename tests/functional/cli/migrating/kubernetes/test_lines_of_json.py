"""Lines of elements of JSON: those that ``kubectl`` prints, and any other layout."""

import json

import pytest
from yaml import SafeLoader as Loader

from timegate.cli.reading.json_lines import lines_of_elements
from timegate.cli.reading.yaml_reading import load_all_with_lines

LIST = {"a": {"items": [9]}, "items": [{"items": []}, "]", 1.5, None, [2]], "b": "\n"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (json.dumps(LIST), [1, 1, 1, 1, 1, 1]),
        (json.dumps(LIST, indent=1), [1, 8, 11, 12, 13, 14]),
        ('\n\n {"items"\n:\n[\n7\n,\r\n8]\n}\n', [3, 6, 8]),
        ('{"items": []}', [1]),
        ('{"items": [1],\n"items": [\n2, 3]}', [1, 3, 3]),
        ('{"items": 7}', [1]),
        ('{"other": [1]}', [1]),
        ("[1]", [1]),
        ("{}", [1]),
    ],
)
def test_each_element_has_its_line(text: str, lines: list[int]) -> None:
    """The document's line is first; a path that leads to no list has no other."""
    assert lines_of_elements(text, "items") == lines


def test_files_of_json_are_not_composed_as_yaml() -> None:
    """Tabs and long answers are read as JSON."""
    text = json.dumps(LIST, indent="\t")

    assert load_all_with_lines(text, "file", "items") == [(LIST, [1, 8, 11, 12, 13, 14])]


def test_a_path_leads_through_objects() -> None:
    """Names of other objects are passed over."""
    text = '{"x": {"items": [1]},\n"a": {"b": [\n1, 2]}}'

    assert lines_of_elements(text, "a", "b") == [1, 3, 3]
    assert lines_of_elements(text, "x", "b") == [1]


@pytest.mark.parametrize("text", ["", "{", "{a: 1}", "{}\n---\n{}", '{"items": [1]} x'])
def test_other_text_is_no_document_of_json(text: str) -> None:
    """YAML may begin with a bracket, and hold several documents."""
    with pytest.raises(ValueError, match=r".*"):
        lines_of_elements(text, "items")


def test_yaml_that_begins_with_a_bracket_is_composed() -> None:
    """Each document has its lines."""
    found = load_all_with_lines("{items: [1,\n2]}\n---\n{}\n", "file", "items")

    assert found == [({"items": [1, 2]}, [1, 1, 2]), ({}, [4])]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("items:\n- 1\n- 2\n---\nitems: [3]\n", [[1, 2, 3], [5, 5]]),
        # A merge brings items that the document does not write.
        ("a: &a\n  items: [1, 2]\n<<: *a\n", [[1]]),
    ],
)
def test_yaml_is_parsed_once_for_its_values_and_its_lines(
    monkeypatch: pytest.MonkeyPatch, text: str, lines: list[list[int]]
) -> None:
    """Parsing takes nearly all of the time of an import."""
    parsed = []
    whole = Loader.__init__

    def counted(loader: Loader, stream: str) -> None:
        parsed.append(stream)
        whole(loader, stream)

    monkeypatch.setattr(Loader, "__init__", counted)

    assert [each for _, each in load_all_with_lines(text, "file", "items")] == lines
    assert parsed == [text]
