import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import CalendarPage from "../../../src/pages/restrictions/CalendarPage";
import RestrictionsPage from "../../../src/pages/restrictions/RestrictionsPage";
import { CALENDAR, freeze } from "../../support/answers";
import { refusal } from "../../support/page";
import { job } from "../../support/samples";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

function open(query = "", more: object = {}, scopes?: string[]) {
  return renderPage({
    Page: RestrictionsPage,
    route: "/calendars",
    url: `/calendars${query}`,
    answers: {
      "GET /v1/freezes": { items: [freeze()], next_cursor: null },
      "GET /v1/calendars": { items: [CALENDAR], next_cursor: null },
      ...more,
    },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

function openCalendar(more: object = {}, scopes?: string[]) {
  return renderPage({
    Page: CalendarPage,
    route: "/calendars/:calendar",
    url: "/calendars/office?month=2026-12",
    answers: { "GET /v1/calendars/office": CALENDAR, ...more },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

test("freezes are listed, as text", async () => {
  const page = open();

  expect(await screen.findByText("The last instant of each job runs")).toBeTruthy();
  expect(page.asked[0]?.query.get("unended")).toBe("true");
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a freeze is lifted after a question", async () => {
  const user = userEvent.setup();
  const path = `/v1/freezes/${freeze().freeze_id}`;
  const { asked } = open("", { [`DELETE ${path}`]: freeze({ state: "lifted" }) });
  await user.click(await screen.findByRole("button", { name: /^Lift the freeze/ }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Lift the freeze" }));

  expect(changes(asked)).toEqual([["DELETE", path, undefined]]);
});

test("a freeze of the stage is not lifted here", async () => {
  open("", {
    "GET /v1/freezes": { items: [freeze({ by_stage: true })], next_cursor: null },
  });

  expect(isDisabled(await screen.findByRole("button", { name: /^Lift the freeze/ }))).toBe(true);
});

test("a freeze says what it will hold back before it is created", async () => {
  const user = userEvent.setup();
  const { asked } = open("", {
    "GET /v1/jobs": { items: [job({ next_run_at: "2000-01-01T00:00:00.000Z" })], next_cursor: null },
    "POST /v1/freezes": freeze(),
  });
  await user.click(await screen.findByRole("button", { name: "Freeze" }));
  const dialog = await screen.findByRole("dialog");
  const confirm = within(dialog).getByRole("button", { name: "Freeze" });
  expect(isDisabled(confirm)).toBe(true);

  await user.click(within(dialog).getByRole("textbox", { name: "Tag" }));
  await user.paste("team=billing");

  expect(await within(dialog).findByText("What it will hold back")).toBeTruthy();
  expect(within(dialog).getByText(/One active job/)).toBeTruthy();
  expect(asked.find(({ path }) => path === "/v1/jobs")?.query.getAll("tag")).toEqual([
    "team:billing",
  ]);

  await user.click(confirm);

  const [method, path, body] = changes(asked)[0] ?? [];
  expect([method, path]).toEqual(["POST", "/v1/freezes"]);
  expect(body).toMatchObject({ scope: { kind: "tag", key: "team", value: "billing" }, thaw: "job" });
});

test("what a freeze will hold back is asked for once its tag is written, and not by the letter", async () => {
  const user = userEvent.setup();
  const { asked } = open("", { "GET /v1/jobs": { items: [job()], next_cursor: null } });
  await user.click(await screen.findByRole("button", { name: "Freeze" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox", { name: "Tag" }), "team=ops");
  await within(dialog).findByText(/One active job/);

  expect(asked.filter(({ path }) => path === "/v1/jobs").map(({ query }) => query.get("tag"))).toEqual(["team:ops"]);
});

test("a repeated click freezes once: neither its key nor its span moves", async () => {
  const user = userEvent.setup();
  let count = 0;
  const { asked } = open("", {
    "GET /v1/jobs": { items: [], next_cursor: null },
    "POST /v1/freezes": () => (count++ === 0 ? refusal(503, "throttled") : freeze()),
  });
  await user.click(await screen.findByRole("button", { name: "Freeze" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("textbox", { name: "Tag" }));
  await user.paste("team=billing");
  await user.click(within(dialog).getByRole("button", { name: "Freeze" }));
  await within(dialog).findByText(/throttled · request r-1/);
  await user.click(within(dialog).getByRole("button", { name: "Freeze" }));
  const sent = asked.filter(({ method }) => method === "POST");

  expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
  expect(sent.map(({ headers }) => headers.get("Idempotency-Key"))).toEqual([
    expect.any(String),
    sent[0]?.headers.get("Idempotency-Key"),
  ]);
});

test("a role that may not operate neither freezes nor lifts", async () => {
  open("", {}, VIEWER);

  expect(isDisabled(await screen.findByRole("button", { name: "Freeze" }))).toBe(true);
  expect(isDisabled(await screen.findByRole("button", { name: /^Lift the freeze/ }))).toBe(true);
});

test("calendars are listed, as text", async () => {
  const page = open("?view=calendars");

  expect(await screen.findByRole("link", { name: "office" })).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a month shows which days a calendar covers", async () => {
  const page = openCalendar();
  const table = await screen.findByRole("table", { name: "December 2026" });

  expect(within(table).getAllByText("2026-12-24 to 2026-12-26")).toHaveLength(3);
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("an iCal file fills a calendar unless another caller changed it meanwhile", async () => {
  const user = userEvent.setup();
  const { asked } = openCalendar({
    "POST /v1/calendars/office/import": {
      calendar: CALENDAR,
      events: 2,
      occurrences: 9,
      until: "2027-01-01T00:00:00.000Z",
    },
  });
  await user.click(await screen.findByRole("button", { name: /Import iCal/ }));
  const dialog = await screen.findByRole("dialog");
  const file = new File(["BEGIN:VCALENDAR"], "feed.ics", { type: "text/calendar" });
  const field = dialog.querySelector("input[type=file]");
  await user.upload(field as HTMLInputElement, file);
  await user.click(within(dialog).getByRole("button", { name: "Import" }));

  expect(await within(dialog).findByText(/9 occurrences of 2 events/)).toBeTruthy();
  expect(changes(asked)).toEqual([
    ["POST", "/v1/calendars/office/import", { ical: "BEGIN:VCALENDAR" }],
  ]);
});

test("a role that may not write imports nothing", async () => {
  openCalendar({}, VIEWER);

  expect(isDisabled(await screen.findByRole("button", { name: /Import iCal/ }))).toBe(true);
});

test("a refusal is shown with its request id", async () => {
  openCalendar({ "GET /v1/calendars/office": () => refusal(404, "calendar_not_found") });

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});

test.each(["0000-01", "9999-12", "2026-13"])("a calendar whose address has the month %s is shown", async (month) => {
  renderPage({
    Page: CalendarPage,
    route: "/calendars/:calendar",
    url: `/calendars/office?month=${month}`,
    answers: { "GET /v1/calendars/office": CALENDAR },
  });

  expect(await screen.findByRole("button", { name: "The month after" })).toBeTruthy();
});

test("a calendar of a zone that the browser does not know is shown, and says whose clock its spans are on", async () => {
  const later = { ...CALENDAR, timezone: "Mars/Olympus_Mons" };
  openCalendar({ "GET /v1/calendars/office": later });

  expect(await screen.findByText(/does not know that zone: spans between two instants, and today, are on the clock of UTC/)).toBeTruthy();
  expect(screen.getByText("00:00 to 11:00")).toBeTruthy();
});
