import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { Announcer } from "../../src/app/Announcer";
import { Place } from "../../src/app/Place";
import { ApiProblem, Page, ProblemAlert, RouteLink, useAct } from "../../src/kit";
import { refusal, show } from "../support/page";

const answerOf = async (response: Response) => ApiProblem.of(await response.json(), response.status);

function Acting({ act }: { act: () => Promise<unknown> }) {
  const pause = useAct(act, () => undefined);
  return (
    <Page title="Job" crumbs={[]}>
      <Announcer />
      <button onClick={pause.act}>Pause</button>
      {pause.problem !== null && <ProblemAlert problem={pause.problem} isOfAction />}
    </Page>
  );
}

const saidBy = (role: string): string => screen.getAllByRole(role).map(({ textContent }) => textContent).join("|");

it("has a reader of a screen say which page was opened", async () => {
  show(<Acting act={() => Promise.resolve({})} />, {});

  await waitFor(() => {
    expect(saidBy("status")).toBe("Job");
  });
});

it("has a reader of a screen say that an action is done, each time", async () => {
  show(<Acting act={() => Promise.resolve({})} />, {});
  await userEvent.click(screen.getByText("Pause"));
  await waitFor(() => {
    expect(saidBy("status")).toBe("Done.");
  });
  const first = screen.getByText("Done.");
  await userEvent.click(screen.getByText("Pause"));
  await waitFor(() => {
    expect(screen.getByText("Done.")).not.toBe(first);
  });
});

it("has a reader of a screen say at once why an action was refused, and not that it is done", async () => {
  const problem = await answerOf(refusal(409, "run_finished", "The run has ended."));
  show(<Acting act={() => Promise.reject(problem)} />, {});
  await userEvent.click(screen.getByText("Pause"));

  expect((await screen.findByRole("alert")).textContent).toContain("The run has ended.");
  expect(saidBy("status")).toBe("Job");
});

it("tells of a reading that failed when the reader has finished", async () => {
  render(<ProblemAlert problem={await answerOf(refusal(503, "unavailable", "It is away."))} />);

  expect(screen.getByRole("status").textContent).toContain("It is away.");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("gives the keyboard's place to the next page where the one before took it along", async () => {
  show(<Place><RouteLink to="/elsewhere">Elsewhere</RouteLink></Place>, {}, { path: "/jobs", route: "*" });
  const link = screen.getByText("Elsewhere");
  await userEvent.click(link);
  await waitFor(() => {
    expect(location.pathname).toBe("/elsewhere");
  });
  // It is still there to be pressed: nothing moves.
  expect(document.querySelector(".place")).not.toBe(document.activeElement);
  link.closest("a")?.blur();
  history.pushState(null, "", "/third");
  dispatchEvent(new PopStateEvent("popstate", { state: null }));

  await waitFor(() => {
    expect(document.querySelector(".place")).toBe(document.activeElement);
  });
});
