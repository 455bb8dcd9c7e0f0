import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";

import type { Node } from "../../../src/pages/form/contract";
import { type Draft, withValue } from "../../../src/pages/form/draft";
import { SchemaField } from "../../../src/pages/form/fields/SchemaField";
import { FormContext } from "../../../src/pages/form/formContext";

/** Shows one field, and returns the draft as it is. */
function showField(node: Node, first: Draft): () => Draft {
  let known = first;
  function Form() {
    const [draft, setDraft] = useState(first);
    known = draft;
    const change = (path: readonly (string | number)[], value: unknown): void => {
      setDraft((was) => withValue(was, path, value) as Draft);
    };
    return (
      <FormContext value={{ draft, change, refusals: {}, markUnread: () => undefined }}>
        <SchemaField name="field" node={node} path={["field"]} isRequired />
      </FormContext>
    );
  }
  render(<Form />);
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
