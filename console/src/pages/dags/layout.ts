/** Places the tasks of a DAG with ELK, in a worker, so that the page stays at hand. */
import ELK, { type ELK as Engine, type ElkNode } from "elkjs/lib/elk-api";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import { NODE_HEIGHT, NODE_WIDTH, type Picture, type Places } from "./picture";
import { quickLayout } from "./quickLayout";

/** A fine layout of 500 tasks and 2,000 edges takes minutes: a plainer one is shown by then. */
const LONGEST_MS = 4_000;

let engine: Engine | null = null;

function engineOf(): Engine {
  engine ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  return engine;
}

/** Returns the place of each task: fine where that is found in time, else plain; raises if the worker fails. */
export async function layOut(picture: Picture, direction: "RIGHT" | "DOWN"): Promise<Places> {
  const used = engineOf();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Places>((resolve) => {
    timer = setTimeout(() => {
      // Its worker would go on for minutes.
      used.terminateWorker();
      if (engine === used) engine = null;
      resolve(quickLayout(picture, direction));
    }, LONGEST_MS);
  });
  try {
    return await Promise.race([finely(used, picture, direction), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function finely(used: Engine, picture: Picture, direction: "RIGHT" | "DOWN"): Promise<Places> {
  const graph: ElkNode = {
    id: "dag",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": direction,
      "elk.layered.spacing.nodeNodeBetweenLayers": "64",
      "elk.spacing.nodeNode": "20",
      "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
    },
    children: picture.nodes.map(({ key }) => ({
      id: key,
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
    })),
    edges: picture.edges.map(({ source, target }) => ({
      id: `${source}>${target}`,
      sources: [source],
      targets: [target],
    })),
  };
  const placed = await used.layout(graph);
  return new Map((placed.children ?? []).map(({ id, x, y }) => [id, { x: x ?? 0, y: y ?? 0 }]));
}
