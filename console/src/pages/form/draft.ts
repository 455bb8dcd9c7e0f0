import { defaultOf, type Node, shapeOf } from "./contract";

/** A thing as it is written in its form: fields that are left out have their defaults. */
export type Draft = Record<string, unknown>;
export type Path = readonly (string | number)[];

const isRecord = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean => written(one) === written(other);

/** Writes a value so that equal ones are equal texts, whatever the order of their fields. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

/** Returns the value at a path. */
export function valueAt(draft: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)] as unknown;
    return isRecord(value) ? value[part] : undefined;
  }, draft);
}

/** Returns a draft with another value at a path; `undefined` takes a field out, and leaves an item of a list empty. */
export function withValue(draft: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (Array.isArray(draft)) {
    const items = [...(draft as unknown[])];
    const next = withValue(items[Number(part)], rest, value);
    items[Number(part)] = next === undefined ? "" : next;
    return items;
  }
  const fields = isRecord(draft) ? draft : {};
  const next = withValue(fields[part], rest, value);
  if (next !== undefined) return { ...fields, [part]: next };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== part));
}

/** Takes out what has its default, so that a thing reads as its owner would write it. */
export function withoutDefaults(shown: Draft, contract: Node): Draft {
  const names = Object.keys(contract.properties ?? {});
  const own = Object.fromEntries(Object.entries(shown).filter(([name]) => names.includes(name)));
  return stripped(own, contract) as Draft;
}

function stripped(value: unknown, given: Node): unknown {
  const shape = shapeOf(given);
  if (Array.isArray(value)) {
    return shape.kind === "list" ? value.map((each) => stripped(each, shape.item)) : value;
  }
  if (!isRecord(value)) return value;
  if (shape.kind === "union") {
    // The kind stays, also where it is the default: fields of the form follow from it.
    const kind = value[shape.tag];
    return { [shape.tag]: kind, ...(stripped(value, shape.options[String(kind)] ?? {}) as Draft) };
  }
  if (shape.kind !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, stripped(each, shape.fields[name] ?? {})] as const)
      .filter(([name, each]) => shape.required.includes(name) || !isDefault(each, shape.fields[name] ?? {}, value)),
  );
}

function isDefault(value: unknown, node: Node, beside: Draft): boolean {
  if ("default" in node) return isSame(value, defaultOf(node, beside));
  return isSame(value, {}) || isSame(value, []);
}

/** Returns the changes that make one thing the other: each field that differs, as a whole. */
export function changesOf(before: Draft, after: Draft, contract: Node): Draft {
  const changed = Object.entries(contract.properties ?? {}).filter(([name]) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map(([name, node]) => [name, after[name] ?? emptyOf(node)]));
}

/** Names the fields in which two drafts differ. */
export function changedNames(before: Draft, after: Draft): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isSame(before[name], after[name]));
}

/** Returns what a thing is that was changed from `before` to `theirs`, with the fields changed that `mine` changed. */
export function rebased(before: Draft, mine: Draft, theirs: Draft): Draft {
  const changed = new Set(changedNames(before, mine));
  const kept = Object.entries(theirs).filter(([name]) => !changed.has(name));
  return Object.fromEntries([...kept, ...Object.entries(mine).filter(([name]) => changed.has(name))]);
}

/** Returns what a field is when it is left out. */
function emptyOf(node: Node): unknown {
  if ("default" in node) return node.default;
  const { kind } = shapeOf(node);
  return kind === "list" ? [] : kind === "object" || kind === "map" ? {} : null;
}
