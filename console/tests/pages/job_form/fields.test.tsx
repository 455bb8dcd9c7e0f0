import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";

import type { Node } from "../../../src/pages/form/contract";
import { type Draft, withValue } from "../../../src/pages/form/draft";
import { SchemaField } from "../../../src/pages/form/fields/SchemaField";
import { FormContext } from "../../../src/pages/form/formContext";
import { show } from "../../support/page";

/** Shows one field, and returns the draft as it is; `unread` keeps why it cannot be stored. */
function showField(node: Node, first: Draft, unread: (string | null)[] = []): () => Draft {
  let known = first;
  const markUnread = (_: string, error: string | null): void => {
    unread.push(error);
  };
  function Form() {
    const [draft, setDraft] = useState(first);
    known = draft;
    const change = (path: readonly (string | number)[], value: unknown): void => {
      setDraft((was) => withValue(was, path, value) as Draft);
    };
    return (
      <FormContext value={{ draft, change, refusals: {}, markUnread }}>
        <SchemaField name="field" node={node} path={["field"]} isRequired />
      </FormContext>
    );
  }
  show(<Form />, {});
  return () => known;
}

it.each(["0.05", "1.05", "10.0", "007"])("keeps the number %s as it is typed, digit by digit", async (text) => {
  const draft = showField({ type: "number" }, {});
  const input = screen.getByLabelText("Field");
  await userEvent.type(input, text);

  expect((input as HTMLInputElement).value).toBe(text);
  expect(draft()).toEqual({ field: Number(text) });
});

it("leaves an item of a list where it is while its text is written anew", async () => {
  const draft = showField({ type: "array", items: { type: "string" } }, { field: ["timeout", "http_500"] });
  const input = screen.getByLabelText("Field 1");
  await userEvent.clear(input);
  await userEvent.type(input, "http_501");

  expect(draft()).toEqual({ field: ["http_501", "http_500"] });
});

it("stores no texts by name of which one would be lost", async () => {
  const unread: (string | null)[] = [];
  const draft = showField({ type: "object", additionalProperties: { type: "string" } }, { field: { team: "ops" } }, unread);
  await userEvent.click(screen.getByText("Add to field"));
  await userEvent.type(screen.getByLabelText("Value 2 of field"), "billing");
  expect(unread.at(-1)).toBe("A value has no name.");
  await userEvent.type(screen.getByLabelText("Name 2 of field"), "team");
  expect(unread.at(-1)).toBe("The name team is there twice. Change one, or take it out.");
  expect(screen.getByText("The name team is there twice. Change one, or take it out.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Name 2 of field"), "s");

  expect(unread.at(-1)).toBeNull();
  expect(draft()).toEqual({ field: { team: "ops", teams: "billing" } });
});

it("shows a value that this console does not know, and keeps those of a list while another is added", async () => {
  const draft = showField({ type: "array", items: { enum: ["failed", "late"] } }, { field: ["absent"] });
  expect(screen.getByText("Absent")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /Field/ }));
  await userEvent.click(await screen.findByRole("option", { name: /Late/ }));

  expect(draft()).toEqual({ field: ["absent", "late"] });
});

it.each([
  [{ enum: ["low", "high"], default: "low" }, "urgent", "Urgent"],
  [{ discriminator: { propertyName: "kind", mapping: { cron: "#/Cron" } } }, { kind: "solar" }, "Solar"],
])("shows a choice of a later API by its name, and not the default", (node, value, label) => {
  showField(node, { field: value });

  expect(screen.getByText(label)).toBeTruthy();
});

it("keeps the text of each item with its item when another one is taken out, and gives a new one none of it", async () => {
  const node = { type: "array", items: { type: "object", properties: { json: {}, texts: { type: "object", additionalProperties: { type: "string" } } } } };
  const draft = showField(node, { field: [{ json: 1, texts: { a: "first" } }, { json: 2, texts: { b: "second" } }] });
  await userEvent.click(screen.getByRole("button", { name: "Take out Field 1" }));

  expect(screen.getByLabelText<HTMLTextAreaElement>("Json").value).toBe("2");
  expect(screen.getByLabelText<HTMLInputElement>("Name 1 of texts").value).toBe("b");
  await userEvent.click(screen.getByText("Add to field"));
  expect(screen.getAllByLabelText<HTMLTextAreaElement>("Json").map(({ value }) => value)).toEqual(["2", ""]);
  expect(draft()).toEqual({ field: [{ json: 2, texts: { b: "second" } }, {}] });
});
