import { expect, it, vi } from "vitest";

import { layOut } from "../../../src/pages/dags/layout";
import { NODE_HEIGHT, type Picture } from "../../../src/pages/dags/picture";
import { quickLayout } from "../../../src/pages/dags/quickLayout";
import { wholeOf } from "../../support/random";

const engine = vi.hoisted(() => ({ ended: 0 }));

vi.mock("elkjs/lib/elk-api", () => ({
  default: class {
    layout = () => new Promise(() => undefined);
    terminateWorker = () => {
      engine.ended += 1;
    };
  },
}));

/** A DAG of 500 tasks, as wide and as dense as one may be. */
function large(seed: number): Picture {
  const below = wholeOf(seed);
  const nodes = Array.from({ length: 500 }, (_, index) => ({ key: `t${index}`, title: "", runs: "job", rule: "all", fan_out: false, state: null }));
  const edges = Array.from({ length: 2_000 }, () => {
    const from = below(499);
    return { source: `t${from}`, target: `t${from + 1 + below(499 - from)}` };
  });
  return { nodes, edges };
}

it.each([1, 2, 3])("places each task behind all that it waits for, and no two on each other (%d)", (seed) => {
  const picture = large(seed);
  const places = quickLayout(picture, "RIGHT");
  const sorted = [...places.values()].sort((one, other) => one.x - other.x || one.y - other.y);
  const gaps = sorted.slice(1).map(({ x, y }, index) => (sorted[index]?.x === x ? y - sorted[index].y : Infinity));

  expect(places.size).toBe(500);
  expect(picture.edges.filter(({ source, target }) => (places.get(source)?.x ?? 0) >= (places.get(target)?.x ?? 0))).toEqual([]);
  expect(Math.min(...gaps)).toBeGreaterThan(NODE_HEIGHT);
});

it("keeps branches beside each other that do not cross", () => {
  const node = (key: string) => ({ key, title: key, runs: "job", rule: "all", fan_out: false, state: null });
  const edges = [{ source: "a", target: "x" }, { source: "b", target: "y" }];
  const places = quickLayout({ nodes: ["a", "b", "y", "x"].map(node), edges }, "DOWN");

  expect(Math.sign((places.get("x")?.x ?? 0) - (places.get("y")?.x ?? 0))).toBe(-1);
});

it("draws a graph plainly whose fine layout takes too long, and ends its worker", async () => {
  vi.useFakeTimers();
  const picture = large(1);
  const laidOut = layOut(picture, "RIGHT");
  await vi.advanceTimersByTimeAsync(4_000);

  expect((await laidOut).size).toBe(500);
  expect(engine.ended).toBe(1);
  vi.useRealTimers();
});
