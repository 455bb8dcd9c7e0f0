import { parseJson } from "../shared/json/parseJson";
import { editableJson } from "../shared/json/JsonText";

/** A JSON schema of a payload, as far as a form needs it. */
interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** A member of a payload, as a form asks for it. */
export interface PayloadField {
  name: string;
  label: string;
  description: string;
  isRequired: boolean;
  /** The schema's default, which no run is given by itself. */
  placeholder: string;
  kind: "text" | "integer" | "number" | "choice" | "json";
  choices: unknown[];
}

/** Texts of fields by name: those that are typed, and JSON of the others. */
export type Draft = Record<string, string>;
export type Read = { ok: true; value: unknown } | { ok: false; error: string };

/** Returns the fields of a schema's members; null: it names none, and JSON is the way. */
export function fieldsOf(schema: unknown): PayloadField[] | null {
  const { properties, required } = (schema ?? {}) as Schema;
  const named = Object.entries(properties ?? {});
  if (named.length === 0) return null;
  return named.map(([name, member]) => fieldOf(name, member, (required ?? []).includes(name)));
}

function fieldOf(name: string, member: Schema, isRequired: boolean): PayloadField {
  const kind = kindOf(member);
  return {
    name,
    label: member.title ?? name,
    description: member.description ?? "",
    isRequired,
    placeholder: member.default === undefined ? "" : textOf(kind, member.default),
    kind,
    choices: choicesOf(member),
  };
}

function choicesOf(member: Schema): unknown[] {
  if (member.enum !== undefined) return member.enum;
  if (member.const !== undefined) return [member.const];
  return typesOf(member).join() === "boolean" ? [true, false] : [];
}

function kindOf(member: Schema): PayloadField["kind"] {
  if (choicesOf(member).length > 0) return "choice";
  const [type, ...more] = typesOf(member);
  if (more.length > 0) return "json";
  if (type === "string") return "text";
  return type === "integer" || type === "number" ? type : "json";
}

/** The types of a member without null, for which leaving it out or JSON is the way. */
const typesOf = ({ type }: Schema): string[] => [type ?? []].flat().filter((each) => each !== "null");

const textOf = (kind: PayloadField["kind"], value: unknown): string =>
  kind === "text" && typeof value === "string" ? value : editableJson(value);

/** Returns the texts of fields for a payload, which may be none yet. */
export function draftOf(fields: PayloadField[], payload: unknown): Draft {
  const known = objectOf(payload);
  return Object.fromEntries(
    fields.filter(({ name }) => Object.hasOwn(known, name)).map(({ name, kind }) => [name, textOf(kind, known[name])]),
  );
}

/** Returns the text of a field; a schema may name what every object has, such as `constructor`. */
export const textIn = (draft: Draft, name: string): string => (Object.hasOwn(draft, name) ? (draft[name] ?? "") : "");

const FORMS = { integer: /^-?\d+$/, number: /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/ };

/** Reads the text of a field; one that is empty leaves its member out. */
export function readField(field: PayloadField, text: string): Read | null {
  if (text === "") return null;
  if (field.kind === "text") return { ok: true, value: text };
  if (field.kind === "integer" && !FORMS.integer.test(text)) return { ok: false, error: "A whole number: 90." };
  if (field.kind === "number" && !FORMS.number.test(text)) return { ok: false, error: "A number: 90, or 0.5." };
  return parseJson(text);
}

/** Returns the payload that fields make of one: members without a field stay as they are. */
export function payloadOf(fields: PayloadField[], draft: Draft, payload: unknown): Record<string, unknown> {
  const named = new Set(fields.map(({ name }) => name));
  const others = Object.entries(objectOf(payload)).filter(([name]) => !named.has(name));
  const read = fields.flatMap((field): [string, unknown][] => {
    const found = readField(field, textIn(draft, field.name));
    return found?.ok === true ? [[field.name, found.value]] : [];
  });
  return Object.fromEntries([...read, ...others]);
}

function objectOf(payload: unknown): Record<string, unknown> {
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  return isObject ? (payload as Record<string, unknown>) : {};
}

/** Returns the refusal of a member, or of a value in it, that an answer of the API has. */
export function refusalOf(name: string, errors: readonly { field: string; detail: string }[]): string | null {
  const place = `payload/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const found = errors.find(({ field }) => field === place || field.startsWith(`${place}/`));
  if (found === undefined) return null;
  return found.field === place ? found.detail : `${found.field.slice(place.length)}: ${found.detail}`;
}
