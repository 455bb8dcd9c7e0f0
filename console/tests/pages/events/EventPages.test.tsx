import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";

import EditEventTriggerPage from "../../../src/pages/events/EditEventTriggerPage";
import EventTriggerPage from "../../../src/pages/events/EventTriggerPage";
import EventTriggersPage from "../../../src/pages/events/EventTriggersPage";
import { forgetDrafts, keepDrafts } from "../../../src/auth/drafts";
import SendEventPage from "../../../src/pages/events/SendEventPage";
import { triggerBodyOf } from "../../../src/pages/events/triggerContract";
import { dagRun, eventTrigger, failedRun, HOSTILE, JOB_ID, RUN_ID } from "../../support/answers";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

const LIST = { Page: EventTriggersPage, route: "/event-triggers", url: "/event-triggers" };
const ONE = { Page: EventTriggerPage, route: "/event-triggers/:event_trigger", url: "/event-triggers/paid" };
const NEW = { Page: EditEventTriggerPage, route: "/event-triggers/+new", url: "/event-triggers/+new" };
const SEND = { Page: SendEventPage, route: "/event-triggers/+send" };
const GET = "GET /v1/event-triggers/paid";

describe("event triggers", () => {
  test("are listed, and texts of the tenant are text", async () => {
    const page = renderPage({ ...LIST, answers: { "GET /v1/event-triggers": { items: [eventTrigger()], next_cursor: null } } });

    expect(await screen.findByText("its web hook (standard)")).toBeTruthy();
    expect(screen.getByRole("link", { name: `job ${JOB_ID}` })).toBeTruthy();
    expectOnlyText(page);
    await expectAccessible(page.container);
  });

  test("teach the first one where there is none", async () => {
    renderPage({ ...LIST, answers: { "GET /v1/event-triggers": { items: [], next_cursor: null } }, scopes: VIEWER });

    expect(await screen.findByText(/timegate event-triggers put paid/)).toBeTruthy();
    expect(isDisabled(screen.getByRole("button", { name: "Send an event" }))).toBe(true);
    expect(isDisabled(screen.getByRole("button", { name: "Create a trigger" }))).toBe(true);
  });

  test("show the address of their web hook, and the place of its key", async () => {
    const page = renderPage({ ...ONE, answers: { [GET]: eventTrigger() } });

    expect(await screen.findByText("https://api.example.com/v1/hooks/f3q5")).toBeTruthy();
    expect(screen.getByText("/timegate-target/acme/paid")).toBeTruthy();
    expectOnlyText(page);
    await expectAccessible(page.container);
  });

  test("list the runs that their events started, whatever the events are called", async () => {
    const event = { event_trigger: "paid", source: HOSTILE, id: HOSTILE };
    const page = renderPage({
      ...ONE,
      answers: { [GET]: eventTrigger(), "GET /v1/runs": { items: [failedRun({ matched_event: event })], next_cursor: null } },
    });
    const table = await screen.findByRole("table", { name: "Recent matches" });
    const asked = page.asked.find(({ path }) => path === "/v1/runs");

    expect(within(table).getByRole("link", { name: RUN_ID }).getAttribute("href")).toBe(`/runs/${RUN_ID}`);
    expect(within(table).getAllByText(HOSTILE)).toHaveLength(2);
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      which: "all",
      job_id: JOB_ID,
      event_trigger: "paid",
      limit: "100",
    });
    expectOnlyText(page);
    await expectAccessible(page.container);
  });

  test("list the DAG runs that their events started", async () => {
    const { dag_id: dagId } = dagRun();
    const matched = { event_trigger: "paid", source: "shop", id: "e1" };
    const page = renderPage({
      ...ONE,
      answers: {
        [GET]: eventTrigger({ starts: { type: "dag_run", dag_id: dagId, parameters: {} } }),
        [`GET /v1/dags/${dagId}/runs`]: { items: [dagRun({ trigger: "event", matched_event: matched })], next_cursor: null },
      },
    });
    const table = await screen.findByRole("table", { name: "Recent matches" });

    expect(within(table).getByRole("link").getAttribute("href")).toBe(`/dag-runs/${dagRun().dag_run_id}`);
    expect(within(table).getByText("e1")).toBeTruthy();
    expect(page.asked.find(({ path }) => path.endsWith("/runs"))?.query.get("event_trigger")).toBe("paid");
  });

  test("do not call the latest runs all of them", async () => {
    const answers = { [GET]: eventTrigger(), "GET /v1/runs": { items: [], next_cursor: "more", complete: true, left_out: null } };
    renderPage({ ...ONE, answers });

    expect(await screen.findByText(/None among the latest runs/)).toBeTruthy();
    expect(screen.queryByText(/No run on record is of this trigger/)).toBeNull();
  });

  test("show the first of many matches", async () => {
    const items = Array.from({ length: 12 }, (_, index) => failedRun({ run_id: `${JOB_ID}.t202611${10 + index}T070100000Z` }));
    renderPage({ ...ONE, answers: { [GET]: eventTrigger(), "GET /v1/runs": { items, next_cursor: null, complete: true, left_out: null } } });
    const table = await screen.findByRole("table", { name: "Recent matches" });

    expect(within(table).getAllByRole("link")).toHaveLength(10);
  });

  test("are sent by a role that may send, whatever else it may do", async () => {
    const url = "/event-triggers";
    renderPage({ Page: EventTriggersPage, route: url, url, answers: { [`GET /v1${url}`]: { items: [], next_cursor: null } }, scopes: ["timegate/send"] });

    expect(isDisabled(await screen.findByRole("button", { name: "Send an event" }))).toBe(false);
  });

  test("compare an event that starts nothing", async () => {
    const user = userEvent.setup();
    const page = renderPage({
      ...ONE,
      answers: { [GET]: eventTrigger(), "POST /v1/event-triggers/paid/try": { matches: true, data: { note: HOSTILE } } },
    });
    fireEvent.change(await screen.findByRole("textbox", { name: "Event" }), { target: { value: '{"type": "t"}' } });
    await user.click(screen.getByRole("button", { name: "Try the event" }));

    expect(await screen.findByText(/It matches/)).toBeTruthy();
    expect(changes(page.asked)).toEqual([["POST", "/v1/event-triggers/paid/try", { event: { type: "t" } }]]);
    expectOnlyText(page);
  });

  test("are paused after a question", async () => {
    const user = userEvent.setup();
    const { asked } = renderPage({
      ...ONE,
      answers: { [GET]: eventTrigger(), "POST /v1/event-triggers/paid/pause": eventTrigger({ status: "paused" }) },
    });
    await user.click(await screen.findByRole("button", { name: "Pause" }));
    await user.click(await screen.findByRole("button", { name: "Pause the trigger" }));

    expect(changes(asked).map(([, path]) => path)).toEqual(["/v1/event-triggers/paid/pause"]);
  });

  test("are created by the form, with a pattern that is any JSON", async () => {
    const user = userEvent.setup();
    const { asked, container } = renderPage({
      ...NEW,
      answers: { "PUT /v1/event-triggers/paid": eventTrigger() },
    });
    fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "paid" } });
    fireEvent.change(screen.getByLabelText("Job ID"), { target: { value: "key:invoice" } });
    fireEvent.change(screen.getByRole("textbox", { name: "Pattern" }), { target: { value: '{"data": {"n": [1]}}' } });
    await expectAccessible(container);
    await user.click(screen.getByRole("button", { name: "Create the trigger" }));
    await screen.findByText("another page");
    const [put] = asked.filter(({ method }) => method === "PUT");

    expect(put?.headers.get("If-None-Match")).toBe("*");
    expect(put?.body).toEqual({ pattern: { data: { n: [1] } }, starts: { type: "job", job_id: "key:invoice" } });
  });
});

test("a trigger is written as its owner would: no payload is none, and an absent one the event", () => {
  const starts = (fields: object) => eventTrigger({ starts: { ...eventTrigger().starts, ...fields } as never });

  expect(triggerBodyOf(starts({ payload: null })).starts).toEqual({ type: "job", job_id: JOB_ID, payload: null });
  expect(triggerBodyOf(starts({ payload: { $ref: "event" } })).starts).toEqual({ type: "job", job_id: JOB_ID });
  expect(triggerBodyOf(starts({ payload: null, payload_patch: {} })).starts).toEqual({
    type: "job",
    job_id: JOB_ID,
    payload_patch: {},
  });
});

describe("an event that is sent by hand", () => {
  const met = { kind: "event_trigger", name: "paid", dag_run_id: null, run_id: RUN_ID, code: null, detail: null };
  const refused = { ...met, name: "other", run_id: null, code: "job_is_cancelled", detail: HOSTILE };
  const sent = { index: 0, status: 202, id: "e", source: "s", receipt: "new", met: [met, refused], error: null };

  test("is named by its address, and shows what it met", async () => {
    const user = userEvent.setup();
    const page = renderPage({
      ...SEND,
      url: "/event-triggers/+send?type=order.paid&key=4711",
      answers: { "POST /v1/events": { items: [sent], received: 1, repeated: 0, failed: 0 } },
    });
    fireEvent.change(screen.getByRole("textbox", { name: "Data" }), { target: { value: '{"total": 7}' } });
    await user.click(screen.getByRole("button", { name: "Send the event" }));
    const link = await screen.findByRole("link", { name: RUN_ID });
    const [[, , body] = []] = changes(page.asked);

    expect(link.getAttribute("href")).toBe(`/runs/${RUN_ID}`);
    expect(body).toMatchObject({ type: "order.paid", subject: "4711", source: "timegate-console", data: { total: 7 } });
    expect(within(page.container).getByText(/job_is_cancelled/)).toBeTruthy();
    expectOnlyText(page);
    await expectAccessible(page.container);
  });

  test("has to have a type, and a role that may send it", () => {
    renderPage({ ...SEND, url: "/event-triggers/+send", answers: {} });

    expect(isDisabled(screen.getByRole("button", { name: "Send the event" }))).toBe(true);
  });
});

test("an event that is typed is found again after a sign-in, with the id that makes it received once", async () => {
  const open = () => renderPage({ ...SEND, url: "/event-triggers/+send?type=paid", answers: {} });
  const first = open();
  fireEvent.change(await screen.findByLabelText("Data"), { target: { value: '{"order": 7}' } });
  const id = screen.getByLabelText<HTMLInputElement>("Id").value;
  keepDrafts();
  first.unmount();
  forgetDrafts();
  open();

  expect((await screen.findByLabelText<HTMLTextAreaElement>("Data")).value).toBe('{"order": 7}');
  expect(screen.getByLabelText<HTMLInputElement>("Id").value).toBe(id);
});
