import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { WhyPage } from "../../src/pages/ledger/WhyPage";
import { seriousViolations, show } from "../support/page";
import { job } from "../support/samples";

const ID = job().job_id;
const EXPLAINED = {
  instant: "2026-11-21T09:00:00.000Z",
  verdict: "frozen",
  explanation: "A freeze held it back.",
  record: null,
  nearest: { before: "2026-11-20T09:00:00.000Z", after: null },
};

it("answers for the job and instant that are asked for", async () => {
  const { container, asked } = show(<WhyPage />, { [`GET /v1/jobs/${ID}/explain`]: EXPLAINED }, { path: "/why" });
  await userEvent.type(screen.getByRole("textbox", { name: "Job" }), ID);
  await userEvent.type(screen.getByRole("textbox", { name: "Instant" }), "2026-11-21T10:00:00+01:00");
  await userEvent.click(screen.getByText("Explain"));

  expect(await screen.findByText("A freeze held it back.")).toBeTruthy();
  expect(asked[0]?.query.get("at")).toBe("2026-11-21T09:00:00.000Z");
  expect(await seriousViolations(container)).toEqual([]);
});

it("finds a job by its key, and says before how a terminal asks", async () => {
  const { asked } = show(<WhyPage />, { "GET /v1/jobs/key%3Anightly/explain": EXPLAINED }, { path: "/why" });
  expect(screen.getByText("timegate jobs explain JOB_ID --at INSTANT")).toBeTruthy();
  await userEvent.type(screen.getByRole("textbox", { name: "Job" }), "key:nightly");
  await userEvent.type(screen.getByRole("textbox", { name: "Instant" }), "2026-11-21T10:00:00+01:00");
  await userEvent.click(screen.getByText("Explain"));

  expect(await screen.findByText("A freeze held it back.")).toBeTruthy();
  expect(asked[0]?.path).toBe("/v1/jobs/key%3Anightly/explain");
});

it("asks nothing for what is no instant", async () => {
  const { asked } = show(<WhyPage />, {}, { path: "/why" });
  await userEvent.type(screen.getByRole("textbox", { name: "Job" }), ID);
  await userEvent.type(screen.getByRole("textbox", { name: "Instant" }), "yesterday");

  // Cloudscape says it a second time to screen readers, a moment later.
  expect(screen.getAllByText("This is no instant.")).not.toEqual([]);
  expect(asked).toEqual([]);
});

it("leads to the DAG whose own job is asked for", async () => {
  const answers = { [`GET /v1/jobs/dag%3A${ID}/explain`]: EXPLAINED };
  show(<WhyPage />, answers, { path: `/why?job=dag:${ID}&at=2026-11-21T09:00:00Z` });
  const link = await screen.findByRole("link", { name: "Open the DAG whose schedule it is" });

  expect(link.getAttribute("href")).toBe(`/dags/${ID}`);
});

it("asks in its fields what the address asks, when a person goes on to the instant before", async () => {
  const url = `/why?job=${ID}&at=2026-11-21T09:00:00.000Z`;
  show(<WhyPage />, { [`GET /v1/jobs/${ID}/explain`]: EXPLAINED }, { path: url });
  await userEvent.click(await screen.findByRole("link", { name: /2026-11-20/ }));
  const instant = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Instant" }).value;

  expect(instant()).toBe("2026-11-20T09:00:00.000Z");
  await userEvent.type(screen.getByRole("textbox", { name: "Instant" }), "x");
  expect(instant()).toBe("2026-11-20T09:00:00.000Zx");
});
