import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { JsonEditor, PAYLOAD_BYTES } from "../../../src/pages/shared/json/JsonEditor";
import { show } from "../../support/page";

const nothing = (): void => undefined;

it.each([
  ["as they are stored, without spaces", '{\n  "a": "é"\n}', "10 of 262,144 bytes"],
  ["with the digits of a large number", "[12345678901234567890]", "22 of 262,144 bytes"],
  ["as they are written while they are no JSON", '{ "a":', "6 of 262,144 bytes"],
])("counts bytes %s", (_, text, said) => {
  show(<JsonEditor label="Payload" text={text} mostBytes={PAYLOAD_BYTES} onChange={nothing} />, {});

  expect(screen.getByText(said)).toBeTruthy();
});

it("names no limit for a field that has one of its own", () => {
  show(<JsonEditor label="Pattern" text="{}" onChange={nothing} />, {});

  expect(screen.getByText("2 bytes")).toBeTruthy();
});
