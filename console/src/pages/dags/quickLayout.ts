/** Places the tasks of a DAG by layers in one go: for graphs whose fine layout takes too long. */
import { NODE_HEIGHT, NODE_WIDTH, type Picture, type Places } from "./picture";

const BETWEEN_LAYERS = 64;
const BETWEEN_TASKS = 20;
/** Each brings tasks nearer to those before them, then to those after. */
const SWEEPS = 4;

type Ends = ReadonlyMap<string, readonly string[]>;

/** Returns a place of each task: a layer behind all that it waits for, and near to them within it. */
export function quickLayout(picture: Picture, direction: "RIGHT" | "DOWN"): Places {
  const before = endsOf(picture, "target", "source");
  const after = endsOf(picture, "source", "target");
  const layers = layersOf(picture, before, after);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    sortBy(before, layers);
    sortBy(after, [...layers].reverse());
  }
  sortBy(before, layers);
  const [along, across] = direction === "RIGHT" ? [NODE_WIDTH, NODE_HEIGHT] : [NODE_HEIGHT, NODE_WIDTH];
  const most = Math.max(0, ...layers.map((layer) => layer.length));
  const places = new Map<string, { x: number; y: number }>();
  layers.forEach((layer, depth) => {
    layer.forEach((key, index) => {
      const far = depth * (along + BETWEEN_LAYERS);
      // Layers have one middle.
      const aside = (index + (most - layer.length) / 2) * (across + BETWEEN_TASKS);
      places.set(key, direction === "RIGHT" ? { x: far, y: aside } : { x: aside, y: far });
    });
  });
  return places;
}

function endsOf({ nodes, edges }: Picture, of: "source" | "target", other: "source" | "target"): Ends {
  const ends = new Map<string, string[]>(nodes.map(({ key }) => [key, []]));
  for (const edge of edges) if (ends.has(edge[other])) ends.get(edge[of])?.push(edge[other]);
  return ends;
}

/** Takes tasks whose predecessors have their layers; those of a cycle, which no DAG has, come into the first. */
function layersOf({ nodes }: Picture, before: Ends, after: Ends): string[][] {
  const waits = new Map(nodes.map(({ key }) => [key, before.get(key)?.length ?? 0]));
  const depths = new Map(nodes.map(({ key }) => [key, 0]));
  const ready = nodes.filter(({ key }) => waits.get(key) === 0).map(({ key }) => key);
  for (const key of ready) {
    for (const next of after.get(key) ?? []) {
      depths.set(next, Math.max(depths.get(next) ?? 0, (depths.get(key) ?? 0) + 1));
      const left = (waits.get(next) ?? 0) - 1;
      waits.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  const layers: string[][] = Array.from({ length: Math.max(0, ...depths.values()) + 1 }, () => []);
  for (const { key } of nodes) layers[depths.get(key) ?? 0]?.push(key);
  return layers;
}

/** Orders each layer by the middle of a task's ends; places are shares of a layer, which may be of any length. */
function sortBy(ends: Ends, layers: readonly string[][]): void {
  const shares = new Map<string, number>();
  const note = (layer: readonly string[]): void => {
    layer.forEach((key, index) => shares.set(key, (index + 0.5) / layer.length));
  };
  layers.forEach(note);
  for (const layer of layers) {
    const middles = new Map(layer.map((key) => [key, middleOf(ends.get(key) ?? [], shares) ?? shares.get(key) ?? 0]));
    layer.sort((one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0));
    note(layer);
  }
}

function middleOf(keys: readonly string[], shares: ReadonlyMap<string, number>): number | null {
  return keys.length === 0 ? null : keys.reduce((sum, key) => sum + (shares.get(key) ?? 0), 0) / keys.length;
}
