/** A schema of the API's description, as far as a form needs it. */
export interface Node {
  $ref?: string;
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: string;
  enum?: string[];
  format?: string;
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  oneOf?: Node[];
  anyOf?: Node[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  additionalProperties?: Node | boolean;
  patternProperties?: Record<string, Node>;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  /** A list beside it: where that has items, the default is one more than them. */
  "x-timegate-one-more-than"?: string;
}

/** Schemas of the API's description that a form has brought: a name means the same in each. */
const NODES: Record<string, Node> = {};

/** Returns the contract of a form, and makes its schemas known. */
export function contractOf(root: string, schemas: object): Node {
  Object.assign(NODES, schemas);
  return NODES[root] ?? {};
}

/** The part of a form that a schema asks for. */
export type Shape =
  | { kind: "choice"; values: string[] }
  | { kind: "union"; tag: string; options: Record<string, Node> }
  | { kind: "object"; fields: Record<string, Node>; required: string[] }
  | { kind: "map"; value: Node }
  | { kind: "list"; item: Node }
  | { kind: "number"; minimum: number | null; maximum: number | null }
  | { kind: "duration" | "instant" | "boolean" | "json" }
  | { kind: "text"; isLong: boolean };

/** Texts of several lines: descriptions and recurrence rules, not addresses. */
const LONG_TEXT = 2_000;
const ADDRESS = 2_048;

/** Resolves references, and the union with null; descriptions of the use win over the type's. */
export function resolved(node: Node): Node & { isNullable: boolean } {
  const [first, ...more] = (node.anyOf ?? []).filter(({ type }) => type !== "null");
  const isNullable = node.anyOf?.some(({ type }) => type === "null") ?? false;
  if (first !== undefined && more.length === 0) {
    return { ...resolved(first), ...said(node), isNullable };
  }
  if (node.$ref === undefined) return { ...node, isNullable };
  return { ...resolved(NODES[node.$ref.split("/").at(-1) ?? ""] ?? {}), ...said(node), isNullable };
}

function said({ description, ...node }: Node): Node {
  return {
    ...(description === undefined ? {} : { description }),
    ...("default" in node ? { default: node.default } : {}),
  };
}

/** Returns what a field is when it is left out beside other fields; undefined: its schema names nothing. */
export function defaultOf(node: Node, beside: unknown): unknown {
  const list = (beside as Record<string, unknown> | null | undefined)?.[node["x-timegate-one-more-than"] ?? ""];
  return Array.isArray(list) && list.length > 0 ? list.length + 1 : resolved(node).default;
}

/** Tells what a schema asks for. */
export function shapeOf(given: Node): Shape {
  const node = resolved(given);
  const { discriminator } = node;
  if (discriminator !== undefined) {
    const options = Object.entries(discriminator.mapping);
    return {
      kind: "union",
      tag: discriminator.propertyName,
      options: Object.fromEntries(options.map(([name, $ref]) => [name, { $ref }])),
    };
  }
  if (node.oneOf?.some(({ format }) => format === "duration") === true) return { kind: "duration" };
  if (node.enum !== undefined) return { kind: "choice", values: node.enum };
  if (node.properties !== undefined) {
    return { kind: "object", fields: node.properties, required: node.required ?? [] };
  }
  return simpleShape(node);
}

function simpleShape(node: Node): Shape {
  switch (node.type) {
    case "object":
      return isFree(node) ? { kind: "json" } : { kind: "map", value: valueOfMap(node) };
    case "array":
      return { kind: "list", item: node.items ?? {} };
    case "integer":
    case "number":
      return { kind: "number", minimum: node.minimum ?? null, maximum: node.maximum ?? null };
    case "boolean":
      return { kind: "boolean" };
    case "string":
      if (node.format === "date-time") return { kind: "instant" };
      return { kind: "text", isLong: isLongText(node.maxLength ?? 0) };
    default:
      return { kind: "json" };
  }
}

const isLongText = (most: number): boolean => most >= LONG_TEXT && most !== ADDRESS;

/** Fields of any name and kind are written as JSON: patterns, parameters, patches. */
const isFree = (node: Node): boolean => node.additionalProperties === true && node.patternProperties === undefined;

function valueOfMap(node: Node): Node {
  const [pattern] = Object.values(node.patternProperties ?? {});
  if (pattern !== undefined) return pattern;
  return typeof node.additionalProperties === "object" ? node.additionalProperties : { type: "string" };
}

const ABBREVIATIONS = /\b(arn|dst|ecs|id|sns|sqs|ssm|url)\b/g;

/** Writes a field's name as a label: `max_attempts` is "Max attempts". */
export function labelOf(name: string): string {
  const words = name.replaceAll("_", " ").replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Writes the value of a simple field as text; others, and none, are empty. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
