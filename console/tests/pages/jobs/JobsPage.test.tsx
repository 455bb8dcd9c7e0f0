import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { JobsPage } from "../../../src/pages/jobs/JobsPage";
import { type Asked, refusal, seriousViolations, show, VIEWER } from "../../support/page";
import { HOSTILE, job } from "../../support/samples";

const LIST = "GET /v1/jobs";
const PAGE = { items: [job()], damaged: { count: 0, items: [] }, next_cursor: null };

describe("the page of jobs", () => {
  it("lists jobs with schedule and status", async () => {
    const { container } = show(<JobsPage />, { [LIST]: PAGE }, { path: "/jobs" });

    expect(await screen.findByText("send the report")).toBeTruthy();
    expect(screen.getByText("0 9 * * mon-fri Europe/Berlin")).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("asks the API for what its address filters by", async () => {
    const { asked } = show(<JobsPage />, { [LIST]: PAGE }, { path: "/jobs?status=paused&tag=team:ops&tag=tier:1" });
    await screen.findByText("send the report");

    expect(asked[0]?.query.get("status")).toBe("paused");
    expect(asked[0]?.query.getAll("tag")).toEqual(["team:ops", "tier:1"]);
  });

  it("finds jobs whose last run failed, and then offers no operation on all", async () => {
    const { asked } = show(<JobsPage />, { [LIST]: PAGE }, { path: "/jobs?last_outcome=failed" });
    await screen.findByText("send the report");
    const pause = screen.getByText("Pause all that match").closest("button");

    expect(asked[0]?.query.get("last_outcome")).toBe("failed");
    expect(pause?.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText("timegate jobs list --last-outcome failed")).toBeTruthy();
  });

  it("shows a hostile name as text", async () => {
    const items = [job({ name: HOSTILE, tags: { [HOSTILE]: HOSTILE } })];
    const { container } = show(<JobsPage />, { [LIST]: { ...PAGE, items } }, { path: "/jobs" });

    expect(await screen.findByText(HOSTILE)).toBeTruthy();
    expect(container.querySelector("img[src=x]")).toBeNull();
  });

  it("says what a role may not do", async () => {
    show(<JobsPage />, { [LIST]: PAGE }, { path: "/jobs", scopes: VIEWER });
    await screen.findByText("send the report");
    const create = screen.getByText("Create a job").closest("button");

    expect(create?.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getAllByText("Your role may not create or change jobs, DAGs and calendars.").length).toBe(1);
  });

  it("offers to cancel all to a role that may cancel one", async () => {
    show(<JobsPage />, { [LIST]: PAGE }, { path: "/jobs?tag=team:ops", scopes: ["timegate/read", "timegate/operate"] });
    await screen.findByText("send the report");
    const button = (text: string) => screen.getByText(text).closest("button");

    expect(button("Pause all that match")?.getAttribute("aria-disabled")).not.toBe("true");
    expect(button("Cancel all that match")?.getAttribute("aria-disabled")).toBe("true");
  });

  it("teaches the first step where there is no job", async () => {
    show(<JobsPage />, { [LIST]: { ...PAGE, items: [] } }, { path: "/jobs" });

    expect(await screen.findByText("There are no jobs yet.")).toBeTruthy();
  });

  it("keeps the place of what is read, and says so to readers of a screen", async () => {
    const { container } = show(<JobsPage />, { [LIST]: () => new Promise(() => undefined) }, { path: "/jobs" });

    expect((await screen.findByText("Reading jobs")).getAttribute("role")).toBe("status");
    expect(container.querySelectorAll("table .tg-skeleton-line[aria-hidden=true]")).toHaveLength(4);
    expect(screen.queryByText("There are no jobs yet.")).toBeNull();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("shows a refusal with its code and the id of the request", async () => {
    show(<JobsPage />, { [LIST]: () => refusal(503, "throttled") }, { path: "/jobs" });

    expect(await screen.findByText("It was refused: throttled.")).toBeTruthy();
    expect(screen.getByText(/throttled · request r-1/)).toBeTruthy();
    expect(screen.getByText("They could not be read.")).toBeTruthy();
    expect(screen.queryByText("There are no jobs yet.")).toBeNull();
  });

  it("does not call a page without a job the end of them", async () => {
    show(<JobsPage />, { [LIST]: { ...PAGE, items: [], next_cursor: "more" } }, { path: "/jobs" });

    expect(await screen.findByText(/there are more to read/)).toBeTruthy();
    expect(screen.queryByText("There are no jobs yet.")).toBeNull();
  });

  it("begins no operation before its jobs are counted, and writes its command with every filter", async () => {
    let count: (page: object) => void = () => undefined;
    const counted = new Promise<object>((resolve) => {
      count = resolve;
    });
    const answers = { [LIST]: ({ query }: Asked) => (query.get("limit") === "100" ? counted : PAGE) };
    show(<JobsPage />, answers, { path: "/jobs?tag=team:ops&status=active&kind=cron&priority=high&name=night*" });
    await screen.findByText("send the report");
    await userEvent.click(screen.getByText("Pause all that match"));
    const dialog = within(await screen.findByRole("dialog"));
    const confirm = (): string | null | undefined =>
      dialog.getByText("Pause them").closest("button")?.getAttribute("disabled");

    expect(confirm()).toBe("");
    expect(
      dialog.getByText("timegate bulk pause --tag team=ops --status active --kind cron --priority high --name 'night*'"),
    ).toBeTruthy();
    count(PAGE);
    await dialog.findByText("As things are now, 1 job matches.");
    expect(confirm()).toBeNull();
  });

  it("begins no operation on jobs of two values of one tag, which none has", async () => {
    show(<JobsPage />, { [LIST]: { ...PAGE, items: [] } }, { path: "/jobs?tag=team:ops&tag=team:billing" });
    const cancel = (await screen.findByText("Cancel all that match")).closest("button");

    expect(cancel?.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getAllByText("No job has two values of the tag team. Take one away.").length).toBe(3);
  });

  it("begins no operation on no job", async () => {
    const answers = { [LIST]: ({ query }: Asked) => (query.get("limit") === "100" ? { ...PAGE, items: [] } : PAGE) };
    show(<JobsPage />, answers, { path: "/jobs?tag=team:ops" });
    await screen.findByText("send the report");
    await userEvent.click(screen.getByText("Pause all that match"));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText("No job matches.");

    expect(dialog.getByText("Pause them").closest("button")?.hasAttribute("disabled")).toBe(true);
  });

  it.each([
    ["Pause all that match", "As things are now, 1 job matches."],
    ["Cancel all that match", "As things are now, 2 jobs match."],
  ])("counts completed jobs where an operation ends them: %s", async (button, count) => {
    const others = (["completed", "cancelled"] as const).map((status) => job({ job_id: status, name: status, status }));
    show(<JobsPage />, { [LIST]: { ...PAGE, items: [job(), ...others] } }, { path: "/jobs?tag=team:ops" });
    await screen.findByText("send the report");
    await userEvent.click(screen.getByText(button));

    expect(await screen.findByText(count)).toBeTruthy();
  });

  it("pauses every job of the filter by one operation", async () => {
    const operation = { operation_id: "op1" };
    const ended = job({ job_id: "ended", name: "ended", status: "cancelled" });
    const answers = { [LIST]: { ...PAGE, items: [job(), ended] }, "POST /v1/operations": operation };
    const { asked } = show(<JobsPage />, answers, { path: "/jobs?tag=team:ops" });
    await screen.findByText("send the report");
    await userEvent.click(screen.getByText("Pause all that match"));
    const matching = within(await screen.findByRole("list", { name: "Jobs that match" }));
    expect(matching.getAllByRole("listitem").map((each) => each.textContent)).toContain("send the report (active)");
    expect(screen.getByText("As things are now, 1 job matches.")).toBeTruthy();
    await userEvent.type(screen.getByRole("textbox", { name: "Reason" }), "It moves. ");
    expect(screen.getByText("timegate bulk pause --tag team=ops --reason 'It moves.'")).toBeTruthy();
    await userEvent.click(screen.getByText("Pause them"));
    await waitFor(() => screen.getByText("another page"));

    const posted = asked.find(({ method }) => method === "POST");
    expect(posted?.body).toEqual({ kind: "pause", filter: { tags: { team: "ops" } }, reason: "It moves." });
    expect(posted?.headers.get("Idempotency-Key")).toBeTruthy();
  });
});
