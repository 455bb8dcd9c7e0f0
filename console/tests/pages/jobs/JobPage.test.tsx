import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { JobPage } from "../../../src/pages/jobs/JobPage";
import { failedRun } from "../../support/answers";
import { type Answers, refusal, seriousViolations, show, VIEWER } from "../../support/page";
import { HOSTILE, job } from "../../support/samples";

const ID = job().job_id;
const RUN = {
  kind: "run",
  state: "failed",
  reason: "permanent",
  attempt: 1,
  run_id: `${ID}.s20261121T090000000Z`,
  finish_by: null,
  explanation: "The target answered 404.",
};
const OPTIONS = { path: `/jobs/${ID}`, route: "/jobs/:jobId" };

const answers = (more: Answers = {}): Answers => ({
  [`GET /v1/jobs/${ID}`]: job(),
  [`GET /v1/jobs/${ID}/ledger`]: ({ query }: { query: URLSearchParams }) => ({
    items: [{ ...RUN, instant: query.get("from") }],
    next_cursor: null,
  }),
  [`GET /v1/jobs/${ID}/statistics`]: {
    job_id: ID,
    runs: 12,
    is_partial: false,
    runs_by_state: { failed: 3, succeeded: 9 },
    last_run: { run_id: RUN.run_id, state: "failed", scheduled_at: "2026-11-21T09:00:00.000Z" },
    last_success: null,
    streak: { outcome: "failed", count: 3, since: "2026-11-19T09:00:00.000Z", is_partial: false },
    duration_ms: { count: 9, p50: 120, p95: 3400, max: 5000 },
    lateness_ms: null,
    next_fires: [],
  },
  ...more,
});

describe("the page of a job", () => {
  it("shows the ledger's grid, and explains the cell that is chosen", async () => {
    const { container } = show(<JobPage />, answers(), OPTIONS);
    await userEvent.click(await screen.findByRole("button", { name: /failed, one instant/ }));

    expect(await screen.findByText("The target answered 404.")).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("shows the job's recent runs in numbers", async () => {
    show(<JobPage />, answers(), OPTIONS);

    expect(await screen.findByText("3 failed in a row")).toBeTruthy();
    expect(screen.getByText(/120 ms and 3.4 s, of 9 runs/)).toBeTruthy();
  });

  it("lists who changed the job, and what it was before", async () => {
    const entry = {
      at: "2026-11-21T07:00:00.000Z",
      actor: { subject: "ada", client_id: null, source_ip: "192.0.2.1", of_stage: true },
      operation: "pauseJob",
      request_id: "r-1",
      resource: { kind: "job", id: ID },
      version: 2,
      changes: [{ field: "status", before: "active", after: "paused" }],
    };
    const audit = { [`GET /v1/jobs/${ID}/audit`]: { items: [entry], next_cursor: null } };
    show(<JobPage />, answers(audit), { ...OPTIONS, path: `/jobs/${ID}?tab=audit` });

    expect(await screen.findByText("ada (the stage)")).toBeTruthy();
    expect(screen.getByText("status").closest("li")?.textContent).toBe("status active → paused");
  });

  it("reads the ledger page by page", async () => {
    let pages = 0;
    const ledger = ({ query }: { query: URLSearchParams }) => {
      pages += 1;
      const cursor = query.get("cursor");
      return { items: [], next_cursor: cursor === null ? "second" : null };
    };
    show(<JobPage />, answers({ [`GET /v1/jobs/${ID}/ledger`]: ledger }), OPTIONS);
    await screen.findByText("Nothing is on record in this span.");

    expect(pages).toBe(2);
  });

  it("does not call a ledger empty whose pages were not all read", async () => {
    show(<JobPage />, answers({ [`GET /v1/jobs/${ID}/ledger`]: { items: [], next_cursor: "more" } }), OPTIONS);

    expect(await screen.findByText(/The span has more records than are shown/)).toBeTruthy();
    expect(screen.queryByText("Nothing is on record in this span.")).toBeNull();
  });

  it("shows today where the address names no day of the calendar", async () => {
    const ledger = { items: [], next_cursor: null };
    show(<JobPage />, answers({ [`GET /v1/jobs/${ID}/ledger`]: ledger }), { ...OPTIONS, path: `/jobs/${ID}?day=2026-99-99` });

    expect(await screen.findByText("Nothing is on record in this span.")).toBeTruthy();
  });

  it("quotes what its address names, so that a shell runs none of it", async () => {
    const hostile = "a;reboot";
    show(<JobPage />, {}, { ...OPTIONS, path: `/jobs/${encodeURIComponent(hostile)}` });

    expect(await screen.findByText(`timegate jobs get '${hostile}'`)).toBeTruthy();
  });

  it("edits a payload that is a text as one, also where it reads as JSON", async () => {
    show(<JobPage />, answers({ [`GET /v1/jobs/${ID}`]: job({ payload: "5" }) }), OPTIONS);
    await userEvent.click(await screen.findByText("Trigger"));
    await userEvent.click(await screen.findByText("Another one"));

    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "JSON" }).value).toBe('"5"');
  });

  it("triggers one run, with the payload that was merged", async () => {
    const run = { run_id: "r" };
    const { asked } = show(<JobPage />, answers({ [`POST /v1/jobs/${ID}/trigger`]: run }), OPTIONS);
    await userEvent.click(await screen.findByText("Trigger"));
    await userEvent.click(await screen.findByText("The job's own with a JSON merge patch"));
    const text = screen.getByRole("textbox", { name: "JSON" });
    await userEvent.clear(text);
    await userEvent.type(text, '{{"n": 7}');
    await userEvent.click(screen.getByText("Trigger a run"));
    await waitFor(() => screen.getByText("another page"));

    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ payload_patch: { n: 7 } });
  });

  it("triggers a run with a key where runs of the job take slots, after a delay in seconds alone", async () => {
    const overlap = { policy: "queue", max_concurrent: 1, concurrency_key: null, key_from: null };
    const { asked } = show(
      <JobPage />,
      answers({ [`GET /v1/jobs/${ID}`]: job({ overlap }), [`POST /v1/jobs/${ID}/trigger`]: { run_id: "r" } }),
      OPTIONS,
    );
    await userEvent.click(await screen.findByText("Trigger"));
    await userEvent.type(await screen.findByLabelText("Key of its slots"), "customer 7");
    await userEvent.type(screen.getByLabelText("Delay in seconds"), "10m");
    expect(screen.getByText("A number of seconds: 90, or 0.5.")).toBeTruthy();
    expect(screen.getByText("Trigger a run").closest("button")?.disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("Delay in seconds"), { target: { value: "600" } });
    expect(screen.getByText(`timegate jobs trigger ${ID} --delay 600s --concurrency-key 'customer 7'`)).toBeTruthy();
    await userEvent.click(screen.getByText("Trigger a run"));
    await waitFor(() => screen.getByText("another page"));

    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ delay_seconds: 600, concurrency_key: "customer 7" });
  });

  it("asks for no key where runs of the job take no slots", async () => {
    show(<JobPage />, answers(), OPTIONS);
    await userEvent.click(await screen.findByText("Trigger"));

    expect(await screen.findByLabelText("Delay in seconds")).toBeTruthy();
    expect(screen.queryByLabelText("Key of its slots")).toBeNull();
  });

  it("names the key of each run that has one in its list of runs", async () => {
    const runs = ["7", null].map((concurrency_key, index) => failedRun({ run_id: `${ID}.t${index}`, concurrency_key }));
    const { container } = show(<JobPage />, answers({ [`GET /v1/jobs/${ID}/runs`]: { items: runs, next_cursor: null } }), {
      ...OPTIONS,
      path: `/jobs/${ID}?tab=runs`,
    });

    expect((await screen.findAllByText(/^key/)).map((each) => each.textContent)).toEqual(["key 7"]);
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("triggers a run for each line, and says what became of each", async () => {
    const item = { index: 0, status: 201, run_id: "r-1", collapsed_into: null, error: null };
    const refused = { code: "invalid_request", detail: HOSTILE, errors: [] };
    const items = [item, { ...item, index: 1, collapsed_into: "r-3" }, { ...item, index: 2, run_id: null, error: refused }];
    const { asked, container } = show(
      <JobPage />,
      answers({ [`POST /v1/jobs/${ID}/trigger/batch`]: { items, triggered: 2, replayed: 0, failed: 1 } }),
      OPTIONS,
    );
    await userEvent.click(await screen.findByText("Trigger many"));
    const text = await screen.findByRole("textbox", { name: "One trigger a line" });
    fireEvent.change(text, { target: { value: '{"payload": 1}\n[]' } });
    expect(screen.getByText("Line 2 is no JSON object.")).toBeTruthy();
    fireEvent.change(text, { target: { value: '{"payload": 1}\n{}\n{}\n' } });
    await userEvent.click(screen.getByText("Trigger 3 runs"));
    await screen.findByText("2 triggered, 0 there before, 1 refused.");

    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ triggers: [{ payload: 1 }, {}, {}] });
    expect(screen.getByText(/collapsed into/)).toBeTruthy();
    expect(container.ownerDocument.querySelector("img[src=x]")).toBeNull();
  });

  it("pauses with a reason, and shows that of a paused job", async () => {
    const { asked } = show(<JobPage />, answers({ [`POST /v1/jobs/${ID}/pause`]: job({ status: "paused" }) }), OPTIONS);
    await userEvent.click(await screen.findByText("Pause"));
    const dialog = within(screen.getByRole("dialog"));
    fireEvent.change(dialog.getByLabelText("Reason"), { target: { value: ` ${HOSTILE} ` } });
    await userEvent.click(dialog.getByText("Pause the job"));
    await waitFor(() => {
      expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ reason: HOSTILE });
    });
  });

  it("shows why a job is paused, as text", async () => {
    const paused = job({ status: "paused", pause_reason: HOSTILE });
    const { container } = show(<JobPage />, answers({ [`GET /v1/jobs/${ID}`]: paused }), OPTIONS);

    expect(await screen.findByText(`Paused: ${HOSTILE}`)).toBeTruthy();
    expect(container.querySelector("img[src=x]")).toBeNull();
  });

  it("pauses without a reason by a request without a body", async () => {
    const { asked } = show(<JobPage />, answers({ [`POST /v1/jobs/${ID}/pause`]: job({ status: "paused" }) }), OPTIONS);
    await userEvent.click(await screen.findByText("Pause"));
    await userEvent.click(within(screen.getByRole("dialog")).getByText("Pause the job"));
    await waitFor(() => {
      expect(asked.some(({ method, body }) => method === "POST" && body === undefined)).toBe(true);
    });
  });

  it("shows why the API refuses an action, and stays", async () => {
    const refused = () => refusal(409, "job_is_completed", "The job has completed.");
    show(<JobPage />, answers({ [`POST /v1/jobs/${ID}/pause`]: refused }), OPTIONS);
    await userEvent.click(await screen.findByText("Pause"));
    await userEvent.click(within(screen.getByRole("dialog")).getByText("Pause the job"));

    expect(await screen.findByText("The job has completed.")).toBeTruthy();
  });

  it("says what a role may not do", async () => {
    show(<JobPage />, answers(), { ...OPTIONS, scopes: VIEWER });
    const trigger = (await screen.findByText("Trigger")).closest("button");

    expect(trigger?.getAttribute("aria-disabled")).toBe("true");
  });

  it("shows hostile texts as text", async () => {
    const hostile = job({ name: HOSTILE, description: HOSTILE, tags: { a: HOSTILE } });
    const { container } = show(<JobPage />, answers({ [`GET /v1/jobs/${ID}`]: hostile }), OPTIONS);
    await screen.findAllByText(HOSTILE);

    expect(container.querySelector("img[src=x]")).toBeNull();
  });
});
