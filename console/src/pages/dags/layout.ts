/** Places the tasks of a DAG with ELK, in a worker, so that the page stays at hand. */
import ELK, { type ELK as Engine, type ElkNode } from "elkjs/lib/elk-api";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import { NODE_HEIGHT, NODE_WIDTH, type Picture, type Places } from "./picture";

let engine: Engine | null = null;

function engineOf(): Engine {
  engine ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  return engine;
}

/** Returns the place of each task; raises if the worker cannot lay the picture out. */
export async function layOut(picture: Picture, direction: "RIGHT" | "DOWN"): Promise<Places> {
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
  const placed = await engineOf().layout(graph);
  return new Map((placed.children ?? []).map(({ id, x, y }) => [id, { x: x ?? 0, y: y ?? 0 }]));
}
