"""The client's operations grouped by resource: ``client.jobs.get`` beside ``client.get_job``.

The names follow from those of the operations: the noun is the group, and the rest the name.
"""

import ast
import re
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path

from api.openapi.formatting import formatted
from timegate.value_classes import dataclass

#: Classes whose operations are on other resources than their name says.
_NOUNS = {
    "HeldRunCalls": ["run"],
    "RestrictionCalls": ["calendar", "freeze"],
}
_UNCOUNTED = {"audit"}


@dataclass(frozen=True, kw_only=True, order=True)
class NamespaceMember:
    """One operation of a group."""

    noun: str
    name: str
    #: The class that has it, its module, and its name there.
    carrier: str
    module: str
    method: str


def members(calls: Path) -> list[NamespaceMember]:
    """Every operation of the modules once, in its group; raises ``ValueError`` for one name twice.

    The modules are read, not imported: the client needs what is written here.
    """
    described = list(_described(calls))
    nouns = {carrier: _NOUNS.get(carrier) or [_noun(carrier)] for _, carrier, _ in described}
    every = sorted({each for found in nouns.values() for each in found}, key=len, reverse=True)
    found = sorted(
        _member(module, carrier, method, nouns[carrier], every)
        for module, carrier, method in described
    )
    names = [(each.noun, each.name) for each in found]
    twice = {f"{noun}.{name}" for noun, name in names if names.count((noun, name)) > 1}
    if twice:
        message = f"two operations have the name {', '.join(sorted(twice))}"
        raise ValueError(message)
    return found


def groups(calls: Path) -> str:
    """Return the module with the operations of each group."""
    found = members(calls)
    carriers: dict[str, set[str]] = {}
    for each in found:
        carriers.setdefault(each.module, set()).add(each.carrier)
    lines = [
        f"from timegate.client.calls.{module} import {', '.join(sorted(names))}"
        for module, names in sorted(carriers.items())
    ]
    lines.append("from timegate.client.sending import Calls\n\n")
    for noun in _nouns(found):
        lines += _group(noun, [each for each in found if each.noun == noun])
    return formatted(_head("Operations by resource") + "\n".join(lines), "groups.py")


def namespaces(calls: Path) -> str:
    """Return the module with a class for each group and kind of client."""
    nouns = _nouns(members(calls))
    names = ", ".join(sorted((f"{_title(noun)}Operations" for noun in nouns), key=str.lower))
    lines = [
        f"from timegate.client.groups import {names}",
        "from timegate.client.operation import Namespace",
        "from timegate.client.sending import AsyncCalls, Calls, SyncCalls\n\n",
    ]
    for noun in nouns:
        lines += _classes(noun)
    lines.append("class Namespaces(Calls):")
    lines.append('    """Operations of a client, by resource."""\n')
    lines += [
        f"    {_plural(noun)} = Namespace({_title(noun)}, Async{_title(noun)})" for noun in nouns
    ]
    return formatted(
        _head("Resources of a client: ``client.jobs.get``") + "\n".join(lines), "namespaces.py"
    )


def _head(words: str) -> str:
    return f'"""{words}; ``python -m api.openapi`` writes them."""\n\n'


def _nouns(found: list[NamespaceMember]) -> list[str]:
    return sorted({each.noun for each in found})


def _group(noun: str, found: list[NamespaceMember]) -> Iterator[str]:
    yield f"class {_title(noun)}Operations(Calls):"
    yield f'    """Operations on {_words(noun)}."""\n'
    yield from (f"    {each.name} = {each.carrier}.{each.method}" for each in found)
    yield "\n"


def _classes(noun: str) -> Iterator[str]:
    title, words = _title(noun), _words(noun)
    yield f'class {title}({title}Operations, SyncCalls):\n    """Operations on {words}."""'
    yield (
        f"\n\nclass Async{title}({title}Operations, AsyncCalls):"
        f'\n    """Operations on {words}, awaited."""\n\n'
    )


def _words(noun: str) -> str:
    return _plural(noun).replace("_", " ")


def _member(
    module: str, carrier: str, method: str, own: list[str], every: list[str]
) -> NamespaceMember:
    named = [each for each in every if _has(method, each)]
    # A task of a DAG run names a DAG as well.
    others = [each for each in named if not any(each in noun for noun in own)]
    noun = next((each for each in named if each in own), (others or own)[0])
    name = _without(method, noun)
    return NamespaceMember(noun=noun, name=name, carrier=carrier, module=module, method=method)


def _has(method: str, noun: str) -> bool:
    return any(f"_{each}_" in f"_{method}_" for each in (noun, f"{noun}s"))


def _without(method: str, noun: str) -> str:
    """Return the rest of the name; several of them are ``…_many``, unless they are listed."""
    name = f"{method}_".replace(f"_{noun}_", "_").strip("_")
    if name == method:
        name = f"{method}_".replace(f"_{noun}s_", "_").strip("_")
        if name != method and not name.startswith("list"):
            name = f"{name}_many"
    if noun == "dag_run":
        name = name.replace("_dag", "")
    return f"{name}_" if iskeyword(name) else name


def _described(calls: Path) -> Iterator[tuple[str, str, str]]:
    """Module, class and name of each method that is an operation or a listing."""
    for path in sorted(calls.glob("*.py")):
        for carrier in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(carrier, ast.ClassDef):
                for method in carrier.body:
                    if isinstance(method, ast.FunctionDef) and _is_described(method):
                        yield path.stem, carrier.name, method.name


def _is_described(method: ast.FunctionDef) -> bool:
    names = {each.id for each in method.decorator_list if isinstance(each, ast.Name)}
    return bool(names & {"operation", "listing"})


def _noun(carrier: str) -> str:
    words = re.findall(r"[A-Z][a-z]*", carrier.removesuffix("Calls"))
    return "_".join(words).lower()


def _plural(noun: str) -> str:
    return noun if noun in _UNCOUNTED else f"{noun}s"


def _title(noun: str) -> str:
    return "".join(word.title() for word in _plural(noun).split("_"))
