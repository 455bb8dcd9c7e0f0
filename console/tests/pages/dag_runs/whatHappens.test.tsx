import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { WhatHappens } from "../../../src/pages/dag_runs/WhatHappens";

it("heads what will happen one level below the question", () => {
  const nothing = { refusal: null, newRound: false, runAgain: [], cancelled: [], decided: ["a"], kept: [] };
  render(<WhatHappens consequences={nothing} />);

  expect(screen.getByRole("heading", { name: "What will happen", level: 3 })).toBeTruthy();
});
