import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import KeysPage from "../../src/pages/api_keys/KeysPage";
import { NewJobPage } from "../../src/pages/job_form/NewJobPage";
import { JobPage } from "../../src/pages/jobs/JobPage";
import { apiKey } from "../support/answers";
import { type Answers, held, show } from "../support/page";
import { job } from "../support/samples";
import { example } from "./job_form/samples";

const ID = job().job_id;
const JOB: Answers = {
  [`GET /v1/jobs/${ID}`]: job(),
  [`GET /v1/jobs/${ID}/ledger`]: { items: [], next_cursor: null },
};
const AT_JOB = { path: `/jobs/${ID}`, route: "/jobs/:jobId" };

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole("button", { name }));
const dialog = async () => within(await screen.findByRole("dialog"));

/** Opens a question, sends it, and closes it while its answer is awaited. */
async function sendAndClose(button: string, verb: string, type = (): Promise<void> => Promise.resolve()): Promise<void> {
  await userEvent.click(await screen.findByRole("button", { name: button }));
  await type();
  await userEvent.click((await dialog()).getByRole("button", { name: verb }));
  await userEvent.click((await dialog()).getByRole("button", { name: "Back" }));
  await waitFor(() => {
    expect(screen.queryByRole("dialog")).toBeNull();
  });
}

/** Lets an answer go, and waits until the page has been read anew after it. */
async function settle(answer: { resolve: (body: object) => void }, body: object): Promise<void> {
  answer.resolve(body);
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
}

test("the answer to a question that was closed leaves the question open that was opened since", async () => {
  const late = held();
  show(<JobPage />, { ...JOB, [`POST /v1/jobs/${ID}/trigger`]: () => late.answer }, AT_JOB);
  await sendAndClose("Trigger", "Trigger a run");
  await press("Pause");
  await userEvent.type((await dialog()).getByLabelText("Reason"), "the target is down");
  await settle(late, { run_id: `${ID}.m1` });

  expect((await dialog()).getByLabelText<HTMLInputElement>("Reason").value).toBe("the target is down");
  expect(screen.queryByText("another page")).toBeNull();
});

test("a job that was left while it was created opens in the place of no other that is typed", async () => {
  const late = held();
  const answers = {
    "POST /v1/jobs/validate": { valid: true, errors: [], advice: [], definition: {} },
    "POST /v1/schedules/preview": example("post", "/v1/schedules/preview"),
    "POST /v1/jobs": () => late.answer,
  };
  const { asked } = show(<NewJobPage />, answers, { path: "/jobs/new", route: "/jobs/new" });
  await press("Create the job");
  await waitFor(() => {
    expect(asked.some(({ path }) => path === "/v1/jobs")).toBe(true);
  });
  await press("Back");
  await screen.findByText("another page");
  act(() => {
    history.back();
  });
  const [name = document.createElement("input")] = await screen.findAllByLabelText<HTMLInputElement>("Name");
  fireEvent.change(name, { target: { value: "the second" } });
  await settle(late, job());

  expect(screen.getAllByLabelText<HTMLInputElement>("Name")[0]?.value).toBe("the second");
  expect(location.pathname).toBe("/jobs/new");
});

test("a key is shown also where its question was closed before it was made, and the next question stays open", async () => {
  const late = held();
  show(<KeysPage />, { "GET /v1/keys": { items: [], next_cursor: null }, "POST /v1/keys": () => late.answer }, { path: "/keys" });
  await sendAndClose("Create an API key", "Create the key", async () => {
    fireEvent.change((await dialog()).getByLabelText("Name"), { target: { value: "exports" } });
  });
  await press("Create an API key");
  fireEvent.change((await dialog()).getByLabelText("Name"), { target: { value: "imports" } });
  await settle(late, { ...apiKey({ name: "exports" }), api_key: "tgk_acme.01.secret" });

  expect(await screen.findByText("tgk_acme.01.secret")).toBeTruthy();
  expect(screen.getByDisplayValue("imports")).toBeTruthy();
});
