import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";

import AllRunsPage from "../../../src/pages/run_lists/AllRunsPage";
import { failedRun, HOSTILE, JOB_ID, OPERATION, run, RUN_ID } from "../../support/answers";
import { type Asked, refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

const WAITING = `${JOB_ID}.s20261122T070100000Z`;
const INTO = `${JOB_ID}.t20261121T070200000Z`;
const waiting = () =>
  failedRun({ run_id: WAITING, state: "waiting", reason: null, error: null, ended_at: null, started_at: null });
const LEFT_OUT = "Runs of jobs whose list_runs is not all.";
const page = (...items: unknown[]) => ({ items, next_cursor: null, complete: false, left_out: LEFT_OUT });

function open(answers: object, url = "/runs/all?since=all", scopes?: readonly string[]) {
  return renderPage({
    Page: AllRunsPage,
    route: "/runs/all",
    url,
    answers: { ...answers },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

async function choose(user: ReturnType<typeof userEvent.setup>, ...ids: string[]) {
  for (const id of ids) await user.click(await screen.findByRole("checkbox", { name: `Choose the run ${id}` }));
}

describe("runs of all jobs", () => {
  test("are listed as text, and the page says which may be missing and how a job lists its own", async () => {
    const { container, asked } = open(
      { "GET /v1/runs": page(failedRun({ explanation: `why ${HOSTILE}`, error: null }), waiting()) },
      "/runs/all?since=all&state=waiting&late_seconds=60&tag=team:ops&reason=late",
    );

    expect(await screen.findByText(/Runs may be missing here/)).toBeTruthy();
    expect(screen.getByText(new RegExp(LEFT_OUT))).toBeTruthy();
    expect(asked[0]?.query.toString()).toBe("state=waiting&reason=late&tag=team%3Aops&late_seconds=60&which=all");
    expect(screen.getByText(/timegate runs list --state waiting --reason late --tag team=ops --late 60s/)).toBeTruthy();
    expectOnlyText({ container });
    await expectAccessible(container);
  });

  test("name the key of their slots", async () => {
    const { container } = open({ "GET /v1/runs": page(failedRun({ concurrency_key: `customer ${HOSTILE}` }), waiting()) });

    expect((await screen.findAllByText(/^key/)).map((each) => each.textContent)).toEqual([`key customer ${HOSTILE}`]);
    expectOnlyText({ container });
  });

  test("lead to the run that a collapsed one is part of", async () => {
    const collapse = { key: HOSTILE, since: "2026-11-21T07:01:00.000Z", triggers: 2, into: INTO };
    open({ "GET /v1/runs": page(failedRun({ state: "skipped", reason: "collapsed", error: null, collapse })) });
    const link = await screen.findByRole("link", { name: /into which it collapsed/ });

    expect(link.getAttribute("href")).toBe(`/runs/${INTO}`);
  });

  test("go on with the span of their first page: a cursor is good with no other", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const answer = ({ query }: Asked) => {
      const number = Number(query.get("cursor") ?? "1");
      const row = failedRun({ run_id: `${JOB_ID}.s20261121T07010${number}000Z` });
      return { ...page(row), next_cursor: number < 3 ? String(number + 1) : null };
    };
    const { asked } = open({ "GET /v1/runs": answer }, "/runs/all?since=1h");
    await user.click(await screen.findByRole("button", { name: "Show more runs" }));
    await waitFor(() => {
      expect(asked.at(-1)?.query.get("cursor")).toBe("2");
    });
    await vi.advanceTimersByTimeAsync(180_000);
    await user.click(await screen.findByRole("button", { name: "Show more runs" }));
    await screen.findByText("3 shown. There are no more.");
    vi.useRealTimers();
    const [second, third] = asked.slice(-2).map(({ query }) => query.get("from"));

    expect(asked.at(-1)?.query.get("cursor")).toBe("3");
    expect(third).toBe(second);
  });

  test("teach how runs are listed where none is", async () => {
    open({ "GET /v1/runs": { ...page(), complete: true, left_out: null } });

    expect(await screen.findByText("No run is listed")).toBeTruthy();
    expect(screen.getByText("timegate jobs update JOB_ID --list-runs all")).toBeTruthy();
    expect(screen.queryByText(/Runs may be missing here/)).toBeNull();
  });

  test("that were chosen are rescheduled one by one, those that have ended left alone", async () => {
    const user = userEvent.setup();
    const { asked } = open({
      "GET /v1/runs": page(failedRun(), waiting()),
      [`POST /v1/runs/${WAITING}/reschedule`]: run(),
    });
    await choose(user, RUN_ID, WAITING);
    await user.click(screen.getByRole("button", { name: "Reschedule" }));
    const dialog = await screen.findByRole("dialog");

    expect(within(dialog).getByText(/1 of 2 chosen are meant/)).toBeTruthy();
    expect(within(dialog).getByText(/Left alone: The run has ended/)).toBeTruthy();
    expect(changes(asked)).toEqual([]);

    await user.click(within(dialog).getByRole("button", { name: "Reschedule 1" }));

    expect(await within(dialog).findByText("Done")).toBeTruthy();
    expect(changes(asked)).toEqual([["POST", `/v1/runs/${WAITING}/reschedule`, { delay_seconds: 3600 }]]);
  });

  test("that were chosen are cancelled, and a refusal of one stops no other", async () => {
    const user = userEvent.setup();
    const second = `${JOB_ID}.s20261123T070100000Z`;
    const { asked } = open({
      "GET /v1/runs": page(waiting(), { ...waiting(), run_id: second }),
      [`POST /v1/runs/${WAITING}/cancel`]: () => refusal(409, "run_finished", "It has ended meanwhile."),
      [`POST /v1/runs/${second}/cancel`]: run(),
    });
    await choose(user, WAITING, second);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Cancel 2" }));

    expect(await within(dialog).findByText("Done")).toBeTruthy();
    expect(within(dialog).getByText("It has ended meanwhile.")).toBeTruthy();
    expect(changes(asked).map(([, path]) => path)).toEqual([
      `/v1/runs/${WAITING}/cancel`,
      `/v1/runs/${second}/cancel`,
    ]);
  });

  test("count as done also once the list shows that the action has ended them", async () => {
    const user = userEvent.setup();
    let state = "waiting";
    const { asked } = open({
      "GET /v1/runs": () => page({ ...waiting(), state }),
      [`POST /v1/runs/${WAITING}/cancel`]: () => {
        state = "cancelled";
        return run();
      },
    });
    await choose(user, WAITING);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Cancel 1" }));
    await waitFor(() => {
      expect(asked.filter(({ method }) => method === "GET").length).toBeGreaterThan(1);
    });
    await within(dialog).findAllByText("cancelled");

    expect(within(dialog).getAllByText("1 of 1 done").length).toBeGreaterThan(0);
  });

  test("that are pending are cancelled by filter once a dry run has counted them", async () => {
    const user = userEvent.setup();
    const { asked } = open(
      { "GET /v1/runs": page(waiting()), "POST /v1/runs/cancel": OPERATION },
      "/runs/all?since=all&name=night*&state=running",
    );
    await user.click(await screen.findByRole("button", { name: "Cancel pending that match" }));
    const dialog = await screen.findByRole("dialog");
    const confirm = await within(dialog).findByRole("button", { name: "Cancel at least 1" });

    expect(asked.at(-1)?.query.getAll("state")).toEqual(["waiting", "queued"]);

    await user.click(confirm);
    await screen.findByText("another page");

    expect(changes(asked)).toEqual([["POST", "/v1/runs/cancel", { filter: { name: "night*" } }]]);
  });

  test("that are pending are moved by filter, spread over minutes", async () => {
    const user = userEvent.setup();
    const { asked } = open(
      { "GET /v1/runs": page(waiting()), "POST /v1/runs/reschedule": OPERATION },
      "/runs/all?since=all&name=night*",
    );
    await user.click(await screen.findByRole("button", { name: "Reschedule pending that match" }));
    const dialog = await screen.findByRole("dialog");
    const confirm = await within(dialog).findByRole("button", { name: "Reschedule at least 1" });
    const spread = within(dialog).getByRole("spinbutton", { name: /Spread/ });
    await user.clear(spread);

    expect(isDisabled(confirm)).toBe(true);

    await user.type(spread, "10");
    await user.click(confirm);
    await screen.findByText("another page");
    const body = { filter: { name: "night*" }, delay_seconds: 3600, spread_seconds: 600 };

    expect(changes(asked)).toEqual([["POST", "/v1/runs/reschedule", body]]);
  });

  test("are not acted on by a viewer, nor cancelled at once by criteria that the API does not take", async () => {
    open({ "GET /v1/runs": page(waiting()) }, "/runs/all?reason=late", VIEWER);
    const button = await screen.findByRole("button", { name: "Cancel pending that match" });

    expect(isDisabled(button)).toBe(true);
    expect(isDisabled(screen.getByRole("button", { name: "Redrive" }))).toBe(true);
  });
});
