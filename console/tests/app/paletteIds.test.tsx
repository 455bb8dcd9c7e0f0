import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { Palette } from "../../src/app/Palette";
import { type Answers, refusal, show } from "../support/page";

const ID = "e7raeehh2bcxbg265lulbgsicz";

/** Opens the palette with an id in it, and asks for what it names. */
async function asking(answers: Answers) {
  const shown = show(<Palette ref={null} actions={[]} />, answers, { path: "/before" });
  await userEvent.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: /^Page, action/ });
  await userEvent.type(field, `${ID}{Enter}`);
  return { ...shown, field };
}

it.each([
  ["job", `/v1/jobs/${ID}`, `/jobs/${ID}`],
  ["DAG run", `/v1/dag-runs/${ID}`, `/dag-runs/${ID}`],
  ["DAG", `/v1/dags/${ID}`, `/dags/${ID}`],
  ["operation", `/v1/operations/${ID}`, `/operations/${ID}`],
])("opens the page of the %s that has the id", async (_, path, place) => {
  await asking({ [`GET ${path}`]: {} });
  await waitFor(() => {
    expect(location.pathname).toBe(place);
  });
});

it("says that nothing has an id, and stays", async () => {
  await asking({});

  expect(await screen.findByText("No job, DAG, DAG run or operation has this id.")).toBeTruthy();
  expect(location.pathname).toBe("/before");
});

it("says why an id was not found where the API could not tell", async () => {
  await asking({ [`GET /v1/dag-runs/${ID}`]: () => refusal(429, "rate_exceeded", "Too many requests.") });

  expect(await screen.findByText("Too many requests.")).toBeTruthy();
});

it("opens nothing for an id that was replaced by another text while it was looked for", async () => {
  let answer: (body: object) => void = () => undefined;
  const { field } = await asking({ [`GET /v1/jobs/${ID}`]: () => new Promise<object>((resolve) => { answer = resolve; }) });
  await userEvent.type(field, "x");
  await act(async () => {
    answer({});
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  expect(location.pathname).toBe("/before");
});

it("opens jobs of the name that is typed by Enter alone", async () => {
  show(<Palette ref={null} actions={[]} />, {}, { path: "/before" });
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.type(await screen.findByRole("combobox", { name: /^Page, action/ }), "calend{Enter}");

  expect(`${location.pathname}${location.search}`).toBe("/jobs?name=calend*");
});
