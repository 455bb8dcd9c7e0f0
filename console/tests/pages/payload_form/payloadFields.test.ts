import { describe, expect, it } from "vitest";

import { draftOf, fieldsOf, payloadOf, readField, refusalOf, textIn } from "../../../src/pages/payload_form/payloadFields";

const SCHEMA = {
  type: "object",
  properties: {
    day: { type: "string", title: "Day", description: "Its day.", default: "2026-11-30" },
    rows: { type: "integer" },
    share: { type: ["number", "null"] },
    format: { enum: ["csv", 1, null] },
    fixed: { const: "a" },
    isFull: { type: "boolean" },
    lines: { type: "array" },
    either: { type: ["string", "integer"] },
    any: {},
  },
  required: ["day"],
};
const FIELDS = fieldsOf(SCHEMA) ?? [];

describe("fields of a payload", () => {
  it("follow the schema, in its order", () => {
    expect(FIELDS.map(({ name, kind }) => [name, kind])).toEqual([
      ["day", "text"], ["rows", "integer"], ["share", "number"], ["format", "choice"], ["fixed", "choice"],
      ["isFull", "choice"], ["lines", "json"], ["either", "json"], ["any", "json"],
    ]);
    expect(FIELDS[0]).toMatchObject({ label: "Day", description: "Its day.", isRequired: true, placeholder: "2026-11-30" });
    expect(FIELDS[5]?.choices).toEqual([true, false]);
  });

  it("are none where the schema names no members", () => {
    expect([null, {}, { type: "string" }, { properties: {} }].map(fieldsOf)).toEqual([null, null, null, null]);
  });

  it("make the payload that they were made of, with members that they do not show", () => {
    const payload = { day: "x", rows: 1, share: 0.5, format: "csv", isFull: false, lines: [1], other: "kept" };

    expect(payloadOf(FIELDS, draftOf(FIELDS, payload), payload)).toEqual(payload);
  });

  it("fill no defaults, and leave out members whose fields are empty", () => {
    expect(payloadOf(FIELDS, { rows: "", day: "x" }, { rows: 5 })).toEqual({ day: "x" });
    expect(payloadOf(FIELDS, {}, null)).toEqual({});
  });

  it("read numbers as such and nothing else", () => {
    const read = (name: string, text: string): boolean | undefined =>
      readField(FIELDS.find((field) => field.name === name) ?? fail(name), text)?.ok;

    expect([read("rows", "7"), read("rows", "7.5"), read("rows", "x"), read("rows", "")]).toEqual([true, false, false, undefined]);
    expect([read("share", "-0.5e3"), read("share", ".5"), read("lines", "[")]).toEqual([true, false, false]);
  });

  it("are empty under names that every object of JavaScript has", () => {
    const names = ["constructor", "toString", "valueOf", "__proto__"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const fields = fieldsOf({ type: "object", properties }) ?? [];
    const typed = { ...draftOf(fields, null), ["__proto__"]: "x" };

    expect(fields.map(({ name }) => textIn(draftOf(fields, null), name))).toEqual(["", "", "", ""]);
    expect(payloadOf(fields, {}, null)).toEqual({});
    expect(JSON.stringify(payloadOf(fields, typed, null))).toBe('{"__proto__":"x"}');
  });

  it("find their refusal by a pointer", () => {
    const errors = [{ field: "payload/lines/3/sku", detail: "Missing." }, { field: "payload/a~1b", detail: "Wrong." }];

    expect(["lines", "a/b", "line"].map((name) => refusalOf(name, errors))).toEqual(["/3/sku: Missing.", "Wrong.", null]);
  });
});

function fail(name: string): never {
  throw new Error(name);
}
