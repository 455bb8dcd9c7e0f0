import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { DagRunGrid } from "../../../src/pages/dag_runs/DagRunGrid";
import { LedgerGrid } from "../../../src/pages/ledger/LedgerGrid";
import { markOf, type LedgerEntry } from "../../../src/pages/ledger/marks";
import { stateWords } from "../../../src/pages/shared/stateWords";
import { DAG_ID, dag, dagRun } from "../../support/answers";
import { refusal, show } from "../../support/page";
import { wholeOf } from "../../support/random";

const JOB = "bwjvcytzr72gxmnvxjbslykqdc";
const STATES = ["succeeded", "failed", "skipped", "running", "dead_lettered"] as const;

it.each([1, 2])("each cell of a DAG's grid is the state of its task in its run (%i)", async (seed) => {
  const whole = wholeOf(seed);
  const runs = Array.from({ length: 6 }, (_, index) => {
    const plain = dagRun();
    const tasks = plain.tasks.map((task) => ({ ...task, reason: null, state: STATES[whole(STATES.length)] ?? "failed" }));
    const at = new Date(Date.parse("2026-11-21T07:00:00Z") - index * 3_600_000).toISOString();
    const ends = new Date(Date.parse(at) + 1_000 * (1 + whole(3_000))).toISOString();
    return { ...plain, dag_run_id: `${plain.dag_run_id.slice(0, 25)}${String.fromCharCode(97 + index)}`, scheduled_at: at, created_at: at, ended_at: ends, tasks };
  });
  const answers = Object.fromEntries(runs.map((run) => [`GET /v1/dag-runs/${run.dag_run_id}`, run]));
  show(<DagRunGrid dag={dag()} />, { ...answers, [`GET /v1/dags/${DAG_ID}/runs`]: { items: runs, next_cursor: null } });
  const columns = [...runs].reverse();
  const keys = dagRun().tasks.map(({ key }) => key);
  for (const key of keys) await screen.findAllByRole("link", { name: new RegExp(`^${key}: `) });
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  const cells = rows.map((row) => within(row).getAllByRole("link").map((link) => link.getAttribute("aria-label")));
  const longest = Math.max(...columns.map((run) => Date.parse(run.ended_at) - Date.parse(run.created_at)));
  const bars = [...document.querySelectorAll<HTMLElement>(".tg-grid-bar")].map(({ style }) => Number.parseFloat(style.blockSize));

  expect(cells).toEqual(
    keys.map((key) => columns.map((run) => `${key}: ${stateWords(run.tasks.find((task) => task.key === key)?.state ?? "")}`)),
  );
  expect(bars).toEqual(
    columns.map((run) => expect.closeTo(Math.max(6, ((Date.parse(run.ended_at) - Date.parse(run.created_at)) / longest) * 100), 3) as number),
  );
});

it.each([1, 2])("the ledger's grid has every record of the answer once, at its hour (%i)", async (seed) => {
  const whole = wholeOf(seed);
  const asked: { from: string; to: string }[] = [];
  const records: LedgerEntry[] = [];
  const ledger = ({ query }: { query: URLSearchParams }) => {
    const from = query.get("from") ?? "";
    asked.push({ from, to: query.get("to") ?? "" });
    records.length = 0;
    for (let hour = 0; hour < 48; hour += 1) {
      if (whole(3) === 0) continue;
      const instant = new Date(Date.parse(from) + hour * 3_600_000 + whole(3_600_000)).toISOString();
      records.push({ kind: "run", instant, run_id: `run-${hour}`, state: STATES[whole(3)] ?? "failed", reason: null, attempt: 1, finish_by: null, explanation: "" });
    }
    return { items: [...records], next_cursor: null };
  };
  show(<LedgerGrid jobId={JOB} />, { [`GET /v1/jobs/${JOB}/ledger`]: ledger });
  await screen.findAllByRole("button", { name: /one instant/ });
  const drawn = screen.getAllByRole("button", { name: /one instant/ }).map((cell) => cell.getAttribute("aria-label") ?? "");
  const two = (value: number): string => String(value).padStart(2, "0");
  const expected = records.map((record) => {
    const at = new Date(record.kind === "run" ? record.instant : 0);
    const hour = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:00`;
    return `${hour}: ${markOf(record).word}, one instant`;
  });

  expect(asked.length).toBeGreaterThan(0);
  expect([...drawn].sort()).toEqual([...expected].sort());
});

it.each([
  ["/?span=1d", "Instants by hour and minute"],
  ["/?span=7d", "Instants by day and hour"],
])("the keyboard scrolls a ledger's grid without a record (%s)", async (address, label) => {
  show(<LedgerGrid jobId={JOB} />, { [`GET /v1/jobs/${JOB}/ledger`]: { items: [], next_cursor: null } }, { path: address });
  const frame = await screen.findByRole("group", { name: label });

  expect(frame.tabIndex).toBe(0);
  expect(within(frame).getByRole("table", { name: label })).toBeDefined();
  expect(within(frame).queryByRole("button")).toBeNull();
});

it.each(["span=constructor", "day=2026-02-30"])("a ledger whose address has %s shows the present week", async (part) => {
  const ledger = { [`GET /v1/jobs/${JOB}/ledger`]: { items: [], next_cursor: null } };
  show(<LedgerGrid jobId={JOB} />, ledger, { path: `/jobs?${part}` });
  await screen.findByText("Nothing is on record in this span.");
  const days = within(screen.getByRole("table")).getAllByRole("rowheader").map(({ textContent }) => textContent);
  const today = new Date();

  expect(days).toHaveLength(7);
  expect(days[0]?.slice(8)).toBe(String(today.getDate()).padStart(2, "0"));
});

it("explains a cell as it is by now, and not as it was when it was chosen", async () => {
  const instant = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  let state = "running";
  const ledger = () => ({
    items: [{ kind: "run", instant, run_id: "r", state, reason: null, attempt: 1, finish_by: null, explanation: `It is ${state}.` }],
    next_cursor: null,
  });
  const { queries } = show(<LedgerGrid jobId={JOB} />, { [`GET /v1/jobs/${JOB}/ledger`]: ledger });
  fireEvent.click(await screen.findByRole("button", { name: /runs now, one instant/ }));
  await screen.findByText("It is running.");
  state = "succeeded";
  await queries.invalidateQueries();

  expect(await screen.findByText("It is succeeded.")).toBeTruthy();
});

it("says that runs of a DAG could not be read, where it has no cells of them", async () => {
  const run = dagRun();
  show(<DagRunGrid dag={dag()} />, {
    [`GET /v1/dags/${DAG_ID}/runs`]: { items: [run], next_cursor: null },
    [`GET /v1/dag-runs/${run.dag_run_id}`]: () => refusal(429, "rate_exceeded"),
  });

  expect(await screen.findByText("It was refused: rate_exceeded.")).toBeTruthy();
  expect(screen.getByRole("table")).toBeTruthy();
});
