import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { Instant } from "../../../src/kit";
import { scheduleInShort } from "../../../src/pages/jobs/scheduleWords";
import { daysByHours } from "../../../src/pages/ledger/grid";
import { type LedgerEntry, markOf } from "../../../src/pages/ledger/marks";
import OperationsPage from "../../../src/pages/operations/OperationsPage";
import { FreezesTable } from "../../../src/pages/restrictions/FreezesTable";
import { scopeWords } from "../../../src/pages/restrictions/freezeWords";
import { channelOf } from "../../../src/pages/shared/channelWords";
import { freeze, OPERATION } from "../../support/answers";
import { show } from "../../support/page";

/** A value that an API has which is later than this console. */
const later = (value: unknown): never => value as never;
const AT = new Date(2026, 10, 21, 9);

test("a record of a state that the console does not know has the name of the state", () => {
  const entry: LedgerEntry = later({ kind: "run", state: "held_over", instant: AT.toISOString(), attempt: 1, reason: null });
  const [day] = daysByHours([entry], AT.setHours(0), 1);

  expect(markOf(entry)).toMatchObject({ letter: "?", word: "held over" });
  expect(day?.cells[9]?.mark?.word).toBe("held over");
});

test("a record of a kind that the console does not know leaves the others where they are", () => {
  const run = { kind: "run", state: "succeeded", instant: new Date(2026, 10, 21, 9).toISOString(), attempt: 1 };
  const [day] = daysByHours(later([{ kind: "summary", state: "x" }, run]), new Date(2026, 10, 21).getTime(), 1);

  expect(day?.cells.map(({ count }) => count).filter((count) => count > 0)).toEqual([1]);
});

test.each([
  [scheduleInShort(later({ kind: "solar_noon" })), "solar noon"],
  [scopeWords(later({ kind: "every_pool" })), "every pool"],
  [channelOf(later({ type: "pager" })), "pager"],
])("a kind that the console does not know is written by its name: %s", (text, expected) => {
  expect(text).toBe(expected);
});

test("an operation of a later API is listed with its parameters", async () => {
  const operation = { ...OPERATION, kind: "thaw_jobs", parameters: { freeze_id: "f-1" } };
  show(<OperationsPage />, { "GET /v1/operations": { items: [operation], next_cursor: null } }, { path: "/operations" });

  expect(await screen.findByRole("link", { name: "thaw jobs" })).toBeTruthy();
  expect(screen.getByText("freeze id f-1")).toBeTruthy();
});

test("a freeze of a later thaw policy is listed", async () => {
  const frozen = { ...freeze(), thaw: "first_only" };
  show(<FreezesTable />, { "GET /v1/freezes": { items: [frozen], next_cursor: null } }, { path: "/calendars" });

  expect(await screen.findByText("first only")).toBeTruthy();
});

test.each([{}, { both: true }, { clock: true }, { short: true }, { relative: true }])("an instant that no browser reads is shown as it is: %o", (look) => {
  show(<Instant at="soon" {...look} />, {});

  expect(screen.getByText("soon")).toBeTruthy();
});
