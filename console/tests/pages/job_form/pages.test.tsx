import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { EditJobPage } from "../../../src/pages/job_form/EditJobPage";
import { NewJobPage } from "../../../src/pages/job_form/NewJobPage";
import { type Asked, seriousViolations, show, VIEWER } from "../../support/page";
import { HOSTILE } from "../../support/samples";
import { example, fullJob } from "./samples";

const JOB_ID = "bwjvcytzr72gxmnvxjbslykqdc";
const VALID = { valid: true, errors: [], advice: [], definition: {} };
const PREVIEW = example("post", "/v1/schedules/preview");
const NEW = { "POST /v1/jobs/validate": VALID, "POST /v1/schedules/preview": PREVIEW };
const EDIT = {
  ...NEW,
  [`GET /v1/jobs/${JOB_ID}`]: fullJob(),
  [`POST /v1/jobs/${JOB_ID}/preview`]: example("post", "/v1/jobs/{job_id}/preview"),
  [`PATCH /v1/jobs/${JOB_ID}`]: fullJob(),
};
const AT_EDIT = { path: `/jobs/${JOB_ID}/edit`, route: "/jobs/:job_id/edit" };

const posted = (asked: Asked[], method: string, path: string) =>
  asked.filter((each) => each.method === method && each.path === path);

describe("the form of a new job", () => {
  it("shows the schedule in words, its next instants, and its clock changes", async () => {
    const { container } = show(<NewJobPage />, NEW, { path: "/jobs/new" });

    expect(await screen.findByText("At 07:00 on Monday to Friday, Europe/Berlin time")).toBeTruthy();
    expect(screen.getAllByText(/2026-11-23 06:00:00 UTC/).length).toBeGreaterThan(0);
    expect(screen.getByText(/The clock skips 02:00 to 03:00 on Sun 2027-03-28/)).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("stores what was typed, once, under one key", async () => {
    const created = { ...NEW, "POST /v1/jobs": fullJob() };
    const { asked } = show(<NewJobPage />, created, { path: "/jobs/new" });
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "hello" } });
    fireEvent.change(screen.getByLabelText("URL"), { target: { value: "https://example.com" } });
    await userEvent.click(screen.getByText("Create the job"));
    await waitFor(() => screen.getByText("another page"));

    expect(posted(asked, "POST", "/v1/jobs").map(({ body }) => body)).toEqual([
      {
        name: "hello",
        schedule: { kind: "cron", cron: "0 9 * * mon-fri", timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
        action: { type: "webhook", url: "https://example.com" },
      },
    ]);
  });

  it("stores nothing that the API would refuse, and says why at the field", async () => {
    const errors = [{ field: "action.url", code: "missing", detail: "It is required." }];
    const { asked } = show(
      <NewJobPage />,
      { ...NEW, "POST /v1/jobs/validate": { ...VALID, valid: false, errors } },
      { path: "/jobs/new" },
    );
    await waitFor(() => {
      expect(posted(asked, "POST", "/v1/jobs/validate").length).toBe(1);
    });
    expect(screen.queryByText("It is required.")).toBeNull();
    await userEvent.click(screen.getByText("Create the job"));

    expect((await screen.findAllByText(/It is required\./)).length).toBe(2);
    expect(posted(asked, "POST", "/v1/jobs")).toEqual([]);
  });

  it.each([
    ["a text that is no JSON", '{"page": 1,}', /This is no JSON/],
    ["a number beyond any that there is", '{"order": 1e400}', /No program reads 1e400/],
  ])("stores nothing while a field has %s, and says so", async (_, text, why) => {
    const { asked } = show(<NewJobPage />, { ...NEW, "POST /v1/jobs": fullJob() }, { path: "/jobs/new" });
    fireEvent.change(screen.getByLabelText("Payload"), { target: { value: '{"page": 1}' } });
    fireEvent.change(screen.getByLabelText("Payload"), { target: { value: text } });
    await userEvent.click(screen.getByText("Create the job"));

    expect(screen.getAllByText(why).length).toBeGreaterThan(1);
    expect(posted(asked, "POST", "/v1/jobs")).toEqual([]);
    fireEvent.change(screen.getByLabelText("Payload"), { target: { value: '{"page": 2}' } });
    await userEvent.click(screen.getByText("Create the job"));
    await waitFor(() => screen.getByText("another page"));

    expect(posted(asked, "POST", "/v1/jobs").map(({ body }) => (body as { payload: unknown }).payload)).toEqual([{ page: 2 }]);
  });

  it("copies a job, and shows a hostile text as text", async () => {
    const job = { ...fullJob(), name: HOSTILE, description: HOSTILE, key: "nightly" };
    const { container } = show(<NewJobPage />, { ...NEW, [`GET /v1/jobs/${JOB_ID}`]: job }, { path: `/jobs/new?from=${JOB_ID}` });

    expect(await screen.findByDisplayValue(`Copy of ${HOSTILE}`)).toBeTruthy();
    expect(screen.queryByDisplayValue("nightly")).toBeNull();
    expect(container.querySelector("img[src=x]")).toBeNull();
  });

  it("says what a role may not do", async () => {
    show(<NewJobPage />, NEW, { path: "/jobs/new", scopes: VIEWER });
    const create = screen.getByText("Create the job").closest("button");

    expect(create?.getAttribute("aria-disabled")).toBe("true");
    expect(await screen.findByText("Your role may not create or change jobs, DAGs and calendars.")).toBeTruthy();
  });
});

describe("the form of a job that exists", () => {
  it("does not take a job's own key for taken", async () => {
    const keyed = { ...EDIT, [`GET /v1/jobs/${JOB_ID}`]: { ...fullJob(), key: "nightly" } };
    const { asked } = show(<EditJobPage />, keyed, AT_EDIT);
    const judged = () => posted(asked, "POST", "/v1/jobs/validate").map(({ body }) => (body as { key?: unknown }).key);
    await waitFor(() => {
      expect(judged()).toEqual([null]);
    });
    fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: "weekly" } });

    await waitFor(() => {
      expect(judged()).toEqual([null, "weekly"]);
    });
  });

  it("shows what changes before it saves that alone, of the version that was read", async () => {
    const { asked } = show(<EditJobPage />, EDIT, AT_EDIT);
    const cron = await screen.findByLabelText("Cron");
    fireEvent.change(cron, { target: { value: "0 4 * * *" } });
    await userEvent.click(screen.getByText("Show what changes"));
    const dialog = within(screen.getByRole("dialog"));

    expect(await dialog.findByText("11,000 → 1")).toBeTruthy();
    expect(dialog.getByText("10,999")).toBeTruthy();
    expect(posted(asked, "PATCH", `/v1/jobs/${JOB_ID}`)).toEqual([]);
    await userEvent.click(dialog.getByText("Save the changes"));
    await waitFor(() => screen.getByText("another page"));
    const [saved] = posted(asked, "PATCH", `/v1/jobs/${JOB_ID}`);

    expect(saved?.body).toEqual({ schedule: { kind: "cron", cron: "0 4 * * *", timezone: "Europe/Berlin" } });
    expect(saved?.headers.get("If-Match")).toBe('"3"');
  });

  it("leaves out as many attempts as the delays of its retries make, also once there is one delay more", async () => {
    const retry = { ...(fullJob().retry as object), max_attempts: 4, delays_seconds: [1, 60, 600] };
    const { asked } = show(<EditJobPage />, { ...EDIT, [`GET /v1/jobs/${JOB_ID}`]: { ...fullJob(), retry } }, AT_EDIT);
    fireEvent.click(await screen.findByText("Attempts and failures"));
    fireEvent.click(screen.getByText("Retry"));
    expect(screen.getByText("1 to 50. Without it: 4.")).toBeTruthy();
    fireEvent.click(screen.getByText("Add to delays seconds"));
    fireEvent.change(screen.getByLabelText("Delays seconds 4"), { target: { value: "3600" } });
    expect(screen.getByText("1 to 50. Without it: 5.")).toBeTruthy();
    await userEvent.click(screen.getByText("Show what changes"));
    await userEvent.click(await screen.findByText("Save the changes"));
    await waitFor(() => screen.getByText("another page"));

    expect(posted(asked, "PATCH", `/v1/jobs/${JOB_ID}`)[0]?.body).toEqual({ retry: { delays_seconds: [1, 60, 600, 3600] } });
  });

  it("saves nothing while nothing is changed", async () => {
    const { asked } = show(<EditJobPage />, EDIT, AT_EDIT);
    await screen.findByDisplayValue("nightly report");
    await userEvent.click(screen.getByText("Show what changes"));

    expect(await screen.findByText("Nothing is changed yet.")).toBeTruthy();
    expect(screen.getByText("Save the changes").closest("button")?.disabled).toBe(true);
    expect(posted(asked, "POST", `/v1/jobs/${JOB_ID}/preview`)).toEqual([]);
  });
});
