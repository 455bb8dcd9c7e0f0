import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";

import { TraceUrlContext } from "../../../src/kit";
import { TraceId } from "../../../src/pages/runs/told/TraceId";

const ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const LINK = { name: /See the trace/ };

function showTrace(place: string, id = ID) {
  render(
    <TraceUrlContext value={place}>
      <TraceId id={id} />
    </TraceUrlContext>,
  );
}

describe("the id of a trace", () => {
  test.each([
    ["https://jaeger.example.com/trace/{trace_id}", `https://jaeger.example.com/trace/${ID}`],
    [
      "https://aws.example.com/#xray:traces/{xray_id}",
      "https://aws.example.com/#xray:traces/1-4bf92f35-77b34da6a3ce929d0e0e4736",
    ],
  ])("leads to the place that the stage names: %s", (place, address) => {
    showTrace(place);
    const link = screen.getByRole("link", LINK);

    expect(link.getAttribute("href")).toBe(address);
    expect(link.getAttribute("target")).toBe("_blank");
    expect(link.getAttribute("rel")).toContain("noreferrer");
  });

  test.each([
    ["", ID],
    ["javascript:alert('{trace_id}')", ID],
    ["https://jaeger.example.com/trace/{trace_id}", "../../elsewhere"],
  ])("is no link for a place %s and an id %s", (place, id) => {
    showTrace(place, id);

    expect(screen.queryByRole("link", LINK)).toBeNull();
    expect(screen.getByText(id)).toBeTruthy();
  });
});
