import { onlineManager } from "@tanstack/react-query";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";

import { forgetDrafts, keepDrafts } from "../../../src/auth/drafts";
import EditDagPage from "../../../src/pages/dags/EditDagPage";
import { EditJobPage } from "../../../src/pages/job_form/EditJobPage";
import { NewJobPage } from "../../../src/pages/job_form/NewJobPage";
import EditRulePage from "../../../src/pages/rules/EditRulePage";
import { dag, DAG_ID, rule } from "../../support/answers";
import { type Answers, type Asked, refusal, show } from "../../support/page";
import { example, fullJob } from "../job_form/samples";

const JOB_ID = "bwjvcytzr72gxmnvxjbslykqdc";
const JOB = `/v1/jobs/${JOB_ID}`;
const AT_JOB = { path: `/jobs/${JOB_ID}/edit`, route: "/jobs/:job_id/edit" };
const NEW: Answers = {
  "POST /v1/jobs/validate": { valid: true, errors: [], advice: [], definition: {} },
  "POST /v1/schedules/preview": example("post", "/v1/schedules/preview"),
};

/** A job that another caller changes once the form has read it. */
function editedJob(theirs: object) {
  let version = 3;
  const change = () => {
    version = 4;
  };
  const job = () => ({ ...fullJob(), ...(version === 3 ? {} : theirs), version });
  const guarded = ({ headers }: Asked, answer: unknown) =>
    headers.get("If-Match") === `"${version}"` ? answer : refusal(412, "version_mismatch");
  const answers: Answers = {
    ...NEW,
    [`GET ${JOB}`]: job,
    [`POST ${JOB}/preview`]: (asked: Asked) => guarded(asked, example("post", "/v1/jobs/{job_id}/preview")),
    [`PATCH ${JOB}`]: (asked: Asked) => guarded(asked, job()),
  };
  return { answers, change };
}

/** Headers and tags have names as well: the thing's own comes first. */
const field = (label: string): HTMLInputElement => {
  const [first] = screen.getAllByLabelText<HTMLInputElement>(label);
  if (first === undefined) throw new Error(`There is no field ${label}.`);
  return first;
};
const write = (label: string, value: string): void => {
  fireEvent.change(field(label), { target: { value } });
};

afterEach(() => {
  onlineManager.setOnline(true);
  forgetDrafts();
});

it("keeps a form as it is when the browser has a network again", async () => {
  const { answers, change } = editedJob({ name: "theirs" });
  const { asked } = show(<EditJobPage />, answers, AT_JOB);
  await screen.findByDisplayValue("nightly report");
  write("Name", "mine");
  change();
  act(() => {
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
  });
  await userEvent.click(screen.getByText("Show what changes"));
  await screen.findByText(/Another caller changed it/);

  expect(field("Name").value).toBe("mine");
  expect(asked.filter(({ method, path }) => method === "GET" && path === JOB)).toHaveLength(1);
});

it("takes over what another caller changed, keeps what was typed, and saves that alone", async () => {
  const { answers, change } = editedJob({ name: "theirs", description: "theirs as well" });
  const { asked } = show(<EditJobPage />, answers, AT_JOB);
  await screen.findByDisplayValue("nightly report");
  write("Cron", "0 4 * * *");
  write("Description", "mine");
  change();
  await userEvent.click(screen.getByText("Show what changes"));
  await userEvent.click(await screen.findByText("Read it again and keep my changes"));

  expect(await screen.findByText("Changed by another caller meanwhile: Name, Description")).toBeTruthy();
  expect([field("Name").value, field("Description").value, field("Cron").value]).toEqual(["theirs", "mine", "0 4 * * *"]);
  await userEvent.click(screen.getByText("Show what changes"));
  await within(screen.getByRole("dialog")).findByText("11,000 → 1");
  await userEvent.click(screen.getByText("Save the changes"));
  await screen.findByText("another page");
  const saved = asked.findLast(({ method }) => method === "PATCH");

  expect(saved?.body).toEqual({ description: "mine", schedule: { kind: "cron", cron: "0 4 * * *", timezone: "Europe/Berlin" } });
  expect(saved?.headers.get("If-Match")).toBe('"4"');
});

it.each([
  {
    Page: EditRulePage,
    at: { path: "/rules/data-team/edit", route: "/rules/:rule/edit" },
    thing: (version: number) => rule({ version, ...(version === 3 ? {} : { enabled: false }) }),
    name: "/v1/notification-rules/data-team",
    method: "PUT",
    verb: "Save the rule",
  },
  {
    Page: EditDagPage,
    at: { path: `/dags/${DAG_ID}/edit`, route: "/dags/:dag_id/edit" },
    thing: (version: number) => dag({ version, ...(version === 3 ? {} : { timeout_seconds: 77 }) }),
    name: `/v1/dags/${DAG_ID}`,
    method: "PATCH",
    verb: /^Save as version/,
  },
])("reads $name again that another caller changed, and its refusal is gone", async ({ Page, at, thing, name, method, verb }) => {
  let version = 3;
  const { asked } = show(
    <Page />,
    {
      [`GET ${name}`]: () => thing(version),
      [`${method} ${name}`]: ({ headers }: Asked) =>
        headers.get("If-Match") === `"${version}"` ? thing(version) : refusal(412, "version_mismatch"),
    },
    at,
  );
  await screen.findByText(verb);
  write("Description", "mine");
  version = 4;
  await userEvent.click(screen.getByText(verb));
  await userEvent.click(await screen.findByText("Read it again and keep my changes"));
  await screen.findByText(/^Changed by another caller meanwhile/);
  await waitFor(() => {
    expect(screen.queryByText("Read it again and keep my changes")).toBeNull();
  });
  expect(field("Description").value).toBe("mine");
  await userEvent.click(screen.getByText(verb));
  await screen.findByText("another page");

  expect(asked.findLast((each) => each.method === method)?.body).toMatchObject({ description: "mine" });
});

it("begins an edit with the thing as it is, and not as another visit read it", async () => {
  const { answers, change } = editedJob({ name: "theirs" });
  const { queries, unmount } = show(<EditJobPage />, answers, AT_JOB);
  await screen.findByDisplayValue("nightly report");
  change();
  unmount();
  await waitFor(() => {
    expect(queries.getQueryData(["job-to-edit", JOB_ID])).toBeUndefined();
  });
});

/** Leaves for the issuer's page: the window that comes back has the storage alone. */
function leave(): void {
  keepDrafts();
  cleanup();
  forgetDrafts();
}

const AT_NEW = { path: "/jobs/new", route: "/jobs/new" };

it("has what was typed before a sign-in that the session's end asked for, once, with each digit", () => {
  show(<NewJobPage />, NEW, AT_NEW);
  write("Name", "half a job");
  fireEvent.change(field("Payload"), { target: { value: '{"order": 9007199254740993}' } });
  leave();
  show(<NewJobPage />, NEW, AT_NEW);

  expect(field("Name").value).toBe("half a job");
  expect(field("Payload").value).toContain("9007199254740993");
  expect(sessionStorage.length).toBe(0);
  cleanup();
  show(<NewJobPage />, NEW, AT_NEW);
  expect(field("Name").value).toBe("");
});

it("gives what was typed to no other page", () => {
  show(<NewJobPage />, NEW, AT_NEW);
  write("Name", "half a job");
  leave();
  show(<NewJobPage />, NEW, { path: "/jobs/new?copy=1", route: "/jobs/new" });

  expect(field("Name").value).toBe("");
});
