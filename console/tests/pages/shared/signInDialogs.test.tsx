import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { afterEach, expect, test } from "vitest";

import { forgetDrafts, keepDrafts, lostByLeaving } from "../../../src/auth/drafts";
import { NewJobPage } from "../../../src/pages/job_form/NewJobPage";
import { JobPage } from "../../../src/pages/jobs/JobPage";
import { JobsPage } from "../../../src/pages/jobs/JobsPage";
import CalendarPage from "../../../src/pages/restrictions/CalendarPage";
import RestrictionsPage from "../../../src/pages/restrictions/RestrictionsPage";
import RunPage from "../../../src/pages/runs/RunPage";
import TenantPage from "../../../src/pages/tenants/TenantPage";
import { CALENDAR, LOG, run, RUN_ID } from "../../support/answers";
import { show } from "../../support/page";
import { job } from "../../support/samples";
import { example } from "../job_form/samples";

interface Opened {
  Page: ComponentType;
  route: string;
  path: string;
  answers: Record<string, unknown>;
}

const JOB_ID = job().job_id;
const LIST = { items: [], next_cursor: null };
const JOB: Opened = {
  Page: JobPage,
  route: "/jobs/:jobId",
  path: `/jobs/${JOB_ID}`,
  answers: { [`GET /v1/jobs/${JOB_ID}`]: job(), [`GET /v1/jobs/${JOB_ID}/ledger`]: LIST },
};
const JOBS: Opened = {
  Page: JobsPage,
  route: "/jobs",
  path: "/jobs?name=report",
  answers: { "GET /v1/jobs": { items: [job()], next_cursor: null } },
};
const RUN: Opened = {
  Page: RunPage,
  route: "/runs/:run_id",
  path: `/runs/${RUN_ID}`,
  answers: { [`GET /v1/runs/${RUN_ID}`]: run(), [`GET /v1/runs/${RUN_ID}/logs`]: LOG },
};
const FREEZES: Opened = {
  Page: RestrictionsPage,
  route: "/calendars",
  path: "/calendars",
  answers: { "GET /v1/freezes": LIST, "GET /v1/calendars": LIST, "GET /v1/jobs": LIST },
};
const OFFICE: Opened = {
  Page: CalendarPage,
  route: "/calendars/:calendar",
  path: "/calendars/office",
  answers: {
    "GET /v1/calendars/office": CALENDAR,
    "POST /v1/calendars/office/import": { calendar: CALENDAR, events: 2, occurrences: 9, until: "2027-01-01T00:00:00.000Z" },
  },
};
const TENANT: Opened = {
  Page: TenantPage,
  route: "/tenants/:tenant",
  path: "/tenants/acme",
  answers: { "GET /v1/tenants/acme": example("get", "/v1/tenants/{tenant}") },
};
const SCOPES = ["admin", "read", "write", "operate"].map((each) => `timegate/${each}`);

const NEW_JOB: Opened = {
  Page: NewJobPage,
  route: "/jobs/new",
  path: "/jobs/new",
  answers: {
    "POST /v1/jobs/validate": { valid: true, errors: [], advice: [], definition: {} },
    "POST /v1/schedules/preview": example("post", "/v1/schedules/preview"),
  },
};

const open = ({ Page, route, path, answers }: Opened) => show(<Page />, answers, { route, path, scopes: SCOPES });

/** The person leaves for the issuer's page, and comes back. */
function signIn(left: ReturnType<typeof open>, page: Opened): ReturnType<typeof open> {
  keepDrafts();
  left.unmount();
  forgetDrafts();
  return open(page);
}

afterEach(() => {
  sessionStorage.clear();
  forgetDrafts();
});

const DIALOGS: [string, Opened, string, string][] = [
  ["the trigger of a job", JOB, "Trigger", "Delay in seconds"],
  ["the trigger of many runs", JOB, "Trigger many", "One trigger a line"],
  ["a backfill", JOB, "Backfill", "Runs at once"],
  ["the pause of a job", JOB, "Pause", "Reason"],
  ["the pause of many jobs", JOBS, "Pause all that match", "Reason"],
  ["a redrive", RUN, "Redrive", "Note"],
  ["a freeze", FREEZES, "Freeze", "Reason"],
  ["quotas", TENANT, "Change quotas", "Jobs, active or paused"],
  ["the suspension of a tenant", TENANT, "Suspend", "Reason"],
];

const fieldOf = async (label: string): Promise<HTMLInputElement> =>
  within(await screen.findByRole("dialog")).findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));

test.each(DIALOGS)("%s is open again after a sign-in, with what was typed in it", async (_, page, button, label) => {
  const left = open(page);
  await userEvent.click(await screen.findByRole("button", { name: button }));
  fireEvent.change(await fieldOf(label), { target: { value: "17" } });
  signIn(left, page);

  expect((await fieldOf(label)).value).toBe("17");
  await userEvent.click(within(screen.getByRole("dialog")).getByText("Back"));
  expect(await screen.findByText("Close without sending?")).toBeTruthy();
});

test("a dialog that was closed stays closed, and opens empty", async () => {
  const left = open(JOB);
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  await userEvent.type(await fieldOf("Reason"), "x");
  await userEvent.click(within(screen.getByRole("dialog")).getByText("Back"));
  await userEvent.click(await screen.findByText("Discard it"));
  signIn(left, JOB);
  const pause = await screen.findByRole("button", { name: "Pause" });

  expect(screen.queryByRole("dialog")).toBeNull();
  await userEvent.click(pause);
  expect((await fieldOf("Reason")).value).toBe("");
});

test("a question about what is to be simulated is found again after a sign-in", async () => {
  const page = { ...JOB, path: `/jobs/${JOB_ID}?tab=what-if` };
  const left = open(page);
  fireEvent.change(await screen.findByLabelText("Up to"), { target: { value: "2030-01-01T00:00:00Z" } });
  signIn(left, page);

  expect((await screen.findByLabelText<HTMLInputElement>("Up to")).value).toBe("2030-01-01T00:00:00Z");
});

test("a request whose answer was lost is the same request after a sign-in", async () => {
  const lost: Opened = {
    ...JOB,
    answers: { ...JOB.answers, [`POST /v1/jobs/${JOB_ID}/trigger`]: () => Promise.reject(new TypeError("the network is gone")) },
  };
  const send = async ({ asked }: ReturnType<typeof open>): Promise<string | null | undefined> => {
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Trigger a run" }));
    await waitFor(() => {
      expect(asked.some(({ method }) => method === "POST")).toBe(true);
    });
    return asked.find(({ method }) => method === "POST")?.headers.get("Idempotency-Key");
  };
  const left = open(lost);
  await userEvent.click(await screen.findByRole("button", { name: "Trigger" }));
  const first = await send(left);
  expect(first).toBeTruthy();

  expect(await send(signIn(left, lost))).toBe(first);
});

test("text of a field that cannot be read yet is there again after a sign-in, and asked about before it is lost", async () => {
  const left = open(NEW_JOB);
  fireEvent.change(await screen.findByLabelText("Payload"), { target: { value: '{"half": ' } });
  expect(lostByLeaving()).not.toBeNull();
  signIn(left, NEW_JOB);

  expect((await screen.findByLabelText<HTMLTextAreaElement>("Payload")).value).toBe('{"half": ');
});

test("a chosen iCal file is chosen after a sign-in, and imported as it was", async () => {
  const left = open(OFFICE);
  await userEvent.click(await screen.findByRole("button", { name: "Import iCal" }));
  const field = (await screen.findByRole("dialog")).querySelector("input[type=file]");
  await userEvent.upload(field as HTMLInputElement, new File(["BEGIN:VCALENDAR 9007199254740993"], "feed.ics"));
  await screen.findByText("feed.ics");
  const { asked } = signIn(left, OFFICE);
  await screen.findByText("feed.ics");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Import" }));

  expect(await screen.findByText(/9 occurrences of 2 events/)).toBeTruthy();
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ ical: "BEGIN:VCALENDAR 9007199254740993" });
});
