import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";

import { refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";
import {
  attempt,
  DAG_RUN_ID,
  HOSTILE,
  JOB_ID,
  LOG,
  NOTIFICATIONS,
  RESULT,
  run,
  RUN_ID,
} from "../../support/answers";
import RunPage from "../../../src/pages/runs/RunPage";

const answers = {
  [`GET /v1/runs/${RUN_ID}`]: run(),
  [`GET /v1/runs/${RUN_ID}/logs`]: LOG,
  [`GET /v1/runs/${RUN_ID}/result`]: RESULT,
  [`GET /v1/runs/${RUN_ID}/notifications`]: NOTIFICATIONS,
};

function open(changes: object = {}, url = `/runs/${RUN_ID}`, scopes?: readonly string[]) {
  return renderPage({
    Page: RunPage,
    route: "/runs/:run_id",
    url,
    answers: { ...answers, ...changes },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

describe("the page of a run", () => {
  test("says how it ended, the likely cause, and where the time went", async () => {
    const { container } = open();

    expect(await screen.findByText(/The target answered 503/)).toBeTruthy();
    expect(screen.getByText(/The target failed \(HTTP 503\)/)).toBeTruthy();
    expect(screen.getByText(/Most of the wait, 4.0 s: waited in the queue/)).toBeTruthy();
    expect(await screen.findByText(/It broke/)).toBeTruthy();
    expectOnlyText({ container });
    await expectAccessible(container);
  });

  test("names its job, and shows the id of one that cannot be read", async () => {
    const named = open({ [`GET /v1/jobs/${JOB_ID}`]: { name: HOSTILE } });

    expect((await screen.findAllByRole("link", { name: HOSTILE })).map((link) => link.getAttribute("href"))).toEqual([
      `/jobs/${JOB_ID}`,
      `/jobs/${JOB_ID}`,
    ]);
    expectOnlyText(named);
    cleanup();
    open({ [`GET /v1/jobs/${JOB_ID}`]: refusal(404, "job_not_found") });

    await waitFor(() => {
      expect(screen.getAllByRole("link", { name: JOB_ID })).toHaveLength(2);
    });
    expect(screen.queryByText(/job_not_found/)).toBeNull();
  });

  test("sends a redrive with the edited payload, and nothing while that is no JSON", async () => {
    const user = userEvent.setup();
    const { asked } = open({ [`POST /v1/runs/${RUN_ID}/redrive`]: run({ state: "queued" }) });
    await user.click(await screen.findByRole("button", { name: "Redrive" }));
    await user.click(await screen.findByRole("radio", { name: /With another payload/ }));
    const editor = screen.getByRole("textbox", { name: "Payload" });
    await user.clear(editor);
    await user.type(editor, "{{");
    const confirm = screen.getByRole("button", { name: "Redrive the run" });

    expect(screen.getByText(/This is no JSON/)).toBeTruthy();
    expect(confirm.getAttribute("aria-disabled") ?? confirm.hasAttribute("disabled")).toBeTruthy();

    await user.clear(editor);
    await user.type(editor, '{{"to": "ann"}');
    await user.click(screen.getByRole("button", { name: "Redrive the run" }));

    const posted = asked.filter(({ method }) => method === "POST");
    expect(posted.map(({ path, body }) => [path, body])).toEqual([
      [`/v1/runs/${RUN_ID}/redrive`, { payload: { to: "ann" } }],
    ]);
  });

  test("runs a run again that succeeded, with another payload, as one run however often it is asked", async () => {
    const user = userEvent.setup();
    const made = { ...run({ state: "queued" }), run_id: `${RUN_ID}-again` };
    const jobId = RUN_ID.split(".")[0] ?? "";
    const { asked } = open({
      [`GET /v1/runs/${RUN_ID}`]: run({ state: "succeeded", error: null, reason: null }),
      [`POST /v1/jobs/${jobId}/trigger`]: made,
    });
    await user.click(await screen.findByRole("button", { name: "Run again" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: /With another payload/ }));
    const editor = within(dialog).getByRole("textbox", { name: "Payload" });
    await user.clear(editor);
    expect(isDisabled(within(dialog).getByRole("button", { name: "Run it again" }))).toBe(true);
    await user.type(editor, '{{"page": 2}');
    await user.click(within(dialog).getByRole("button", { name: "Run it again" }));

    expect(changes(asked)).toEqual([
      ["POST", `/v1/jobs/${jobId}/trigger`, { like_run_id: RUN_ID, payload: { page: 2 } }],
    ]);
    expect(asked.find(({ method }) => method === "POST")?.headers.get("Idempotency-Key")).toMatch(/\w{8}-/);
  });

  test.each([
    ["running", "schedule", /has not ended/],
    ["succeeded", "task", /rerun the task/],
    ["failed", "notification", /tells of another run/],
  ])("does not offer to run again what is %s of a %s", async (state, origin, why) => {
    open({ [`GET /v1/runs/${RUN_ID}`]: run({ state, origin } as Parameters<typeof run>[0]) });

    expect(isDisabled(await screen.findByRole("button", { name: "Run again" }))).toBe(true);
    expect(screen.getAllByText(why).length).toBeGreaterThan(0);
  });

  test("shows actions disabled, with the reason, to a role that may not operate", async () => {
    open({}, `/runs/${RUN_ID}`, VIEWER);
    const button = await screen.findByRole("button", { name: "Redrive" });

    expect(button.getAttribute("aria-disabled") === "true" || button.hasAttribute("disabled")).toBe(
      true,
    );
    expect(screen.getAllByText(/Your role may not/).length).toBeGreaterThan(0);
  });

  test("cancels a run that works, and not one that has ended", async () => {
    const user = userEvent.setup();
    const working = run({
      state: "running",
      error: null,
      reason: null,
      ended_at: null,
      attempts: [attempt({ state: "running", ended_at: null })],
    });
    const { asked } = open({
      [`GET /v1/runs/${RUN_ID}`]: working,
      [`POST /v1/runs/${RUN_ID}/cancel`]: working,
    });
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: "Cancel the run" }));

    expect(asked.some(({ path }) => path === `/v1/runs/${RUN_ID}/cancel`)).toBe(true);
  });

  test("moves a run that waits to another instant", async () => {
    const user = userEvent.setup();
    const waits = run({ state: "waiting", error: null, reason: null, ended_at: null, started_at: null });
    const { asked } = open({
      [`GET /v1/runs/${RUN_ID}`]: waits,
      [`POST /v1/runs/${RUN_ID}/reschedule`]: waits,
    });
    await user.click(await screen.findByRole("button", { name: "Reschedule" }));
    const dialog = await screen.findByRole("dialog");
    const minutes = within(dialog).getByRole("spinbutton", { name: "Minutes from now" });
    await user.clear(minutes);
    expect(isDisabled(within(dialog).getByRole("button", { name: "Reschedule the run" }))).toBe(true);
    await user.type(minutes, "5");
    await user.click(within(dialog).getByRole("button", { name: "Reschedule the run" }));

    expect(changes(asked)).toEqual([["POST", `/v1/runs/${RUN_ID}/reschedule`, { delay_seconds: 300 }]]);
  });

  test("does not offer to move a run that has ended", async () => {
    open();

    expect(isDisabled(await screen.findByRole("button", { name: "Reschedule" }))).toBe(true);
  });

  test("says into which run its trigger collapsed, by a key that is text", async () => {
    const into = `${RUN_ID.split(".")[0] ?? ""}.t20261121T070200000Z`;
    const { container } = open({
      [`GET /v1/runs/${RUN_ID}`]: run({
        state: "skipped",
        reason: "collapsed",
        error: null,
        explanation: `run ${into} stands for it`,
        collapse: { key: HOSTILE, since: "2026-11-21T07:01:00.000Z", triggers: 1_200, into },
      }),
    });
    const links = await screen.findAllByRole("link", { name: new RegExp(into) });

    expect(links.map((link) => link.getAttribute("href"))).toEqual([`/runs/${into}`, `/runs/${into}`]);
    expect(screen.getByText(/1,200 since/)).toBeTruthy();
    expectOnlyText({ container });
  });

  test("shows the key that its trigger named, as text", async () => {
    const { container } = open({ [`GET /v1/runs/${RUN_ID}`]: run({ concurrency_key: HOSTILE }) });
    const label = await screen.findByText("Key of its slots");

    expect(label.closest("dt")?.nextElementSibling?.textContent).toBe(HOSTILE);
    expectOnlyText({ container });
  });

  test("shows payload, result and what followed as text", async () => {
    const payload = open({}, `/runs/${RUN_ID}?tab=payload`);
    expect((await screen.findByRole("group", { name: /Payload of the run/ })).textContent).toContain(
      "onerror",
    );
    expectOnlyText(payload);
    payload.unmount();

    const result = open({}, `/runs/${RUN_ID}?tab=result`);
    expect((await screen.findByRole("group", { name: "Result" })).textContent).toContain("img");
    expectOnlyText(result);
    result.unmount();

    const followed = open({}, `/runs/${RUN_ID}?tab=followed`);
    expect(await screen.findByText(`https://hooks.example.com/${HOSTILE}`)).toBeTruthy();
    expectOnlyText(followed);
    await expectAccessible(followed.container);
  });

  test("leads from a task to its DAG run, which has its payload", async () => {
    const id = `${DAG_RUN_ID}.d20261121T070100000Z-1-load-0`;
    const task = run({ run_id: id, job_id: DAG_RUN_ID, origin: "task", payload_from: "job", payload: null });
    const { asked } = open(
      { [`GET /v1/runs/${id}`]: task, [`GET /v1/runs/${id}/result`]: RESULT },
      `/runs/${id}?tab=payload`,
    );
    await screen.findByText(/It has the payload of its task/);
    const links = screen.getAllByRole("link", { name: DAG_RUN_ID });

    expect(new Set(links.map((link) => link.getAttribute("href")))).toEqual(new Set([`/dag-runs/${DAG_RUN_ID}`]));
    expect(asked.some(({ path }) => path.startsWith("/v1/jobs/"))).toBe(false);
  });

  test("does not ask for the result of a run that goes on", async () => {
    const working = run({ state: "running", error: null, ended_at: null, attempts: [attempt({ state: "running" })] });
    const { asked } = open({ [`GET /v1/runs/${RUN_ID}`]: working }, `/runs/${RUN_ID}?tab=result`);

    expect(await screen.findByText("It has not ended, and has no result yet.")).toBeTruthy();
    expect(asked.some(({ path }) => path.endsWith("/result"))).toBe(false);
  });

  test("does not call a log empty that was refused, nor whole one that goes on", async () => {
    const refused = open({ [`GET /v1/runs/${RUN_ID}/logs`]: () => refusal(429, "rate_exceeded") });
    await screen.findByText("It was refused: rate_exceeded.");
    expect(screen.queryByText("Nothing has happened to it yet.")).toBeNull();
    refused.unmount();

    open({ [`GET /v1/runs/${RUN_ID}/logs`]: { ...LOG, next_cursor: "more" } });
    expect(await screen.findByText(/The log goes on/)).toBeTruthy();
  });

  test("leads from a rule's message to the rule, and shows what it tells", async () => {
    const told = `${JOB_ID}.n20261121T070105000Z-rabcdefghijklmnop-abcdefgh`;
    const message = { type: "rule.told", rule: { name: "ops", version: 1 }, events: [{ text: HOSTILE }] };
    const answers = {
      [`GET /v1/runs/${told}`]: run({ run_id: told, origin: "notification", payload_from: "job", payload: null, message }),
      [`GET /v1/runs/${told}/logs`]: LOG,
    };
    const { asked, container } = open(answers, `/runs/${told}?tab=payload`);
    const links = await screen.findAllByRole("link", { name: "ops" });

    expect(new Set(links.map((link) => link.getAttribute("href")))).toEqual(new Set(["/rules/ops"]));
    expect((await screen.findByRole("group", { name: "Message of the run" })).textContent).toContain("rule.told");
    expect(asked.filter(({ path }) => path.startsWith("/v1/jobs/"))).toEqual([]);
    expectOnlyText({ container });
  });

  test("shows a refusal with its request id", async () => {
    const { container } = open({ [`GET /v1/runs/${RUN_ID}`]: () => refusal(403, "insufficient_scope", "The token does not allow this.") });

    expect(await screen.findByText(/The token does not allow this/)).toBeTruthy();
    expect(within(container).getByText(/request r-1/)).toBeTruthy();
  });
});
