import { stringify } from "yaml";
import { expect, it } from "vitest";

import { markNumbers, plainNumbers } from "../../../src/kit";
import { editableJson, writeJson } from "../../../src/pages/shared/json/JsonText";
import { plainJson } from "../../../src/pages/shared/json/plainJson";
import { writeChange } from "../../../src/pages/tenants/audit";
import { parseJson } from "../../../src/pages/shared/json/parseJson";

it.each(["9007199254740992", "-9007199254740993", "123456789012345678901234567890"])(
  "keeps the integer %s, which a browser would change",
  (digits) => {
    const read = JSON.parse(markNumbers(`{"a":[${digits}]}`)) as unknown;

    expect(editableJson(read).replaceAll(/\s/g, "")).toBe(`{"a":[${digits}]}`);
    expect(plainNumbers(stringify(read))).toBe(`a:\n  - ${digits}\n`);
  },
);

it("leaves numbers that a browser has, and digits in texts", () => {
  const json = `{"safe":9007199254740991,"share":0.12345678901234567,"text":"9007199254740993","quoted":"\\"9007199254740993"}`;

  expect(markNumbers(json)).toBe(json);
});

it("reads and shows what a person types, digit by digit", () => {
  const read = parseJson(`{"order": 9007199254740993}`);

  expect(read.ok && writeJson(read.value)).toBe(`{\n  "order": 9007199254740993\n}`);
  expect(writeJson(`{"order":9007199254740993}`)).toBe(`{\n  "order": 9007199254740993\n}`);
  expect(parseJson("1e400").ok).toBe(false);
});

it.each(["\u061c", "\u200f", "\u202e", "\u2066", "\u2069"])("escapes %j, which would turn the members behind it round", (sign) => {
  const value = { note: `${sign}on`, by: "first/demo" };
  const written = plainJson(value);

  expect(written).toBe(`{"note":"\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}on","by":"first/demo"}`);
  expect(JSON.parse(written)).toEqual(value);
  expect(writeJson(value)).not.toContain(sign);
  expect(writeChange(null, value)).toEqual(["none", written]);
});

it("keeps letters that run from right to left, and the joiners of an emoji", () => {
  expect(plainJson(["תקרוב", "👩\u200d👧"])).toBe(`["תקרוב","👩\u200d👧"]`);
});
