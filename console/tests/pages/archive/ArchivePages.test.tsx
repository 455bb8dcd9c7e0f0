import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { focusManager } from "@tanstack/react-query";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import ArchivedRunPage from "../../../src/pages/archive/ArchivedRunPage";
import ArchivedRunsPage from "../../../src/pages/archive/ArchivedRunsPage";
import RunPage from "../../../src/pages/runs/RunPage";
import { attempt, DAG_RUN_ID, failedRun, JOB_ID, run, RUN_ID } from "../../support/answers";
import { type Asked, refusal } from "../../support/page";
import { expectAccessible, expectOnlyText, renderPage, VIEWER } from "../../support/renderPage";

const LIST = { Page: ArchivedRunsPage, route: "/runs/archived", scopes: VIEWER };
const ONE = { Page: ArchivedRunPage, route: "/runs/archived/:run_id", url: `/runs/archived/${RUN_ID}`, scopes: VIEWER };
const PATH = "GET /v1/archive/runs";

const page = (items: unknown[], rest: object = {}): object => ({
  items,
  next_cursor: null,
  archived_until: "2026-11-20",
  ...rest,
});

test("archived runs are listed as text, with how far the archive is", async () => {
  const shown = renderPage({ ...LIST, url: "/runs/archived", answers: { [PATH]: page([failedRun()]) } });
  const table = await screen.findByRole("table", { name: "Archived runs" });
  await within(table).findByText(/http_503/);

  expect(table.querySelector(`a[href="/runs/archived/${RUN_ID}"]`)).toBeTruthy();
  expect(table.querySelector(`a[href="/jobs/${JOB_ID}"]`)).toBeTruthy();
  expect(screen.getByText(/All that ended before 2026-11-20 \(UTC\) is archived/)).toBeTruthy();
  expect(screen.getByText(/counts as ten requests/)).toBeTruthy();
  expectOnlyText(shown);
  await expectAccessible(shown.container);
});

test("days, job and state of the address are asked for, and others are not", async () => {
  const url = `/runs/archived?from=2026-11-01&to=2026-11-31&job_id=${JOB_ID}&state=failed&tag=a`;
  const { asked } = renderPage({ ...LIST, url, answers: { [PATH]: page([]) } });
  await screen.findByText("No archived run matches");

  // The thirty-first of November is no day.
  expect(asked.map(({ query }) => query.toString())).toEqual([`from=2026-11-01&job_id=${JOB_ID}&state=failed`]);
  expect(
    screen.getByText(`timegate runs list --archived --from 2026-11-01T00:00:00Z --job ${JOB_ID} --state failed`),
  ).toBeTruthy();
});

test("a day is asked for once it is whole", async () => {
  const { asked } = renderPage({ ...LIST, url: "/runs/archived", answers: { [PATH]: page([]) } });
  await screen.findByText("No run is archived yet");
  const day = screen.getByRole("textbox", { name: "Ended on (UTC), or later" });
  fireEvent.change(day, { target: { value: "2026/11" } });
  fireEvent.change(day, { target: { value: "2026/11/01" } });
  await screen.findByText("No archived run matches");

  expect(asked.map(({ query }) => query.toString())).toEqual(["", "from=2026-11-01"]);
});

test("a page without rows is not the end, and the next is read when it is asked for", async () => {
  const user = userEvent.setup();
  const answer = ({ query }: Asked): object =>
    query.get("cursor") === null ? page([], { next_cursor: "further" }) : page([failedRun()]);
  const { asked } = renderPage({ ...LIST, url: "/runs/archived", answers: { [PATH]: answer } });
  await screen.findByText(/there are more to read/);
  expect(asked).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Show more archived runs" }));

  expect(await screen.findByText(/http_503/)).toBeTruthy();
  expect(asked).toHaveLength(2);
});

test("an archive without a round says so", async () => {
  renderPage({ ...LIST, url: "/runs/archived", answers: { [PATH]: page([], { archived_until: null }) } });

  expect(await screen.findByText(/Nothing is archived yet/)).toBeTruthy();
});

test("a task of a DAG run leads to that, and another run to its job", async () => {
  const task = `${DAG_RUN_ID}.d20261121T070100000Z-1-load-0`;
  const rows = [failedRun(), failedRun({ run_id: task, job_id: DAG_RUN_ID, origin: "task" })];
  renderPage({ ...LIST, url: "/runs/archived", answers: { [PATH]: page(rows) } });
  const link = await screen.findByRole("link", { name: DAG_RUN_ID });

  expect(link.getAttribute("href")).toBe(`/dag-runs/${DAG_RUN_ID}`);
  expect(screen.getByRole("link", { name: JOB_ID }).getAttribute("href")).toBe(`/jobs/${JOB_ID}`);
});

test("pages of the archive are not read anew for a window that comes into sight", async () => {
  const user = userEvent.setup();
  const answer = ({ query }: Asked): object =>
    query.get("cursor") === null ? page([failedRun()], { next_cursor: "further" }) : page([failedRun({ run_id: `${JOB_ID}.s20261120T070100000Z` })]);
  const { asked } = renderPage({ ...LIST, url: "/runs/archived", answers: { [PATH]: answer } });
  await screen.findByText(/http_503/);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await user.click(screen.getByRole("button", { name: "Show more archived runs" }));
  await screen.findByText("2 shown. There are no more.");
  focusManager.setFocused(undefined);

  expect(asked).toHaveLength(2);
});

test("a day that is being rewritten asks for nothing until it is whole, and an emptied one for all days", async () => {
  const { asked } = renderPage({
    Page: ArchivedRunsPage,
    route: "/runs/archived",
    url: "/runs/archived?from=2026-11-20",
    answers: { [PATH]: { items: [], next_cursor: null, archived_until: "2026-11-20" } },
  });
  const field = await screen.findByLabelText("Ended on (UTC), or later");
  fireEvent.change(field, { target: { value: "2026/11/2" } });
  expect(location.search).toBe("?from=2026-11-20");
  fireEvent.change(field, { target: { value: "2026/11/21" } });
  expect(location.search).toBe("?from=2026-11-21");
  fireEvent.change(field, { target: { value: "" } });
  await waitFor(() => {
    expect(asked.map(({ query }) => query.get("from"))).toEqual(["2026-11-20", "2026-11-21", null]);
  });
});

test("an id of the address is quoted in its command", async () => {
  const hostile = "a;reboot";
  renderPage({ ...ONE, url: `/runs/archived/${encodeURIComponent(hostile)}`, answers: {} });

  expect(await screen.findByText(`timegate runs get '${hostile}' --archived`)).toBeTruthy();
});

test("an archived run shows attempts, times and payload, and asks for nothing that has expired", async () => {
  const twice = run({ attempt: 2, attempts: [attempt(), attempt({ attempt: 2, state: "succeeded", error: null })] });
  const shown = renderPage({ ...ONE, answers: { [`${PATH}/${RUN_ID}`]: twice } });
  await screen.findByText("Attempts (2)");

  expect(screen.getAllByText("Attempt 2").length).toBeGreaterThan(0);
  expect(shown.asked.map(({ path }) => path)).toEqual([`/v1/archive/runs/${RUN_ID}`, `/v1/jobs/${JOB_ID}`]);
  expect(screen.queryByRole("button", { name: "Redrive" })).toBeNull();
  expectOnlyText(shown);
  await expectAccessible(shown.container);
});

test("an expired run says where it is, and leads there", async () => {
  const expired = async (): Promise<Response> => {
    const body = (await refusal(404, "run_expired", "Its record has expired.").json()) as object;
    return Response.json({ ...body, archived_in: "s3://archive/attempts/tenant=acme/day=2026-01-01/" }, { status: 404 });
  };
  const shown = renderPage({
    Page: RunPage,
    route: "/runs/:run_id",
    url: `/runs/${RUN_ID}`,
    answers: { [`GET /v1/runs/${RUN_ID}`]: expired },
    scopes: VIEWER,
  });
  const link = await screen.findByRole("link", { name: "Read it from the archive" });

  expect(link.getAttribute("href")).toBe(`/runs/archived/${RUN_ID}`);
  expect(screen.getByText("s3://archive/attempts/tenant=acme/day=2026-01-01/")).toBeTruthy();
  await expectAccessible(shown.container);
});

test("an expired run is asked for once", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { asked } = renderPage({
    Page: RunPage,
    route: "/runs/:run_id",
    url: `/runs/${RUN_ID}`,
    answers: { [`GET /v1/runs/${RUN_ID}`]: () => refusal(404, "run_expired") },
    scopes: VIEWER,
  });
  await screen.findByRole("link", { name: "Read it from the archive" });
  await vi.advanceTimersByTimeAsync(600_000);
  vi.useRealTimers();

  expect(asked).toHaveLength(1);
});

test("a run that no archive has is refused with what to do", async () => {
  renderPage({ ...ONE, answers: { [`${PATH}/${RUN_ID}`]: () => refusal(404, "run_not_found") } });

  await waitFor(() => {
    expect(screen.getByText(/run_not_found · request r-1/)).toBeTruthy();
  });
});
