import Alert from "@cloudscape-design/components/alert";
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  MiniMap,
  type NodeChange,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";

import { Skeleton } from "../../kit";
import { stateWords } from "../shared/stateWords";
import { FindTask } from "./FindTask";
import { nodeMaker, type TaskNode } from "./nodes";
import {
  LEGEND,
  type Picture,
  type PictureNode,
  type Places,
  shapeOf,
  signOf,
} from "./picture";
import "../shared/tokens.css";
import "./dagGraph.css";

interface Props {
  picture: Picture;
  /** A line beneath a task's title: how often it was tried, what its members came to. */
  notes?: ReadonlyMap<string, string>;
  selected: string | null;
  onSelect: (key: string | null) => void;
  label: string;
}

/** Beyond so many tasks a small map and a search help to find one's way. */
const MAP_FROM = 30;
/** So many tasks are in sight first, if the whole is too large to read. */
const FIRST_SEEN = 12;

/** Draws tasks and edges. States change in place: only another shape is laid out anew. */
export function DagGraph({ picture, notes, selected, onSelect, label }: Props) {
  const select = useLatest(onSelect);
  const isDown = useMemo(() => globalThis.matchMedia("(width <= 688px)").matches, []);
  const { places, failure } = usePlaces(picture, isDown ? "DOWN" : "RIGHT");
  const make = useMemo(() => nodeMaker(places ?? new Map(), isDown), [places, isDown]);
  const plain = useMemo(() => (places === null ? [] : make(picture, notes)), [picture, places, notes, make]);
  // Nodes that stay the same object are not drawn anew.
  const nodes = useMemo(
    () => plain.map((node) => (node.id === selected ? { ...node, selected: true } : node)),
    [plain, selected],
  );
  const edges = useMemo(() => edgesOf(picture.edges), [picture.edges]);
  if (failure) {
    return (
      <Alert type="warning">
        The browser could not draw the graph. The table of tasks shows the same.
      </Alert>
    );
  }
  return (
    <figure className="tg-graph" aria-label={label}>
      {picture.nodes.length > MAP_FROM && <FindTask picture={picture} onSelect={select} />}
      <div className="tg-graph-canvas">
        {places === null ? (
          <Skeleton what="the graph" lines={8} />
        ) : (
          <Canvas picture={picture} nodes={nodes} edges={edges} selected={selected} onSelect={select} />
        )}
      </div>
      <Legend hasStates={picture.nodes.some(({ state }) => state !== null)} />
    </figure>
  );
}

interface CanvasProps {
  picture: Picture;
  nodes: TaskNode[];
  edges: Edge[];
  selected: string | null;
  onSelect: (key: string | null) => void;
}

/** Draws nodes and edges; each handler stays the same, so that a choice changes two nodes alone. */
function Canvas({ picture, nodes, edges, selected, onSelect }: CanvasProps) {
  const fit = useMemo(() => ({ maxZoom: 1, minZoom: 0.45, nodes: firstSeen(picture) }), [picture]);
  const onNodeClick = useCallback((_: unknown, node: TaskNode) => { onSelect(node.id); }, [onSelect]);
  const onPaneClick = useCallback(() => { onSelect(null); }, [onSelect]);
  const onNodesChange = useCallback(
    (changes: NodeChange<TaskNode>[]) => {
      for (const change of changes) {
        if (change.type === "select" && change.selected) onSelect(change.id);
      }
    },
    [onSelect],
  );
  const isLarge = picture.nodes.length > MAP_FROM;
  return (
    <ReactFlow<TaskNode>
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      fitView
      fitViewOptions={fit}
      minZoom={0.05}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      onlyRenderVisibleElements
      onNodeClick={onNodeClick}
      onPaneClick={onPaneClick}
      onNodesChange={onNodesChange}
    >
      {isLarge && <Centre selected={selected} />}
      <Background gap={24} />
      <Controls showInteractive={false} />
      {isLarge && (
        <MiniMap<TaskNode> pannable zoomable ariaLabel="Map of the graph" nodeClassName={mapClass} />
      )}
    </ReactFlow>
  );
}

const mapClass = ({ data }: TaskNode): string => `tg-map-${data.task.state ?? "defined"}`;

/** Returns a function that stays the same, and calls the last one that was given. */
function useLatest(call: (key: string | null) => void): (key: string | null) => void {
  const last = useRef(call);
  useEffect(() => {
    last.current = call;
  }, [call]);
  return useCallback((key: string | null) => { last.current(key); }, []);
}

/** Moves a task that was chosen elsewhere into sight. */
function Centre({ selected }: { selected: string | null }) {
  const { fitView } = useReactFlow();
  useEffect(() => {
    if (selected !== null) {
      const isStill = globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
      void fitView({ nodes: [{ id: selected }], maxZoom: 1, duration: isStill ? 0 : 200 });
    }
  }, [selected, fitView]);
  return null;
}

/** Nodes of a large picture to show first: failures, else work, else the beginning. */
function firstSeen(picture: Picture): { id: string }[] {
  const { nodes } = picture;
  if (nodes.length <= MAP_FROM) {
    return nodes.map(({ key }) => ({ id: key }));
  }
  const of = (...states: string[]): PictureNode[] =>
    nodes.filter(({ state }) => state !== null && states.includes(state));
  const failed = of("failed", "timed_out", "dead_lettered");
  const first = (failed[0] ?? of("running")[0] ?? nodes[0])?.key ?? "";
  const beside = picture.edges.flatMap(({ source, target }) =>
    source === first ? [target] : target === first ? [source] : [],
  );
  return [first, ...beside].slice(0, FIRST_SEEN).map((id) => ({ id }));
}

/** Loads the layout when a graph is shown: it is larger than the rest of the console. */
async function layOutApart(picture: Picture, direction: "RIGHT" | "DOWN"): Promise<Places> {
  const { layOut } = await import("./layout");
  return layOut(picture, direction);
}

function usePlaces(
  picture: Picture,
  direction: "RIGHT" | "DOWN",
): { places: Places | null; failure: boolean } {
  const shape = useMemo(() => shapeOf(picture), [picture]);
  const [laidOut, setLaidOut] = useState<{ shape: string; places: Places } | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    layOutApart(picture, direction).then(
      (places) => {
        if (isCurrent) {
          setLaidOut({ shape, places });
        }
      },
      () => {
        if (isCurrent) {
          setFailed(shape);
        }
      },
    );
    return () => {
      isCurrent = false;
    };
    // The shape stands for the picture: states change, and the layout stays.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape, direction]);
  return {
    places: laidOut?.shape === shape ? laidOut.places : null,
    failure: failed === shape,
  };
}

function edgesOf(edges: Picture["edges"]): Edge[] {
  return edges.map(({ source, target, condition }) => ({
    id: `${source}>${target}`,
    source,
    target,
    className: `tg-edge tg-edge-${condition ?? "on_success"}`,
    markerEnd: { type: MarkerType.ArrowClosed },
  }));
}

const TaskBox = memo(function TaskBox({ data, selected }: NodeProps<TaskNode>) {
  const { task, note, isDown } = data;
  const kind = `${task.runs}${task.fan_out ? ", fans out" : ""}${task.rule === "all" ? "" : `, ${task.rule}`}`;
  return (
    <div
      className={`tg-task tg-task-${task.state ?? "defined"}${selected ? " tg-task-chosen" : ""}${task.fan_out ? " tg-task-fan" : ""}`}
    >
      <Handle type="target" position={isDown ? Position.Top : Position.Left} />
      <span className="tg-task-sign" aria-hidden="true">
        {signOf(task.state)}
      </span>
      <span className="tg-task-title">{task.title}</span>
      <span className="tg-task-note">{note === "" ? kind : note}</span>
      <Handle type="source" position={isDown ? Position.Bottom : Position.Right} />
    </div>
  );
});

const NODE_TYPES = { task: TaskBox };

function Legend({ hasStates }: { hasStates: boolean }) {
  return (
    <figcaption className="tg-legend">
      {hasStates &&
        LEGEND.map(([state, sign]) => (
          <span key={state}>
            <span className={`tg-task-sign tg-sign-${state}`} aria-hidden="true">
              {sign}
            </span>{" "}
            {stateWords(state)}
          </span>
        ))}
      <span className="tg-legend-edge tg-legend-on_success">on success</span>
      <span className="tg-legend-edge tg-legend-on_failure">on failure</span>
      <span className="tg-legend-edge tg-legend-on_finished">on finished</span>
    </figcaption>
  );
}
