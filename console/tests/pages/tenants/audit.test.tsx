import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { writeChange } from "../../../src/pages/tenants/audit";
import { Changes } from "../../../src/pages/tenants/AuditCells";
import { AUDIT } from "../../support/answers";
import { show } from "../../support/page";

const LONG = "x".repeat(200);

it.each([
  ["short values whole", "a", "b", ["a", "b"]],
  ["none where there was none", null, { n: 1 }, ["none", '{"n":1}']],
  ["values of 120 characters whole", "y".repeat(120), "z", ["y".repeat(120), "z"]],
  ["long values from their first difference", `${LONG}one`, `${LONG}two`, [`…${"x".repeat(30)}one`, `…${"x".repeat(30)}two`]],
  ["long values that differ at once from their begin", `a${LONG}`, `b${LONG}`, [`a${LONG.slice(0, 119)}…`, `b${LONG.slice(0, 119)}…`]],
  ["a value that was made longer", LONG, `${LONG}!`, [`…${"x".repeat(30)}`, `…${"x".repeat(30)}!`]],
])("writes %s", (_, before, after, texts) => {
  expect(writeChange(before, after)).toEqual(texts);
});

it("tells two versions of a long payload apart, and opens both as a whole", async () => {
  const [entry] = AUDIT.items;
  if (entry === undefined) throw new Error("There is no entry.");
  const changes = [{ field: "payload", before: { text: LONG, page: 1 }, after: { text: LONG, page: 2 } }];
  show(<Changes entry={{ ...entry, changes }} />, {});
  const item = screen.getByRole("listitem");
  const [was, is] = item.textContent.split(" → ");
  expect(was).toContain('"page":1');
  expect(is).toContain('"page":2');
  expect(screen.queryByRole("group", { name: "payload before" })).toBeNull();
  await userEvent.click(screen.getByText("payload as a whole"));

  expect(screen.getByRole("group", { name: "payload before" }).textContent).toContain(LONG);
});
