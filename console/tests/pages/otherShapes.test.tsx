import { screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test, vi } from "vitest";

import { Boundary } from "../../src/app/Boundary";
import { PAGES } from "../../src/app/pages";
import { show } from "../support/page";
import { ADMIN, OPERATOR } from "../support/renderPage";

/** Forms that read nothing before something is typed, and questions that are asked once they are sent. */
const READS_NOTHING = ["/jobs/new", "/dags/+new", "/rules/+new", "/event-triggers/+new", "/event-triggers/+send", "/why"];

const OTHER_SHAPES: [string, () => Response][] = [
  ["nothing", () => new Response(null, { status: 204 })],
  ["null", () => Response.json(null)],
  ["a list", () => Response.json([])],
  ["a text", () => Response.json("ok")],
];
const CASES = PAGES.filter(({ path }) => !READS_NOTHING.includes(path)).flatMap(({ path, Page }) =>
  OTHER_SHAPES.map(([shape, answer]) => ({ path, Page, shape, answer })),
);

const addressOf = (path: string): string => path.replace(/:\w+/g, "f45yzns2tqd44elwkoh3t4kpiq");

test.each(CASES)("$path says that it cannot be read where $shape is answered", async ({ path, Page, answer }) => {
  const write = vi.spyOn(console, "error");
  const page = <Boundary><Suspense fallback={null}><Page /></Suspense></Boundary>;
  const { container } = show(page, new Proxy({}, { get: () => answer }), {
    path: addressOf(path),
    route: path,
    scopes: [...OPERATOR, ...ADMIN],
  });

  await waitFor(() => {
    expect(screen.getAllByText("The API cannot be reached (its answer has another shape).").length).toBeGreaterThan(0);
    expect(container.querySelectorAll(".tg-skeleton")).toHaveLength(0);
  }, { timeout: 4_000 });

  expect(screen.queryByText("This page cannot be shown")).toBeNull();
  expect(write).not.toHaveBeenCalled();
});
