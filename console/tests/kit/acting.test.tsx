import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { ProblemAlert, readAll, useAct, useApi, useLive } from "../../src/kit";
import { useListing } from "../../src/pages/shared/listing/useListing";
import { useEach } from "../../src/pages/shared/useEach";
import { held, refusal, show } from "../support/page";

const RUN = "/v1/runs/r-1/cancel";

/** One action on a run, and one on two. */
function Acting() {
  const api = useApi();
  const cancel = (run_id: string) => readAll(api.POST("/v1/runs/{run_id}/cancel", { params: { path: { run_id } } }));
  const one = useAct(() => cancel("r-1"), () => undefined);
  const each = useEach<string>((id) => id, cancel);
  return (
    <>
      <button onClick={one.act}>One</button>
      <button onClick={() => { each.begin(["r-1", "r-2"]); }}>Each</button>
      <p>{one.isRunning || each.isRunning ? "busy" : "idle"}</p>
      {one.problem !== null && <ProblemAlert problem={one.problem} isOfAction />}
    </>
  );
}

/** Two clicks of one turn: nothing is drawn between them. */
const clickTwice = (text: string): void => {
  act(() => {
    screen.getByText(text).click();
    screen.getByText(text).click();
  });
};

afterEach(() => {
  onlineManager.setOnline(true);
});

it.each([
  ["One", [RUN]],
  ["Each", [RUN, "/v1/runs/r-2/cancel"]],
])("acts once where it is clicked twice before it is drawn as busy, and again once it is done: %s", async (text, once) => {
  const { asked } = show(<Acting />, { [`POST ${RUN}`]: {}, "POST /v1/runs/r-2/cancel": {} });
  clickTwice(text);
  await waitFor(() => {
    expect(asked.length).toBeGreaterThanOrEqual(once.length);
  });
  await screen.findByText("idle");
  expect(asked.map(({ path }) => path)).toEqual(once);
  clickTwice(text);

  await waitFor(() => {
    expect(asked.map(({ path }) => path)).toEqual([...once, ...once]);
  });
});

it.each([
  ["goes on with the next while its page is there", false, [RUN, "/v1/runs/r-2/cancel"]],
  ["takes no further item once its page has gone", true, [RUN]],
])("%s", async (_, leaves, done) => {
  const first = held();
  const { asked, unmount } = show(<Acting />, { [`POST ${RUN}`]: () => first.answer, "POST /v1/runs/r-2/cancel": {} });
  clickTwice("Each");
  await waitFor(() => {
    expect(asked).toHaveLength(1);
  });
  if (leaves) unmount();
  first.resolve({});
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));

  expect(asked.map(({ path }) => path)).toEqual(done);
});

it("acts again after a refusal", async () => {
  const { asked } = show(<Acting />, { [`POST ${RUN}`]: () => refusal(409, "run_ended") });
  clickTwice("One");
  await screen.findByText("It was refused: run_ended.");
  clickTwice("One");

  await waitFor(() => {
    expect(asked.length).toBe(2);
  });
});

it("refuses an action at once where there is no network, and sends nothing once there is one", async () => {
  onlineManager.setOnline(false);
  const { asked } = show(<Acting />, { [`POST ${RUN}`]: () => Promise.reject(new TypeError("Failed to fetch")) });
  clickTwice("One");
  await screen.findByText("The API cannot be reached (Failed to fetch).");
  await act(() => {
    onlineManager.setOnline(true);
    return Promise.resolve();
  });

  expect(asked.length).toBe(1);
});

/** A value and a list that are kept fresh. */
function Reading() {
  const api = useApi();
  const live = useLive({ key: ["tenant"], read: () => readAll(api.GET("/v1/tenant")), everyMs: () => 60_000 });
  const listing = useListing<{ name: string }>(["calendars"], () => readAll(api.GET("/v1/calendars")), 60_000);
  return (
    <>
      {[live.problem, listing.problem].map((problem, index) => problem !== null && <ProblemAlert key={index} problem={problem} />)}
      <p>{live.data?.tenant}, {listing.items[0]?.name}</p>
    </>
  );
}

it("says that there is no network where something is read, and reads it once there is one", async () => {
  onlineManager.setOnline(false);
  let isAway = true;
  const answer = (body: object) => () => (isAway ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(body));
  show(<Reading />, { "GET /v1/tenant": answer({ tenant: "acme" }), "GET /v1/calendars": answer({ items: [{ name: "office" }], next_cursor: null }) });
  expect(await screen.findAllByText("The API cannot be reached (Failed to fetch).")).toHaveLength(2);
  isAway = false;
  act(() => {
    onlineManager.setOnline(true);
  });

  expect(await screen.findByText("acme, office")).toBeTruthy();
});

/** An action beside an answer that is read once. */
function ActingWhileReading() {
  const api = useApi();
  const path = { run_id: "r-1" };
  const cancel = useAct(() => readAll(api.POST("/v1/runs/{run_id}/cancel", { params: { path } })), () => undefined);
  const run = useLive({ key: ["run"], read: () => readAll(api.GET("/v1/runs/{run_id}", { params: { path } })), everyMs: () => null });
  return (
    <>
      <button onClick={cancel.act}>Cancel</button>
      <p>{run.data?.state ?? "nothing yet"}</p>
    </>
  );
}

it("draws no answer that was asked for before an action, also where it is the first", async () => {
  const before = held();
  const after = held();
  const answers = [before, after];
  const { asked } = show(<ActingWhileReading />, { "GET /v1/runs/r-1": () => answers.shift()?.answer, [`POST ${RUN}`]: {} });
  act(() => {
    screen.getByText("Cancel").click();
  });
  await waitFor(() => {
    expect(asked.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
  });
  after.resolve({ state: "cancelled" });
  await screen.findByText("cancelled");
  before.resolve({ state: "waiting" });
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));

  expect(screen.getByText("cancelled")).toBeTruthy();
});
