import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import BackfillJob from "../../../src/pages/backfill/BackfillJob";
import { type BackfillDraft, firstBackfill, problemsOf } from "../../../src/pages/backfill/backfillDraft";
import { JobActions } from "../../../src/pages/jobs/JobActions";
import { OPERATION } from "../../support/answers";
import { type Asked, refusal, seriousViolations, show, VIEWER } from "../../support/page";
import { isDisabled } from "../../support/renderPage";
import { job } from "../../support/samples";

const ID = job().job_id;
const PATH = `/v1/jobs/${ID}/backfill`;
const FOUND = {
  dry_run: true,
  instants: 24,
  new: 5,
  reopened: 2,
  unchanged: 17,
  first: [
    { instant: "2026-11-20T03:00:00.000Z", fate: "new" },
    { instant: "2026-11-20T04:00:00.000Z", fate: "reopened" },
  ],
};
const RANGE = { from: "2026-11-20T00:00:00Z", to: "2026-11-20T23:00:00Z" };

const bodyOf = ({ body }: Asked): Record<string, unknown> => body as Record<string, unknown>;
const isBegun = (asked: Asked): boolean => asked.method === "POST" && bodyOf(asked).dry_run !== true;

function open(found: object | (() => Response) = FOUND) {
  const answer = (asked: Asked) => (isBegun(asked) ? OPERATION : typeof found === "function" ? (found as () => Response)() : found);
  return show(<BackfillJob job={job()} onClose={() => undefined} />, { [`POST ${PATH}`]: answer }, { path: `/jobs/${ID}` });
}

const write = (label: string, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};

function writeRange(): void {
  write("First instant", RANGE.from);
  write("Last instant", RANGE.to);
}

describe("a backfill", () => {
  it("counts the instants in a dry run first, then begins and opens its operation", async () => {
    const { asked, baseElement } = open();
    await screen.findByText(/7 of 24 instants are meant: 5 without a run, 2 to be tried again/);
    writeRange();
    write("Runs at once", "4");
    await userEvent.click(screen.getByRole("button", { name: /Which instants/ }));
    await userEvent.click(await screen.findByText("Those whose run failed as well"));
    const confirm = await screen.findByText("Run it for 7 instants");
    expect(screen.getByRole("list", { name: "First instants" }).textContent).toMatch(/03:00:00 UTC \(new\).*04:00:00 UTC \(tried again\)/);
    expect(await seriousViolations(baseElement)).toEqual([]);
    await userEvent.click(confirm);
    await screen.findByText("another page");

    const [begun] = asked.filter(isBegun);
    expect(begun?.body).toEqual({ ...RANGE, reprocess: "failed", max_concurrent: 4, dry_run: false });
    expect(begun?.headers.get("Idempotency-Key")).toMatch(/\w{8}-/);
    expect(location.pathname).toBe(`/operations/${OPERATION.operation_id}`);
    expect(asked.some((each) => !isBegun(each) && bodyOf(each).max_concurrent === 4)).toBe(true);
  });

  it("shows the command that does the same", async () => {
    open();
    writeRange();
    write("Runs at once", "4");

    expect(
      screen.getByText(`timegate jobs backfill ${ID} --from ${RANGE.from} --to ${RANGE.to} --max-concurrent 4`),
    ).toBeTruthy();
    await screen.findByText("Run it for 7 instants");
  });

  it("asks for no range that is half written, and begins none", async () => {
    const { asked } = open();
    await screen.findByText("Run it for 7 instants");
    const before = asked.length;
    write("Last instant", "2026-11-2");

    expect(await screen.findByText("This is no instant: 2026-11-21T00:00:00Z is one.")).toBeTruthy();
    expect(isDisabled(screen.getByRole("button", { name: "Run it for 0 instants" }))).toBe(true);
    expect(asked).toHaveLength(before);
  });

  it.each([
    ["says that nothing is to be run", { ...FOUND, new: 0, reopened: 0, unchanged: 24 }, /each of 24 instants has its run already/],
    ["says that the schedule names nothing there", { ...FOUND, instants: 0, new: 0, reopened: 0 }, /names no instant in the range/],
    ["shows why a dry run is refused", () => refusal(422, "validation_failed", "It has no schedule."), /It has no schedule/],
  ])("%s", async (_, found, words) => {
    open(found);

    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    expect(isDisabled(screen.getByRole("button", { name: "Run it for 0 instants" }))).toBe(true);
  });

  it("is one backfill, however often it is asked for, and another one once it is another", async () => {
    let count = 0;
    const answer = (asked: Asked) => {
      if (!isBegun(asked)) return FOUND;
      count += 1;
      return count < 3 ? refusal(503, "unavailable") : OPERATION;
    };
    const { asked } = show(<BackfillJob job={job()} onClose={() => undefined} />, { [`POST ${PATH}`]: answer }, { path: `/jobs/${ID}` });
    const press = async (times: number): Promise<void> => {
      await userEvent.click(await screen.findByText("Run it for 7 instants"));
      await waitFor(() => {
        expect(asked.filter(isBegun)).toHaveLength(times);
      });
    };
    await press(1);
    await press(2);
    write("Runs at once", "2");
    await press(3);

    const keys = asked.filter(isBegun).map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("is offered on the job's page to a person who may operate, and of no cancelled job", async () => {
    const { unmount } = show(<JobActions job={job()} />, { [`POST ${PATH}`]: FOUND }, { path: `/jobs/${ID}` });
    await userEvent.click(screen.getByRole("button", { name: "Backfill" }));
    expect(within(await screen.findByRole("dialog")).getByText("Backfill send the report?")).toBeTruthy();
    unmount();
    const viewer = show(<JobActions job={job()} />, {}, { path: `/jobs/${ID}`, scopes: VIEWER });
    expect(isDisabled(screen.getByRole("button", { name: "Backfill" }))).toBe(true);
    viewer.unmount();
    show(<JobActions job={job({ status: "cancelled" })} />, {}, { path: `/jobs/${ID}` });

    expect(isDisabled(screen.getByRole("button", { name: "Backfill" }))).toBe(true);
  });
});

const NOW = Date.parse("2026-11-21T09:30:30.500Z");
const draft = (changes: Partial<BackfillDraft> = {}): BackfillDraft => ({ ...firstBackfill(NOW), ...changes });

it("begins with the last day, up to this minute", () => {
  expect(firstBackfill(NOW)).toMatchObject({ from: "2026-11-20T09:30:00Z", to: "2026-11-21T09:30:00Z" });
});

it.each([
  [{}, {}],
  [{ to: "2026-11-21T09:30:30.500Z" }, {}],
  [{ to: "2026-11-21T09:30:30.501Z" }, { to: "A backfill is of the past." }],
  [{ from: "2026-11-21T09:30:00Z" }, {}],
  [{ from: "2026-11-21T09:30:01Z" }, { to: "It ends before it begins." }],
  [{ most: "100" }, {}],
  [{ most: "101" }, { most: "Write 1 to 100." }],
  [{ most: "1" }, {}],
  [{ most: "0" }, { most: "Write 1 to 100." }],
  [{ most: "1.5" }, { most: "Write 1 to 100." }],
])("judges the bounds of %j", (changes, problems) => {
  expect(problemsOf(draft(changes), NOW)).toEqual(problems);
});
