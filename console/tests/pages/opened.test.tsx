import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { expect, test } from "vitest";

import EventTriggerPage from "../../src/pages/events/EventTriggerPage";
import CalendarPage from "../../src/pages/restrictions/CalendarPage";
import RulePage from "../../src/pages/rules/RulePage";
import TenantPage from "../../src/pages/tenants/TenantPage";
import { CALENDAR, eventTrigger, rule, tenant } from "../support/answers";
import { type Asked, refusal } from "../support/page";
import { ADMIN, renderPage } from "../support/renderPage";

interface Case {
  Page: ComponentType;
  route: string;
  url: string;
  /** Path of the thing in the API, the thing as the question shows it, and as another caller left it meanwhile. */
  path: string;
  first: { version: number };
  later: { version: number };
  more?: object;
  scopes?: readonly string[];
}

const MESSAGES = { items: [], next_cursor: null, held: { events: [], more: 0 } };
const RULE: Case = {
  Page: RulePage,
  route: "/rules/:rule",
  url: "/rules/data-team",
  path: "/v1/notification-rules/data-team",
  first: rule({ version: 3, enabled: true }),
  later: rule({ version: 4, enabled: false }),
  more: { "GET /v1/notification-rules/data-team/messages": MESSAGES },
};
const TENANT: Case = {
  Page: TenantPage,
  route: "/tenants/:tenant",
  url: "/tenants/acme",
  path: "/v1/tenants/acme",
  first: tenant({ version: 3 }),
  later: tenant({ version: 4, status: "suspended", quotas: { ...tenant().quotas, jobs: 7 } }),
  scopes: ADMIN,
};
const TRIGGER: Case = {
  Page: EventTriggerPage,
  route: "/event-triggers/:event_trigger",
  url: "/event-triggers/paid",
  path: "/v1/event-triggers/paid",
  first: eventTrigger({ version: 3 }),
  later: eventTrigger({ version: 4 }),
  more: { "GET /v1/runs": { items: [], next_cursor: null, complete: true, left_out: null } },
};
const OFFICE: Case = {
  Page: CalendarPage,
  route: "/calendars/:calendar",
  url: "/calendars/office",
  path: "/v1/calendars/office",
  first: { ...CALENDAR, version: 3 },
  later: { ...CALENDAR, version: 4 },
};

/** Opens a question, and then has another caller change the thing and the page read it. */
async function ask({ Page, route, url, path, first, later, more = {}, scopes }: Case, button: string) {
  const user = userEvent.setup();
  let isLater = false;
  const answers = { [`GET ${path}`]: () => (isLater ? later : first), ...more };
  const page = renderPage({ Page, route, url, answers, ...(scopes === undefined ? {} : { scopes }) });
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = await screen.findByRole("dialog");
  isLater = true;
  await act(() => page.queries.invalidateQueries());
  return { user, dialog: within(dialog), ...page };
}

const changesOf = (asked: readonly Asked[]): Asked[] => asked.filter(({ method }) => method !== "GET");

test("a question to turn a rule off turns none on that another caller has turned off meanwhile", async () => {
  const { user, dialog, asked } = await ask(RULE, "Turn off");
  await user.click(dialog.getByRole("button", { name: "Turn off the rule" }));

  const [put] = changesOf(asked);
  expect(put?.headers.get("If-Match")).toBe('"3"');
  expect(put?.body).toMatchObject({ enabled: false });
});

test("quotas that another administrator set meanwhile are not set back", async () => {
  const { user, dialog, asked } = await ask(TENANT, "Change quotas");
  await user.type(dialog.getByRole("textbox", { name: /DAGs/ }), "12");
  await user.click(dialog.getByRole("button", { name: "Change the quotas" }));

  const [patch] = changesOf(asked);
  expect(patch?.headers.get("If-Match")).toBe('"3"');
  expect(patch?.body).toEqual({ quotas: { dags: 12 } });
});

test.each([
  ["a suspension", TENANT, "Suspend", "Suspend the tenant"],
  ["the deletion of a rule", RULE, "Delete", "Delete the rule"],
  ["the deletion of a trigger", TRIGGER, "Delete", "Delete the trigger"],
])("%s is sent for the version that its question shows", async (_, asked, button, verb) => {
  const page = await ask(asked, button);
  await page.user.click(page.dialog.getByRole("button", { name: verb }));

  expect(changesOf(page.asked).map(({ headers }) => headers.get("If-Match"))).toEqual(['"3"']);
});

test("an import replaces the entries that its question counts, and no later ones", async () => {
  const { user, asked, baseElement } = await ask(OFFICE, "Import iCal");
  const input = baseElement.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error("No file can be chosen.");
  await user.upload(input, new File(["BEGIN:VCALENDAR"], "holidays.ics", { type: "text/calendar" }));
  await user.click(await screen.findByRole("button", { name: "Import" }));

  expect(changesOf(asked).map(({ headers }) => headers.get("If-Match"))).toEqual(['"3"']);
});

test("a refused version is read: the question that is opened next is about the present one", async () => {
  const user = userEvent.setup();
  let isLater = false;
  const { asked } = renderPage({
    ...TENANT,
    scopes: ADMIN,
    answers: {
      "GET /v1/tenants/acme": () => (isLater ? TENANT.later : TENANT.first),
      "POST /v1/tenants/acme/suspend": () => {
        isLater = true;
        return refusal(412, "tenant_changed");
      },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Suspend" }));
  await user.click(await screen.findByRole("button", { name: "Suspend the tenant" }));
  await user.click(await screen.findByRole("button", { name: "Back" }));

  expect(await screen.findByRole("button", { name: "Resume" })).toBeTruthy();
  await waitFor(() => {
    expect(asked.filter(({ method }) => method === "GET").length).toBe(2);
  });
});
