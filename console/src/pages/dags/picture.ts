/** Contents of a graph: tasks, edges, and the states of tasks in a run. */

export interface PictureNode {
  key: string;
  title: string;
  /** `job`, or the type of the task's action. */
  runs: string;
  /** `all`, or how many of its edges must hold. */
  rule: string;
  fan_out: boolean;
  state: string | null;
}

export interface PictureEdge {
  source: string;
  target: string;
  condition?: string;
}

export interface Picture {
  nodes: readonly PictureNode[];
  edges: readonly PictureEdge[];
}

export type Places = ReadonlyMap<string, { x: number; y: number }>;

export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 56;

/** Names the shape of a picture: it is laid out anew only when this changes. */
export function shapeOf(picture: Picture): string {
  const nodes = picture.nodes.map(({ key }) => key).join(",");
  return `${nodes}|${picture.edges.map(({ source, target }) => `${source}>${target}`).join(",")}`;
}

/** Signs of states; each can be told from the others without colour. */
const SIGNS: Record<string, string> = {
  pending: "○",
  running: "▶",
  succeeded: "✓",
  failed: "✕",
  timed_out: "◷",
  dead_lettered: "⚑",
  cancelled: "■",
  skipped: "↷",
};

/** Returns the sign of a task's state; of a definition an empty one. */
export function signOf(state: string | null): string {
  return state === null ? "" : (SIGNS[state] ?? "·");
}

/** Every state of a task with its sign, for a legend. */
export const LEGEND: readonly (readonly [string, string])[] = Object.entries(SIGNS);
