import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { markNumbers } from "../../../src/kit";
import { TriggerJob } from "../../../src/pages/jobs/TriggerJob";
import { seriousViolations, show } from "../../support/page";
import { HOSTILE, job } from "../../support/samples";

const ID = job().job_id;
const PATH = `POST /v1/jobs/${ID}/trigger`;
const SCHEMA = {
  type: "object",
  properties: {
    day: { type: "string", description: HOSTILE },
    rows: { type: "integer", default: 5 },
    format: { enum: ["csv", "parquet"] },
  },
  required: ["day"],
};
const OPTIONS = { path: "/", route: "/" };
const nothing = (): void => undefined;
const asked = (answers: Record<string, unknown>, more: object = {}): ReturnType<typeof show> =>
  show(<TriggerJob job={job({ payload: null, payload_size_bytes: 0, payload_schema: SCHEMA, ...more })} onClose={nothing} />, answers, OPTIONS);

describe("a trigger of a job with a schema", () => {
  it("asks for its members, and sends what is typed", async () => {
    const { asked: sent, container } = asked({ [PATH]: { run_id: "r" } });
    fireEvent.change(screen.getByLabelText("day"), { target: { value: "2026-11-30" } });
    fireEvent.change(screen.getByLabelText("rows"), { target: { value: "x" } });
    expect(screen.getByText("A whole number: 90.")).toBeTruthy();
    expect(screen.getByText("Trigger a run").closest("button")?.disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("rows"), { target: { value: "" } });
    expect(screen.getByPlaceholderText("Such as 5")).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
    await userEvent.click(screen.getByText("Trigger a run"));
    await waitFor(() => {
      expect(sent.find(({ method }) => method === "POST")?.body).toEqual({ payload: { day: "2026-11-30" } });
    });
    expect(container.ownerDocument.querySelector("img[src=x]")).toBeNull();
  });

  it("takes JSON the other way, and shows its members afterwards", async () => {
    asked({});
    await userEvent.click(screen.getByText("JSON"));
    fireEvent.change(screen.getByRole("textbox", { name: "JSON" }), { target: { value: '{"rows": 12345678901234567890}' } });
    await userEvent.click(screen.getByText("Fields"));

    expect(screen.getByLabelText<HTMLInputElement>("rows").value).toBe("12345678901234567890");
  });

  it("names the choices of a schema by their digits, and keeps the one that is chosen", async () => {
    const large = markNumbers("12345678901234567890").slice(1, -1);
    asked({}, { payload_schema: { type: "object", properties: { order: { enum: [large, 5] } } } });
    await userEvent.click(screen.getByText("JSON"));
    fireEvent.change(screen.getByRole("textbox", { name: "JSON" }), { target: { value: '{"order": 12345678901234567890}' } });
    await userEvent.click(screen.getByText("Fields"));

    expect(screen.getByRole("button", { name: /^order/ }).textContent).toBe("12345678901234567890");
  });

  it("says at its field what the API refuses", async () => {
    const errors = [{ field: "payload/day", code: "missing", detail: "The schema requires it." }];
    const problem = { type: "", title: "", status: 422, code: "payload_mismatch", detail: "At payload/day.", errors };
    asked({ [PATH]: Response.json({ ...problem, instance: "", request_id: "r-1" }, { status: 422 }) });
    await userEvent.click(screen.getByText("Trigger a run"));

    expect((await screen.findAllByText("The schema requires it.")).length).toBeGreaterThan(0);
  });

  it("begins with the job's own payload where there is one", () => {
    asked({}, { payload: { day: "x" }, payload_size_bytes: 11 });

    expect(screen.queryByLabelText("day")).toBeNull();
  });
});
