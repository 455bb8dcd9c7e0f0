import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";

import { Shell } from "../../src/app/Shell";
import { DAG_RUN_ID, JOB_ID } from "../support/answers";
import { show } from "../support/page";

describe("the navigation marks the page that the open one belongs to", () => {
  test.each([
    ["/", "Overview"],
    [`/jobs/${JOB_ID}`, "Jobs"],
    ["/runs/all", "All runs"],
    [`/dag-runs/${DAG_RUN_ID}`, "DAGs"],
    ["/no-such-page", undefined],
  ])("%s", async (path, title) => {
    show(<Shell stage="test" onSignOut={() => undefined} />, {}, { path, route: "/*" });
    await screen.findAllByRole("link", { name: "Overview" });

    expect(document.querySelector("nav a[aria-current=page]")?.textContent).toBe(title);
  });
});
